// What L2 takes of stores: all SMs, or one alone, write words of a footprint that L2 holds, again and again.
// The lanes of a warp write a whole line, or each the first word of a sector of its own. Every warp goes on
// to other lines each time, so that no two stores in flight meet.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

namespace perfmodel::kernels {
namespace l2_write_probe {
namespace {

constexpr int threads = 1024, unrolled = 4;

template <unsigned stride> // words from one lane's to the next one's
__global__ void __launch_bounds__(threads) store_over(unsigned* out, unsigned words, int trips) {
  const unsigned ahead = gridDim.x * threads * stride % words;
  unsigned at = (blockIdx.x * threads + threadIdx.x) * stride % words;
#pragma unroll unrolled
  for (int trip = 0; trip < trips; ++trip) {
    store_word(out + at, at * pattern_step);
    at += ahead;
    if (at >= words) at -= words;
  }
}

struct Way {
  const char* name;
  unsigned stride, words_of_warp; // 32 words of one line, or of 32 sectors
  void (*kernel)(unsigned*, unsigned, int);
};

ProbeResult run(Session& session) {
  session.say("stores to L2");
  Report report("stores to lines that L2 holds", {{"lanes", {}}, {"sms", {}}}, "per_sm", unit_of<Cycles>());
  const auto all = static_cast<unsigned>(session.device.sm_count());
  constexpr double part = 0.15; // of L2: all of it stays there unwritten
  // A whole number of what all blocks write at a time, in steps of the wider way.
  const std::size_t step = std::size_t{2} * all * threads * 8;
  const std::size_t of_l2 = std::size_t(part * session.device.properties.l2CacheSize) / sizeof(unsigned);
  const auto words = static_cast<unsigned>(std::max<std::size_t>(1, of_l2 / step) * step);
  Buffer<unsigned> out(words);

  for (const Way& way : {Way{"one line", 1, 32, store_over<1>}, Way{"32 sectors", 8, 32, store_over<8>}})
    for (const unsigned sms : {all, 1u}) {
      const unsigned blocks = sms == 1 ? 1 : 2 * all; // one of 32 warps, alone; else all warps of all SMs
      const auto launch = [&](cudaStream_t stream, int trips) {
        way.kernel<<<blocks, threads, 0, stream>>>(out.data(), words, trips);
        PERFMODEL_CUDA(cudaGetLastError());
      };
      out.poison();
      const int once = static_cast<int>(words / (std::size_t{blocks} * threads * way.stride));
      launch(session.stream, once);
      session.stream.synchronize();
      const std::vector<unsigned> seen = out.to_host();
      bool right = true;
      for (unsigned at = 0; at < words; at += way.stride) right = right && seen[at] == at * pattern_step;
      if (!report.verify(right, "words stored")) return report.take();

      const int trips = trips_for(session, 2e-3, launch);
      const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
      const double stores = double(blocks) * threads / 32 * trips; // of warps
      Measurement interval{.values = {}, .sm_clock = times.sm_clock}, bandwidth = interval;
      for (std::size_t i = 0; i < times.seconds.size(); ++i) {
        interval.values.push_back(times.seconds[i] * times.sm_clock[i] * sms / stores);
        bandwidth.values.push_back(stores * 128 / times.seconds[i]);
      }
      report.row({std::string(way.name), std::int64_t{sms}}, interval);
      if (way.stride == 1 && sms == all) report.constant("sustained.l2_write", bandwidth);
      if (way.stride == 1 && sms == 1) report.constant("l2.sm_line_interval", interval);
      if (way.stride != 1 && sms == 1) {
        for (double& cycles : interval.values) cycles /= way.words_of_warp;
        report.constant("l2.sm_sector_interval", interval);
      }
    }
  return report.take();
}

} // namespace
} // namespace l2_write_probe

extern const Probe l2_write{
    .name = "l2-write",
    .order = 455,
    .measures = "what L2 takes of stores of all SMs, and of one alone",
    .provides = {"sustained.l2_write", "l2.sm_line_interval", "l2.sm_sector_interval"},
    .run = l2_write_probe::run};

} // namespace perfmodel::kernels
