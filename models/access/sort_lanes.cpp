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

} // namespace

void sort_lanes(std::array<std::int64_t, warp_lanes>& numbers, std::size_t count) {
  std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end(), INT64_MAX);
  exchange_all(numbers, std::make_index_sequence<merge_exchange().size()>());
}

} // namespace perfmodel
