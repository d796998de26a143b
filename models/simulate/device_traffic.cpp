#include "device_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

double sum_of(std::span<const Growth> parts, double bx, double by, double bz) {
  double sum = 0;
  for (const Growth& part : parts) sum += part.of(bx, by, bz);
  return sum;
}

// Whether blocks come back to it at any time, as an index says.
bool is_gathered(const Growth& part, const GridShape& grid) {
  return part.by_data && part.comes_back(grid.x, grid.y, grid.z);
}

// How often each byte of it is asked for.
double times_asked(const Growth& part, const GridShape& grid) {
  return part.without_end(grid.x, grid.y, grid.z) / part.of(grid.x, grid.y, grid.z);
}

// Share of a launch in which so many bytes of L2 are filled; infinite: they never are.
double time_to_fill(std::span<const Growth> loads, std::span<const Growth> stores, const GridShape& grid,
                    double l2) {
  const auto filled_by = [&](const Growth& part, double time) {
    const double all = std::min(part.most, part.of(grid.x, grid.y, grid.z) * part.in_lines);
    return all * (is_gathered(part, grid) ? 1 - std::exp(-times_asked(part, grid) * time) : time);
  };
  const auto filled = [&](double time) {
    double sum = 0;
    for (std::size_t n = 0; n < std::max(loads.size(), stores.size()); ++n)
      sum += std::max(n < loads.size() ? filled_by(loads[n], time) : 0,
                      n < stores.size() ? filled_by(stores[n], time) : 0);
    return sum;
  };
  double from = 0, to = 1;
  if (filled(to) <= l2) return std::numeric_limits<double>::infinity();
  for (int halvings = 0; halvings < 40; ++halvings)
    (filled((from + to) / 2) < l2 ? from : to) = (from + to) / 2;
  return from;
}

// Bytes from device memory where blocks come back to what others far from them have read.
double read_by_chance(const Growth& part, const GridShape& grid, double time) {
  const double all = part.of(grid.x, grid.y, grid.z), times = times_asked(part, grid);
  return all + all * (times - 1) * std::exp(-times * time);
}

// Blocks that lie side by side in the order in which they are launched.
struct BlockBox {
  double x = 1, y = 1, z = 1;
  double of(const Growth& part) const { return part.of(x, y, z); }
};

BlockBox box_of(const GridShape& grid, double blocks) {
  const double rows = std::max(1.0, blocks / grid.x);
  return {.x = std::min(grid.x, blocks),
          .y = grid.z > 1 ? std::min(grid.y, rows) : rows,
          .z = std::max(1.0, blocks / (grid.x * grid.y))};
}

// Bytes from device memory of what waves read that move `of_wave` bytes each, more than L2 holds.
double read_by_waves(const Growth& part, const GridShape& grid, double of_wave, const L2Room& l2,
                     BlockPace pace) {
  const double all = part.of(grid.x, grid.y, grid.z), blocks = grid.x * grid.y * grid.z,
               waves = std::max(1.0, blocks / grid.wave);
  const double in_step = std::max(all, waves * box_of(grid, grid.wave).of(part));
  if (pace == BlockPace::in_step) return in_step;
  const double together = std::min(grid.sms, grid.wave),
               each = blocks / together * box_of(grid, together).of(part),
               lost = std::max(0.0, each - all) * (1 - std::min(1.0, l2.shared / of_wave));
  // The first wave begins in step.
  return in_step + std::max(0.0, all + lost - in_step) * (1 - 1 / waves);
}

// Bytes of the lines that blocks touch which lie side by side.
double lines_of(std::span<const Growth> loads, std::span<const Growth> stores, const BlockBox& box) {
  const auto lines = [&](const Growth& part) { return std::min(part.most, box.of(part) * part.in_lines); };
  double sum = 0;
  for (std::size_t n = 0; n < std::max(loads.size(), stores.size()); ++n)
    sum += std::max(n < loads.size() ? lines(loads[n]) : 0, n < stores.size() ? lines(stores[n]) : 0);
  return sum;
}

// The share of the blocks that run in company of as many as there is room for, or of enough to run out of L2:
// of grids of a wave and a half, the half wave that is left may have L2 enough.
double share_in_company(std::span<const Growth> loads, std::span<const Growth> stores, const GridShape& grid,
                        const L2Room& l2) {
  constexpr double rounding = 1e-9;
  const double blocks = grid.x * grid.y * grid.z, wave = grid.wave * grid.accessing,
               in_waves = std::floor(blocks / wave + rounding) * wave,
               rest = std::max(0.0, blocks - in_waves);
  if (in_waves == 0 || lines_of(loads, stores, box_of(grid, rest)) > l2.alone()) return 1;
  return in_waves / blocks;
}

} // namespace

