// A walk along the roofline: the DRAM read stream with FMAs added, from 1/16 to 256 flop/B in fp32 and fp64.
// Two kernels do the same work, and each point takes the faster one. `ahead` loads the words of its next
// round before it works on those of this one; else every thread has one round and the other warps of the SM
// must hide its loads. On an H200 the first wins at the fp32 ridge (88 % of min(P, I x B) against 82 %), the
// second wherever arithmetic dominates (97 % at twice the ridge against 94 %) and in fp64 everywhere. Below
// one FMA per word, FMAs are done on every second, fourth or eighth word only. The last FMA of every word
// adds it to a sum. Integer additions instead, half as fast as FMAs, cost 3 % at twice the ridge. Every
// sample follows a pause: without it the power cap takes fp64 at the ridge down to 1.66 GHz.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/registry.hpp"

#include <cmath>
#include <cstring>

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
template <class T, bool ahead> std::uint32_t expected_sum(std::size_t blocks, int every, int fmas, T a, T b) {
  static_assert(round_words<T, ahead> % period == 0);
  std::vector<T> worked; // all FMAs but the one that folds
  for (int i = 0; i < period; ++i) {
    T x = start<T>(i);
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
          folded.read += bits(start<T>(at));
      }
    block_sum += folded.read;
    for (const T sum : folded.sum) block_sum += bits(sum);
  }
  return block_sum * static_cast<std::uint32_t>(blocks);
}

template <class T> struct Kernel {
  void (*run)(const T*, std::uint32_t*, T, T, int, bool);
  std::uint32_t (*expected)(std::size_t blocks, int every, int fmas, T, T);
  std::size_t block_words;
};

// Where to measure: `body` x `bodies` FMAs on every `every`-th word.
template <class T> struct Point {
  int every, body, bodies;
  Kernel<T> kernels[2];
  double intensity() const { return 2.0 * body * bodies / every / sizeof(T); }
};

template <class T, int every, int body, bool ahead> Kernel<T> kernel() {
  return {stream_and_compute<T, every, body, ahead>, expected_sum<T, ahead>,
          std::size_t{round_words<T, ahead> * rounds<ahead>}};
}
template <class T, int every, int body> Point<T> point(int bodies) {
  return {every, body, bodies, {kernel<T, every, body, false>(), kernel<T, every, body, true>()}};
}

// The same FMAs per word serve both precisions: a word of fp64 has twice the bytes, so it is half the
// intensity.
template <class T> std::vector<Point<T>> points(bool quick) {
  if (quick)
    return {point<T, 2, 1>(1),  point<T, 1, 4>(1),  point<T, 1, 8>(1),  point<T, 1, 14>(1),
            point<T, 1, 14>(2), point<T, 1, 14>(4), point<T, 1, 16>(8), point<T, 1, 16>(32)};
  std::vector<Point<T>> list;
  if (sizeof(T) == 4) list.push_back(point<T, 8, 1>(1));
  list.insert(list.end(), {point<T, 4, 1>(1),  point<T, 2, 1>(1),   point<T, 1, 1>(1),  point<T, 1, 2>(1),
                           point<T, 1, 4>(1),  point<T, 1, 6>(1),   point<T, 1, 8>(1),  point<T, 1, 10>(1),
                           point<T, 1, 12>(1), point<T, 1, 14>(1),  point<T, 1, 16>(1), point<T, 1, 10>(2),
                           point<T, 1, 12>(2), point<T, 1, 14>(2),  point<T, 1, 16>(2), point<T, 1, 10>(4),
                           point<T, 1, 12>(4), point<T, 1, 14>(4),  point<T, 1, 16>(4), point<T, 1, 16>(6),
                           point<T, 1, 16>(8), point<T, 1, 16>(16), point<T, 1, 16>(32)});
  if (sizeof(T) == 8) list.push_back(point<T, 1, 16>(64));
  return list;
}

template <class T> bool sweep(Session& session, Report& report, const std::string& precision) {
  const T a = T(0.999), b = T(0.001);
  Buffer<T> in(session.buffer_bytes(std::size_t{session.quick() ? 2u : 8u} << 30) / sizeof(T));
  Buffer<std::uint32_t> total(1);
  std::vector<T> one_period;
  for (int i = 0; i < period; ++i) one_period.push_back(start<T>(i));
  fill_periodic(in.data(), in.size(), one_period, session.stream);

  for (const Point<T>& p : points<T>(session.quick())) {
    const std::string name = precision + " at " + std::to_string(p.intensity()) + " flop/B";
    session.say("roofline: " + name);
    const Kernel<T>* best = nullptr;
    double best_rate = 0;
    const auto rate_with = [&](const Kernel<T>& kernel, int samples) {
      const auto blocks = static_cast<unsigned>(in.size() / kernel.block_words);
      const Repeat repeat{.samples = samples, .warm_up = 0.003, .pause = session.quick() ? 0.01 : 0.02};
      return rate_of(sample(session, repeat,
                            [&](cudaStream_t stream) {
                              kernel.run<<<blocks, threads, 0, stream>>>(in.data(), total.data(), a, b,
                                                                         p.bodies, false);
                            }),
                     p.intensity() * static_cast<double>(in.bytes()));
    };
    for (const Kernel<T>& kernel : p.kernels) {
      const std::size_t blocks = in.size() / 16 / kernel.block_words;
      total.clear();
      kernel.run<<<static_cast<unsigned>(blocks), threads, 0, session.stream>>>(in.data(), total.data(), a, b,
                                                                                p.bodies, true);
      PERFMODEL_CUDA(cudaGetLastError());
      session.stream.synchronize();
      if (!report.verify(total.to_host()[0] == kernel.expected(blocks, p.every, p.body * p.bodies, a, b),
                         name))
        return false;
      const double rate = rate_with(kernel, 3).median();
      if (rate > best_rate) {
        best_rate = rate;
        best = &kernel;
      }
    }
    report.row({precision, "dram", p.intensity()}, rate_with(*best, 11));
  }
  return true;
}

ProbeResult run(Session& session) {
  Report report("kernels of rising arithmetic intensity",
                {{"precision", {}}, {"level", {}}, {"intensity", unit_of<FlopsPerByte>()}}, "performance",
                unit_of<FlopsPerSecond>());
  report.note("every sample follows a pause, so that the power cap does not lower the clock");
  if (sweep<float>(session, report, "fp32")) sweep<double>(session, report, "fp64");
  return report.take();
}

} // namespace

const Probe intensity{
    "intensity", "roofline", "rate by arithmetic intensity, fp32 and fp64, streaming from DRAM", {}, run};

} // namespace perfmodel::kernels
