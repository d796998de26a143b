// What a barrier takes of shared memory's pipe, which blocks of an SM share: an SM full of blocks, each of
// which loads words of shared memory, a wavefront each, without barriers and with one behind every eight
// loads. The pipe is what binds; a barrier's cost to it is what the barrier adds to the time, over the blocks
// of the SM, and in a block of one warp something less. Behind loads; behind stores, which have to be
// through, it is more (probe barrier-fence).
#include "kernels/core/probe.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <optional>

namespace perfmodel::kernels {
namespace barrier_pipe_probe {
namespace {

constexpr int loads = 8, groups = 4; // groups of loads in a trip

template <bool meet> __global__ void __launch_bounds__(1024) load_and_meet(int trips, BlockSpan* spans) {
  __shared__ float words[1024];
  words[threadIdx.x] = 0;
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x]));
  float sum = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < groups; ++i) {
      float v[loads];
#pragma unroll
      for (int k = 0; k < loads; ++k)
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v[k]) : "r"(at) : "memory");
#pragma unroll
      for (int k = 0; k < loads; ++k) sum += v[k];
      if (meet) __syncthreads();
    }
  span_stop(spans);
  if (sum != 0) words[0] = sum; // all words are 0
}

class Bench {
public:
  Bench(Session& session, int warps, bool meet)
      : session_(session), kernel_(meet ? &load_and_meet<true> : &load_and_meet<false>), warps_(warps),
        resident_(std::min(32, 64 / warps)),
        shared_(shared_for_residency(session.device, kernel_, 32 * warps, resident_)),
        spans_(static_cast<std::size_t>(resident_ * session.device.sm_count())) {}

  bool fits() const { return shared_.has_value(); }
  // Of the SM, from one group of a block to the next, over its blocks.
  Measurement cycles() {
    Measurement m = cycles_per_trip(session_, spans_, resident_, [&](int trips) {
      kernel_<<<static_cast<unsigned>(spans_.size()), 32 * warps_, *shared_, session_.stream>>>(
          trips, spans_.data());
      PERFMODEL_CUDA(cudaGetLastError());
    });
    for (double& cycles : m.values) cycles /= groups * resident_;
    return m;
  }

private:
  Session& session_;
  void (*kernel_)(int, BlockSpan*);
  int warps_, resident_;
  std::optional<std::size_t> shared_;
  Buffer<BlockSpan> spans_;
};

ProbeResult run(Session& session) {
  session.say("barriers behind loads of shared memory");
  Report report("loads of shared memory without and with barriers", {{"warps", {}}, {"barriers", {}}},
                "cycles", unit_of<Cycles>());
  for (const int warps : session.quick() ? std::vector{1, 4} : std::vector{1, 2, 4, 8, 16, 32}) {
    Bench without(session, warps, false), with(session, warps, true);
    if (!without.fits() || !with.fits()) continue;
    const Measurement none = without.cycles();
    Measurement met = with.cycles();
    report.row({std::int64_t{warps}, std::int64_t{0}}, none);
    report.row({std::int64_t{warps}, std::int64_t{1}}, met);
    if (warps != 1 && warps != 4) continue;
    for (double& cycles : met.values) cycles -= none.median();
    report.constant(warps == 1 ? "barrier.lone_pipe" : "barrier.pipe", met);
  }
  return report.take();
}

} // namespace
} // namespace barrier_pipe_probe

extern const Probe barrier_pipe{.name = "barrier-pipe",
                                .order = 181,
                                .measures = "cycles that a barrier adds where blocks share a busy pipe",
                                .provides = {"barrier.pipe", "barrier.lone_pipe"},
                                .run = barrier_pipe_probe::run};

} // namespace perfmodel::kernels
