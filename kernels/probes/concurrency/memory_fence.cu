// What a memory fence takes: a warp waits until its stores have come as far as the fence says, to its block,
// to the GPU's L2 or to the whole system. One warp alone on an SM waits for the way there and back; of many
// the SM handles one after the other. A fence of the GPU's scope empties L1, so that what is loaded behind it
// comes from L2, and later than without it.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <string>

namespace perfmodel::kernels {
namespace memory_fence_probe {
namespace {

constexpr int most_threads = 1024, trips = 32;

enum class Scope { none, block, gpu, system };
enum class Beside { nothing, store, load };

// A thread's word holds its number, and so says where it is.
__device__ inline unsigned loaded(const unsigned* word) {
  unsigned at;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(at) : "l"(word) : "memory");
  return at;
}
__device__ inline unsigned loaded_in_l2(const unsigned* word) {
  unsigned at;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(word) : "memory");
  return at;
}

template <Scope scope> __device__ void fence() {
  if constexpr (scope == Scope::block) __threadfence_block();
  if constexpr (scope == Scope::gpu) __threadfence();
  if constexpr (scope == Scope::system) __threadfence_system();
}

// Each trip of a warp alone begins when the one before has ended. What is loaded without a fence comes from
// L2, too.
template <Scope scope, Beside beside>
__global__ void __launch_bounds__(32) fences(unsigned* words, long long* cycles) {
  unsigned at = threadIdx.x;
  long long start = 0;
  for (int round = 0; round < 2; ++round) { // the second counts: its code is in the cache
    __syncwarp();
    start = cycles_now();
#pragma unroll
    for (int trip = 0; trip < trips; ++trip) {
      if constexpr (beside == Beside::store)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(words + threadIdx.x), "r"(at + unsigned(trip) + 1)
                     : "memory");
      fence<scope>();
      if constexpr (beside == Beside::load)
        at = scope == Scope::none ? loaded_in_l2(words + at) : loaded(words + at);
    }
    __syncwarp();
    if (at != threadIdx.x) break; // waits for the last load
  }
  const long long stop = cycles_now();
  if (threadIdx.x == 0) *cycles = stop - start;
}

// The same for full SMs, whose warps all do it again and again.
template <Scope scope, Beside beside>
__global__ void __launch_bounds__(most_threads)
    fences_of_many(int rounds, unsigned* words, BlockSpan* spans) {
  unsigned* const own = words + blockIdx.x * most_threads;
  unsigned at = threadIdx.x;
  span_start(spans);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if constexpr (beside == Beside::store)
      asm volatile("st.global.u32 [%0], %1;" ::"l"(own + threadIdx.x), "r"(at + unsigned(round) + 1)
                   : "memory");
    fence<scope>();
    if constexpr (beside == Beside::load) at = loaded(own + at);
  }
  if (at != threadIdx.x) own[threadIdx.x] = 0;
  span_stop(spans);
}

class Fences {
public:
  Fences(Session& session, Report& report)
      : session_(session), report_(report), words_(numbers()), spans_(std::size_t(blocks())) {}

  // Cycles of one, of a warp alone on its SM.
  Measurement alone(std::string scope, std::string beside, void (*kernel)(unsigned*, long long*)) {
    Measurement m;
    for (int i = 0; i < (session_.quick() ? 3 : 11); ++i) {
      kernel<<<1, 32, 0, session_.stream>>>(words_.data(), cycles_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      read_clock(clock_.data(), session_.stream);
      session_.stream.synchronize();
      m.values.push_back(double(cycles_.to_host()[0]) / trips);
      m.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    report_.row({std::move(scope), std::move(beside), std::int64_t{1}}, m);
    return m;
  }
  // Cycles of a full SM from one to the next.
  Measurement of_many(std::string scope, std::string beside, void (*kernel)(int, unsigned*, BlockSpan*)) {
    Measurement m = cycles_per_trip(session_, spans_, resident, [&](int rounds) {
      kernel<<<unsigned(blocks()), most_threads, 0, session_.stream>>>(rounds, words_.data(), spans_.data());
    });
    constexpr int warps = resident * most_threads / 32;
    for (double& value : m.values) value /= warps;
    report_.row({std::move(scope), std::move(beside), std::int64_t{warps}}, m);
    return m;
  }
  bool right(unsigned added) const { // of the first warp
    const std::vector<unsigned> left = words_.to_host();
    for (unsigned i = 0; i < 32; ++i)
      if (!report_.verify(left[i] == i + added, "words stored")) return false;
    return true;
  }

private:
  static constexpr int resident = 2; // blocks of an SM
  int blocks() const { return resident * session_.device.sm_count(); }
  std::vector<unsigned> numbers() const {
    std::vector<unsigned> all(std::size_t(blocks()) * most_threads);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = unsigned(i % most_threads);
    return all;
  }

  Session& session_;
  Report& report_;
  Buffer<unsigned> words_;
  Buffer<BlockSpan> spans_;
  Buffer<long long> cycles_{1};
  Buffer<ClockReading> clock_{1};
};

Measurement less(Measurement m, const Measurement& part) {
  for (double& value : m.values) value -= part.median();
  return m;
}

ProbeResult run(Session& session) {
  session.say("memory fences");
  Report report("memory fences of the warps of an SM", {{"scope", {}}, {"beside", {}}, {"warps", {}}},
                "cycles", unit_of<Cycles>());
  Fences bench(session, report);
  const Measurement one = bench.alone("GPU", "nothing", &fences<Scope::gpu, Beside::nothing>);
  const Measurement from_l2 = bench.alone("none", "load", &fences<Scope::none, Beside::load>);
  const Measurement reload = bench.alone("GPU", "load", &fences<Scope::gpu, Beside::load>);
  report.constant("fence.latency", one);
  report.constant("fence.load_delay", less(less(reload, from_l2), one));
  report.constant("fence.block_latency",
                  bench.alone("block", "nothing", &fences<Scope::block, Beside::nothing>));
  report.constant("fence.system_latency",
                  bench.alone("system", "nothing", &fences<Scope::system, Beside::nothing>));
  report.constant("fence.interval",
                  bench.of_many("GPU", "nothing", &fences_of_many<Scope::gpu, Beside::nothing>));
  report.constant("fence.load_interval",
                  bench.of_many("GPU", "load", &fences_of_many<Scope::gpu, Beside::load>));
  report.constant("fence.block_interval",
                  bench.of_many("block", "nothing", &fences_of_many<Scope::block, Beside::nothing>));
  report.constant("fence.system_interval",
                  bench.of_many("system", "nothing", &fences_of_many<Scope::system, Beside::nothing>));
  // The last, since it changes the words.
  report.constant("fence.store_interval",
                  bench.of_many("GPU", "store", &fences_of_many<Scope::gpu, Beside::store>));
  const Measurement stored = bench.alone("GPU", "store", &fences<Scope::gpu, Beside::store>);
  report.constant("fence.store_latency", less(stored, one));
  (void)bench.right(trips);
  return report.take();
}

} // namespace
} // namespace memory_fence_probe

extern const Probe memory_fence{
    .name = "memory-fence",
    .order = 192,
    .measures = "cycles of a memory fence, of one warp alone and of many, behind stores and before loads",
    .provides = {"fence.latency", "fence.load_delay", "fence.block_latency", "fence.system_latency",
                 "fence.interval", "fence.load_interval", "fence.block_interval", "fence.system_interval",
                 "fence.store_interval", "fence.store_latency"},
    .run = memory_fence_probe::run};

} // namespace perfmodel::kernels
