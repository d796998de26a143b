// What lets a warp fall short of one instruction per clock, each by an experiment of its own and none by the
// grid of latency_hiding.cu:
//   register.reads  all warps, x_i = x_i a_i + b_i with registers of its own in each of 8 chains, so that no
//                   operand is fetched for two instructions: three operands over the clocks of one FMA
//   loop.latency    one warp, a chain of fp32 additions, 8 to 64 of them between two branches: clocks that a
//                   trip takes beyond its additions
//   loop.issue      all warps, the same loop: clocks of a scheduler that a trip takes beyond its additions
// Beside them, as a check: one warp with 32 independent chains issues an FMA every clock; no reissue gap.
// Checked in SASS (sm_90): the FMAs of the first take one or two registers of each of the two banks, the even
// and the odd registers, in turn, so that both banks are read equally; the additions stand in a loop of one
// add, one compare and one branch.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/facts.hpp"
#include "models/core/statistics.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace issue_probe {
namespace {

constexpr int full_threads = 1024, full_blocks = 2;

template <int chains, bool own_factors, int body = 256>
__global__ void __launch_bounds__(full_threads, own_factors ? full_blocks : 1)
    fma_chains(float* out, const float* factors, int trips, BlockSpan* spans) {
  float x[chains], a[own_factors ? chains : 1], b[own_factors ? chains : 1];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = 0.5f + float(i) / 128;
#pragma unroll
  for (int i = 0; i < (own_factors ? chains : 1); ++i) a[i] = factors[i], b[i] = factors[chains + i];
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < body / chains; ++step)
#pragma unroll
      for (int i = 0; i < chains; ++i)
        x[i] =
            own_factors ? fmaf(x[i], a[own_factors ? i : 0], b[own_factors ? i : 0]) : fmaf(x[i], a[0], a[0]);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  span_stop(spans);
}

template <int unroll>
__global__ void __launch_bounds__(full_threads, full_blocks)
    add_chain(float* out, const float* factors, int trips, BlockSpan* spans) {
  const float a = factors[0];
  float x = 0.5f;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < unroll; ++step) x += a;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  span_stop(spans);
}

class Bench {
public:
  Bench(Session& session, Report& report)
      : session_(session), report_(report), out_(std::size_t(session.device.sm_count()) * 2048),
        factors_(small_factors()), spans_(std::size_t(session.device.sm_count()) * full_blocks), clock_(1) {}

