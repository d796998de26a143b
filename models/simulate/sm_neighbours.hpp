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

#include "access_rules.hpp"
#include "cache_room.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perfmodel {

// The sectors that a block reads, each with how many others it had read before.
class ReadOrder {
public:
  bool empty() const { return places_.empty(); }
  std::size_t size() const { return places_.size(); }
  std::size_t place_of(std::uint64_t sector) {
    return places_.try_emplace(sector, places_.size()).first->second;
  }
  // No further before or behind that place than L1 holds.
  bool has_near(std::uint64_t sector, std::size_t place, CacheRoom& l1) const {
    const auto at = places_.find(sector);
    if (at == places_.end()) return false;
    const std::size_t between = at->second > place ? at->second - place : place - at->second;
    return l1.holds(32 * static_cast<double>(between));
  }
  // The share of the other's sectors that this one reads at about the same time.
  double share_of(const ReadOrder& other, CacheRoom& l1) const {
    std::size_t both = 0;
    for (const auto& [sector, place] : other.places_) both += has_near(sector, place, l1) ? 1U : 0U;
    return other.places_.empty() ? 0 : static_cast<double>(both) / static_cast<double>(other.places_.size());
  }

private:
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

// Some blocks of the SM of a block stand for all of them.
class SmNeighbours {
public:
  SmNeighbours() = default;
  // `each`: how many blocks of the SM one of `others` stands for. Refers to L1's bytes.
  // `in_phase`: the share of the time for which they read at the same time.
  SmNeighbours(std::vector<ReadOrder> others, double each, double in_phase, CacheRoom& l1, std::size_t warps)
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
             const auto readers = std::count_if(others_.begin(), others_.end(), [&](const ReadOrder& other) {
               return other.has_near(sector, place, *l1_);
             });
             const auto sharers =
                 static_cast<std::size_t>(std::lround(1 + static_cast<double>(readers) * each_));
             return turn % sharers != 0;
           });
  }

private:
  std::vector<ReadOrder> others_;
  ReadOrder own_;
  double each_ = 0, in_phase_ = 1;
  CacheRoom* l1_ = nullptr;
  std::vector<double> phases_;     // of each warp: in-phase loads that are owed
  std::vector<std::size_t> turns_; // of each warp
};

// A launch whose blocks can be run.
struct LaunchedBlocks {
  const KernelCode& code;
  const KernelLaunch& launch;
  const AccessRules& rules;
  const KernelRunner& runner;
  LoadedData data;
};

// Of the next blocks on the SM of `block` those that read most of what it reads, by how they begin.
SmNeighbours neighbours_of(const LaunchedBlocks& blocks, std::int64_t block, CacheRoom& l1);

} // namespace perfmodel
