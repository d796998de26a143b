// What the lanes of an access touch, in pieces of memory: sectors, lines, words.
#pragma once

#include "models/access/banks.hpp"
#include "models/kernel/run_block.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

inline constexpr std::int64_t sector_bytes = 32, line_bytes = 128; // of L1 and L2

// The sector that a byte lies in; those below address 0 have numbers of their own, too.
constexpr std::uint64_t sector_of(std::int64_t address) {
  constexpr int of_32_bytes = 5;
  static_assert(std::int64_t{1} << of_32_bytes == sector_bytes);
  return static_cast<std::uint64_t>(address >> of_32_bytes);
}

// Whether all lanes take part, each with the bytes behind those of the lane before.
bool side_by_side(const MemoryAccess& a);
// Different pieces of that size, a power of two, that the lanes' bytes touch, ascending.
std::vector<std::uint64_t> pieces_of(const MemoryAccess& a, std::int64_t size);
std::size_t count_pieces(const MemoryAccess& a, std::int64_t size);
// What comes where lanes copy from one memory to another past L1: a sector that begins in the middle of one
// of shared memory comes twice, for either half, and its line is asked for twice. Counted by Nsight Compute
// in products whose tiles have rows of 48 and 272 bytes, an H200 of 29 November 2026.
struct CopiedPieces {
  std::size_t sectors = 0, lines = 0;
};
CopiedPieces copied_pieces(const MemoryAccess& from, const MemoryAccess& to);
// How many pieces of `divisor` times that size they lie in.
std::size_t larger_pieces(const std::vector<std::uint64_t>& list, std::uint64_t divisor);
// Where the lanes lie beside `first`, in one number.
std::uint64_t lanes_beside(const MemoryAccess& a, std::int64_t first);
// Most lanes that meet in one word.
std::size_t most_alike(const MemoryAccess& a);
// Most lanes whose words lie in one bank.
std::int64_t lanes_of_a_bank(const MemoryAccess& a, const Banks& banks);
// Turns that L2 takes for an atomic operation: a sector's words in one, as many as lanes meet in one of them.
std::size_t sector_turns(const MemoryAccess& a);

} // namespace perfmodel
