#include "block_samples.hpp"

#include "block_kinds.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// Instructions of a block of which many are run, of one that is run all over the grid, and of one that is run
// wherever the work of a row may change.
constexpr std::uint64_t brief = 20'000, tried = 60'000, searched = 300'000;

// The n-th of blocks strewn over a grid: the golden ratio keeps them apart, and in step with no period.
std::array<std::int64_t, 3> strewn(const Shape& grid, std::size_t n) {
  const double turns = 0.5 + 0.6180339887498949 * static_cast<double>(n);
  const auto blocks = static_cast<double>(grid.count());
  const auto at = static_cast<std::int64_t>((turns - std::floor(turns)) * blocks);
  return {at % grid.x, at / grid.x % grid.y, at / grid.x / grid.y};
}

constexpr std::int64_t many = 64; // blocks

// Whether almost every block does something else, so that there is no use in looking for where it changes.
bool differ(const Shape& grid, const TraceAt& at) {
  constexpr std::size_t few = 8, most_alike = 3;
  std::vector<const BlockTrace*> kinds;
  for (std::size_t n = 0; n < few; ++n) {
    const auto [x, y, z] = strewn(grid, n);
    const BlockTrace& one = at(x, y, z);
    if (std::none_of(kinds.begin(), kinds.end(), [&](const BlockTrace* k) { return same_work(*k, one); }))
      kinds.push_back(&one);
  }
  return kinds.size() >= few - most_alike;
}

// Whether blocks elsewhere do what these do, and as much in the mean. They do not where the work changes over
// and over along the grid, as if the block's number were split into a row and a column of a triangle. Kinds
// so rare that a few of the blocks elsewhere are of them, or none, are left out of the mean.
bool holds_elsewhere(const BlockKinds& known, const Shape& grid, std::uint64_t effort, const TraceAt& at) {
  // Many where a block takes nothing: the only one that does something may be among them.
  const auto checks = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(50'000 / std::max<std::uint64_t>(1, effort), 8, 256));
  const double each_for = static_cast<double>(grid.count()) / static_cast<double>(checks);
  constexpr double few = 3;
  const auto rare = [&](const BlockKind& kind) { return kind.weight < few * each_for; };
  TraceCounts sum, expected;
  for (std::size_t n = 0; n < checks; ++n) {
    const auto [x, y, z] = strewn(grid, n);
    const BlockTrace& one = at(x, y, z);
    const BlockKind* kind = known.kind_of(one);
    if (kind == nullptr) return false;
    if (!rare(*kind)) sum.add(one.counts, each_for);
  }
  for (const BlockKind& kind : known.kinds())
    if (!rare(kind)) expected.add(kind.trace->counts, kind.weight);
  const auto near = [](double a, double b) { return std::fabs(a - b) <= 0.25 * b; };
  return near(sum.instructions, expected.instructions) &&
         near(sum.load_sectors + sum.store_sectors, expected.load_sectors + expected.store_sectors);
}

// Blocks strewn over the grid, each for as many others.
BlockSamples sample_strewn(const Shape& grid, std::uint64_t effort, std::size_t allocations,
                           const TraceAt& at) {
  const std::uint64_t most =
      std::clamp<std::uint64_t>(1'500'000 / std::max<std::uint64_t>(1, effort), 12, 160);
  BlockKinds known(at, allocations, the_same);
  for (std::size_t n = 0; n < most; ++n) {
    const std::array<std::int64_t, 3> place = strewn(grid, n);
    known.add(at(place[0], place[1], place[2]), place, 1,
              static_cast<double>(grid.count()) / static_cast<double>(most));
  }
  return known.take(static_cast<double>(grid.count()));
}

// Where no rule says which block does what. A few blocks at the beginning or the end of the grid that do much
// more than the others, as where the grid is larger than there is work, would be missed by those strewn: then
// blocks that do as much are of one kind.
BlockSamples sample_without_rule(const Shape& grid, std::uint64_t effort, std::size_t allocations,
                                 const TraceAt& at) {
  BlockSamples strewn = sample_strewn(grid, effort, allocations, at);
  strewn.ends = {&at(0, 0, 0), &at(grid.x - 1, grid.y - 1, grid.z - 1)};
  const double blocks = static_cast<double>(grid.count()), mean = strewn.counts.instructions / blocks;
  constexpr double much_more = 4;
  const double ends = std::max(strewn.ends[0]->counts.instructions, strewn.ends[1]->counts.instructions);
  if (ends < much_more * mean) return strewn;
  BlockKinds known(
      at, allocations, +[](const BlockTrace& a, const BlockTrace& b) { return as_much(a, b); });
  for (const auto& [y, in_y] : places_on(grid.y, false))
    for (const auto& [z, in_z] : places_on(grid.z, false)) known.row(grid.x, y, z, in_y * in_z);
  return known.has_no_rule() || known.counts().instructions < 2 * strewn.counts.instructions
             ? std::move(strewn)
             : known.take(blocks);
}

} // namespace

