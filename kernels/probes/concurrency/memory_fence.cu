// What a memory fence takes: a warp waits until its stores have come as far as the fence says, to its block,
// to the GPU's L2 or to the whole system. One warp alone on an SM waits for the way there and back; of many
// the SM handles one after the other. A fence of the GPU's scope empties L1, so that what is loaded behind it
// comes from L2, and later than without it.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <string>

namespace perfmodel::kernels {
namespace {

constexpr int most_threads = 1024, trips = 32;

enum class Scope { none, block, gpu, system };
enum class Beside { nothing, store, load };

template <Scope scope> __device__ void fence() {
  if constexpr (scope == Scope::block) __threadfence_block();
  if constexpr (scope == Scope::gpu) __threadfence();
  if constexpr (scope == Scope::system) __threadfence_system();
}

// Every thread has a word of its own, which holds its number: a load says where the next one goes.
template <Scope scope, Beside beside>
__global__ void __launch_bounds__(most_threads) fences(unsigned* words, long long* cycles) {
  unsigned at = threadIdx.x;
  long long start = 0;
  for (int round = 0; round < 2; ++round) { // the second counts: its code is in the cache
    __syncthreads();
    start = cycles_now();
#pragma unroll
    for (int trip = 0; trip < trips; ++trip) {
      if constexpr (beside == Beside::store)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(words + threadIdx.x), "r"(at + unsigned(trip) + 1)
                     : "memory");
      fence<scope>();
      if constexpr (beside == Beside::load) // from L2 without a fence, too
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(words + at) : "memory");
    }
    __syncwarp();
    if (at != threadIdx.x) start = 0; // waits for the last load
  }
  const long long stop = cycles_now();
  if (threadIdx.x % 32 == 0) cycles[threadIdx.x / 32] = stop - start;
}

struct Case {
  std::string scope, beside;
  int warps;
  void (*kernel)(unsigned*, long long*);
};

ProbeResult run(Session& session) {
  session.say("memory fences");
  Report report("memory fences of the warps of one SM", {{"scope", {}}, {"beside", {}}, {"warps", {}}},
                "cycles", unit_of<Cycles>());
  std::vector<unsigned> numbers(most_threads);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = i;
  Buffer<unsigned> words(numbers);
  Buffer<long long> cycles(most_threads / 32);
  Buffer<ClockReading> clock(1);
  // Cycles of a trip, until the last warp is through.
  const auto measured = [&](const Case& c) {
    Measurement m;
    for (int i = 0; i < (session.quick() ? 3 : 11); ++i) {
      c.kernel<<<1, 32 * c.warps, 0, session.stream>>>(words.data(), cycles.data());
      PERFMODEL_CUDA(cudaGetLastError());
      read_clock(clock.data(), session.stream);
      session.stream.synchronize();
      const std::vector<long long> all = cycles.to_host();
      m.values.push_back(double(*std::max_element(all.begin(), all.begin() + c.warps)) / trips);
      m.sm_clock.push_back(clock.to_host()[0].hertz());
    }
    report.row({c.scope, c.beside, std::int64_t{c.warps}}, m);
    return m;
  };
  const auto less = [](Measurement m, double cycles_less) {
    for (double& value : m.values) value = std::max(0.0, value - cycles_less);
    return m;
  };
  constexpr int many = most_threads / 32;
  const auto of_each = [](Measurement m) { // of the warps
    for (double& value : m.values) value /= many;
    return m;
  };
  const Measurement alone = measured({"GPU", "nothing", 1, &fences<Scope::gpu, Beside::nothing>});
  report.constant("fence.latency", alone);
  report.constant("fence.interval",
                  of_each(measured({"GPU", "nothing", many, &fences<Scope::gpu, Beside::nothing>})));
  report.constant("fence.block_latency",
                  measured({"block", "nothing", 1, &fences<Scope::block, Beside::nothing>}));
  report.constant("fence.block_interval",
                  of_each(measured({"block", "nothing", many, &fences<Scope::block, Beside::nothing>})));
  report.constant("fence.system_latency",
                  measured({"system", "nothing", 1, &fences<Scope::system, Beside::nothing>}));
  const Measurement from_l2 = measured({"none", "load", 1, &fences<Scope::none, Beside::load>});
  const Measurement behind = measured({"GPU", "load", 1, &fences<Scope::gpu, Beside::load>});
  report.constant("fence.load_delay", less(behind, from_l2.median() + alone.median()));
  const Measurement stored = measured({"GPU", "store", 1, &fences<Scope::gpu, Beside::store>});
  report.constant("fence.store_latency", less(stored, alone.median()));
  const std::vector<unsigned> left = words.to_host();
  for (unsigned i = 0; i < 32; ++i)
    if (!report.verify(left[i] == i + trips, "words stored")) return report.take();
  return report.take();
}

} // namespace

extern const Probe memory_fence{
    .name = "memory-fence",
    .order = 192,
    .measures = "cycles of a memory fence, of one warp alone and of many, behind stores and before loads",
    .provides = {"fence.latency", "fence.interval", "fence.block_latency", "fence.block_interval",
                 "fence.system_latency", "fence.load_delay", "fence.store_latency"},
    .run = run};

} // namespace perfmodel::kernels
