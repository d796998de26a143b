// Where an SM's instructions come from: loops of so many additions that one warp of each SM goes round, each
// addition in the code for itself. As long as they fit the smaller instruction cache the warp issues one
// after the other; larger ones come from the next cache, and then from L2, at its rate.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel::kernels {
namespace instruction_fetch_probe {
namespace {

constexpr int chains = 8; // additions that do not wait for one another

template <int instructions>
__global__ void __launch_bounds__(32) goes_round(float* sums, float x, int trips, BlockSpan* spans) {
  float sum[chains];
  for (float& one : sum) one = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < instructions / chains; ++i)
      asm volatile("add.rn.f32 %0, %0, %8;\nadd.rn.f32 %1, %1, %8;\nadd.rn.f32 %2, %2, %8;\n"
                   "add.rn.f32 %3, %3, %8;\nadd.rn.f32 %4, %4, %8;\nadd.rn.f32 %5, %5, %8;\n"
                   "add.rn.f32 %6, %6, %8;\nadd.rn.f32 %7, %7, %8;"
                   : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]),
                     "+f"(sum[6]), "+f"(sum[7])
                   : "f"(x));
  span_stop(spans);
  float all = 0;
  for (const float one : sum) all += one;
  sums[blockIdx.x * 32 + threadIdx.x] = all;
}

class Loops {
public:
  Loops(Session& session, Report& report)
      : session_(session), report_(report), blocks_(session.device.sm_count()),
        sums_(static_cast<std::size_t>(blocks_) * 32), spans_(static_cast<std::size_t>(blocks_)) {}

  // Cycles of an SM for an instruction.
  template <int instructions> Measurement cycles() {
    constexpr int brief = 4;
    const auto run = [&](int trips) {
      goes_round<instructions>
          <<<static_cast<unsigned>(blocks_), 32, 0, session_.stream>>>(sums_.data(), 1, trips, spans_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      const std::vector<BlockSpan> spans = spans_.to_host();
      const auto cycles = sm_cycles(spans.data(), spans.size(), 1);
      return cycles.empty() ? absent : median(cycles);
    };
    sums_.poison();
    run(brief);
    const std::vector<float> sums = sums_.to_host();
    report_.verify(
        std::all_of(sums.begin(), sums.end(), [](float sum) { return sum == float(brief) * instructions; }),
        "sums");
    Measurement each;
    Buffer<ClockReading> clock(1);
    for (int i = 0; i < (session_.quick() ? 3 : 11); ++i) {
      each.values.push_back((run(3 * brief) - run(brief)) / (2. * brief * instructions));
      read_clock(clock.data(), session_.stream);
      session_.stream.synchronize();
      each.sm_clock.push_back(clock.to_host()[0].hertz());
    }
    report_.row({bytes_of_instruction * instructions}, each);
    return each;
  }
  static constexpr double bytes_of_instruction = 16; // from compute capability 7.0 on

private:
  Session& session_;
  Report& report_;
  int blocks_;
  Buffer<float> sums_;
  Buffer<BlockSpan> spans_;
};

// The last size for which an instruction takes less than the mean of what it takes before and behind.
Measurement last_before(const std::vector<std::pair<int, Measurement>>& loops, double before, double behind) {
  Measurement size;
  for (const auto& [instructions, each] : loops)
    if (median(each.values) < (before + behind) / 2)
      size.values = {Loops::bytes_of_instruction * instructions}, size.sm_clock = {each.sm_clock.front()};
  return size;
}

template <int... sizes>
std::vector<std::pair<int, Measurement>> all_of(Loops& loops, std::integer_sequence<int, sizes...>) {
  std::vector<std::pair<int, Measurement>> all;
  (all.emplace_back(sizes, loops.cycles<sizes>()), ...);
  return all;
}

ProbeResult run(Session& session) {
  session.say("instructions: loops that fit a cache, and larger ones");
  Report report("one warp on each SM, by the bytes of its loop", {{"code", unit_of<Bytes>()}}, "cycles",
                unit_of<Cycles>());
  if (session.device.properties.major < 7) {
    report.note("instructions have another size before compute capability 7.0");
    return report.take();
  }
  Loops loops(session, report);
  const auto all = all_of(loops, std::integer_sequence<int, 1024, 2048, 3072, 4096, 8192, 10240, 12288>());
  const auto each = [&](int instructions) {
    return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == instructions; })
        ->second;
  };
  const Measurement fits = each(1024), next = each(4096), l2 = each(12288);
  const double at_once = median(fits.values), of_next = median(next.values), of_l2 = median(l2.values);
  report.constant("icache.next_interval", next);
  report.constant("icache.l2_interval", l2);
  report.constant("icache.size", last_before(all, at_once, of_next));
  report.constant("icache.next_size", last_before(all, of_next, of_l2));
  return report.take();
}

} // namespace
} // namespace instruction_fetch_probe

extern const Probe instruction_fetch{
    .name = "instruction-fetch",
    .order = 196,
    .measures =
        "cycles of an instruction by the size of the loop that it belongs to, for one warp of each SM",
    .provides = {"icache.size", "icache.next_size", "icache.next_interval", "icache.l2_interval"},
    .run = instruction_fetch_probe::run};

} // namespace perfmodel::kernels
