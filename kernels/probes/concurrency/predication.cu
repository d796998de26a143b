// What it takes to guard an instruction: the time from a comparison to what it guards, by one warp and a
// chain of pairs; and what loads of shared memory cost a scheduler that no lane makes, on a full SM. Checked
// in SASS (sm_90): ISETP and a guarded SHF in turn; SHF alone; 64 guarded LDS between two branches, whose
// predicate was set before the loop.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/concurrency/step_cycles.hpp"

#include "models/core/facts.hpp"

#include <bit>

namespace perfmodel::kernels {
namespace predication_probe {
namespace {

constexpr int pairs = 512, short_run = 4, long_run = 8;

// A word is rotated by itself, guarded by a comparison of the word with `limit`, which is never reached, or
// alone. Additions would not do: an assembler makes one of several, or puts some on another pipe.
template <bool guarded>
__global__ void chain(unsigned* out, unsigned limit, int trips, ClockReading* reading) {
  unsigned x = threadIdx.x + 1; // not the same in all lanes: a uniform word has a pipe of its own
  clock_start(reading);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      if constexpr (guarded)
        asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; @p shf.l.wrap.b32 %0, %0, %0, %0; }"
                     : "+r"(x)
                     : "r"(limit));
      else
        asm volatile("shf.l.wrap.b32 %0, %0, %0, %0;" : "+r"(x));
    }
  out[threadIdx.x] = x;
  __syncwarp();
  clock_stop(reading);
}

// What either chain makes of a lane's word.
unsigned end_of(unsigned lane, int steps) {
  unsigned x = lane + 1;
  for (int i = 0; i < steps; ++i) x = std::rotl(x, static_cast<int>(x % 32));
  return x;
}

template <bool guarded> Measurement step_of(Session& session, Report& report) {
  Buffer<unsigned> out(32);
  Buffer<ClockReading> reading(1);
  const auto cycles = [&](int trips) {
    chain<guarded><<<1, 32, 0, session.stream>>>(out.data(), ~0u, trips, reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return static_cast<double>(reading.to_host()[0].cycles);
  };
  out.poison();
  cycles(short_run);
  const std::vector<unsigned> got = out.to_host();
  for (unsigned lane = 0; lane < 32; ++lane)
    if (!report.verify(got[lane] == end_of(lane, short_run * pairs), "chain of rotations")) return {};
  const Measurement step = cycles_of_step(session, {short_run, long_run, pairs}, cycles);
  report.row({std::string(guarded ? "comparison and guarded rotation" : "rotation")}, step);
  return step;
}

constexpr int loads = 64, threads = 512, blocks_per_sm = 4;

__global__ void __launch_bounds__(threads)
    unmade_loads(unsigned* out, unsigned on, int trips, BlockSpan* spans) {
  __shared__ unsigned words[threads];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  unsigned x = ~0u;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < loads; ++i)
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.volatile.shared.u32 %0, [%1]; }"
                   : "+r"(x)
                   : "r"(address), "r"(on));
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = x;
}

ProbeResult run(Session& session) {
  Report report("guarded instructions", {{"instructions", {}}}, "cycles", unit_of<Cycles>());
  session.say("guarded instructions");
  const Measurement alone = step_of<false>(session, report), pair = step_of<true>(session, report);
  if (alone.values.empty() || pair.values.empty()) return report.take();
  Measurement predicate = pair;
  for (double& value : predicate.values) value -= alone.median();
  report.constant("latency.predicate", predicate);

  const auto blocks = static_cast<std::size_t>(session.device.sm_count()) * blocks_per_sm;
  const auto shared = shared_for_residency(session.device, &unmade_loads, threads, blocks_per_sm);
  if (!shared) {
    report.note("an SM does not hold four blocks of 512 threads: issue.memory_interval was left out");
    return report.take();
  }
  Buffer<unsigned> out(blocks * threads);
  Buffer<BlockSpan> spans(blocks);
  const auto launch = [&](int trips) {
    unmade_loads<<<static_cast<unsigned>(blocks), threads, *shared, session.stream>>>(out.data(), 0, trips,
                                                                                      spans.data());
  };
  out.poison();
  Measurement interval = cycles_per_trip(session, spans, blocks_per_sm, launch);
  for (const unsigned got : out.to_host())
    if (!report.verify(got == ~0u, "loads that no lane makes")) return report.take();
  const Gpu* gpu = session.options.gpu;
  const auto schedulers = gpu != nullptr ? gpu->find(facts::schedulers) : std::nullopt;
  const double of_scheduler = loads * (threads / 32.0) * blocks_per_sm / (schedulers ? schedulers->value : 4);
  for (double& value : interval.values) value /= of_scheduler;
  report.row({std::string("load that no lane makes")}, interval);
  report.constant("issue.memory_interval", interval);
  return report.take();
}

} // namespace
} // namespace predication_probe

extern const Probe predication{
    .name = "predication",
    .order = 90,
    .measures = "cycles from a comparison to what it guards, and of accesses that no lane makes",
    .provides = {"latency.predicate", "issue.memory_interval"},
    .run = predication_probe::run};

} // namespace perfmodel::kernels
