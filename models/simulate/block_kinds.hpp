// Kinds of blocks in a grid: which do the same, and how many each stands for.
#pragma once

#include "block_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

// Places along a side, and how many blocks each stands for.
inline std::vector<std::pair<std::int64_t, double>> places_on(std::int64_t side, bool several) {
  std::vector<std::pair<std::int64_t, double>> all;
  if (side <= 3) {
    for (std::int64_t at = 0; at < side; ++at) all.emplace_back(at, 1);
    return all;
  }
  const auto inner = static_cast<double>(side - 2);
  if (!several || side < 8) return {{0, 1}, {side / 2, inner}, {side - 1, 1}};
  return {{0, 1}, {side / 4, inner / 3}, {side / 2, inner / 3}, {3 * side / 4, inner / 3}, {side - 1, 1}};
}

using Alike = bool (*)(const BlockTrace&, const BlockTrace&);

inline bool the_same(const BlockTrace& a, const BlockTrace& b) { return same_work(a, b); }

class BlockKinds {
public:
  // Blocks that are alike are of one kind.
  BlockKinds(const TraceAt& at, std::size_t allocations, Alike alike) : at_(at), alike_(alike) {
    made_.read_sectors.resize(allocations);
    made_.stored_sectors.resize(allocations);
    for (auto* list : {&made_.lost_sectors, &made_.lost_alone, &made_.rewritten_sectors,
                       &made_.rewritten_alone, &made_.refilled_sectors})
      list->resize(allocations);
  }

  // `count` blocks side by side in x, from `first` on, do what `one` does; `times` such rows.
  void add(const BlockTrace& one, std::array<std::int64_t, 3> first, std::int64_t count, double times) {
    if (count <= 0) return;
    const double weight = static_cast<double>(count) * times;
    made_.counts.add(one.counts, weight);
    made_.local.add(one.local, weight);
    for (std::size_t i = 0; i < made_.read_sectors.size(); ++i) {
      made_.read_sectors[i] += weight * (one.read_sectors[i] - one.sectors_again[i]);
      made_.stored_sectors[i] += weight * one.stored_sectors[i];
      made_.lost_sectors[i] += weight * one.sectors_lost[i];
      made_.lost_alone[i] += weight * one.lost_alone[i];
      made_.rewritten_sectors[i] += weight * one.sectors_rewritten[i];
      made_.rewritten_alone[i] += weight * one.rewritten_alone[i];
      made_.refilled_sectors[i] += weight * one.refilled_sectors[i];
    }
    auto kind = std::find_if(made_.kinds.begin(), made_.kinds.end(),
                             [&](const BlockKind& k) { return alike_(*k.trace, one); });
    if (kind == made_.kinds.end()) kind = made_.kinds.insert(kind, BlockKind{.trace = &one});
    kind->weight += weight;
    kind->from = std::min(kind->from, first[0]);
    kind->to = std::max(kind->to, first[0] + count);
    if (static_cast<double>(count) <= kind->longest) return;
    kind->longest = static_cast<double>(count);
    kind->place = {first[0] + count / 2, first[1], first[2]};
  }

  // A row of blocks, known at some places: what lies between two that do the same does it, too. Where it
  // changes more often between two places than is looked for, the rest does what the second of them does.
  void row(std::int64_t side, std::int64_t y, std::int64_t z, double times) {
    row_ = static_cast<double>(side);
    const auto places = places_on(side, true);
    for (std::size_t i = 0; i < places.size() && !has_no_rule(); ++i) {
      std::int64_t from = places[i].first;
      const std::int64_t end = i + 1 < places.size() ? places[i + 1].first : side;
      constexpr int most_changes = 8;
      for (int change = 0; change < most_changes && end < side && !alike_(at_(from, y, z), at_(end, y, z));
           ++change) {
        const BlockTrace& one = at_(from, y, z);
        std::int64_t low = from, high = end;
        while (high - low > 1) {
          const std::int64_t middle = low + (high - low) / 2;
          (alike_(one, at_(middle, y, z)) ? low : high) = middle;
        }
        add(one, {from, y, z}, high - from, times);
        from = high;
      }
      const bool rest = end < side && !alike_(at_(from, y, z), at_(end, y, z));
      add(at_(rest ? end : from, y, z), {from, y, z}, end - from, times);
    }
  }

  const TraceCounts& counts() const { return made_.counts; }
  const std::vector<BlockKind>& kinds() const { return made_.kinds; }
  // Which block does what: as where rows of the data begin at any place of a sector.
  bool has_no_rule() const { return made_.kinds.size() > 8; }
  // None where no block that is known does that.
  const BlockKind* kind_of(const BlockTrace& one) const {
    const auto kind = std::find_if(made_.kinds.begin(), made_.kinds.end(),
                                   [&](const BlockKind& k) { return alike_(*k.trace, one); });
    return kind == made_.kinds.end() ? nullptr : &*kind;
  }

  BlockSamples take(double blocks) {
    std::vector<BlockKind>& kinds = made_.kinds;
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const BlockKind& a, const BlockKind& b) { return a.weight > b.weight; });
    const auto asks = [](const BlockKind& k) {
      return k.trace->counts.load_sectors + k.trace->counts.store_sectors;
    };
    made_.typical =
        *std::max_element(kinds.begin(), kinds.end(), [&](const BlockKind& a, const BlockKind& b) {
          return a.weight * asks(a) < b.weight * asks(b);
        });
    double asked = 0;
    for (const BlockKind& kind : kinds) asked += kind.weight * asks(kind);
    if (asked > 0) made_.accessing = asked / asks(made_.typical) / blocks;
    if (row_ > 0) made_.across = made_.typical.longest / row_;
    return std::move(made_);
  }

private:
  const TraceAt& at_;
  Alike alike_;
  double row_ = 0; // blocks side by side, where rows are known
  BlockSamples made_;
};

} // namespace perfmodel
