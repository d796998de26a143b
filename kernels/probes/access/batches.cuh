// Loads by batches, of which one is under way while the words of the one before are added up.
#pragma once

#include <cstdint>

namespace perfmodel::kernels {

// The sum of what all of them bring. `load` fills a batch: an even number of them is `loads`, those of a
// trip.
template <int batch, int loads, class Load>
__device__ inline std::uint32_t sum_of_batches(int trips, Load load) {
  static_assert(loads % (2 * batch) == 0);
  std::uint32_t a[batch], b[batch] = {}, sum = 0;
  const auto add = [&](const std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) sum += v[i];
  };
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int turn = 0; turn < loads / (2 * batch); ++turn) {
      load(a);
      add(b); // while the others are under way
      load(b);
      add(a);
    }
  add(b);
  return sum;
}

} // namespace perfmodel::kernels
