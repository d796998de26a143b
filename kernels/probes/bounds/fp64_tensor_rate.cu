// Peak rate of fp64 on the tensor units: every warp runs `chains` independent accumulators through
// mma.m16n8k16, all operands in registers. 99.8 % of 256 flop per clock and SM on an H200; 4 or 8 warps per
// SM do the same.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/cublas.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/core/facts.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 256, warps = threads / 32, chains = 4, unroll = 4;
constexpr int m = 16, n = 8, k = 16;

// Element (row, i) of A and (i, column) of B: of mixed sign and never zero, exact in few bits so that the
// CPU's sum is the same in any order.
__host__ __device__ double a_value(int row, int i) { return ((row * 7 + i * 13) % 32 - 15.5) / 16; }
__host__ __device__ double b_value(int i, int column) { return ((column * 5 + i * 11) % 32 - 15.5) / 16; }

__global__ void __launch_bounds__(threads, 1) multiply(double* d_out, int trips, ClockReading* clock) {
  // Fragments: lane l holds row l / 4 (and + 8) and, from l % 4 on, every fourth element along k.
  const int lane = threadIdx.x % 32, group = lane / 4, place = lane % 4;
  double a[8], b[4], d[chains][4] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) a[i] = a_value(group + i % 2 * 8, place + i / 2 * 4);
#pragma unroll
  for (int i = 0; i < 4; ++i) b[i] = b_value(place + i * 4, group);
  clock_start(clock);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < unroll * chains; ++i)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                   "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                   : "+d"(d[i % chains][0]), "+d"(d[i % chains][1]), "+d"(d[i % chains][2]),
                     "+d"(d[i % chains][3])
                   : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                     "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  clock_stop(clock);
  d_out += (std::size_t{blockIdx.x} * warps + threadIdx.x / 32) * (chains * m * n);
#pragma unroll
  for (int c = 0; c < chains; ++c)
#pragma unroll
    for (int i = 0; i < 4; ++i) d_out[c * m * n + (group + i / 2 * 8) * n + place * 2 + i % 2] = d[c][i];
}

bool right(const std::vector<double>& got, int trips) {
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double want = 0;
      for (int i = 0; i < k; ++i) want += a_value(row, i) * b_value(i, column);
      want *= trips * unroll;
      for (std::size_t at = row * n + column; at < got.size(); at += m * n)
        if (got[at] != want) return false;
    }
  return true;
}

ProbeResult run(Session& session) {
  Report report("fp64 tensor rate", {{"precision", {}}, {"program", {}}}, "rate", unit_of<FlopsPerSecond>());
  if (!session.device.is_hopper()) {
    report.note("no fp64 tensor kernel for compute capability " + session.device.compute_capability() +
                " yet: mma.m16n8k16 in fp64 is Hopper's (9.0)");
    return report.take();
  }
  session.say("tensor rate: fp64");
  const unsigned blocks = session.device.sm_count();
  Buffer<double> d(std::size_t{blocks} * warps * chains * m * n);
  Buffer<ClockReading> clock(1);
  const auto launch = [&](cudaStream_t stream, int trips) {
    multiply<<<blocks, threads, 0, stream>>>(d.data(), trips, clock.data());
  };

  d.poison();
  launch(session.stream, 3);
  session.stream.synchronize();
  if (!report.verify(right(d.to_host(), 3), "fp64 product")) return report.take();

  const int trips = trips_for(session, 5e-3, launch);
  const double operations = 2.0 * m * n * k * unroll * chains * warps * blocks * trips;
  const Repeat repeat{.samples = 11, .warm_up = session.quick() ? 0.1 : 0.5};
  const Measurement rate =
      rate_of(sample(
                  session, repeat, [&](cudaStream_t s) { launch(s, trips); }, clock.data()),
              operations);
  report.row({"fp64-tensor", "mma"}, rate,
             arithmetic_limit(session, facts::throughput_fp64_tensor, rate.clock()));
  report.constant("sustained.fp64_tensor", rate);
  if (session.quick()) return report.take();
  const CublasRate cublas = cublas_rate(session, "fp64-tensor");
  if (cublas.rate)
    report.row({"fp64-tensor", "cuBLAS"}, *cublas.rate);
  else
    report.note("fp64 is not compared: " + cublas.why);
  return report.take();
}

} // namespace

extern const Probe fp64_tensor_rate{.name = "fp64-tensor-rate",
                                    .order = 580,
                                    .model = "roofline",
                                    .measures = "peak rate of fp64 on the tensor units, beside cuBLAS",
                                    .provides = {"sustained.fp64_tensor"},
                                    .run = run};

} // namespace perfmodel::kernels
