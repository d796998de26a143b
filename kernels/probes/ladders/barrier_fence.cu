// What a barrier adds behind accesses to shared memory, which it makes visible to the block: an SM full of
// blocks, each of which stores so many words a thread between two barriers. Counted are the wavefronts that
// pass the SM's data pipe beside those of the stores; timed are the cycles from one barrier of a block to the
// next, over its blocks. Where nothing but stores keeps the pipe busy, a barrier costs it more than its
// wavefronts: the stores before it have to be through. What a barrier takes behind loads: probe barrier-pipe.
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"

namespace perfmodel::kernels {
namespace barrier_fence_probe {
namespace {

constexpr int barriers = 8; // of a trip

template <int stores> __global__ void __launch_bounds__(1024) store_and_meet(int trips, BlockSpan* spans) {
  __shared__ float words[2][1024];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&words[0][threadIdx.x]));
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < barriers; ++i) {
#pragma unroll
      for (int k = 0; k < stores; ++k) // in turn to two words, so that none is written twice in a row
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + unsigned(k % 2 * sizeof words[0])), "r"(trip)
                     : "memory");
      __syncthreads();
    }
  span_stop(spans);
}

struct Case {
  int warps, stores;
  void (*kernel)(int, BlockSpan*);
};
std::vector<Case> cases(bool quick) {
  std::vector<Case> list;
  for (const int warps : quick ? std::vector{1, 8} : std::vector{1, 2, 4, 8, 16, 32}) {
    list.push_back({warps, 0, &store_and_meet<0>});
    list.push_back({warps, 1, &store_and_meet<1>});
    list.push_back({warps, 4, &store_and_meet<4>});
    list.push_back({warps, 8, &store_and_meet<8>});
  }
  return list;
}

class Bench {
public:
  Bench(Session& session, const Case& c)
      : session_(session), case_(c), resident_(std::min(16, 64 / c.warps)),
        shared_(shared_for_residency(session.device, c.kernel, 32 * c.warps, resident_)),
        spans_(static_cast<std::size_t>(blocks())) {}

  bool fits() const { return shared_.has_value(); }
  int resident() const { return resident_; }
  int blocks() const { return resident_ * session_.device.sm_count(); }
  const Buffer<BlockSpan>& spans() const { return spans_; }
  void launch(int trips) {
    case_.kernel<<<static_cast<unsigned>(blocks()), 32 * case_.warps, *shared_, session_.stream>>>(
        trips, spans_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }

private:
  Session& session_;
  Case case_;
  int resident_;
  std::optional<std::size_t> shared_;
  Buffer<BlockSpan> spans_;
};

const std::vector<KeyColumn> keys{{"warps", {}}, {"stores", {}}};

ProbeResult run(Session& session) {
  session.say("barriers behind stores");
  Report report("barriers behind stores to shared memory", keys, "cycles", unit_of<Cycles>());
  for (const Case& c : cases(session.quick())) {
    Bench bench(session, c);
    if (!bench.fits()) continue;
    Measurement m =
        cycles_per_trip(session, bench.spans(), bench.resident(), [&](int trips) { bench.launch(trips); });
    for (double& cycles : m.values) cycles /= barriers * bench.resident();
    report.row({std::int64_t{c.warps}, std::int64_t{c.stores}}, m);
  }
  return report.take();
}

ProbeResult count(Session& session) {
  session.say("barriers behind stores");
  Report report("barriers behind stores to shared memory", keys, {{"wavefronts", {}}});
  Counters counters(session, {"l1tex__data_pipe_lsu_wavefronts.sum", "smsp__inst_executed_op_shared_st.sum"});
  std::optional<double> most;
  for (const Case& c : cases(session.quick())) {
    Bench bench(session, c);
    if (!bench.fits()) continue;
    constexpr int trips = 64;
    const auto once = [&] { bench.launch(trips); };
    const std::vector<double> counted = counters.count(once, once);
    const double met = double(bench.blocks()) * trips * barriers;
    if (!report.verify(counted[1] == met * c.stores * c.warps, "stores counted")) break;
    const double wavefronts = (counted[0] - counted[1]) / met;
    report.row({std::int64_t{c.warps}, std::int64_t{c.stores}}, {wavefronts});
    if (c.warps == 8 && c.stores == 8) most = wavefronts;
  }
  if (most) report.constant("barrier.fence", {{*most}, {}});
  return report.take();
}

} // namespace
} // namespace barrier_fence_probe

extern const Probe barrier_fence{
    .name = "barrier-fence",
    .order = 180,
    .measures = "cycles from one barrier of a block to the next behind stores to shared memory",
    .provides = {"barrier.fence"},
    .run = barrier_fence_probe::run,
    .count = barrier_fence_probe::count,
    .counts = "wavefronts beside those of the stores"};

} // namespace perfmodel::kernels
