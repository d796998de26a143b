// Peak rate of fp32 and fp64 FMAs: every thread runs `ilp` independent chains x = x a + b from registers
// alone. An FMA of three different registers (x, a, b) needs more operand bandwidth than one of two (x, a,
// a): on Hopper it reaches half the peak at ilp 1, and all of it once neighbouring instructions reuse an
// operand (ilp 4 and more). Checked in SASS: 1024 FFMA (256 DFMA) per loop body, beside one add, one compare
// and one branch.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/core/facts.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace fma_rate_probe {
namespace {

constexpr int threads = 1024;
template <class T> constexpr int body = sizeof(T) == 4 ? 1024 : 256; // a short body loses 3 % to the loop

// The values stay normal and move slowly: zeros, or signs that flip, would draw less or more power than real
// work.
template <class T> struct Values {
  static constexpr T a = T(0.999), b = T(0.001);
  __host__ __device__ static T start(int thread, int chain) {
    return T(0.5) + T(thread % 32) / 64 + T(chain) / 128;
  }
};

template <class T, int ilp, int operands>
__global__ void __launch_bounds__(threads) fma_chains(T* out, T a, T b, int trips, ClockReading* clock) {
  T x[ilp];
#pragma unroll
  for (int i = 0; i < ilp; ++i) x[i] = Values<T>::start(threadIdx.x, i);
  clock_start(clock);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < body<T> / ilp; ++step)
#pragma unroll
      for (int i = 0; i < ilp; ++i) x[i] = fma(x[i], a, operands == 3 ? b : a);
  clock_stop(clock);
  T sum = 0;
#pragma unroll
  for (int i = 0; i < ilp; ++i) sum += x[i];
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

template <class T, int ilp, int operands> T expected(int thread, int trips) {
  T sum = 0;
  for (int i = 0; i < ilp; ++i) {
    T x = Values<T>::start(thread, i);
    for (int step = 0; step < trips * body<T> / ilp; ++step)
      x = std::fma(x, Values<T>::a, operands == 3 ? Values<T>::b : Values<T>::a);
    sum += x;
  }
  return sum;
}

template <class T, int ilp, int operands> Measurement measure_chains(Session& session, Report& report) {
  const std::string precision = sizeof(T) == 4 ? "fp32" : "fp64";
  const std::string name =
      precision + ", " + std::to_string(ilp) + " chains, " + std::to_string(operands) + " operands";
  session.say("FMA rate: " + name);
  const int per_sm = std::max(1, session.device.properties.maxThreadsPerMultiProcessor / threads);
  const int blocks = session.device.sm_count() * per_sm;
  Buffer<T> out(std::size_t(blocks) * threads);
  Buffer<ClockReading> clock(1);
  const auto launch = [&](cudaStream_t stream, int trips) {
    fma_chains<T, ilp, operands>
        <<<blocks, threads, 0, stream>>>(out.data(), Values<T>::a, Values<T>::b, trips, clock.data());
  };

  out.poison();
  launch(session.stream, 2);
  session.stream.synchronize();
  bool right = true;
  const std::vector<T> got = out.to_host();
  for (int lane = 0; lane < 32; ++lane) {
    const T want = expected<T, ilp, operands>(lane, 2);
    for (std::size_t i = lane; i < got.size(); i += 32) right = right && got[i] == want;
  }
  if (!report.verify(right, name)) return {};

  const int trips = trips_for(session, 5e-3, launch);
  const double flops = 2.0 * blocks * threads * trips * body<T>;
  Repeat repeat = usual(session);
  repeat.pause = 0.01; // as in the sweep along the roofline, whose roof this is
  const Measurement rate =
      rate_of(sample(
                  session, repeat, [&](cudaStream_t s) { launch(s, trips); }, clock.data()),
              flops);
  report.row({precision, std::int64_t{ilp}, std::int64_t{operands}}, rate,
             arithmetic_limit(session,
                              sizeof(T) == 4 ? facts::throughput_fp32_fma : facts::throughput_fp64_fma,
                              rate.clock()));
  return rate;
}

ProbeResult run(Session& session) {
  Report report("FMA rate", {{"precision", {}}, {"ilp", {}}, {"operands", {}}}, "rate",
                unit_of<FlopsPerSecond>());
  if (!session.quick()) {
    measure_chains<float, 1, 3>(session, report);
    measure_chains<float, 2, 3>(session, report);
    measure_chains<float, 4, 3>(session, report);
    measure_chains<float, 8, 3>(session, report);
    measure_chains<float, 1, 2>(session, report);
    measure_chains<double, 1, 3>(session, report);
  }
  const Measurement fp32 = measure_chains<float, 8, 2>(session, report);
  const Measurement fp64 = measure_chains<double, 8, 2>(session, report);
  if (fp32.values.empty() || fp64.values.empty()) return report.take();
  report.constant("sustained.fp32", fp32);
  report.constant("sustained.fp64", fp64);
  report.constant("clock.observed", {.values = fp32.sm_clock, .sm_clock = fp32.sm_clock});
  return report.take();
}

} // namespace
} // namespace fma_rate_probe

extern const Probe fma_rate{
    .name = "fma-rate",
    .order = 490,
    .model = "roofline",
    .measures = "peak rate of fp32 and fp64 FMAs, by independent chains and distinct operands",
    .provides = {"sustained.fp32", "sustained.fp64", "clock.observed"},
    .run = fma_rate_probe::run};

} // namespace perfmodel::kernels
