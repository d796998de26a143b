// What a compare-and-swap of shared memory takes where every lane has a word of its own: one warp alone, each
// of whose operations needs what the one before has found; and full SMs. The difference of two runs leaves
// out the start.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/concurrency/step_cycles.hpp"

namespace perfmodel::kernels {
namespace shared_swap_probe {
namespace {

constexpr int body = 128, short_run = 4, long_run = 12;

// A word holds its own address, finds it there, and keeps it.
__global__ void __launch_bounds__(32) swaps(unsigned* wrong, int trips, long long* cycles) {
  __shared__ unsigned words[32];
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x]));
  words[threadIdx.x] = own;
  unsigned at = own;
  __syncwarp();
  const long long start = cycles_now();
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) asm volatile("atom.shared.cas.b32 %0, [%0], %0, %0;" : "+r"(at)::"memory");
  wrong[threadIdx.x] = at - own; // needs the last result: the clock is not read before it is there
  __syncwarp();
  if (threadIdx.x == 0) *cycles = cycles_now() - start;
}

constexpr int threads = 1024, resident = 2;

__global__ void __launch_bounds__(threads) swaps_of_many(unsigned* wrong, int trips, BlockSpan* spans) {
  __shared__ unsigned words[threads];
  const unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x]));
  words[threadIdx.x] = own;
  unsigned at = own;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < 16; ++i) asm volatile("atom.shared.cas.b32 %0, [%0], %0, %0;" : "+r"(at)::"memory");
  if (at != own) *wrong = 1;
  span_stop(spans);
}

// Cycles of an SM for one of a warp.
Measurement interval(Session& session, Buffer<unsigned>& wrong) {
  const int blocks = resident * session.device.sm_count();
  Buffer<BlockSpan> spans(static_cast<std::size_t>(blocks));
  Measurement m = cycles_per_trip(session, spans, resident, [&](int trips) {
    swaps_of_many<<<static_cast<unsigned>(blocks), threads, 0, session.stream>>>(wrong.data(), trips,
                                                                                 spans.data());
  });
  for (double& value : m.values) value /= 16.0 * resident * threads / 32;
  return m;
}

ProbeResult run(Session& session) {
  session.say("shared memory: compare and swap");
  Report report("shared memory, one warp of an SM, each operation on the result of the one before",
                {{"operation", {}}}, "latency", unit_of<Cycles>());
  Buffer<unsigned> wrong(32);
  Buffer<long long> taken(1);
  const auto cycles = [&](int trips) {
    swaps<<<1, 32, 0, session.stream>>>(wrong.data(), trips, taken.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return static_cast<double>(taken.to_host()[0]);
  };
  wrong.poison();
  cycles(long_run);
  for (const unsigned each : wrong.to_host())
    if (!report.verify(each == 0, "words swapped")) return report.take();

  const Measurement latency = cycles_of_step(session, {short_run, long_run, body}, cycles);
  report.row({std::string("compare and swap")}, latency);
  report.constant("latency.shared_swap", latency);
  wrong.clear();
  const Measurement of_many = interval(session, wrong);
  if (!report.verify(wrong.to_host()[0] == 0, "words swapped by full SMs")) return report.take();
  report.row({std::string("compare and swap, full SMs")}, of_many);
  report.constant("shared.swap_interval", of_many);
  return report.take();
}

} // namespace
} // namespace shared_swap_probe

extern const Probe shared_swap{.name = "shared-swap",
                               .order = 193,
                               .measures = "compare-and-swap of shared memory: cycles to the instruction "
                                           "that needs its result, and of a full SM",
                               .provides = {"latency.shared_swap", "shared.swap_interval"},
                               .run = shared_swap_probe::run};

} // namespace perfmodel::kernels
