// What L1 pays to take in what comes from L2: the banks that do so are those of shared memory, which then
// serve nobody else. A full SM of warps reads shared memory, a wavefront a cycle, and beside each 32 such
// loads each warp has 0 to 4 loads of 128 bytes that miss L1 and are found in L2. A load that misses takes a
// wavefront of its own, and what else it adds is the fill: 2 cycles if 64 bytes came in at a time; it is 0.55
// on an H200 (2026-11-22). 16 MiB that the SMs walk through together: more than an L1 holds, and few enough
// bytes for L2 to keep up. Checked in SASS (sm_90): 32 LDS and 0 to 4 LDG between two branches; and with the
// hardware's counters: of 124 928 sectors that an SM asked for, L1 had 2.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/span_bench.hpp"

#include <string>

namespace perfmodel::kernels {
namespace l1_fill_probe {
namespace {

constexpr int threads = 1024, blocks_per_sm = 2, shared_loads = 32, most_misses = 4;
constexpr unsigned words = 4u << 20; // of the array in L2, a power of two

// Each warp's loads of a trip are of the lines that follow those of all other warps.
template <int misses>
__global__ void __launch_bounds__(threads, blocks_per_sm)
    read_both(const std::uint32_t* data, std::uint32_t* out, int trips, BlockSpan* spans) {
  __shared__ std::uint32_t own[threads];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(own + threadIdx.x));
  const unsigned first = blockIdx.x * threads + threadIdx.x, all = gridDim.x * threads;
  std::uint32_t sum = 0;
  unsigned word = first;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    std::uint32_t missed[misses > 0 ? misses : 1] = {}, v[shared_loads];
#pragma unroll
    for (int i = 0; i < misses; ++i, word += all)
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(missed[i]) : "l"(data + word % words));
#pragma unroll
    for (int i = 0; i < shared_loads; ++i)
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[i]) : "r"(at));
#pragma unroll
    for (int i = 0; i < shared_loads; ++i) sum += v[i];
#pragma unroll
    for (int i = 0; i < misses; ++i) sum += missed[i];
  }
  span_stop(spans);
  out[first] = sum;
}

class FillBench {
public:
  explicit FillBench(Session& session)
      : data_(pattern_of(words / 4, session)), bench_(session, blocks_per_sm, threads) {}

  template <int misses> bool right() {
    constexpr int trips = 3;
    const std::size_t all = std::size_t{bench_.blocks()} * threads;
    return bench_.right(trips, launch<misses>(), [&](std::size_t i) {
      auto want = static_cast<std::uint32_t>(trips * shared_loads * (i % threads));
      for (int k = 0; k < trips * misses; ++k)
        want += pattern_sum((i + static_cast<std::size_t>(k) * all) % words, 1);
      return want;
    });
  }

  // Cycles of an SM for the loads of one warp's trip.
  template <int misses> Measurement cycles() { return bench_.cycles(1, launch<misses>()); }

private:
  template <int misses> std::function<void(int)> launch() {
    return [this](int trips) {
      read_both<misses><<<bench_.blocks(), threads, 0, bench_.stream()>>>(
          reinterpret_cast<const std::uint32_t*>(data_.data()), bench_.out(), trips, bench_.spans());
      PERFMODEL_CUDA(cudaGetLastError());
    };
  }

  Buffer<uint4> data_;
  SpanBench bench_;
};

ProbeResult run(Session& session) {
  session.say("L1: what it takes in");
  Report report("loads that miss L1 beside 32 of shared memory", {{"misses", {}}}, "cycles",
                unit_of<Cycles>());
  FillBench bench(session);
  const auto row = [&]<int misses>() {
    Measurement cycles;
    if (!report.verify(bench.right<misses>(), std::to_string(misses) + " misses")) return cycles;
    cycles = bench.cycles<misses>();
    report.row({std::int64_t{misses}}, cycles);
    return cycles;
  };
  const Measurement none = row.operator()<0>();
  row.operator()<1>();
  row.operator()<2>();
  Measurement fill = row.operator()<most_misses>();
  if (none.values.empty() || fill.values.empty()) return report.take();
  const double wavefront = none.median() / shared_loads;
  for (double& value : fill.values) value = (value - none.median()) / most_misses - wavefront;
  report.constant("l1.fill_interval", fill);
  return report.take();
}

} // namespace
} // namespace l1_fill_probe

extern const Probe l1_fill{.name = "l1-fill",
                           .order = 430,
                           .measures =
                               "cycles of an SM's banks for loads of shared memory beside loads that miss L1",
                           .provides = {"l1.fill_interval"},
                           .run = l1_fill_probe::run};

} // namespace perfmodel::kernels
