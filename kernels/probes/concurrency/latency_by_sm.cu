// Load latency seen from every SM: one thread of each follows a ring of pointers past L1, all at once, which
// loads nothing: a request of each SM is on its way. SMs lie at different distances from the slices of L2;
// what memory-latency says is that of the one SM that its thread came to. The ring in L2 has been walked
// before by all of them, so that each half of L2 has a copy.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include <algorithm>
#include <numeric>

namespace perfmodel::kernels {
namespace latency_by_sm_probe {
namespace {

constexpr int unroll = 16;

__global__ void walk_from(Line** at, std::int64_t untimed_hops, std::int64_t hops, long long* cycles,
                          ClockReading* reading) {
  Line* line = at[blockIdx.x];
#pragma unroll 1
  for (std::int64_t i = 0; i < untimed_hops; ++i) line = follow_in_l2(line);
  clock_start(reading); // of the first block
  const long long before = cycles_now();
#pragma unroll 1
  for (std::int64_t i = 0; i < hops; i += unroll)
#pragma unroll
    for (int hop = 0; hop < unroll; ++hop) line = follow_in_l2(line);
  at[blockIdx.x] = line; // needs the last load
  cycles[blockIdx.x] = cycles_now() - before;
  clock_stop(reading);
}

struct Level {
  const char* name;
  std::size_t bytes;
  std::int64_t untimed, timed;
};

ProbeResult run(Session& session) {
  Report report("load latency by SM", {{"level", {}}, {"sms", {}}}, "latency", unit_of<Cycles>());
  const auto sms = static_cast<std::size_t>(session.device.sm_count());
  const std::size_t l2_size = session.device.properties.l2CacheSize;
  const std::size_t in_l2 = std::max<std::size_t>(l2_size / 16, std::size_t{1} << 18) / line_bytes;
  const std::size_t far = session.buffer_bytes(std::size_t{1} << 30) / line_bytes;
  Buffer<Line> ring(std::max(in_l2, far));
  Buffer<Line*> at(sms);
  Buffer<long long> readings(sms);
  Buffer<ClockReading> clock(1);
  for (const Level& level :
       {Level{"L2", in_l2, static_cast<std::int64_t>(in_l2), 4096}, Level{"DRAM", far, 0, 2048}}) {
    session.say(std::string("latency from every SM: ") + level.name);
    lay_ring<<<1024, 256, 0, session.stream>>>(ring.data(), level.bytes);
    PERFMODEL_CUDA(cudaGetLastError());
    std::vector<Line*> starts(sms); // spread over the ring
    for (std::size_t sm = 0; sm < sms; ++sm)
      starts[sm] = ring.data() + line_after(sm * level.bytes / sms, level.bytes);
    session.stream.synchronize();
    at.copy_from(starts.data(), sms);
    Measurement least, mean, most;
    std::int64_t walked = 0;
    for (int i = 0; i < 7; ++i) {
      const std::int64_t untimed = i == 0 ? level.untimed : 0;
      walk_from<<<static_cast<unsigned>(sms), 1, 0, session.stream>>>(at.data(), untimed, level.timed,
                                                                      readings.data(), clock.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session.stream.synchronize();
      walked += untimed + level.timed;
      std::vector<double> cycles;
      for (const long long r : readings.to_host())
        cycles.push_back(static_cast<double>(r) / static_cast<double>(level.timed));
      least.values.push_back(*std::min_element(cycles.begin(), cycles.end()));
      most.values.push_back(*std::max_element(cycles.begin(), cycles.end()));
      mean.values.push_back(std::accumulate(cycles.begin(), cycles.end(), 0.0) / static_cast<double>(sms));
      for (Measurement* m : {&least, &mean, &most}) m->sm_clock.push_back(clock.to_host()[0].hertz());
    }
    bool right = true;
    const std::vector<Line*> ends = at.to_host();
    for (std::size_t sm = 0; sm < sms; ++sm)
      right = right && ends[sm] == ring.data() +
                                       line_after(sm * level.bytes / sms + static_cast<std::uint64_t>(walked),
                                                  level.bytes);
    if (!report.verify(right, std::string("ends of the walks in ") + level.name)) return report.take();
    report.row({std::string(level.name), std::string("nearest")}, least);
    report.row({std::string(level.name), std::string("mean")}, mean);
    report.row({std::string(level.name), std::string("farthest")}, most);
    report.constant(level.untimed > 0 ? "l2.latency_mean" : "dram.latency_mean", mean);
  }
  return report.take();
}

} // namespace
} // namespace latency_by_sm_probe

extern const Probe latency_by_sm{.name = "latency-by-sm",
                                 .order = 25,
                                 .measures = "load latency of L2 and DRAM, from every SM",
                                 .provides = {"l2.latency_mean", "dram.latency_mean"},
                                 .run = latency_by_sm_probe::run};

} // namespace perfmodel::kernels
