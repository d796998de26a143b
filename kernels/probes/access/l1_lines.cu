// How many lines the L1 cache looks up in a cycle: loads of 4 bytes of which a warp touches 1 to 32 different
// lines of 128 bytes, the lanes in no order of them. Every lane reads another word of its line, the one that
// its number says, so that no two lanes meet in a bank; a last row, where all of them read their lines' first
// word, says what banks add. Everything is in L1: 32 KiB that every warp reads again and again.
// Loads of an address that stays are hoisted out of a loop: between groups of eight, 4 KiB apart, the address
// moves by a number that is zero at run time.
// Checked in SASS (sm_90): 64 LDG.E.STRONG.SM in the loop body, and adds.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/batches.cuh"
#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/access/span_bench.hpp"

#include <string>

namespace perfmodel::kernels {
namespace l1_lines_probe {
namespace {

constexpr int threads = 1024, line = 128, lines = 32;  // bytes; lines of a group's load
constexpr int batch = 8, loads = 64;                   // of a trip
constexpr int piece = line * lines;                    // bytes between two loads of a batch
constexpr int vectors = batch * piece / sizeof(uint4); // all of it

__device__ inline std::uint32_t load_word_from_l1(const char* from) {
  std::uint32_t v;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}

__global__ void __launch_bounds__(threads) read_lines(const char* data, LaneOffsets offsets, unsigned zero,
                                                      std::uint32_t* out, int trips, BlockSpan* spans) {
  const char* from = data + offsets.byte[threadIdx.x % lanes_of_warp];
  const auto load = [&](std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) v[i] = load_word_from_l1(from + i * piece);
    from += zero;
  };
  span_start(spans);
  const std::uint32_t sum = sum_of_batches<batch, loads>(trips, load);
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// Lane l reads a word of line (5 l + 3) mod `different`.
LaneOffsets lines_of(int different, bool own_bank) {
  LaneOffsets offsets{};
  for (int lane = 0; lane < lanes_of_warp; ++lane)
    offsets.byte[lane] = static_cast<unsigned>((lane * 5 + 3) % different * line + (own_bank ? lane * 4 : 0));
  return offsets;
}

class LineBench {
public:
  explicit LineBench(Session& session) : data_(pattern_of(vectors, session)), bench_(session, 1, threads) {}

  bool right(const LaneOffsets& offsets) {
    constexpr int trips = 3;
    return bench_.right(trips, launch(offsets), [&](std::size_t i) {
      std::uint32_t want = 0;
      for (int b = 0; b < batch; ++b)
        want += pattern_sum((offsets.byte[i % lanes_of_warp] + static_cast<unsigned>(b * piece)) / 4, 1);
      return trips * (loads / batch) * want;
    });
  }

  // Cycles of an SM per load of one of its warps.
  Measurement cycles(const LaneOffsets& offsets) { return bench_.cycles(loads, launch(offsets)); }

private:
  std::function<void(int)> launch(const LaneOffsets& offsets) {
    return [this, offsets](int trips) {
      read_lines<<<bench_.blocks(), threads, 0, bench_.stream()>>>(
          reinterpret_cast<const char*>(data_.data()), offsets, 0, bench_.out(), trips, bench_.spans());
      PERFMODEL_CUDA(cudaGetLastError());
    };
  }

  Buffer<uint4> data_;
  SpanBench bench_;
};

ProbeResult run(Session& session) {
  session.say("L1: lines of a request");
  Report report("lines of a warp's load in L1", {{"lines", {}}, {"banks", {}}}, "cycles", unit_of<Cycles>());
  LineBench bench(session);
  const auto row = [&](int different, bool own_bank) {
    const LaneOffsets offsets = lines_of(different, own_bank);
    Measurement cycles;
    if (!report.verify(bench.right(offsets), std::to_string(different) + " lines")) return cycles;
    cycles = bench.cycles(offsets);
    report.row({std::int64_t{different}, std::string(own_bank ? "own" : "one")}, cycles);
    return cycles;
  };
  for (const int different : {1, 2, 4, 8, 16}) row(different, true);
  Measurement rate = row(lines, true);
  row(lines, false);
  for (double& value : rate.values) value = lines / value;
  report.constant("l1.line_rate", rate);
  return report.take();
}

} // namespace
} // namespace l1_lines_probe

extern const Probe l1_lines{
    .name = "l1-lines",
    .order = 440,
    .measures = "lines of 128 bytes that L1 looks up in a cycle, of loads that scatter over them",
    .provides = {"l1.line_rate"},
    .run = l1_lines_probe::run};

} // namespace perfmodel::kernels
