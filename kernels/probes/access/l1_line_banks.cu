// Which lines L1 can look up in one cycle: loads of a warp whose lanes read 32 lines, each so many lines
// behind the one before it. Lines of one bank of tags wait for one another. Every lane reads another word of
// its line, so that no two meet in a bank of data; the words change among the lanes from load to load. All of
// it is in L1. Four lines are looked up in a cycle at most: steps of 1, 2, 4 .. lines take 8 cycles. Which
// bits of a line's number choose its bank follows from the steps that take longer.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/batches.cuh"
#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/access/span_bench.hpp"

#include <string>

namespace perfmodel::kernels {
namespace l1_line_banks_probe {
namespace {

constexpr int threads = 1024, line = 128, most_step = 64; // bytes; lines from lane to lane
constexpr int batch = 8, loads = 64;                      // of a trip
constexpr int vectors = lanes_of_warp * most_step * line / sizeof(uint4);

__device__ inline std::uint32_t load_word_of_line(const char* from) {
  std::uint32_t v;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}

__global__ void __launch_bounds__(threads)
    read_steps(const char* data, int step, unsigned zero, std::uint32_t* out, int trips, BlockSpan* spans) {
  const int lane = threadIdx.x % lanes_of_warp;
  const char* from = data + lane * step * line;
  const auto load = [&](std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) v[i] = load_word_of_line(from + 4 * (lane ^ i));
    from += zero;
  };
  span_start(spans);
  const std::uint32_t sum = sum_of_batches<batch, loads>(trips, load);
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

ProbeResult run(Session& session) {
  Report report("lines in steps, of a warp's load in L1", {{"step", {}}}, "cycles", unit_of<Cycles>());
  const Buffer<uint4> data = pattern_of(vectors, session);
  SpanBench bench(session, 1, threads);
  for (int step = 1; step <= most_step; step += session.quick() ? 31 : 1) {
    const std::string name = "steps of " + std::to_string(step) + " lines";
    session.say("L1: " + name);
    const auto launch = [&](int trips) {
      read_steps<<<bench.blocks(), threads, 0, bench.stream()>>>(reinterpret_cast<const char*>(data.data()),
                                                                 step, 0, bench.out(), trips, bench.spans());
      PERFMODEL_CUDA(cudaGetLastError());
    };
    constexpr int trips = 3;
    const bool right = bench.right(trips, launch, [&](std::size_t i) {
      const auto lane = static_cast<unsigned>(i % lanes_of_warp);
      std::uint32_t want = 0;
      for (unsigned word = 0; word < batch; ++word)
        want += pattern_sum(lane * static_cast<unsigned>(step) * line / 4 + (lane ^ word), 1);
      return trips * (loads / batch) * want;
    });
    if (!report.verify(right, name)) break;
    report.row({std::int64_t{step}}, bench.cycles(loads, launch));
  }
  return report.take();
}

} // namespace
} // namespace l1_line_banks_probe

extern const Probe l1_line_banks{.name = "l1-line-banks",
                                 .order = 445,
                                 .measures = "cycles of a load from L1 whose lanes read lines in even steps",
                                 .shows = {"l1.line_banks"},
                                 .run = l1_line_banks_probe::run};

} // namespace perfmodel::kernels
