#include "footprint.hpp"
#include "share_new.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

namespace perfmodel {

namespace {

constexpr double line = 128;

// What a row of blocks touches, where that is not what the neighbours say.
template <class Of> void set_row(Growth& made, const Neighbours& blocks, Of of) {
  constexpr double clearly = 0.1;
  if (!(made.x > 0) || blocks.row.size() < 2 || of(*blocks.block).empty()) return;
  std::unordered_set<std::uint64_t> touched;
  std::vector<double> row;
  std::size_t next = 1;
  for (std::size_t n = 0; n < blocks.row.size(); ++n) {
    for (const auto& piece : of(*blocks.row[n])) touched.insert(place(piece));
    if (n + 1 == next) row.push_back(static_cast<double>(touched.size())), next *= 2;
  }
  const double told = row[0] * made.along_x(static_cast<double>(blocks.row.size()));
  if (std::abs(row.back() - told) <= clearly * told) return;
  const double bytes_of_piece = made.one / row[0];
  for (double& bytes : row) bytes *= bytes_of_piece;
  made.row = std::move(row);
}

// Whether the block across adds as much as both its neighbours say, or clearly less.
template <class Of> void set_across(Growth& made, const Neighbours& blocks, Of of) {
  constexpr double clearly = 0.5;
  const auto& [right, below, across] = blocks.square;
  const auto& own = of(*blocks.block);
  if (across == nullptr || own.empty()) return;
  const double expected = share_new(own, {right}, of) * share_new(own, {below}, of);
  if (!(expected > 0)) return;
  std::size_t added = 0;
  for (const auto& piece : of(*across)) {
    const std::uint64_t at = place(piece);
    if (own.count(at) + of(*right).count(at) + of(*below).count(at) == 0) ++added;
  }
  const double share = static_cast<double>(added) / static_cast<double>(own.size()) / expected;
  if (share < clearly) made.across = share;
}

// Bytes that are touched in pieces of memory.
using Touched = std::unordered_map<std::uint64_t, double>;

template <class Visit> void each_block(const Neighbours& blocks, Visit visit) {
  visit(*blocks.block);
  for (const auto* list : {&blocks.right, &blocks.below, &blocks.behind, &blocks.before})
    for (const BlockFootprint* one : *list) visit(*one);
}

// Lines of the block, in what it and those around it touch of them in pieces of so many bytes.
template <class Of> double in_lines(const Neighbours& blocks, double piece, Of of) {
  const auto line_of = [&](std::uint64_t at) {
    return static_cast<std::uint64_t>(static_cast<double>(at) * piece / line);
  };
  std::unordered_map<std::uint64_t, double> touched;
  for (const auto& one : of(*blocks.block)) touched[line_of(place(one))] = 0;
  std::unordered_set<std::uint64_t> counted;
  double all = 0;
  each_block(blocks, [&](const BlockFootprint& block) {
    for (const auto& one : of(block))
      if (touched.count(line_of(place(one))) != 0 && counted.insert(place(one)).second) all += piece;
  });
  return all > 0 ? std::max(1.0, line * static_cast<double>(touched.size()) / all) : 1;
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

// Share of the sectors stored in place, in lines of which others have the rest: other blocks, or other warps.
double changed_beside(const Neighbours& blocks, std::size_t n, double atom) {
  constexpr std::uint64_t of_line = 4;
  const auto& stores = blocks.block->stores[n];
  const auto loads = [&](const BlockFootprint& block, std::uint64_t at) {
    return block.loads[n].contains(static_cast<std::uint64_t>(static_cast<double>(at) * 32 / atom));
  };
  const auto by_block_beside = [&](std::uint64_t at) {
    return !loads(*blocks.block, at) &&
           std::any_of(blocks.beside.begin(), blocks.beside.end(),
                       [&](const BlockFootprint* block) { return loads(*block, at); });
  };
  const auto by_another_warp = [&](std::uint64_t at, std::uint32_t warp) {
    const auto other = stores.find(at);
    return other != stores.end() && other->second.by != StoredSector::whole && other->second.by != warp;
  };
  std::size_t changed = 0;
  for (const auto& [at, stored] : stores) {
    if (!loads(*blocks.block, at)) continue;
    bool beside = stored.by == StoredSector::several;
    for (std::uint64_t other = at / of_line * of_line; !beside && other < (at / of_line + 1) * of_line;
         ++other)
      beside =
          by_block_beside(other) || (stored.by != StoredSector::whole && by_another_warp(other, stored.by));
    if (beside) ++changed;
  }
  return changed == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(stores.size());
}

} // namespace

Growth growth_of_loads(const Neighbours& blocks, std::size_t n, double atom, const Rows& memory,
                       double most) {
  const auto of = [&](const BlockFootprint& block) -> const auto& { return block.loads[n]; };
  Growth made{.one = atom * static_cast<double>(of(*blocks.block).size()), .most = most};
  made.x = share_new(of(*blocks.block), blocks.right, of);
  made.y = share_new(of(*blocks.block), blocks.below, of);
  made.z = share_new(of(*blocks.block), blocks.behind, of);
  made.in_lines = in_lines(blocks, atom, of);
  set_row(made, blocks, of);
  set_across(made, blocks, of);
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
  made.in_lines = in_lines(blocks, sector, of);
  std::unordered_map<std::uint64_t, std::uint32_t> sectors;
  each_block(blocks, [&](const BlockFootprint& block) {
    for (const auto& [at, stored] : of(block)) sectors[at] |= stored.bytes;
  });
  // What was loaded as well is there whole.
  each_block(blocks, [&](const BlockFootprint& block) {
    for (auto& [at, bytes] : sectors)
      if (block.loads[n].contains(static_cast<std::uint64_t>(static_cast<double>(at) * sector / atom)))
        bytes = ~std::uint32_t{0};
  });
  Touched lines, filled; // of the block itself, with what its neighbours add to them
  for (const auto& stored : of(*blocks.block)) lines[place(stored) / 4] = 0;
  double all = 0;
  for (const auto& [at, bytes] : sectors) {
    const auto own = lines.find(at / 4);
    if (own == lines.end()) continue;
    own->second += sector;
    all += sector;
    if (bytes != ~std::uint32_t{0}) filled[at / 4] += sector;
  }
  const auto row_of = [&](std::uint64_t at) {
    return static_cast<std::uint64_t>(static_cast<double>(at) * line / memory.row_reach);
  };
  std::unordered_map<std::uint64_t, double> of_row; // bytes of its fills
  for (const auto& [at, bytes] : filled) of_row[row_of(at)] += bytes;
  double beside = 0, alone = 0, partial = 0;
  for (const auto& [at, bytes] : lines) {
    const double written = bytes >= line ? bytes : std::max(bytes, memory.written_row);
    const auto fill = filled.find(at);
    const double more = fill == filled.end() ? 0 : fill->second;
    const double opens = more > 0 && of_row[row_of(at)] <= sector ? std::max(more, memory.read_row) : 0;
    beside += opens > 0 ? written + opens : std::max(bytes + more, written);
    alone += written + std::max(more, opens);
    partial += more;
  }
  if (all > 0) {
    made.per_byte = std::max(1.0, beside / all);
    made.per_byte_alone = std::max(1.0, alone / all);
    made.filled = partial / all;
  }
  set_stretches(made, blocks, sector, memory.row_reach, of);
  made.changed_beside = changed_beside(blocks, n, atom);
  return made;
}

} // namespace perfmodel
