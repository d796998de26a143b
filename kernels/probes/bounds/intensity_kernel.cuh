// The kernels of intensity.cu: a stream from DRAM with a chosen number of FMAs per word, and their answer on
// the CPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 128, period = 1024, sums = 4;

// How many 16-byte vectors a thread loads in a round, and its rounds.
template <bool ahead> constexpr int vectors = ahead ? 4 : 8;
template <bool ahead> constexpr int rounds = ahead ? 16 : 1;
template <class T> constexpr int per_vector = 16 / sizeof(T);
template <class T, bool ahead> constexpr int words = vectors<ahead>* per_vector<T>;
template <class T, bool ahead> constexpr int round_words = threads* words<T, ahead>;

__device__ inline void load(const float* from, float* to) {
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "l"(from));
}
__device__ inline void load(const double* from, double* to) {
  asm volatile("ld.global.cs.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "l"(from));
}

template <class T, bool ahead> __device__ inline void load_round(const T* from, T* word) {
#pragma unroll
  for (int i = 0; i < vectors<ahead>; ++i) load(from + i * threads * per_vector<T>, word + i * per_vector<T>);
}

template <class T> __host__ __device__ std::uint32_t bits(T x) {
  std::uint32_t part[sizeof(T) / 4], sum = 0;
  memcpy(part, &x, sizeof x);
  for (const std::uint32_t p : part) sum += p;
  return sum;
}

// What a thread has made of its words: FMAs in `sum`, words that are only read in `read`.
template <class T> struct Folded {
  T sum[sums] = {};
  std::uint32_t read = 0;
};

// body x bodies FMAs on every `every`-th word, the last of which folds it.
template <class T, int every, int body, bool ahead>
__device__ inline void work(T* word, Folded<T>& folded, T a, T b, int bodies) {
#pragma unroll 1
  for (int n = 1; n < bodies; ++n)
#pragma unroll
    for (int step = 0; step < body; ++step)
#pragma unroll
      for (int i = 0; i < words<T, ahead>; i += every) word[i] = fma(word[i], a, b);
#pragma unroll
  for (int step = 1; step < body; ++step)
#pragma unroll
    for (int i = 0; i < words<T, ahead>; i += every) word[i] = fma(word[i], a, b);
#pragma unroll
  for (int i = 0; i < words<T, ahead>; ++i) {
    if (i % every == 0)
      folded.sum[i / every % sums] = fma(word[i], a, folded.sum[i / every % sums]);
    else
      folded.read += bits(word[i]);
  }
}

template <class T, int every, int body, bool ahead>
__global__ void __launch_bounds__(threads)
    stream_and_compute(const T* in, std::uint32_t* total, T a, T b, int bodies, bool report) {
  constexpr int step = round_words<T, ahead>;
  in += blockIdx.x * std::size_t{step * rounds<ahead>} + threadIdx.x * per_vector<T>;
  T even[words<T, ahead>];
  Folded<T> folded;
  load_round<T, ahead>(in, even);
  if constexpr (ahead) {
    T odd[words<T, ahead>]; // two, in turns: copying one to the other would cost an instruction per word
#pragma unroll 1
    for (int round = 0; round < rounds<ahead>; round += 2, in += 2 * step) {
      load_round<T, ahead>(in + step, odd);
      work<T, every, body, ahead>(even, folded, a, b, bodies);
      if (round + 2 < rounds<ahead>) load_round<T, ahead>(in + 2 * step, even);
      work<T, every, body, ahead>(odd, folded, a, b, bodies);
    }
  } else {
    work<T, every, body, ahead>(even, folded, a, b, bodies);
  }
  std::uint32_t sum = folded.read;
#pragma unroll
  for (int i = 0; i < sums; ++i) sum += bits(folded.sum[i]);
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

template <class T> T start(std::size_t i) { return T(0.5) + T(i % period) / 8192; }

// The same on the CPU. Rounds are multiples of the period, so that all blocks and rounds see the same words.
// `value` gives the word at a place of the period.
template <class T, bool ahead>
std::uint32_t expected_sum(std::size_t blocks, int every, int fmas, T a, T b, T (*value)(std::size_t)) {
  static_assert(round_words<T, ahead> % period == 0);
  std::vector<T> worked; // all FMAs but the one that folds
  for (int i = 0; i < period; ++i) {
    T x = value(i);
    for (int k = 1; k < fmas; ++k) x = std::fma(x, a, b);
    worked.push_back(x);
  }
  std::uint32_t block_sum = 0;
  for (int thread = 0; thread < threads; ++thread) {
    Folded<T> folded;
    for (int round = 0; round < rounds<ahead>; ++round)
      for (int i = 0; i < words<T, ahead>; ++i) {
        const int at = ((i / per_vector<T> * threads + thread) * per_vector<T> + i % per_vector<T>) % period;
        T& sum = folded.sum[i / every % sums];
        if (i % every == 0)
          sum = std::fma(worked[at], a, sum);
        else
          folded.read += bits(value(at));
      }
    block_sum += folded.read;
    for (const T sum : folded.sum) block_sum += bits(sum);
  }
  return block_sum * static_cast<std::uint32_t>(blocks);
}
template <class T, bool ahead> std::uint32_t expected_sum(std::size_t blocks, int every, int fmas, T a, T b) {
  return expected_sum<T, ahead>(blocks, every, fmas, a, b, start<T>);
}

} // namespace
} // namespace perfmodel::kernels