double far_chance(double times, bool fetched) {
  const auto one_beyond = [](double reads) { return 1 - std::pow(0.5, reads); };
  if (!fetched) return one_beyond(std::max(1.0, times)) / std::max(1.0, times);
  // No half asks the other where the first to read a line lay beyond it.
  const double again = std::max(1.0, times - 1);
  return 0.5 * one_beyond(again) / again;
}

DeviceTraffic device_traffic(std::span<const Growth> loads, std::span<const Growth> stores,
                             const GridShape& grid, const L2Room& l2, const UsedBefore& before,
                             BlockPace pace) {
  DeviceTraffic traffic;
  for (std::size_t n = 0; n < std::max(loads.size(), stores.size()); ++n) {
    const Growth none;
    const Growth &load = n < loads.size() ? loads[n] : none, &store = n < stores.size() ? stores[n] : none;
    traffic.touched += std::max(load.of(grid.x, grid.y, grid.z), store.of(grid.x, grid.y, grid.z));
  }
  // L2 keeps lines, of which not all sectors need be there.
  const double in_lines = lines_of(loads, stores, {grid.x, grid.y, grid.z});
  const double blocks = grid.x * grid.y * grid.z;
  const BlockBox wave = box_of(grid, grid.wave);
  const bool fits = in_lines <= l2.shared;
  // From launches before, most of whose blocks may have run on other SMs.
  const double room = std::max(l2.shared, l2.alone());
  for (std::size_t n = 0; n < std::max(loads.size(), stores.size()); ++n) {
    traffic.there.push_back(before.since(n) + std::max(in_lines, before.own) <= room);
    if ((n < loads.size() && loads[n].one > 0) || (n < stores.size() && stores[n].one > 0)) {
      ++traffic.arrays;
      if (traffic.there.back()) ++traffic.arrays_there;
    }
  }
  const double of_wave = sum_of(loads, wave.x, wave.y, wave.z) + sum_of(stores, wave.x, wave.y, wave.z);
  const BlockBox two = box_of(grid, std::min(blocks, 2 * grid.wave));
  const double of_two_waves = sum_of(loads, two.x, two.y, two.z) + sum_of(stores, two.x, two.y, two.z);
  const double time = time_to_fill(loads, stores, grid, l2.shared);
  const double losing = blocks * share_in_company(loads, stores, grid, l2);
  for (std::size_t n = 0; n < loads.size(); ++n) {
    const Growth& part = loads[n];
    const bool is_there = traffic.there[n];
    const double all = part.of(grid.x, grid.y, grid.z);
    double read = is_there ? 0 : all;
    // What one wave leaves is still there for the next if both fit.
    if (!is_there && !fits && is_gathered(part, grid))
      read = read_by_chance(part, grid, time);
    else if (!is_there && !fits && of_two_waves > l2.shared)
      read = read_by_waves(part, grid, of_wave, l2, pace);
    // What a block reads again after L2 has lost it; blocks that share it bring it back for one another.
    constexpr double alone = 2; // fewer readers of a wave than that
    const bool loses = !is_there && !fits && wave.x * wave.y * wave.z * part.one < alone * wave.of(part);
    traffic.lost.push_back(loses ? losing * part.lost : 0);
    read += traffic.lost.back();
    traffic.read.push_back(read);
  }
  // Of what is stored about a third of L2 stays there, and is written after the kernel has ended; all of it
  // where it finds its lines there, written before. L2 has written what a block stores again once it has
  // lost it.
  double stored = 0, filled = 0;
  for (std::size_t n = 0; n < stores.size(); ++n) {
    traffic.rewritten.push_back(traffic.there[n] || fits ? 0 : losing * stores[n].lost);
    if (traffic.there[n]) continue;
    const double all = stores[n].of(grid.x, grid.y, grid.z);
    stored += all + traffic.rewritten.back();
    filled += stores[n].filled * all + (fits ? 0 : losing * stores[n].refilled);
  }
  traffic.written = std::max(0.0, stored - l2.shared / 3);
  traffic.left = stored - traffic.written;
  if (stored > 0) traffic.filled = traffic.written / stored * filled;
  return traffic;
}

} // namespace perfmodel
