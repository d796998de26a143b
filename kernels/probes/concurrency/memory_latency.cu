// Load latency by footprint: one thread follows a random ring of pointers, one per 128-byte line, through 16
// KiB to 4 GiB. Plateaus are levels of the hierarchy, knees are their capacities as one SM sees them. On an
// H200: L1 32.0 cycles to 216 KiB, L2 281 from 320 KiB to 26 MiB, 525 from 36 to 53 MiB (near half and far
// half of L2 thrash, see l2_partitions.cu), DRAM 684, at 4 GiB 694.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include <algorithm>

namespace perfmodel::kernels {
namespace memory_latency_probe {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
constexpr int unroll = 32;
constexpr std::int64_t timed_hops = 8192;

__global__ void walk(Line** at, std::int64_t untimed_hops, std::int64_t hops, ClockReading* reading) {
  Line* line = *at;
#pragma unroll 1
  for (std::int64_t i = 0; i < untimed_hops; ++i) line = follow(line);
  clock_start(reading);
#pragma unroll 1
  for (std::int64_t i = 0; i < hops; i += unroll)
#pragma unroll
    for (int hop = 0; hop < unroll; ++hop) line = follow(line);
  *at = line; // needs the last load
  clock_stop(reading);
}

std::vector<std::int64_t> footprints(bool quick, std::int64_t most) {
  std::vector<std::int64_t> list;
  if (quick) {
    for (std::int64_t size : {16 * KiB, 64 * KiB, 1 * MiB, 4 * MiB, 8 * MiB, 512 * MiB, 1024 * MiB})
      if (size <= most) list.push_back(size);
    return list;
  }
  for (std::int64_t size : {16,  32,  64,  96,  128, 160, 192,  200,  208,  216,  224,  232,  240, 248,
                            256, 288, 320, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192})
    list.push_back(size * KiB);
  for (std::int64_t size : {10, 12, 16, 20, 22, 24, 26,  28,  30,  32,  34,  36,  40,  44,   48,   52,
                            56, 60, 64, 72, 80, 96, 112, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096})
    if (size * MiB <= most) list.push_back(size * MiB);
  return list;
}

class Walker {
public:
  Walker(Session& session, std::size_t lines) : session_(session), ring_(lines), at_(1), reading_(1) {}

