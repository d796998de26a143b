// Instructions of PTX and of machine code in the same classes, with what a count of loops needs: which
// registers each reads and writes, and where a branch goes. What the compiler makes of PTX is then a
// difference of counts.
#pragma once

#include "listing.hpp"
#include "ptx_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class InstructionGroup : std::uint8_t {
  parameters, // and other constants, by an instruction of their own
  moves,      // special registers too
  integers,   // addresses too
  floats,
  functions, // and conversions
  compares,  // selects and the logic of predicates too
  global,
  shared,
  local,
  exchange, // between the lanes of a warp
  barriers, // and fences
  convergence,
  branches,
  tensor, // and bulk copies
  other
};
inline constexpr std::size_t instruction_groups = 15;
constexpr auto names(InstructionGroup) {
  return std::to_array<std::string_view>(
      {"parameters, constants", "moves", "integers, addresses", "floating point", "functions, conversions",
       "compare, select", "global memory", "shared memory", "local memory", "lane exchange",
       "barriers, fences", "convergence, padding", "branches", "tensor, bulk copies", "other"});
}

struct CountedInstruction {
  InstructionGroup group = InstructionGroup::other;
  std::string_view opcode;                  // "ld.global.f32", "IMAD.WIDE.U32"
  std::vector<std::uint32_t> reads, writes; // registers; those of PTX by the order in which they come
  std::optional<std::size_t> target;        // of a branch within the function
  bool conditional = false;                 // a branch, or anything else, with a guard
};

// Refer to the text and the code. Of machine code without the branches to themselves that fill up its end.
std::vector<CountedInstruction> counted(const PtxCode& ptx);
std::vector<CountedInstruction> counted(const KernelCode& code);

using GroupCounts = std::array<std::size_t, instruction_groups>;
inline GroupCounts group_counts(const std::vector<CountedInstruction>& all) {
  GroupCounts counts{};
  for (const CountedInstruction& one : all) ++counts[static_cast<std::size_t>(one.group)];
  return counts;
}

} // namespace perfmodel
