#include "footprint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

namespace perfmodel {

namespace {

constexpr double line = 128;

template <class Pieces> std::uint64_t place(const Pieces& piece) {
  if constexpr (std::is_integral_v<std::remove_cvref_t<Pieces>>)
    return piece;
  else
    return piece.first;
}

// What the blocks that follow add to one, each in the mean, as a share of that one.
template <class Set, class Of>
double share_new(const Set& block, const std::vector<const BlockFootprint*>& next, Of of) {
  if (next.empty() || block.empty()) return 0;
  std::unordered_set<std::uint64_t> fresh;
  for (const BlockFootprint* one : next)
    for (const auto& piece : of(*one))
      if (block.count(place(piece)) == 0) fresh.insert(place(piece));
  return static_cast<double>(fresh.size()) / static_cast<double>(block.size() * next.size());
}

// Bytes that are touched in pieces of memory.
using Touched = std::unordered_map<std::uint64_t, double>;

template <class Visit> void each_block(const Neighbours& blocks, Visit visit) {
  visit(*blocks.block);
  for (const auto* list : {&blocks.right, &blocks.below, &blocks.behind, &blocks.before})
    for (const BlockFootprint* one : *list) visit(*one);
}

// Sets the shares of what the block touches, in pieces of so many bytes, that lies in stretches with which no
// block launched next goes on. Pieces within a row's reach of one another are one stretch.
template <class Of>
void set_stretches(Growth& made, const Neighbours& blocks, double piece, double row_reach, Of of) {
  std::vector<std::uint64_t> own;
  for (const auto& one : of(*blocks.block)) own.push_back(place(one));
  if (own.empty() || blocks.next().empty()) return;
  std::sort(own.begin(), own.end());
  const auto reach = static_cast<std::uint64_t>(std::max(1.0, row_reach / piece));
  const auto goes_on = [&](std::uint64_t first, std::uint64_t last) {
    const auto touched = [&](std::uint64_t at) {
      return std::any_of(blocks.next().begin(), blocks.next().end(),
                         [&](const BlockFootprint* next) { return of(*next).count(at) != 0; });
    };
    for (std::uint64_t away = 1; away <= reach; ++away)
      if (touched(last + away) || (away <= first && touched(first - away))) return true;
    return touched(first) || touched(last);
  };
  for (std::size_t from = 0; from < own.size();) {
    std::size_t to = from + 1;
    while (to < own.size() && own[to] - own[to - 1] <= reach) ++to;
    const double share = static_cast<double>(to - from) / static_cast<double>(own.size());
    if (!goes_on(own[from], own[to - 1]))
      (static_cast<double>(to - from) * piece < row_reach ? made.short_stretches : made.long_stretches) +=
          share;
    from = to;
  }
}

double changed_beside(const Neighbours& blocks, std::size_t n, double atom) {
  constexpr std::uint64_t of_line = 4;
  const auto loads = [&](const BlockFootprint& block, std::uint64_t at) {
    return block.loads[n].contains(static_cast<std::uint64_t>(static_cast<double>(at) * 32 / atom));
  };
  const auto loaded_beside = [&](std::uint64_t at) {
    return std::any_of(blocks.beside.begin(), blocks.beside.end(),
                       [&](const BlockFootprint* block) { return loads(*block, at); });
  };
  std::size_t changed = 0;
  for (const auto& [at, bytes] : blocks.block->stores[n]) {
    if (!loads(*blocks.block, at)) continue;
    for (std::uint64_t other = at / of_line * of_line; other < (at / of_line + 1) * of_line; ++other)
      if (!loads(*blocks.block, other) && loaded_beside(other)) {
        ++changed;
        break;
      }
  }
  return changed == 0 ? 0
                      : static_cast<double>(changed) / static_cast<double>(blocks.block->stores[n].size());
}

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

double Growth::without_end(double bx, double by, double bz) const {
  bx = std::max(1.0, bx);
  const double rounds = period > 0 ? std::max(1.0, bx / period) : 1;
  return one * (1 + x * (bx / rounds - 1)) * (1 + new_after_period * (rounds - 1)) *
         (1 + y * (std::max(1.0, by) - 1)) * (1 + z * (std::max(1.0, bz) - 1));
}

double Growth::of(double bx, double by, double bz) const { return std::min(most, without_end(bx, by, bz)); }

void set_growth_from_afar(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                          const Further& further) {
  const auto of = [&](const BlockFootprint& b) -> const auto& { return b.loads[allocation]; };
  if (further.block != nullptr) growth.x = share_new(of(block), {further.block}, of) / further.distance;
}

void set_recurrence(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                    const Recurrence& recurrence) {
  const auto of = [&](const BlockFootprint& b) -> const auto& { return b.loads[allocation]; };
  growth.period = recurrence.period;
  growth.new_after_period = recurrence.period > 0 ? share_new(of(block), recurrence.blocks, of) : 1;
}

Growth growth_of_loads(const Neighbours& blocks, std::size_t n, double atom, const Rows& memory,
                       double most) {
  const auto of = [&](const BlockFootprint& block) -> const auto& { return block.loads[n]; };
  Growth made{.one = atom * static_cast<double>(of(*blocks.block).size()), .most = most};
  made.x = share_new(of(*blocks.block), blocks.right, of);
  made.y = share_new(of(*blocks.block), blocks.below, of);
  made.z = share_new(of(*blocks.block), blocks.behind, of);
  std::unordered_set<std::uint64_t> atoms;
  each_block(blocks, [&](const BlockFootprint& block) {
    for (const auto& atom_read : of(block)) atoms.insert(place(atom_read));
  });
  // Rows of the block itself, with what its neighbours add to them.
  const auto row_of = [&](std::uint64_t piece) {
    return static_cast<std::uint64_t>(static_cast<double>(piece) * atom / memory.row_reach);
  };
  Touched rows;
  for (const auto& piece : of(*blocks.block)) rows[row_of(place(piece))] = 0;
  for (const std::uint64_t piece : atoms)
    if (const auto row = rows.find(row_of(piece)); row != rows.end()) row->second += atom;
  double taken = 0, all = 0;
  for (const auto& [at, bytes] : rows) {
    taken += std::max(bytes, memory.read_row);
    all += bytes;
  }
  if (all > 0) made.per_byte = std::max(1.0, taken / all);
  set_stretches(made, blocks, atom, memory.row_reach, of);
  return made;
}

Growth growth_of_stores(const Neighbours& blocks, std::size_t n, double atom, const Rows& memory,
                        double most) {
  constexpr double sector = 32;
  const auto of = [&](const BlockFootprint& block) -> const auto& { return block.stores[n]; };
  Growth made{.one = sector * static_cast<double>(of(*blocks.block).size()), .most = most};
  made.x = share_new(of(*blocks.block), blocks.right, of);
  made.y = share_new(of(*blocks.block), blocks.below, of);
  made.z = share_new(of(*blocks.block), blocks.behind, of);
  std::unordered_map<std::uint64_t, std::uint32_t> sectors;
  each_block(blocks, [&](const BlockFootprint& block) {
    for (const auto& [at, bytes] : of(block)) sectors[at] |= bytes;
  });
  // What was loaded as well is there whole.
  each_block(blocks, [&](const BlockFootprint& block) {
    for (auto& [at, bytes] : sectors)
      if (block.loads[n].contains(static_cast<std::uint64_t>(static_cast<double>(at) * sector / atom)))
        bytes = ~std::uint32_t{0};
  });
  Touched lines, filled; // of the block itself, with what its neighbours add to them
  for (const auto& [at, bytes] : of(*blocks.block)) lines[at / 4] = 0;
  double all = 0;
  for (const auto& [at, bytes] : sectors) {
    const auto own = lines.find(at / 4);
    if (own == lines.end()) continue;
    own->second += sector;
    all += sector;
    if (bytes != ~std::uint32_t{0}) filled[at / 4] += sector;
  }
  double taken = 0, partial = 0;
  for (const auto& [at, bytes] : lines) {
    const auto fill = filled.find(at);
    const double more = fill == filled.end() ? 0 : fill->second;
    taken += bytes + more >= line && more == 0 ? bytes : std::max(bytes + more, memory.written_row);
    partial += more;
  }
  if (all > 0) {
    made.per_byte = std::max(1.0, taken / all);
    made.filled = partial / all;
  }
  set_stretches(made, blocks, sector, memory.row_reach, of);
  made.changed_beside = changed_beside(blocks, n, atom);
  return made;
}

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
  const double stored = sum_of(stores, grid.x, grid.y, grid.z);
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
