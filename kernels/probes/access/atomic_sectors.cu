// Atomic additions whose results nobody waits for, to words of their own: of all SMs and of one alone; the
// words of a line together, and one word of each of 32 sectors. The latter also within one KiB, which few
// slices of L2 hold, maybe one.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace {

constexpr int threads = 1024;

// Warp w begins at line w, and goes on by as many lines as there are warps; within a word of its own of each
// sector where they are apart.
template <bool apart>
__global__ void __launch_bounds__(threads) add_over(unsigned* words, unsigned lines, int trips) {
  const unsigned all = gridDim.x * threads / 32, lane = threadIdx.x % 32;
  unsigned warp = (blockIdx.x * threads + threadIdx.x) / 32;
  unsigned line = apart ? warp * 8 % lines : warp % lines;
  const unsigned ahead = apart ? all * 8 % lines : all % lines;
#pragma unroll 4
  for (int trip = 0; trip < trips; ++trip) {
    const unsigned at = apart ? line * 32 + lane * 8 + (warp + trip) % 8 : line * 32 + lane;
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(words + at) : "memory");
    line += ahead;
    if (line >= lines) line -= lines;
  }
}

struct Way {
  const char* name;
  double sectors; // of a warp
  std::size_t bytes;
  void (*kernel)(unsigned*, unsigned, int);
};

ProbeResult run(Session& session) {
  session.say("atomic additions");
  Report report("additions to words of their own", {{"lanes", {}}, {"sms", {}}}, "rate",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  const auto all = static_cast<unsigned>(session.device.sm_count());
  constexpr std::size_t much = std::size_t{4} << 20, little = 1024;
  Buffer<unsigned> words(much / sizeof(unsigned));
  for (const Way& way :
       {Way{"one line", 4, much, add_over<false>}, Way{"32 sectors", 32, much, add_over<true>},
        Way{"32 sectors of one KiB", 32, little, add_over<true>}})
    for (const unsigned sms : {all, 1u}) {
      const unsigned blocks = sms == 1 ? 1 : 2 * sms; // a block of 32 warps is on one SM
      const auto lines = static_cast<unsigned>(way.bytes / 128);
      const auto launch = [&](cudaStream_t stream, int trips) {
        way.kernel<<<blocks, threads, 0, stream>>>(words.data(), lines, trips);
        PERFMODEL_CUDA(cudaGetLastError());
      };
      PERFMODEL_CUDA(cudaMemsetAsync(words.data(), 0, much, session.stream));
      constexpr int few = 24;
      launch(session.stream, few);
      session.stream.synchronize();
      std::uint64_t sum = 0;
      for (const unsigned word : words.to_host()) sum += word;
      if (!report.verify(sum == std::uint64_t{blocks} * threads * few, "every addition counted"))
        return report.take();
      const int trips = trips_for(session, 2e-3, launch);
      const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
      const double sectors = double(blocks) * threads / 32 * trips * way.sectors;
      Measurement rate{.values = {}, .sm_clock = times.sm_clock}, interval = rate;
      for (std::size_t i = 0; i < times.seconds.size(); ++i) {
        rate.values.push_back(sectors / times.seconds[i]);
        interval.values.push_back(times.seconds[i] * times.sm_clock[i] / sectors);
      }
      report.row({std::string(way.name), std::int64_t{sms}}, rate);
      if (way.bytes == much && way.sectors == 4 && sms == all) report.constant("l2.atomic_rate", rate);
      if (way.bytes == much && way.sectors == 4 && sms == 1)
        report.constant("l2.sm_atomic_interval", interval);
      if (way.bytes == little && sms == all) report.constant("l2.kib_atomic_rate", rate);
    }
  return report.take();
}

} // namespace

extern const Probe atomic_sectors{
    .name = "atomic-sectors",
    .order = 191,
    .measures = "atomic additions to words of their own, by sectors, of all SMs and of one alone",
    .provides = {"l2.atomic_rate", "l2.sm_atomic_interval", "l2.kib_atomic_rate"},
    .run = run};

} // namespace perfmodel::kernels
