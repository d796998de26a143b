// What it takes to guard an instruction: the time from a comparison to what it guards, by one warp and a
// chain of pairs; and what loads of shared memory cost a scheduler that no lane makes, on a full SM. Checked
// in SASS (sm_90): ISETP and a guarded IADD3 in turn; 64 guarded LDS between two branches, whose predicate
// was set before the loop.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/residency.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/registry.hpp"

#include "models/core/facts.hpp"

namespace perfmodel::kernels {
namespace {

constexpr int pairs = 512, short_run = 4, long_run = 8;
constexpr unsigned addend = 3;

// Every addition is guarded by a comparison of the sum before it; `limit` is never reached. Without guards,
// additions and exclusive ors in turn: an assembler makes one addition of several.
template <bool guarded>
__global__ void chain(unsigned* out, unsigned x, unsigned limit, int trips, ClockReading* reading) {
  clock_start(reading);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      if constexpr (guarded)
        asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; @p add.u32 %0, %0, %2; }"
                     : "+r"(x)
                     : "r"(limit), "n"(addend));
      else if (i % 2 == 0)
        asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "n"(addend));
      else
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "n"(addend));
    }
  out[threadIdx.x] = x;
  __syncwarp();
  clock_stop(reading);
}

// What the chain makes of 1.
unsigned end_of(bool guarded, int steps) {
  unsigned x = 1;
  for (int i = 0; i < steps; ++i) x = guarded || i % 2 == 0 ? x + addend : x ^ addend;
  return x;
}

template <bool guarded> Measurement step_of(Session& session, Report& report) {
  Buffer<unsigned> out(32);
  Buffer<ClockReading> reading(1), clock(1);
  const auto cycles = [&](int trips) {
    chain<guarded><<<1, 32, 0, session.stream>>>(out.data(), 1, ~0u, trips, reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return static_cast<double>(reading.to_host()[0].cycles);
  };
  out.poison();
  cycles(short_run);
  for (const unsigned got : out.to_host())
    if (!report.verify(got == end_of(guarded, short_run * pairs), "guarded chain")) return {};
  Measurement step;
  for (int i = -2; i < 11; ++i) {
    const double difference = cycles(long_run) - cycles(short_run);
    if (i < 0) continue;
    step.values.push_back(difference / ((long_run - short_run) * pairs));
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    step.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  report.row({std::string(guarded ? "comparison and guarded addition" : "addition, exclusive or")}, step);
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
  const Measurement addition = step_of<false>(session, report), pair = step_of<true>(session, report);
  if (addition.values.empty() || pair.values.empty()) return report.take();
  Measurement predicate = pair;
  for (double& value : predicate.values) value -= addition.median();
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

const Probe predication{"predication",
                        "",
                        "cycles from a comparison to what it guards, and of accesses that no lane makes",
                        {"latency.predicate", "issue.memory_interval"},
                        run};

} // namespace perfmodel::kernels
