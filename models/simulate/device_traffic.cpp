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

// Bytes from device memory where blocks come back to what others far from them have read.
double with_far_reads(const Growth& part, const GridShape& grid, double moved, double l2) {
  const double asked = part.without_end(grid.x, grid.y, grid.z), all = part.of(grid.x, grid.y, grid.z);
  if (!part.by_data || !part.comes_back(grid.x, grid.y, grid.z)) return all;
  const double distance = moved * all / asked;
  return all + (asked - all) * std::exp(-l2 / distance);
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
                             const GridShape& grid, const L2Room& l2, bool warm) {
  DeviceTraffic traffic;
  double stored = sum_of(stores, grid.x, grid.y, grid.z);
  for (std::size_t n = 0; n < std::max(loads.size(), stores.size()); ++n)
    traffic.touched += std::max(n < loads.size() ? loads[n].of(grid.x, grid.y, grid.z) : 0,
                                n < stores.size() ? stores[n].of(grid.x, grid.y, grid.z) : 0);
  const double blocks = grid.x * grid.y * grid.z, waves = std::max(1.0, blocks / grid.wave);
  const double wave_x = std::min(grid.x, grid.wave), wave_z = std::max(1.0, grid.wave / (grid.x * grid.y));
  const double rows = std::max(1.0, grid.wave / grid.x), wave_y = grid.z > 1 ? std::min(grid.y, rows) : rows;
  const bool fits = traffic.touched <= l2.shared;
  // From the launch before, whose blocks ran on other SMs.
  const bool is_there = warm && (fits || traffic.touched * (2 - l2.shared / l2.all) <= l2.all);
  const double of_wave = sum_of(loads, wave_x, wave_y, wave_z) + sum_of(stores, wave_x, wave_y, wave_z);
  double moved = 0;
  for (const auto parts : {loads, stores})
    for (const Growth& part : parts) moved += part.without_end(grid.x, grid.y, grid.z);
  for (const Growth& part : loads) {
    const double all = part.of(grid.x, grid.y, grid.z);
    double read = is_there ? 0 : all;
    // What one wave leaves is still there for the next if both fit.
    if (!is_there && !fits && 2 * of_wave > l2.shared)
      read = std::max(all, waves * part.of(wave_x, wave_y, wave_z));
    // What a block reads again after L2 has lost it; blocks that share it bring it back for one another.
    constexpr double alone = 2; // fewer readers of a wave than that
    if (!is_there && !fits && wave_x * wave_y * wave_z * part.one < alone * part.of(wave_x, wave_y, wave_z))
      read += blocks * part.lost;
    if (!is_there && !fits) read = std::max(read, with_far_reads(part, grid, moved, l2.shared));
    traffic.read.push_back(read);
  }
  // L2 has written what a block stores again after it has moved more than its share.
  for (const Growth& part : stores) stored += fits ? 0 : blocks * part.lost;
  // Of what is stored about a third of L2 stays there, and is written after the kernel has ended; all of it
  // where it finds its lines there, written before.
  traffic.written = is_there ? 0 : std::max(0.0, stored - l2.shared / 3);
  traffic.left = is_there ? 0 : stored - traffic.written;
  if (stored > 0)
    for (const Growth& part : stores)
      traffic.filled += traffic.written / stored * part.filled * part.of(grid.x, grid.y, grid.z);
  return traffic;
}

} // namespace perfmodel
