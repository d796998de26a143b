// What a barrier of a block costs, by 1 to 32 warps of a block that has an SM to itself. Cycles from one
// __syncthreads to the next: 128 of them less 64, so that the loop around them is left out. And what one adds
// to a chain of 8 fp32 additions, which go on sooner after a barrier than another barrier does.
// Checked in SASS (sm_90): 128 and 64 BAR.SYNC, and nothing else between two branches but the additions.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/statistics.hpp"

namespace perfmodel::kernels {
namespace barrier_probe {
namespace {

constexpr int additions = 8;

template <int barriers, bool adds, bool meets>
__global__ void __launch_bounds__(1024) wait_again(int trips, BlockSpan* spans, float* out) {
  float x = float(threadIdx.x);
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < barriers; ++i) {
#pragma unroll
      for (int k = 0; adds && k < additions; ++k) asm volatile("add.f32 %0, %0, 0f3F000000;" : "+f"(x));
      if (meets) __syncthreads();
    }
  span_stop(spans);
  if (x == -1) *out = x;
}

class Bench {
public:
  explicit Bench(Session& session)
      : session_(session), spans_(static_cast<std::size_t>(session.device.sm_count())), clock_(1), out_(1) {}

  // Cycles of a barrier, of additions and a barrier, or of additions alone. Empty where a block is not alone
  // on its SM.
  template <bool adds, bool meets> Measurement cycles(int warps) {
    Measurement m;
    for (int i = -2; i < (session_.quick() ? 5 : 11); ++i) {
      const auto longer = trip_cycles(&wait_again<128, adds, meets>, warps),
                 shorter = trip_cycles(&wait_again<64, adds, meets>, warps);
      if (!longer || !shorter) return {};
      if (i < 0) continue;
      m.values.push_back((*longer - *shorter) / 64);
      read_clock(clock_.data(), session_.stream);
      session_.stream.synchronize();
      m.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    return m;
  }

private:
  // Median over the SMs of what a trip adds, by a long and a short launch.
  std::optional<double> trip_cycles(void (*kernel)(int, BlockSpan*, float*), int warps) {
    const auto shared = shared_for_residency(session_.device, kernel, 32 * warps, 1);
    if (!shared) return std::nullopt;
    constexpr int trips = 100;
    const auto launch = [&](int count) {
      const auto grid = static_cast<unsigned>(session_.device.sm_count());
      kernel<<<grid, 32 * warps, *shared, session_.stream>>>(count, spans_.data(), out_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      return sm_cycles(spans_.to_host().data(), grid, 1);
    };
    const std::vector<double> longer = launch(2 * trips), shorter = launch(trips);
    if (longer.empty() || shorter.empty()) return std::nullopt;
    return (median(longer) - median(shorter)) / trips;
  }

  Session& session_;
  Buffer<BlockSpan> spans_;
  Buffer<ClockReading> clock_;
  Buffer<float> out_;
};

Measurement growth(Measurement more, const Measurement& fewer, double warps) {
  for (std::size_t i = 0; i < more.values.size(); ++i)
    more.values[i] = (more.values[i] - fewer.values[i]) / warps;
  return more;
}

ProbeResult run(Session& session) {
  Report report("barriers of a block", {{"warps", {}}, {"between", {}}}, "cycles", unit_of<Cycles>());
  Bench bench(session);
  session.say("barriers");
  std::optional<Measurement> one;
  for (const int warps : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    const Measurement m = bench.cycles<false, true>(warps);
    if (!report.verify(!m.values.empty(), "one block on each SM")) return report.take();
    report.row({std::int64_t{warps}, "nothing"}, m);
    if (!one) one = m;
    if (warps == 32) report.constant("barrier.per_warp", growth(m, *one, warps - 1));
  }
  const Measurement with = bench.cycles<true, true>(1), without = bench.cycles<true, false>(1);
  if (!report.verify(!with.values.empty() && !without.values.empty(), "one block on each SM"))
    return report.take();
  report.row({std::int64_t{1}, "additions"}, with);
  report.row({std::int64_t{1}, "additions, no barrier"}, without);
  report.constant("barrier.latency", growth(with, without, 1));
  return report.take();
}

} // namespace
} // namespace barrier_probe

extern const Probe barrier{.name = "barrier",
                           .order = 170,
                           .measures =
                               "cycles from one barrier of a block to the next, by the warps that meet there",
                           .provides = {"barrier.latency", "barrier.per_warp"},
                           .run = barrier_probe::run};

} // namespace perfmodel::kernels
