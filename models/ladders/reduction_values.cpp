#include "reduction_values.hpp"

#include "reduction_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace perfmodel {

namespace {

using Int32 = std::numeric_limits<std::int32_t>;

// Of some of the numbers 1, 2, 3, ..
struct Share {
  std::int64_t numbers = 0, sum = 0, least = Int32::max(), greatest = Int32::min();

  // Those with an index from `first` on and below `end`.
  void add(std::int64_t first, std::int64_t end) {
    if (first >= end) return;
    const std::int64_t count = end - first, ends = first + 1 + end;
    numbers += count;
    sum += count % 2 == 0 ? count / 2 * ends : ends / 2 * count;
    least = std::min(least, first + 1);
    greatest = std::max(greatest, end);
  }
};

Share share_of(const ReductionShape& of, std::int64_t blocks, std::int64_t block) {
  const std::int64_t all = reduction_loop(of.version, of.type, of.threads, blocks).numbers;
  const std::int64_t stretch = all / blocks;
  // What fills no vector of 16 bytes is the first block's.
  const std::int64_t vector =
      of.version == ReductionVersion::vector ? static_cast<std::int64_t>(16 / word_of(of.type).value) : 1;
  const std::int64_t whole = of.n / vector * vector;
  Share share;
  for (std::int64_t first = block * stretch; first < whole; first += all)
    share.add(first, std::min(first + stretch, whole));
  if (block == 0) share.add(whole, of.n);
  return share;
}

BlockValue value_of_share(const ReductionShape& of, std::string block, const Share& share) {
  BlockValue row{.version = std::string(names(of.version)[static_cast<std::size_t>(of.version)]),
                 .block = std::move(block),
                 .numbers = static_cast<Count>(share.numbers),
                 .found = fmt::format("{}", share.sum),
                 .right = "yes"};
  constexpr std::int64_t exact_in_fp32 = std::int64_t{1} << 24;
  switch (of.type) {
  case ReductionType::int64:
    break;
  case ReductionType::int32:
    row.found = fmt::format("{}", static_cast<std::int32_t>(static_cast<std::uint32_t>(share.sum)));
    if (share.sum > Int32::max()) row.right = fmt::format("no: {} takes 64 bits", share.sum);
    break;
  case ReductionType::fp32:
    if (share.sum <= exact_in_fp32) break;
    row.found.clear();
    row.right = fmt::format("not for sure: {} takes more than the 24 bits of fp32", share.sum);
    break;
  case ReductionType::min:
  case ReductionType::max:
    row.found = fmt::format("{}", of.type == ReductionType::min ? share.least : share.greatest);
    if (share.greatest <= Int32::max()) break;
    row.found.clear();
    row.right = fmt::format("no: {} takes 64 bits", share.greatest);
    break;
  }
  return row;
}

} // namespace

std::vector<BlockValue> block_values(const ReductionShape& shape, std::int64_t blocks) {
  constexpr std::int64_t few = 64;
  std::vector<BlockValue> rows;
  if (blocks <= few)
    for (std::int64_t block = 0; block < blocks; ++block)
      rows.push_back(value_of_share(shape, fmt::format("{}", block), share_of(shape, blocks, block)));
  Share all;
  all.add(0, shape.n);
  rows.push_back(value_of_share(shape, "all", all));
  return rows;
}

} // namespace perfmodel
