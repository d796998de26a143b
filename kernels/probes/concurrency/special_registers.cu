// How often may the warps of an SM read a special register, such as the number of a thread or a block? Each
// kernel begins with some, and a block of 32 warps waits for 32 of each. %smid may change while a warp runs,
// so the compiler reads it wherever the source does.
// Checked in SASS (sm_90): 32 S2R SR_VIRTUALSMID in the loop body, and as many additions.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/sm_span.cuh"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <string>

namespace perfmodel::kernels {
namespace special_registers_probe {
namespace {

constexpr int reads = 32, lanes = 32;

__global__ void __launch_bounds__(1024) read_smid(std::uint32_t* sums, int trips, BlockSpan* spans) {
  std::uint32_t sum = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    std::uint32_t sm[reads];
#pragma unroll
    for (int i = 0; i < reads; ++i) asm volatile("mov.u32 %0, %%smid;" : "=r"(sm[i]));
#pragma unroll
    for (int i = 0; i < reads; ++i) sum += sm[i];
  }
  span_stop(spans);
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

ProbeResult run(Session& session) {
  session.say("special registers");
  Report report("reads of a special register", {{"warps", {}}}, "cycles", unit_of<Cycles>());
  const int blocks = session.device.sm_count();
  Buffer<std::uint32_t> sums(static_cast<std::size_t>(blocks) * 32 * lanes);
  Buffer<BlockSpan> spans(static_cast<std::size_t>(blocks));
  for (const int warps : {1, 2, 4, 8, 16, 32}) {
    const auto launch = [&](int trips) {
      read_smid<<<static_cast<unsigned>(blocks), static_cast<unsigned>(warps * lanes), 0, session.stream>>>(
          sums.data(), trips, spans.data());
    };
    // All lanes of a block lie on one SM, whose number is below a thousand or so.
    constexpr int trips = 3;
    sums.poison();
    launch(trips);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    const std::vector<std::uint32_t> got = sums.to_host();
    bool right = true;
    for (int block = 0; block < blocks; ++block)
      for (int thread = 0; thread < warps * lanes; ++thread) {
        const std::uint32_t sum = got[static_cast<std::size_t>(block * warps * lanes + thread)];
        right = right && sum == got[static_cast<std::size_t>(block * warps * lanes)] &&
                sum % (trips * reads) == 0 && sum / (trips * reads) < 4096;
      }
    if (!report.verify(right, "the SMs that " + std::to_string(warps) + " warps of a block named"))
      return report.take();
    Measurement cycles = cycles_per_trip(session, spans, 1, launch);
    for (double& value : cycles.values) value /= reads * warps;
    report.row({static_cast<std::int64_t>(warps)}, cycles);
    if (warps == 32) report.constant("special.interval", cycles);
  }
  return report.take();
}

} // namespace
} // namespace special_registers_probe

extern const Probe special_registers{.name = "special-registers",
                                     .order = 27,
                                     .measures = "reads of special registers by 1 to 32 warps of an SM",
                                     .provides = {"special.interval"},
                                     .run = special_registers_probe::run};

} // namespace perfmodel::kernels
