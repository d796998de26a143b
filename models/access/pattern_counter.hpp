// What the accesses of a launch's warps become: transactions, bytes that caches and DRAM move.
#pragma once

#include "recent_reads.hpp"
#include "recent_writes.hpp"

#include "models/access/banks.hpp"
#include "models/access/block_lines.hpp"
#include "models/access/coalescing.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

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
  std::int64_t wavefronts = 0, least_wavefronts = 0; // of L1's banks; as they are, and without conflicts
  std::int64_t wavefront_bytes = 0;                  // of all banks together; 0: no L1, or it has no banks
  std::int64_t texture_wavefronts = 0;               // of the texture units, for what they read
  double rows_read = 0, rows_written = 0;            // openings of DRAM rows
  std::int64_t split_lines = 0;  // lines of which two requests wrote one sector, each a part
  std::int64_t shared_fills = 0; // lines of which two requests wrote, and a sector is filled
  std::int64_t blocks = 1;       // of the grid that was walked
  std::string first_warp, grid;  // what the first warp asks for; the grid that was walked
  std::string followed;          // the sample of memory in which L2 was followed; empty: in all
  // Of the first warp that is full and active: words from lane to lane, if that is the same for all.
  std::optional<std::int64_t> lane_step;
  // Of that warp: words from lane to lane in its first row of x.
  std::optional<std::int64_t> row_step;
  // Of the first warp that has active lanes, but not all: whether these access words in the order of lanes.
  bool in_order_but_idle = false;
  bool begins_aligned = false;           // the first full warp, at a multiple of `alignment`
  std::optional<std::int64_t> row_pitch; // of a full warp's first two rows of x: bytes
  std::int64_t narrowest = 0;   // bytes that a full request asks for, where that is less than a transaction
  bool cached = false;          // by L2, and loads pass L1
  bool never_coalesced = false; // words too narrow for the rule
  std::int64_t alignment = 0;   // bytes that a warp's first word should be a multiple of
};

// What device memory moves and opens at least, powers of two in bytes; none where the GPU does neither.
struct DramPieces {
  std::optional<std::int64_t> atom, row_reach;
};

class PatternCounter {
public:
  using Addresses = std::array<std::int64_t, warp_lanes>; // the first byte of each lane's word

  // `word`: bytes. Throws InputError: a fact is missing or of no use.
  PatternCounter(const Gpu& gpu, const Coalescing::Input& in, std::int64_t word, const DramPieces& pieces);

  // Warps in the order of the launch; addresses of active lanes from 0 to 2^47.
  void warp(const WarpView& view, const Addresses& address);
  PatternCounts take(); // at the end

private:
  using Target = std::variant<RecentWrites<std::uint64_t>, RecentWrites<Words128>>;

  RecentReads source(const Gpu& gpu, const DramPieces& pieces) const;
  Target target(const Gpu& gpu, const DramPieces& pieces) const;
  std::int64_t checked(const Gpu& gpu, std::int64_t atom) const;
  std::int64_t cache(const Gpu& gpu) const;
  void load(const Transactions& t, std::int64_t threads, const WarpView& view, const Addresses& address,
            const SortedLanes& sorted);
  void hand_over(std::int64_t threads, const WarpView& view, const Addresses& address,
                 const SortedLanes& sorted);
  void store(const Transactions& t, std::int64_t threads, const WarpView& view, const Addresses& address,
             const SortedLanes& sorted);
  void add(const Transactions& t, std::int64_t threads);
  void end_block();

  std::int64_t word_;
  bool loads_, stores_, same_; // transactions of both
  std::size_t row_lanes_ = warp_lanes;
  bool texture_; // what is read passes the texture units
  ReadPath path_;
  CoalescingRule load_, store_;
  Banks banks_; // of L1, where it has some (PatternCounts::wavefront_bytes)
  RecentReads source_;
  Target target_;
  BlockLines lines_;
  PatternCounts counts_;
  std::int64_t block_ = 0, loaded_before_ = 0;
};

} // namespace perfmodel
