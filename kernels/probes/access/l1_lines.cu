// How many lines the L1 cache looks up in a cycle: loads of 4 bytes of which a warp touches 1 to 32 different
// lines of 128 bytes, the lanes in no order of them. Every lane reads another word of its line, the one that
// its number says, so that no two lanes meet in a bank; a last row, where all of them read their lines' first
// word, says what banks add. Everything is in L1: 32 KiB that every warp reads again and again.
// Loads of an address that stays are hoisted out of a loop: between groups of eight, 4 KiB apart, the address
// moves by a number that is zero at run time.
// Checked in SASS (sm_90): 64 LDG.E.STRONG.SM in the loop body, and adds.
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <string>

namespace perfmodel::kernels {
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
  std::uint32_t a[batch], b[batch] = {}, sum = 0;
  const auto load = [&](std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) v[i] = load_word_from_l1(from + i * piece);
    from += zero;
  };
  const auto add = [&](const std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) sum += v[i];
  };
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int turn = 0; turn < loads / (2 * batch); ++turn) {
      load(a);
      add(b); // while the others are under way
      load(b);
      add(a);
    }
  add(b);
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
  explicit LineBench(Session& session)
      : session_(session), blocks_(session.device.sm_count()), data_(vectors),
        out_(std::size_t(blocks_) * threads), spans_(std::size_t(blocks_)) {
    fill_pattern(data_.data(), data_.size(), session.stream);
    session.stream.synchronize();
  }

  bool right(const LaneOffsets& offsets) {
    constexpr int trips = 3;
    out_.poison();
    launch(offsets, trips);
    session_.stream.synchronize();
    const std::vector<std::uint32_t> got = out_.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) {
      std::uint32_t want = 0;
      for (int b = 0; b < batch; ++b)
        want += pattern_sum((offsets.byte[i % lanes_of_warp] + static_cast<unsigned>(b * piece)) / 4, 1);
      if (got[i] != trips * (loads / batch) * want) return false;
    }
    return true;
  }

  // Cycles of an SM per load of one of its warps.
  Measurement cycles(const LaneOffsets& offsets) {
    Measurement m = cycles_per_trip(session_, spans_, 1, [&](int trips) { launch(offsets, trips); });
    for (double& value : m.values) value /= double(loads) * threads / lanes_of_warp;
    return m;
  }

private:
  void launch(const LaneOffsets& offsets, int trips) {
    read_lines<<<static_cast<unsigned>(blocks_), threads, 0, session_.stream>>>(
        reinterpret_cast<const char*>(data_.data()), offsets, 0, out_.data(), trips, spans_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Session& session_;
  int blocks_;
  Buffer<uint4> data_;
  Buffer<std::uint32_t> out_;
  Buffer<BlockSpan> spans_;
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

extern const Probe l1_lines{
    .name = "l1-lines",
    .order = 440,
    .measures = "lines of 128 bytes that L1 looks up in a cycle, of loads that scatter over them",
    .provides = {"l1.line_rate"},
    .run = run};

} // namespace perfmodel::kernels
