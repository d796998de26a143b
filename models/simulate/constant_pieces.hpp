// Which part of constant memory a load reads, where that is not an argument: by pieces, numbered from 1
// through all banks.
#pragma once

#include "traced_step.hpp"

#include "models/kernel/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

inline constexpr std::int64_t constant_piece = 32; // bytes

// Of a load whose addresses are known. It reads all from the first address of its lanes to the last.
void find_constants(const Instruction& i, const MemoryAccess& access, TracedStep& step);

// Bytes that steps read, each once.
double constants_read(const std::vector<TracedStep>& steps);

// The line of so many bytes that a piece lies in, by number from 1.
inline std::uint16_t line_of_piece(std::uint16_t piece, std::size_t bytes) {
  const std::size_t pieces = bytes / static_cast<std::size_t>(constant_piece);
  return static_cast<std::uint16_t>((piece - 1U) / pieces + 1);
}

} // namespace perfmodel
