// One walk over a launch, counting what its accesses of global memory become.
#pragma once

#include "models/access/coalescing.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace perfmodel {

struct PatternCounts {
  std::int64_t requests = 0, transactions = 0;
  std::int64_t requested = 0, unique = 0, moved = 0; // bytes
  std::int64_t loaded = 0,
               loaded_by_blocks = 0; // bytes of the loads' transactions, and of a block's different
  std::int64_t dram_read = 0, dram_filled = 0, dram_written = 0; // bytes
  std::int64_t between_l2_and_sms = 0;                           // bytes
  std::int64_t to_registers = 0,
               lines = 0; // of loads through L1: bytes, a register at least for a word; 128 B lines
  double rows_read = 0, rows_written = 0; // openings of DRAM rows
  std::int64_t split_lines = 0;           // lines of which two requests wrote one sector, each a part
  std::int64_t shared_fills = 0;          // lines of which two requests wrote, and a sector is filled
  std::string first_warp, grid;           // what the first warp asks for; the grid that was walked
  std::string followed;                   // the sample of memory in which L2 was followed; empty: in all
  // Of the first warp that is full and active: words from lane to lane, if that is the same for all.
  std::optional<std::int64_t> lane_step;
  // Of that warp: words from lane to lane in its first row of x.
  std::optional<std::int64_t> row_step;
  bool cached = false;          // by L2, and loads pass L1
  bool never_coalesced = false; // words too narrow for the rule
  std::int64_t alignment = 0;   // bytes that a warp's first word should be a multiple of
};

// The expression of stride, offset and permutation, or the one given.
Expression index_of(const Coalescing::Input& in);

// Throws InputError.
PatternCounts count_pattern(const Gpu& gpu, const Coalescing::Input& in);

} // namespace perfmodel