BlockSamples sample_blocks(const Shape& grid, std::uint64_t effort, std::size_t allocations,
                           const TraceAt& at) {
  const auto blocks = static_cast<double>(grid.count());
  const auto sampled = [&](BlockKinds& known) {
    if (grid.count() >= many && !holds_elsewhere(known, grid, effort, at))
      return sample_without_rule(grid, effort, allocations, at);
    return known.take(blocks);
  };
  BlockKinds placed(at, allocations, the_same);
  if (effort > lasting_block) {
    const std::array<std::int64_t, 3> middle{grid.x / 2, grid.y / 2, grid.z / 2};
    placed.add(at(middle[0], middle[1], middle[2]), {0, middle[1], middle[2]}, grid.x,
               static_cast<double>(grid.y) * static_cast<double>(grid.z));
    return placed.take(blocks);
  }
  if (effort >= tried) { // rows are looked through only where blocks at some places differ
    for (const auto& [y, in_y] : places_on(grid.y, false))
      for (const auto& [z, in_z] : places_on(grid.z, false))
        for (const auto& [x, in_x] : places_on(grid.x, false))
          placed.add(at(x, y, z), {x, y, z}, 1, in_x * in_y * in_z);
    if (effort >= searched || placed.kinds().size() == 1) return sampled(placed);
  } else if (grid.count() >= many && differ(grid, at)) {
    return sample_without_rule(grid, effort, allocations, at);
  }
  BlockKinds known(at, allocations, the_same);
  for (const auto& [y, in_y] : places_on(grid.y, effort < brief))
    for (const auto& [z, in_z] : places_on(grid.z, false)) {
      known.row(grid.x, y, z, in_y * in_z);
      if (known.has_no_rule()) return sample_without_rule(grid, effort, allocations, at);
    }
  return sampled(known);
}

std::vector<BlockKind> fewer_kinds(std::vector<BlockKind> kinds, std::size_t most) {
  if (kinds.size() <= most) return kinds;
  const auto by_length = [](const BlockKind& a, const BlockKind& b) {
    return a.trace->counts.instructions < b.trace->counts.instructions;
  };
  const auto by_weight = [](const BlockKind& a, const BlockKind& b) { return a.weight < b.weight; };
  std::stable_sort(kinds.begin(), kinds.end(), by_length);
  double all = 0, before = 0;
  for (const BlockKind& kind : kinds) all += kind.weight;
  std::vector<BlockKind> groups;
  for (auto first = kinds.begin(); first != kinds.end();) {
    // Up to the end of this share of the weight; a kind that reaches over it ends the group.
    const double share = std::floor(before / all * static_cast<double>(most) + 1e-9) + 1;
    double weight = 0;
    auto last = first;
    while (last != kinds.end() && before + weight < share * all / static_cast<double>(most) * (1 - 1e-9))
      weight += (last++)->weight;
    const auto [least, heaviest] = std::minmax_element(first, last, by_weight);
    BlockKind one = least->weight == heaviest->weight ? *(first + (last - first) / 2) : *heaviest;
    one.weight = weight;
    groups.push_back(one);
    before += weight;
    first = last;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const BlockKind& a, const BlockKind& b) { return a.weight > b.weight; });
  return groups;
}

std::vector<std::size_t> launch_order(const std::vector<BlockKind>& kinds, double blocks) {
  const auto length = static_cast<std::size_t>(std::clamp(blocks, 1.0, 64.0));
  std::vector<double> owed(kinds.size());
  std::vector<std::size_t> order;
  double all = 0;
  for (const BlockKind& kind : kinds) all += kind.weight;
  for (std::size_t n = 0; n < length; ++n) {
    for (std::size_t k = 0; k < kinds.size(); ++k) owed[k] += kinds[k].weight / all;
    const auto next = static_cast<std::size_t>(std::max_element(owed.begin(), owed.end()) - owed.begin());
    owed[next] -= 1;
    order.push_back(next);
  }
  return order;
}

} // namespace perfmodel
