#include "sort_lanes.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel {

namespace {

struct Exchange {
  std::uint8_t low, high;
};

// Batcher's merge exchange for 32 numbers (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M).
constexpr auto merge_exchange() {
  std::array<Exchange, 191> all{};
  std::size_t count = 0;
  for (std::size_t p = warp_lanes / 2; p > 0; p /= 2) {
    std::size_t q = warp_lanes / 2, r = 0, d = p;
    while (true) {
      for (std::size_t i = 0; i + d < warp_lanes; ++i)
        if ((i & p) == r) all[count++] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i + d)};
      if (q == p) break;
      d = q - p;
      q /= 2;
      r = p;
    }
  }
  return all;
}

template <std::size_t... I>
void exchange_all(std::array<std::int64_t, warp_lanes>& a, std::index_sequence<I...>) {
  constexpr auto network = merge_exchange();
  const auto exchange = [](std::int64_t& low, std::int64_t& high) {
    const std::int64_t x = low, y = high;
    low = x < y ? x : y;
    high = x < y ? y : x;
  };
  (exchange(a[network[I].low], a[network[I].high]), ...);
}

// Rows of a block give ascending runs. A few of them are merged; of more it leaves the numbers as they are.
bool merge_runs(std::array<std::int64_t, warp_lanes>& a, std::size_t count) {
  std::array<std::size_t, 5> ends{};
  std::size_t runs = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (a[i] >= a[i - 1]) continue;
    if (runs + 2 == ends.size()) return false;
    ends[++runs] = i;
  }
  std::fill(ends.begin() + static_cast<std::ptrdiff_t>(++runs), ends.end(), count);
  std::array<std::int64_t, warp_lanes> merged;
  const auto merge = [](const auto& from, auto& to, std::size_t first, std::size_t middle, std::size_t last) {
    std::merge(from.data() + first, from.data() + middle, from.data() + middle, from.data() + last,
               to.data() + first);
  };
  merge(a, merged, 0, ends[1], ends[2]);
  merge(a, merged, ends[2], ends[3], ends[4]);
  merge(merged, a, 0, ends[2], ends[4]);
  return true;
}

} // namespace

void sort_lanes(std::array<std::int64_t, warp_lanes>& numbers, std::size_t count) {
  if (merge_runs(numbers, count)) return;
  std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end(), INT64_MAX);
  exchange_all(numbers, std::make_index_sequence<merge_exchange().size()>());
}

} // namespace perfmodel
