#include "memory_shares.hpp"

#include "launch_growth.hpp"

#include "models/core/facts.hpp"
#include "models/machine/caches.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// How many of so many blocks launched one after the other read what one of them does, in the mean.
double readers(const Growth& loads, const Shape& grid, double blocks) {
  const double x = std::min(blocks, static_cast<double>(grid.x)),
               y = std::min(blocks / x, static_cast<double>(grid.y));
  const double different = loads.without_end(x, y);
  return different > 0 ? x * y * loads.one / different : 1;
}

// Requests for a line meet where the SMs' requests are joined, up to four, which run on neighbouring SMs.
constexpr double joined = 4;
double read_together(const Growth& loads, const Shape& grid) {
  return std::clamp(readers(loads, grid, joined), 1.0, joined);
}

// Blocks that are launched one after the other go to different groups of SMs: of those of one group, whose
// requests for single sectors are joined, the next one is eight blocks on (assumed: the groups of the chips
// that were measured).
double gathered_together(const Growth& loads, const Shape& grid) {
  constexpr double groups = 8;
  return std::clamp(readers(loads, grid, joined * groups) / groups, 1.0, joined);
}

} // namespace

LocalMissing local_missing(const Shape& grid, const BlockSamples& samples, const LaunchGrowth& growth) {
  constexpr double sector = 32;
  const auto blocks = static_cast<double>(grid.count());
  const double of_block = sector * samples.local.touched / blocks,
               resident = of_block * std::min(blocks, growth.shape.wave), room = growth.l2.alone();
  // A sector that is there goes when one of those that all of them miss takes its place, whichever it is.
  double share = 0;
  if (resident > room)
    for (int n = 0; n < 100; ++n) share = 1 - std::exp(-(n == 0 ? 1 : share) * resident / room);
  return {share, share * sector * samples.local.read, share * sector * samples.local.written};
}

MemoryShares memory_shares(const Gpu& gpu, const Shape& grid, const BlockSamples& samples,
                           const LaunchGrowth& growth, const DeviceTraffic& traffic) {
  const GridShape& shape = growth.shape;
  const std::size_t allocations = growth.loads.size();
  MemoryShares shares{.missing = std::vector<double>(allocations),
                      .fetched = std::vector<double>(allocations),
                      .far = std::vector<double>(allocations, 0.5),
                      .load_bytes = {},
                      .store_bytes = {},
                      .added_lines = {},
                      .added_words = {},
                      .together = std::vector<double>(allocations, 1.0),
                      .gathered = std::vector<double>(allocations, 1.0),
                      .writes = traffic.written > 0};
  // The first blocks of a launch that is repeated go to the SMs that they went to before, whose half of L2
  // has a copy.
  const double elsewhere = 1 - std::min(1.0, shape.wave / static_cast<double>(grid.count()));
  for (std::size_t i = 0; i < allocations; ++i) {
    const Growth &loads = growth.loads[i], &stores = growth.stores[i];
    const double asked = 32 * samples.read_sectors[i];
    // Bytes read that were not asked for, of whole atoms, count with those that were.
    const double share = asked > 0 ? traffic.read[i] / asked : 0;
    shares.missing[i] = has_l2(gpu) ? std::min(1.0, share) : 1;
    shares.fetched[i] = has_l2(gpu) ? share : 1;
    if (const double different = loads.of(shape.x, shape.y, shape.z); different > 0)
      shares.far[i] = far_chance(asked / different, traffic.read[i] > 0) * (traffic.repeats ? elsewhere : 1);
    const double lost = traffic.read[i] > 0 ? traffic.lost[i] / traffic.read[i] : 0;
    shares.load_bytes.push_back(std::lerp(loads.per_byte, loads.per_byte_lost, lost) * std::max(1.0, share));
    if (gpu.has_cost(facts::sustained_l2_together)) {
      shares.together[i] = read_together(loads, grid);
      shares.gathered[i] = gathered_together(loads, grid);
    }
    // L2 writes once what several stores of a block put into a sector. Those that come to a line that is open
    // are not counted; up to four sectors of it are written with the first.
    constexpr double of_line = 4;
    const double put = 32 * samples.stored_sectors[i], again = traffic.rewritten[i],
                 kept_of_it = stores.of(shape.x, shape.y, shape.z) + again;
    const double rewritten = again > 0 ? again / kept_of_it : 0;
    shares.store_bytes.push_back(std::lerp(stores.per_byte, stores.per_byte_lost, rewritten) *
                                 (has_l2(gpu) && put > 0 ? std::min(of_line, kept_of_it / put) : 1.0));
    shares.added_lines.push_back(stores.added.lines);
    shares.added_words.push_back(stores.added.words);
  }
  // Local memory lies in no allocation.
  const LocalTraffic& local = samples.local;
  if (has_l2(gpu)) shares.missing.back() = local_missing(grid, samples, growth).share;
  if (local.changed > 0) shares.written_back = std::min(1.0, local.written / local.changed);
  if (!(local.touched > 0)) return shares;
  // Its lines are strewn over device memory, as each warp has its own.
  const auto busy = [](double row, double lines, double sectors) {
    return sectors > 0 ? std::max(1.0, row * lines / (32 * sectors)) : 1.0;
  };
  shares.load_bytes.back() = busy(growth.rows.read_row, local.read_lines, local.read);
  shares.store_bytes.back() = busy(growth.rows.written_row, local.changed_lines, local.changed);
  return shares;
}

} // namespace perfmodel
