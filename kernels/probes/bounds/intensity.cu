// A walk along the roofline: the DRAM read stream with FMAs added, from 1/16 to 256 flop/B in fp32 and fp64.
// Every thread loads the vectors of its next round before it works on those of this one. Without that, all
// blocks of an SM load together and then compute together, and each resource waits for the other in turn: on
// an H200 6 % are lost even at twice the ridge. Below one FMA per word, FMAs are done on every second, fourth
// or eighth word only.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/registry.hpp"

#include <cmath>
#include <cstring>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 128, vectors = 8, rounds = 8, period = 1024;
constexpr std::size_t block_bytes = std::size_t{threads} * vectors * rounds * 16;

template <class T> constexpr int per_vector = 16 / sizeof(T);

// One round of one thread.
template <class T> struct Words { T word[vectors * per_vector<T>]; };

__device__ inline void load(const float* from, float* to) {
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "l"(from));
}
__device__ inline void load(const double* from, double* to) {
  asm volatile("ld.global.cs.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "l"(from));
}
__device__ inline std::uint32_t bits(float x) { return __float_as_uint(x); }
__device__ inline std::uint32_t bits(double x) { return __double2loint(x) + __double2hiint(x); }

template <class T> __device__ inline void load_round(const T* from, Words<T>& words) {
#pragma unroll
  for (int i = 0; i < vectors; ++i) load(from + i * threads * per_vector<T>, words.word + i * per_vector<T>);
}

// trips x body FMAs on every `every`-th word, then all words folded into an integer: no flop that is not
// counted.
template <class T, int every, int body>
__device__ inline std::uint32_t work(Words<T>& words, T a, T b, int trips) {
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < body; ++step)
#pragma unroll
      for (int i = 0; i < vectors * per_vector<T>; i += every) words.word[i] = fma(words.word[i], a, b);
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < vectors * per_vector<T>; ++i) sum += bits(words.word[i]);
  return sum;
}

template <class T, int every, int body>
__global__ void __launch_bounds__(threads)
    stream_and_compute(const T* in, std::uint32_t* total, T a, T b, int trips, bool report) {
  constexpr int round_words = threads * vectors * per_vector<T>;
  in += blockIdx.x * std::size_t{round_words * rounds} + threadIdx.x * per_vector<T>;
  Words<T> even, odd; // two, in turns: copying one to the other would cost an instruction per word
  load_round(in, even);
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; round += 2, in += 2 * round_words) {
    load_round(in + round_words, odd);
    sum += work<T, every, body>(even, a, b, trips);
    if (round + 2 < rounds) load_round(in + 2 * round_words, even);
    sum += work<T, every, body>(odd, a, b, trips);
  }
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

template <class T> T start(int i) { return T(0.5) + T(i) / 8192; }

// The same on the CPU, for the words of one period and the places in a thread's round that they can have.
template <class T> std::uint32_t expected_sum(std::size_t words, int every, int fmas, T a, T b) {
  constexpr int round_words = threads * vectors * per_vector<T>;
  static_assert(round_words % period == 0);
  std::uint32_t sum = 0;
  for (int w = 0; w < period; ++w) {
    T worked = start<T>(w);
    for (int i = 0; i < fmas; ++i) worked = std::fma(worked, a, b);
    for (int at = w; at < round_words; at += period) {
      const int vector = at / per_vector<T>, place = vector / threads * per_vector<T> + at % per_vector<T>;
      const T x = place % every == 0 ? worked : start<T>(w);
      std::uint32_t part[sizeof(T) / 4];
      std::memcpy(part, &x, sizeof x);
      for (const std::uint32_t p : part) sum += p;
    }
  }
  return sum * static_cast<std::uint32_t>(words / round_words);
}

template <class T> using Kernel = void (*)(const T*, std::uint32_t*, T, T, int, bool);

// Where to measure: `body` x `trips` FMAs on every `every`-th word.
template <class T> struct Point {
  int every, body, trips;
  Kernel<T> kernel;
  double intensity() const { return 2.0 * body * trips / every / sizeof(T); }
};

template <class T, int every, int body> Point<T> point(int trips) {
  return {every, body, trips, stream_and_compute<T, every, body>};
}

// The same kernels serve both precisions: a word of fp64 has twice the bytes, so the same FMAs are half the
// intensity.
template <class T> std::vector<Point<T>> points(bool quick) {
  if (quick)
    return {point<T, 2, 1>(1),  point<T, 1, 4>(1),  point<T, 1, 8>(1),  point<T, 1, 14>(1),
            point<T, 1, 14>(2), point<T, 1, 14>(4), point<T, 1, 16>(8), point<T, 1, 16>(32)};
  std::vector<Point<T>> list;
  if (sizeof(T) == 4) list.push_back(point<T, 8, 1>(1));
  list.insert(list.end(), {point<T, 4, 1>(1), point<T, 2, 1>(1), point<T, 1, 1>(1), point<T, 1, 2>(1),
                           point<T, 1, 4>(1), point<T, 1, 6>(1), point<T, 1, 8>(1), point<T, 1, 10>(1),
                           point<T, 1, 12>(1), point<T, 1, 14>(1), point<T, 1, 16>(1), point<T, 1, 10>(2),
                           point<T, 1, 12>(2), point<T, 1, 14>(2), point<T, 1, 16>(2), point<T, 1, 10>(4),
                           point<T, 1, 12>(4), point<T, 1, 14>(4), point<T, 1, 16>(4)});
  for (int trips = 6; trips <= 32; trips += trips == 6 ? 2 : trips) list.push_back(point<T, 1, 16>(trips));
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
    session.say("roofline, " + precision + ": " + std::to_string(p.intensity()) + " flop/B");
    const auto launch = [&](cudaStream_t stream, std::size_t bytes, bool with_sum) {
      p.kernel<<<static_cast<unsigned>(bytes / block_bytes), threads, 0, stream>>>(in.data(), total.data(), a,
                                                                                   b, p.trips, with_sum);
    };
    const std::size_t checked = in.bytes() / 16;
    total.clear();
    launch(session.stream, checked, true);
    session.stream.synchronize();
    const std::uint32_t want = expected_sum<T>(checked / sizeof(T), p.every, p.body * p.trips, a, b);
    if (!report.verify(total.to_host()[0] == want,
                       precision + " at " + std::to_string(p.intensity()) + " flop/B"))
      return false;
    const Measurement rate =
        rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, in.bytes(), false); }),
                p.intensity() * static_cast<double>(in.bytes()));
    report.row({precision, "dram", p.intensity()}, rate);
  }
  return true;
}

ProbeResult run(Session& session) {
  Report report("kernels of rising arithmetic intensity",
                {{"precision", {}}, {"level", {}}, {"intensity", unit_of<FlopsPerByte>()}}, "performance",
                unit_of<FlopsPerSecond>());
  if (sweep<float>(session, report, "fp32")) sweep<double>(session, report, "fp64");
  return report.take();
}

} // namespace

const Probe intensity{
    "intensity", "roofline", "rate by arithmetic intensity, fp32 and fp64, streaming from DRAM", {}, run};

} // namespace perfmodel::kernels
