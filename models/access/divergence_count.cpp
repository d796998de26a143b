#include "divergence_count.hpp"

#include "bit_count.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace perfmodel {

namespace {

using Lanes = std::span<const std::int64_t, warp_lanes>;

std::size_t first_lane(std::uint32_t mask) { return static_cast<std::size_t>(std::countr_zero(mask)); }

// The lanes of `among` whose value is that of the first of them.
std::uint32_t lanes_like_the_first(Lanes values, std::uint32_t among) {
  if ((among & (among - 1)) == 0) return among;
  const std::int64_t value = values[first_lane(among)];
  std::uint32_t equal = 0;
  for (std::size_t l = 0; l < warp_lanes; ++l) equal |= static_cast<std::uint32_t>(values[l] == value) << l;
  return equal & among;
}

struct Work {
  int ways = 0;
  double passes = 0, lane_passes = 0; // trips may be as many as an integer holds
  bool uneven = false;                // lanes of one way leave the loop at different trips
};

// The lanes `mask` of one way.
void add_way(Work& work, std::uint32_t mask, const Lanes* trips) {
  ++work.ways;
  if (trips == nullptr) {
    work.passes += 1;
    work.lane_passes += bit_count(mask);
    return;
  }
  std::int64_t most = 0, least = INT64_MAX;
  for (; mask != 0; mask &= mask - 1) {
    const std::int64_t n = std::max<std::int64_t>((*trips)[first_lane(mask)], 0); // for (j = 0; j < n; ++j)
    most = std::max(most, n), least = std::min(least, n);
    work.lane_passes += static_cast<double>(n);
  }
  work.passes += static_cast<double>(most);
  work.uneven = work.uneven || most != least;
}

// The ways of `mask`, each of one pass. A hash table of twice as many places as lanes: to look for the lanes
// of each way costs ten times as much in a switch of 32.
Work one_pass_each(std::uint32_t mask, Lanes path) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio: Fibonacci hashing
  std::array<std::int64_t, 64> ways;
  std::uint64_t taken = 0;
  for (std::size_t l = 0; l < warp_lanes; ++l) {
    if ((mask >> l & 1) == 0) continue;
    std::size_t place = (static_cast<std::uint64_t>(path[l]) * golden) >> 58;
    while ((taken >> place & 1) != 0 && ways[place] != path[l]) place = (place + 1) % ways.size();
    ways[place] = path[l];
    taken |= std::uint64_t{1} << place;
  }
  const int count = bit_count(taken);
  return {.ways = count,
          .passes = static_cast<double>(count),
          .lane_passes = static_cast<double>(bit_count(mask))};
}

Work work_of(std::uint32_t mask, const Lanes* path, const Lanes* trips) {
  if (path != nullptr && trips == nullptr) return one_pass_each(mask, *path);
  Work work;
  while (mask != 0) {
    const std::uint32_t way = path == nullptr ? mask : lanes_like_the_first(*path, mask);
    add_way(work, way, trips);
    mask &= ~way;
  }
  return work;
}

// The fewest divergent warps of a block: threads that take the branch, side by side from the first on, split
// at most one warp, and none where they fill whole warps (the last of which may be a part).
double least_divergent(std::int64_t active, std::int64_t threads) {
  return active == threads || active % 32 == 0 ? 0 : 1;
}

} // namespace

DivergenceCount& DivergenceCount::operator+=(const DivergenceCount& o) {
  warp_steps += o.warp_steps, active_warp_steps += o.active_warp_steps, divergent += o.divergent;
  least_divergent += o.least_divergent, passes += o.passes, lane_passes += o.lane_passes;
  mean_passes += o.mean_passes;
  return *this;
}

std::vector<DivergenceCount> count_divergence(LaunchWalk walk, const Branching& branching,
                                              std::int64_t steps) {
  if (static_cast<double>(walk.threads()) * static_cast<double>(steps) > 4294967296)
    throw InputError(
        fmt::format("--steps {}: at most 2^32 threads are walked, in all steps together", steps));
  constexpr std::size_t none = SIZE_MAX;
  walk.guard_by(branching.predicate, "--if");
  const std::size_t path = branching.path.empty() ? none : walk.add(branching.path, "--path");
  const std::size_t trips = branching.trips.empty() ? none : walk.add(branching.trips, "--trips");
  const std::int64_t block_threads = walk.threads() / (walk.warps() / walk.warps_per_block());
  std::vector<DivergenceCount> counts;
  for (std::int64_t i = 0; i < steps; ++i) {
    DivergenceCount count;
    std::int64_t block_active = 0;
    walk.each_warp(i, [&](const WarpView& warp) {
      std::optional<Lanes> ways, times;
      if (path != none) ways = warp.values(path);
      if (trips != none) times = warp.values(trips);
      Work work = work_of(warp.active, ways ? &*ways : nullptr, times ? &*times : nullptr);
      double working = bit_count(warp.active);
      const std::uint32_t others = warp.live & ~warp.active;
      if (others != 0 && branching.otherwise) {
        add_way(work, others, nullptr);
        working = bit_count(warp.live);
      }
      count.warp_steps += 1;
      count.active_warp_steps += warp.active != 0;
      count.divergent += work.uneven || work.ways > 1 || (others != 0 && warp.active != 0);
      count.passes += work.passes;
      count.lane_passes += work.lane_passes;
      if (working > 0) count.mean_passes += work.lane_passes == working ? 1 : work.lane_passes / working;
      block_active += bit_count(warp.active);
      if (warp.warp + 1 < walk.warps_per_block()) return;
      count.least_divergent += least_divergent(block_active, block_threads);
      block_active = 0;
    });
    counts.push_back(count);
  }
  return counts;
}

} // namespace perfmodel
