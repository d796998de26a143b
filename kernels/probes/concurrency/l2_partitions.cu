// Near and far L2: since cc 8.0 L2 may consist of two partitions, and an SM reaches one of them only through
// the other. One thread times single loads of lines that all SMs have just written: two groups of latencies,
// near and far. A line is far when its address belongs to the other partition and an SM of that side wrote
// it, which on H200s is a quarter of all lines; written by few SMs it was 3 to 50 %, by where these were. A
// second pass finds all lines near: the near partition keeps copies of far lines, which is why a pointer
// chase up to half of L2 sees the near latency alone.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::kernels {
namespace l2_partitions_probe {
namespace {

constexpr int lines = 8192, rounds = 11; // 1 MiB: fits either partition of any chip that has two

__global__ void time_lines(Line* start, std::uint16_t* first, std::uint16_t* second, Line** end,
                           ClockReading* reading) {
  __shared__ Line* volatile arrived; // a store to it must wait for the load, and the clock read for the store
  for (int pass = 0; pass < 2; ++pass) {
    Line* line = start;
    std::uint16_t* const out = pass == 0 ? first : second;
    for (int i = 0; i < lines; ++i) {
      const long long before = cycles_now();
      line = follow_in_l2(line);
      arrived = line;
      const long long after = cycles_now();
      out[i] = static_cast<std::uint16_t>(min(after - before, 65535LL));
    }
  }
  // The second pass once more without clock reads inside: what those add to every load.
  Line* line = start;
  clock_start(reading);
#pragma unroll 32
  for (int i = 0; i < lines; ++i) line = follow_in_l2(line);
  *end = line; // needs the last load
  clock_stop(reading);
}

// Where to part two groups so that the squares inside them are least (Otsu), and by how much their means then
// differ.
struct Split {
  double at, ratio;
};
Split split(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double total = 0, below = 0;
  for (const double v : values) total += v;
  const auto n = static_cast<double>(values.size());
  Split best{values.back(), 1};
  double most = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    below += values[i - 1];
    const auto k = static_cast<double>(i);
    const double near = below / k, far = (total - below) / (n - k);
    const double between = k * (n - k) * (far - near) * (far - near);
    if (between > most) {
      most = between;
      best = {(values[i - 1] + values[i]) / 2, far / near};
    }
  }
  return best;
}

// Without what is no latency of L2: a page walk, a refresh of DRAM, a line that was evicted. The far
// partition takes less than twice the near one's time.
std::vector<double> hits(const std::vector<std::uint16_t>& cycles) {
  std::vector<double> values(cycles.begin(), cycles.end());
  const double most = std::min(1500.0, 2.5 * quantile(values, 0.05));
  std::erase_if(values, [&](double v) { return v > most; });
  return values;
}

ProbeResult run(Session& session) {
  session.say("near and far L2");
  Report report("L2 latency by partition", {{"partition", {}}}, "latency", unit_of<Cycles>());
  Buffer<Line> ring(lines);
  Buffer<std::uint16_t> first(lines), second(lines);
  Buffer<Line*> end(1);
  Buffer<ClockReading> reading(1);
  Line* const start = ring.data() + line_after(0, lines);

  Measurement near, far;
  std::vector<double> shares, ratios; // of the far group; of the two groups' means
  for (int round = -1; round < rounds; ++round) {
    lay_ring<<<1024, 256, 0, session.stream>>>(ring.data(), lines);
    time_lines<<<1, 1, 0, session.stream>>>(start, first.data(), second.data(), end.data(), reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    if (!report.verify(end.to_host()[0] == start, "end of the walk round the ring")) return report.take();
    if (round < 0) continue; // warms up clock and TLB
    const ClockReading plain = reading.to_host()[0];
    const std::vector<double> one = hits(first.to_host()), two = hits(second.to_host());
    if (std::min(one.size(), two.size()) < lines / 2) {
      report.note("most loads took more than 1500 cycles: these are not latencies of L2");
      return report.take();
    }
    const double reads = mean(two) - static_cast<double>(plain.cycles) / lines;
    const Split parted = split(one);
    std::vector<double> low, high;
    for (const double v : one) (v < parted.at ? low : high).push_back(v - reads);
    shares.push_back(static_cast<double>(high.size()) / static_cast<double>(one.size()));
    ratios.push_back(parted.ratio);
    near.values.push_back(median(low));
    far.values.push_back(median(high));
    near.sm_clock.push_back(plain.hertz());
    far.sm_clock.push_back(plain.hertz());
  }
  // One partition shows as one group, whose halves differ by the slices' distances alone.
  const bool two_partitions = median(ratios) > 1.3 && median(shares) > 0.1;
  report.row({"near"}, near);
  report.note("the slower group of first loads: " + std::to_string(std::lround(100 * median(shares))) +
              " % of the lines, " + std::to_string(std::lround(100 * median(ratios))) +
              " % of the latency of the others" +
              (two_partitions ? "" : ": no far partition of L2 to be seen"));
  if (two_partitions) {
    report.row({"far"}, far);
    report.constant("l2.latency_far", far);
  }
  return report.take();
}

} // namespace
} // namespace l2_partitions_probe

extern const Probe l2_partitions{.name = "l2-partitions",
                                 .order = 30,
                                 .model = "littles-law",
                                 .measures = "latency of near and far L2, load by load",
                                 .provides = {"l2.latency_far"},
                                 .run = l2_partitions_probe::run};

} // namespace perfmodel::kernels
