// Latency of an FMA: one warp, one chain in which every FMA needs the result of the one before.
// The difference between a long and a short run leaves out what both have in common: the clock reads and the
// start.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/step_cycles.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace fma_latency_probe {
namespace {

constexpr int body = 1024; // the branch of a shorter loop shows: 0.05 cycles per FMA at 128
constexpr int short_run = 4, long_run = 8;

template <class T> __global__ void chain(T* out, T x, T a, T b, int trips, ClockReading* reading) {
  clock_start(reading);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) x = fma(x, a, b);
  out[threadIdx.x] = x; // needs the last result: the clock is not read before it is there
  __syncwarp();
  clock_stop(reading);
}

template <class T> Measurement latency_of(Session& session, Report& report, const std::string& precision) {
  session.say("FMA latency: " + precision);
  const T x = T(0.5), a = T(0.999), b = T(0.001);
  Buffer<T> out(32);
  Buffer<ClockReading> reading(1);
  const auto cycles = [&](int trips) {
    chain<<<1, 32, 0, session.stream>>>(out.data(), x, a, b, trips, reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return static_cast<double>(reading.to_host()[0].cycles);
  };

  out.poison();
  cycles(short_run);
  T want = x;
  for (int i = 0; i < short_run * body; ++i) want = std::fma(want, a, b);
  for (const T got : out.to_host())
    if (!report.verify(got == want, precision + " chain")) return {};

  const Measurement latency = cycles_of_step(session, {short_run, long_run, body}, cycles);
  report.row({precision}, latency);
  return latency;
}

ProbeResult run(Session& session) {
  Report report("FMA latency", {{"precision", {}}}, "latency", unit_of<Cycles>());
  const Measurement fp32 = latency_of<float>(session, report, "fp32");
  const Measurement fp64 = latency_of<double>(session, report, "fp64");
  if (fp32.values.empty() || fp64.values.empty()) return report.take();
  report.constant("fma.latency", fp32);
  report.constant("fp64.latency", fp64);
  return report.take();
}

} // namespace
} // namespace fma_latency_probe

extern const Probe fma_latency{.name = "fma-latency",
                               .order = 10,
                               .model = "littles-law",
                               .measures = "cycles from an FMA to the FMA that needs its result",
                               .provides = {"fma.latency", "fp64.latency"},
                               .run = fma_latency_probe::run};

} // namespace perfmodel::kernels
