// How thread-level and instruction-level parallelism fill the FMA pipes: every thread runs `ilp` independent
// chains, `unroll` FMAs of each between two branches, with 1 or 2 blocks of 32 to 1024 threads on every SM.
// The chain x = x a + b reads three registers and x = x a + a two: on Hopper the two behave differently (see
// issue.cu). Two blocks of an SM do not share it evenly: the older one is served first.
// Checked in SASS (sm_90): ilp x unroll FFMA in the loop body, x, a and b in registers, beside one add, one
// compare and one branch.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/facts.hpp"
#include "models/core/statistics.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace latency_hiding_probe {
namespace {

// Normal values that move slowly: zeros would draw less power than real work.
constexpr float factor = 0.999f, addend = 0.001f;
__host__ __device__ float start_of(int thread, int chain) {
  return 0.5f + float(thread % 32) / 64 + float(chain) / 128;
}

template <int ilp, int unroll, int operands>
__global__ void __launch_bounds__(1024, 2)
    fma_chains(float* out, const float* factors, int trips, BlockSpan* spans) {
  const float a = factors[threadIdx.x],
              b = factors[1024 + threadIdx.x]; // in registers, not in the constant bank
  float x[ilp];
#pragma unroll
  for (int i = 0; i < ilp; ++i) x[i] = start_of(threadIdx.x, i);
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < unroll; ++step)
#pragma unroll
      for (int i = 0; i < ilp; ++i) x[i] = fmaf(x[i], a, operands == 3 ? b : a);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < ilp; ++i) sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  span_stop(spans);
}

template <int ilp, int unroll, int operands> float expected(int thread, int trips) {
  float sum = 0;
  for (int i = 0; i < ilp; ++i) {
    float x = start_of(thread, i);
    for (int step = 0; step < trips * unroll; ++step)
      x = std::fma(x, factor, operands == 3 ? addend : factor);
    sum += x;
  }
  return sum;
}

struct Grid {
  Session& session;
  Report& report;
  double lanes; // FMAs per clock and SM at the peak
  Buffer<float> out, factors;
  Buffer<BlockSpan> spans;
  Buffer<ClockReading> clock;
  int samples;
  bool warm = false;

  Grid(Session& s, Report& r, double lanes_per_sm)
      : session(s), report(r), lanes(lanes_per_sm), out(std::size_t(s.device.sm_count()) * 2 * 1024),
        factors(both_factors()), spans(std::size_t(s.device.sm_count()) * 2 * 16), clock(1),
        samples(s.quick() ? 3 : 11) {}

  static std::vector<float> both_factors() {
    std::vector<float> values(2048, factor);
    std::fill(values.begin() + 1024, values.end(), addend);
    return values;
  }

  template <int ilp, int unroll, int operands> bool point(int threads, int blocks) {
    const auto kernel = &fma_chains<ilp, unroll, operands>;
    const auto shared = shared_for_residency(session.device, kernel, threads, blocks);
    const std::string name = std::to_string(blocks) + " x " + std::to_string(threads) + " threads, ilp " +
                             std::to_string(ilp) + ", unroll " + std::to_string(unroll);
    if (!shared) return report.verify(false, "residency of " + name);
    const unsigned grid = static_cast<unsigned>(session.device.sm_count() * blocks);
    const auto launch = [&](int trips, int sample) {
      kernel<<<grid, threads, *shared, session.stream>>>(out.data(), factors.data(), trips,
                                                         spans.data() + std::size_t(sample) * grid);
      PERFMODEL_CUDA(cudaGetLastError());
    };

    out.poison();
    launch(2, 0);
    session.stream.synchronize();
    std::vector<float> got(std::size_t(grid) * threads);
    PERFMODEL_CUDA(cudaMemcpy(got.data(), out.data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int lane = 0; lane < 32; ++lane) {
      const float want = expected<ilp, unroll, operands>(lane, 2);
      for (std::size_t i = lane; i < got.size(); i += 32) right = right && got[i] == want;
    }
    if (!report.verify(right, name)) return false;

    // About 150 000 cycles, by a guess that need not be good: it sets the length of the run and nothing else.
    const double warps = std::ceil(blocks * threads / 128.0);
    const int trips = std::max(20, int(150e3 / (unroll * std::max(4.0, warps * ilp) + 8)));
    if (!warm)
      for (int i = 0; i < 3000; ++i) launch(trips, 0); // the clock rises within 0.2 s
    warm = true;
    for (int i = 0; i < samples; ++i) launch(trips, i);
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    Measurement rate{.values = {}, .sm_clock = {clock.to_host()[0].hertz()}};
    const std::vector<BlockSpan> seen = spans.to_host();
    for (int i = 0; i < samples; ++i) {
      const auto cycles = sm_cycles(seen.data() + std::size_t(i) * grid, grid, unsigned(blocks));
      if (!report.verify(!cycles.empty(), name + ": blocks per SM")) return false;
      rate.values.push_back(double(blocks) * threads * trips * unroll * ilp / median(cycles) / lanes);
    }
    report.row({std::int64_t{threads}, std::int64_t{blocks}, std::int64_t{ilp}, std::int64_t{unroll},
                std::int64_t{operands}},
               rate, Limit{1, "the lanes"});
    return true;
  }

  template <int ilp, int unroll, int operands> bool curve() {
    session.say("latency hiding: ilp " + std::to_string(ilp) + ", unroll " + std::to_string(unroll));
    for (const int blocks : {1, 2})
      for (int threads = 32; threads <= 1024; threads += session.quick() ? 224 : 32)
        if (!point<ilp, unroll, operands>(threads, blocks)) return false;
    return true;
  }

  template <int unroll, int operands> bool curves() {
    return curve<1, unroll, operands>() && curve<2, unroll, operands>() && curve<4, unroll, operands>() &&
           curve<8, unroll, operands>();
  }
};

ProbeResult run(Session& session) {
  Report report("latency hiding",
                {{"threads", {}}, {"blocks", {}}, {"ilp", {}}, {"unroll", {}}, {"operands", {}}}, "of_peak",
                {"fraction", {}});
  const Gpu* gpu = session.options.gpu;
  const auto lanes = gpu != nullptr ? gpu->find(facts::throughput_fp32_fma) : std::nullopt;
  if (!lanes) {
    report.refuse("the lanes of this GPU are not known: describe it ('hw detect') and name it with --hw");
    return report.take();
  }
  Grid grid(session, report, lanes->value.value);
  const bool done =
      grid.curves<8, 3>() && grid.curves<64, 3>() && grid.curves<8, 2>() && grid.curves<64, 2>();
  if (done) session.under_load = session.nvml.state();
  return report.take();
}

} // namespace
} // namespace latency_hiding_probe

extern const Probe latency_hiding{
    .name = "latency-hiding",
    .order = 120,
    .model = "latency-hiding",
    .measures = "share of the FMA peak over threads, blocks, chains per thread, unrolling and operands",
    .run = latency_hiding_probe::run};

} // namespace perfmodel::kernels
