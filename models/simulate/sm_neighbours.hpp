// Blocks of one SM share its L1. Where they read the same at about the same time, one of them fetches it and
// the others find it there; each is the first as often as the others. "At about the same time" is within as
// many different sectors as L1 holds of each. Blocks of the first wave begin together; a later one begins
// when another has ended, anywhere in what its neighbours read, so that only by chance they read at the same
// time:
//   in_phase = first + (1 - first) min(1, 2 reach / sectors of a block), first = min(1, 1 / waves)
// Own measurement on an H100, 2026-11-26: of what the naive product of 1024 x 1024 loads 62 % misses L1 in
// blocks of 256 x 1, eight of an SM reading the same columns, where always in phase 11 % would, and never 81
// %.
#pragma once

#include "block_reads.hpp"
#include "cache_room.hpp"
#include "read_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace perfmodel {

// Some blocks of the SM of a block stand for all of them.
class SmNeighbours {
public:
  SmNeighbours() = default;
  // `each`: how many blocks of the SM one of `others` stands for. Refers to L1's bytes.
  // `in_phase`: the share of the time for which they read at the same time.
  SmNeighbours(std::vector<std::shared_ptr<const ReadOrder>> others, double each, double in_phase,
               CacheRoom& l1, std::size_t warps)
      : others_(std::move(others)), each_(each), in_phase_(in_phase), l1_(&l1) {
    for (std::size_t warp = 0; warp < warps; ++warp) { // not all warps fetch at once
      turns_.push_back(warp);
      phases_.push_back((static_cast<double>(warp) + 0.5) / static_cast<double>(warps));
    }
  }

  bool any() const { return !others_.empty(); }

  // The block has read it in trips that are left out.
  void note(std::uint64_t sector) {
    if (any()) own_.place_of(sector);
  }
  // Takes away what neighbours have fetched of the sectors that a load of this warp lacks; whether that is
  // any.
  bool take_away(std::size_t warp, std::vector<std::uint64_t>& sectors) {
    if (others_.empty() || sectors.empty()) return false;
    phases_[warp] += in_phase_;
    if (phases_[warp] < 1) {
      for (const std::uint64_t sector : sectors) own_.place_of(sector);
      return false;
    }
    phases_[warp] -= 1;
    const std::size_t turn = turns_[warp]++;
    return 0 < std::erase_if(sectors, [&](std::uint64_t sector) {
             const std::size_t place = own_.place_of(sector);
             const auto readers = std::count_if(others_.begin(), others_.end(), [&](const auto& other) {
               return other->has_near(sector, place, *l1_);
             });
             const auto sharers =
                 static_cast<std::size_t>(std::lround(1 + static_cast<double>(readers) * each_));
             return turn % sharers != 0;
           });
  }

private:
  std::vector<std::shared_ptr<const ReadOrder>> others_;
  ReadOrder own_;
  double each_ = 0, in_phase_ = 1;
  CacheRoom* l1_ = nullptr;
  std::vector<double> phases_;     // of each warp: in-phase loads that are owed
  std::vector<std::size_t> turns_; // of each warp
};

// Of the next blocks on the SM of `block` those that read most of what it reads, by how they begin.
SmNeighbours neighbours_of(const LaunchedBlocks& blocks, LaunchReads& reads, std::int64_t block,
                           CacheRoom& l1);

} // namespace perfmodel
