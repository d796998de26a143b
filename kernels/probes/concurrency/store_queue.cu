// How many accesses of global memory wait in an SM on their way to L2: every lane of a warp stores to a line
// of its own, many times in a row, on one SM alone. The first stores go as fast as they issue, then each
// waits until L2 has taken one. As many as by which the stores of a long row are ahead of L2 wait. Address
// and word stay in the same registers to the end: where the clock is read into one of them it waits until the
// stores have read it, and 21 are found on an H200, not 62 (seen in SASS).
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace perfmodel::kernels {
namespace store_queue_probe {
namespace {

constexpr int line_words = 32, most_threads = 256, most_stores = 48;
constexpr int rounds = 3; // the last counts: code and lines are where they belong then

// The pause between rounds lets the queue run empty.
template <int stores>
__global__ void __launch_bounds__(most_threads) store_in_a_row(float* words, long long* cycles) {
  float* const own = words + std::size_t{threadIdx.x} * line_words;
  const float word = float(threadIdx.x + 1);
  long long start = 0, stop = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 64; ++i) __nanosleep(1000);
    __syncthreads();
    start = cycles_now();
#pragma unroll
    for (int i = 0; i < stores; ++i)
      asm volatile("st.global.f32 [%0], %1;" ::"l"(own + i * (most_threads * line_words)), "f"(word)
                   : "memory");
    stop = cycles_now();
    asm volatile("st.global.f32 [%0], %1;" ::"l"(own), "f"(word) : "memory"); // keeps the registers
  }
  if (threadIdx.x % 32 == 0) cycles[threadIdx.x / 32] = stop - start;
}

struct Case {
  int stores;
  void (*kernel)(float*, long long*);
};
template <int... stores> std::vector<Case> cases(std::integer_sequence<int, stores...>) {
  return {{stores, &store_in_a_row<stores>}...};
}

ProbeResult run(Session& session) {
  session.say("stores that wait in an SM");
  Report report("stores in a row, every lane to a line of its own", {{"warps", {}}, {"stores", {}}}, "cycles",
                unit_of<Cycles>());
  Buffer<float> words(std::size_t{most_stores} * most_threads * line_words);
  Buffer<long long> cycles(most_threads / 32);
  Buffer<ClockReading> clock(1);
  const auto measured = [&](const Case& c, int warps) {
    Measurement m;
    for (int i = 0; i < (session.quick() ? 3 : 11); ++i) {
      cycles.clear();
      c.kernel<<<1, 32 * warps, 0, session.stream>>>(words.data(), cycles.data());
      PERFMODEL_CUDA(cudaGetLastError());
      read_clock(clock.data(), session.stream);
      session.stream.synchronize();
      const std::vector<long long> all = cycles.to_host();
      m.values.push_back(double(*std::max_element(all.begin(), all.begin() + warps)));
      m.sm_clock.push_back(clock.to_host()[0].hertz());
    }
    return m;
  };
  const auto stored = [&](int warps, int stores) {
    const std::vector<float> host = words.to_host();
    for (int i = 0; i < stores; ++i)
      for (int thread = 0; thread < 32 * warps; ++thread)
        if (host[(std::size_t(i) * most_threads + thread) * line_words] != float(thread + 1)) return false;
    return true;
  };
  for (const int warps : {1, 4, 8}) {
    std::optional<Measurement> shorter;
    int few = 0;
    for (const Case& c : cases(std::integer_sequence<int, 4, 8, 12, 16, 24, 32, most_stores>{})) {
      words.clear();
      const Measurement m = measured(c, warps);
      if (!report.verify(stored(warps, c.stores), "words stored")) return report.take();
      report.row({std::int64_t{warps}, std::int64_t{c.stores}}, m);
      // A warp for each scheduler. In the two longest rows as many wait.
      if (warps == 4 && c.stores == most_stores && shorter) {
        Measurement waiting{.values = {}, .sm_clock = m.sm_clock};
        const double taken = double(c.stores - few) * warps / (m.median() - shorter->median());
        for (const double all : m.values) waiting.values.push_back(c.stores * warps - all * taken);
        report.constant("l1.queue", waiting);
      }
      shorter = m, few = c.stores;
    }
  }
  return report.take();
}

} // namespace
} // namespace store_queue_probe

extern const Probe store_queue{.name = "store-queue",
                               .order = 110,
                               .measures =
                                   "cycles until warps have issued stores in a row of which L2 takes few",
                               .provides = {"l1.queue"},
                               .run = store_queue_probe::run};

} // namespace perfmodel::kernels
