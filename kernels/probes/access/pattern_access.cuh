// Global memory accessed in a pattern: thread number g of the whole grid accesses word
//   g * stride + offset,  g's lane within its warp permuted by lane -> (lane * factor + addend) % 32.
// A thread does so for several g, a block's threads apart, all loads before the first store: one load per
// thread keeps too few bytes in flight for DRAM. Blocks cover disjoint stretches, one after the other.
#pragma once

#include "kernels/core/pattern.cuh"
#include "kernels/probes/access/word_access.cuh"

#include <cstddef>
#include <string_view>

namespace perfmodel::kernels {

enum class Access { load, store, copy };
inline constexpr std::string_view access_names[] = {"load", "store", "copy"};

struct Permutation {
  std::string_view name;
  unsigned factor, addend;
};
inline constexpr Permutation permutations[] = {{"identity", 1, 0}, {"reversed", 31, 31}, {"shuffled", 5, 3}};

struct AccessPattern {
  int word = 4;
  std::size_t stride = 1, offset = 0; // words
  Permutation permutation = permutations[0];
  Access access = Access::copy;
};

inline constexpr int pattern_threads = 256;
// 32 bytes of each thread are in flight.
template <int word> inline constexpr int words_per_thread = 32 / word;

// Threads from number `first` on. A load's sum is stored on request, and else if it has one unlikely value.
template <int word, Access access>
__global__ void __launch_bounds__(pattern_threads)
    access_pattern(const char* in, char* out, std::size_t first, std::size_t stride, std::size_t offset,
                   unsigned factor, unsigned addend, std::uint32_t* total, bool report) {
  constexpr int words = words_per_thread<word>;
  const unsigned lane = (threadIdx.x * factor + addend) % 32;
  const std::size_t g =
      first + blockIdx.x * std::size_t{words * pattern_threads} + threadIdx.x / 32 * 32 + lane;
  const std::size_t start = (g * stride + offset) * word, step = pattern_threads * stride * word;
  Word<word> w[words];
#pragma unroll
  for (int i = 0; i < words; ++i) {
    if constexpr (access == Access::store)
      w[i].set(pattern(g + i * pattern_threads));
    else
      w[i].load(in + start + i * step);
  }
  if constexpr (access == Access::load) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < words; ++i) sum += w[i].sum();
    if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
  } else {
#pragma unroll
    for (int i = 0; i < words; ++i) w[i].store(out + start + i * step);
  }
}

} // namespace perfmodel::kernels