  // Cycles that one trip adds: a long run less a short one, so that what both have in common is left out.
  template <class Kernel> Measurement cycles_per_trip(Kernel* kernel, bool full, int trips) {
    const int blocks = full ? full_blocks : 1, threads = full ? full_threads : 32;
    const auto shared = shared_for_residency(session_.device, kernel, threads, blocks);
    Measurement m;
    if (!report_.verify(shared.has_value(), "residency")) return m;
    const auto cycles = [&](int n) {
      const unsigned grid = static_cast<unsigned>(session_.device.sm_count() * blocks);
      kernel<<<grid, threads, *shared, session_.stream>>>(out_.data(), factors_.data(), n, spans_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      const auto seen = sm_cycles(spans_.to_host().data(), grid, static_cast<unsigned>(blocks));
      return seen.empty() ? 0.0 : median(seen);
    };
    for (int i = -2; i < 11; ++i) {
      const double shorter = cycles(trips), difference = cycles(2 * trips) - shorter;
      if (i < 0) continue;
      m.values.push_back(difference / trips);
      read_clock(clock_.data(), session_.stream);
      session_.stream.synchronize();
      m.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    return m;
  }

  // Whether thread 0 ended with `want`.
  bool first_is(float want) { return out_.to_host()[0] == want; }
  float factor(int i) const { return small_factors()[static_cast<std::size_t>(i)]; }

private:
  static std::vector<float> small_factors() {
    std::vector<float> values(64);
    for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = 0.99f + 1e-4f * float(i);
    for (int i = 8; i < 16; ++i) values[static_cast<std::size_t>(i)] = 1e-3f * float(i);
    return values;
  }

  Session& session_;
  Report& report_;
  Buffer<float> out_, factors_;
  Buffer<BlockSpan> spans_;
  Buffer<ClockReading> clock_;
};

Measurement scaled(Measurement m, double by) {
  for (double& value : m.values) value *= by;
  return m;
}

Measurement scaled(Measurement longer, const Measurement& shorter, double by) {
  for (std::size_t i = 0; i < longer.values.size(); ++i) longer.values[i] -= shorter.values[i];
  return scaled(std::move(longer), by);
}

// The intercept of cycles per trip over the additions in a trip, sample by sample, by least squares.
Measurement intercept(const std::vector<double>& additions, const std::vector<Measurement>& trips) {
  Measurement result{.values = {}, .sm_clock = trips.front().sm_clock};
  const double n = double(additions.size());
  for (std::size_t sample = 0; sample < trips.front().values.size(); ++sample) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t i = 0; i < additions.size(); ++i) {
      const double x = additions[i], y = trips[i].values[sample];
      sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    result.values.push_back((sy * sxx - sx * sxy) / (n * sxx - sx * sx));
  }
  return result;
}

ProbeResult run(Session& session) {
  Report report("issue", {{"experiment", {}}, {"unroll", {}}}, "cycles", unit_of<Cycles>());
  Bench bench(session, report);
  session.say("issue: warps on their own and together");
  for (int i = 0; i < 20; ++i) bench.cycles_per_trip(&fma_chains<8, true>, true, 200); // the clock rises

  // 256 less 128 of them, so that the loop's end is left out.
  const Measurement alone = scaled(bench.cycles_per_trip(&fma_chains<32, false, 256>, false, 200),
                                   bench.cycles_per_trip(&fma_chains<32, false, 128>, false, 200), 1.0 / 128);
  const Gpu* gpu = session.options.gpu;
  const auto schedulers = gpu != nullptr ? gpu->find(facts::schedulers) : std::nullopt;
  // Four on every chip since cc 7.0, for one that the database does not know.
  const double per_scheduler = full_blocks * full_threads / 32 / (schedulers ? schedulers->value : 4);
  const Measurement fetch =
      scaled(bench.cycles_per_trip(&fma_chains<8, true>, true, 100), 1.0 / 256 / per_scheduler);
  report.row({"one warp, independent FMAs of two registers", std::int64_t{256}}, alone);
  report.row({"all warps, FMAs of three registers of their own", std::int64_t{256}}, fetch);

  const std::vector<double> additions{8, 16, 32, 64};
  std::vector<Measurement> one, all;
  const auto loop = [&]<int unroll>() {
    one.push_back(bench.cycles_per_trip(&add_chain<unroll>, false, 2000));
    all.push_back(scaled(bench.cycles_per_trip(&add_chain<unroll>, true, 500), 1.0 / per_scheduler));
    report.row({"one warp, a trip of dependent additions", std::int64_t{unroll}}, one.back());
    report.row({"all warps, a trip of dependent additions, per warp", std::int64_t{unroll}}, all.back());
  };
  loop.operator()<8>();
  loop.operator()<16>();
  loop.operator()<32>();
  loop.operator()<64>();

  float want = 0.5f; // the last launch: 1000 trips of 64 additions
  for (int i = 0; i < 1000 * 64; ++i) want += bench.factor(0);
  if (!report.verify(bench.first_is(want), "sum of the additions")) return report.take();
  Measurement reads = fetch;
  for (double& value : reads.values) value = 3 / value;
  report.constant("register.reads", reads);
  report.constant("loop.latency", intercept(additions, one));
  report.constant("loop.issue", intercept(additions, all));
  return report.take();
}

} // namespace
} // namespace issue_probe

extern const Probe issue{
    .name = "issue",
    .order = 40,
    .measures =
        "clocks between two instructions of one warp, of fetching three operands, and of a loop's end",
    .provides = {"register.reads", "loop.latency", "loop.issue"},
    .run = issue_probe::run};

} // namespace perfmodel::kernels