  // Cycles per hop in 11 walks. A footprint that a cache may hold is walked once over before the first, so
  // that it is there; one that L1 may hold before each, because L1 does not outlive a launch.
  bool latency(std::int64_t footprint, Measurement& latency) {
    const std::int64_t lines = footprint / line_bytes;
    const std::int64_t l2 = session_.device.properties.l2CacheSize;
    lay_ring<<<1024, 256, 0, session_.stream>>>(ring_.data(), static_cast<std::uint64_t>(lines));
    PERFMODEL_CUDA(cudaGetLastError());
    Line* const start = ring_.data() + line_after(0, static_cast<std::uint64_t>(lines));
    session_.stream.synchronize();
    at_.copy_from(&start, 1);
    std::int64_t walked = hop(footprint <= 2 * l2 ? 2 * lines : 1024, timed_hops);
    for (int i = 0; i < 11; ++i) {
      walked += hop(footprint <= 512 * KiB ? lines : 0, timed_hops);
      const ClockReading reading = reading_.to_host()[0];
      latency.values.push_back(static_cast<double>(reading.cycles) / timed_hops);
      latency.sm_clock.push_back(reading.hertz());
    }
    const std::uint64_t end =
        line_after(static_cast<std::uint64_t>(walked), static_cast<std::uint64_t>(lines));
    return at_.to_host()[0] == ring_.data() + end;
  }

private:
  std::int64_t hop(std::int64_t untimed, std::int64_t timed) {
    walk<<<1, 1, 0, session_.stream>>>(at_.data(), untimed, timed, reading_.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    return untimed + timed;
  }

  Session& session_;
  Buffer<Line> ring_;
  Buffer<Line*> at_;
  Buffer<ClockReading> reading_;
};

// The footprints between `from` and `to` as one measurement: a level's plateau.
Measurement plateau(const std::vector<std::pair<std::int64_t, Measurement>>& points, std::int64_t from,
                    std::int64_t to) {
  Measurement all;
  for (const auto& [footprint, m] : points) {
    if (footprint < from || footprint > to) continue;
    all.values.insert(all.values.end(), m.values.begin(), m.values.end());
    all.sm_clock.insert(all.sm_clock.end(), m.sm_clock.begin(), m.sm_clock.end());
  }
  return all;
}

// The largest footprint whose every load finds its line in L1, to a tenth of a cycle or so.
Measurement kept_in_l1(const std::vector<std::pair<std::int64_t, Measurement>>& points, double latency) {
  constexpr double missed = 1.02;
  Measurement kept;
  for (const auto& [footprint, measured] : points) {
    if (measured.median() > missed * latency) break;
    kept = {.values = {static_cast<double>(footprint)}, .sm_clock = {measured.clock()}};
  }
  return kept;
}

// The smallest footprint of which no load finds its line in L1 any more, to a fiftieth.
Measurement lost_by_l1(const std::vector<std::pair<std::int64_t, Measurement>>& points, double of_l2) {
  constexpr double missed = 0.98;
  for (const auto& [footprint, measured] : points)
    if (measured.median() >= missed * of_l2)
      return {.values = {static_cast<double>(footprint)}, .sm_clock = {measured.clock()}};
  return {};
}

// Between which footprints the latency leaves a level's plateau.
std::string knee(const std::string& level, const std::vector<std::pair<std::int64_t, Measurement>>& points,
                 double latency) {
  std::int64_t last = 0;
  for (const auto& [footprint, m] : points) {
    if (m.median() < 1.05 * latency)
      last = footprint;
    else if (last > 0 && m.median() > latency)
      return "knee of " + level + ": between " + std::to_string(last / KiB) + " and " +
             std::to_string(footprint / KiB) + " KiB";
  }
  return "no knee of " + level + " was seen";
}

ProbeResult run(Session& session) {
  Report report("load latency by footprint", {{"footprint", unit_of<Bytes>()}}, "latency", unit_of<Cycles>());
  const std::int64_t most = static_cast<std::int64_t>(session.buffer_bytes(std::size_t{4} << 30));
  Walker walker(session, static_cast<std::size_t>(most / line_bytes));
  std::vector<std::pair<std::int64_t, Measurement>> points;
  for (const std::int64_t footprint : footprints(session.quick(), most)) {
    session.say("load latency: " + std::to_string(footprint / KiB) + " KiB");
    Measurement latency;
    const bool right = walker.latency(footprint, latency);
    if (!report.verify(right, "end of the walk through " + std::to_string(footprint) + " B"))
      return report.take();
    report.row({footprint}, latency);
    points.emplace_back(footprint, std::move(latency));
  }
  // A level's plateau is read well inside it: L1 holds 64 KiB since cc 7.0; beyond 1 MiB nothing is left of
  // it, and a quarter of L2 lies within the near half where there are two. Up to 1 GiB DRAM is free of the
  // TLB's last step.
  const std::int64_t l2_size = session.device.properties.l2CacheSize;
  const Measurement l1 = plateau(points, 0, 64 * KiB);
  const Measurement l2 = plateau(points, std::min(1 * MiB, l2_size / 4), l2_size / 4);
  report.constant("l1.latency", l1);
  report.constant("l1.capacity", kept_in_l1(points, l1.median()));
  report.constant("l1.overflow", lost_by_l1(points, l2.median()));
  report.constant("l2.latency", l2);
  report.constant("dram.latency", plateau(points, 4 * l2_size, 1024 * MiB));
  report.note(knee("L1", points, l1.median()));
  report.note(knee("L2 (its near half where there are two)", points, l2.median()));
  return report.take();
}

} // namespace
} // namespace memory_latency_probe

extern const Probe memory_latency{
    .name = "memory-latency",
    .order = 20,
    .model = "littles-law",
    .measures = "load latency by footprint: L1, L2, DRAM and the knees between them",
    .provides = {"l1.latency", "l1.capacity", "l1.overflow", "l2.latency", "dram.latency"},
    .run = memory_latency_probe::run};

} // namespace perfmodel::kernels
