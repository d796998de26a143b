// Latency of a gather: the lanes of one warp follow rings of pointers, and what they ask for lies in one line
// or in up to 32. A warp goes on when the last of its lines is there, so that a gather waits longer than a
// single load: for the slowest of 32 places of device memory. `lines` lanes have a way of their own, and the
// others go with one of them. With one warp on each of eight SMs nothing queues but the warp's own lines;
// with one on every SM, as where a thread reads a row and there are few rows, they meet.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include <numeric>
#include <string>

namespace perfmodel::kernels {
namespace {

constexpr int lanes = 32, unroll = 8;
constexpr std::int64_t timed_hops = 1024;

// `at`: one line for each lane of each block; lanes with the same line load one word of it together.
__global__ void gather_from(Line** at, std::int64_t untimed_hops, std::int64_t hops, long long* cycles,
                            ClockReading* reading) {
  Line** const mine = at + blockIdx.x * lanes + threadIdx.x;
  Line* line = *mine;
#pragma unroll 1
  for (std::int64_t i = 0; i < untimed_hops; ++i) line = follow_in_l2(line);
  clock_start(reading); // of the first block
  const long long before = cycles_now();
#pragma unroll 1
  for (std::int64_t i = 0; i < hops; i += unroll)
#pragma unroll
    for (int hop = 0; hop < unroll; ++hop) line = follow_in_l2(line);
  *mine = line; // needs the last load
  const long long taken = cycles_now() - before;
  if (threadIdx.x == 0) cycles[blockIdx.x] = taken;
  clock_stop(reading);
}

class Gatherer {
public:
  Gatherer(Session& session, std::size_t lines, std::size_t most_blocks)
      : session_(session), lines_(lines), ring_(lines), at_(most_blocks * lanes), cycles_(most_blocks),
        clock_(1) {
    lay_ring<<<1024, 256, 0, session.stream>>>(ring_.data(), lines);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
  }

  // Cycles of a hop of the warps of `blocks` SMs, their mean, in seven walks. The ring is walked over before
  // the first where `warm`.
  bool latency(std::size_t blocks, std::size_t places, bool warm, Measurement& latency) {
    const std::size_t ways = blocks * places;
    std::vector<Line*> starts(blocks * lanes); // spread over the ring
    const auto start = [&](std::size_t block, std::size_t lane) {
      return (block * places + lane % places) * lines_ / ways;
    };
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        starts[block * lanes + lane] = ring_.data() + line_after(start(block, lane), lines_);
    at_.copy_from(starts.data(), starts.size());
    std::uint64_t walked = 0;
    for (int i = 0; i < 7; ++i) {
      const auto untimed = static_cast<std::int64_t>(i == 0 && warm ? lines_ / ways + 1 : 0);
      gather_from<<<static_cast<unsigned>(blocks), lanes, 0, session_.stream>>>(
          at_.data(), untimed, timed_hops, cycles_.data(), clock_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      walked += static_cast<std::uint64_t>(untimed + timed_hops);
      const std::vector<long long> readings = cycles_.to_host();
      const double all =
          std::accumulate(readings.begin(), readings.begin() + static_cast<std::ptrdiff_t>(blocks), 0.0);
      latency.values.push_back(all / static_cast<double>(blocks) / static_cast<double>(timed_hops));
      latency.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    const std::vector<Line*> ends = at_.to_host();
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (ends[block * lanes + lane] != ring_.data() + line_after(start(block, lane) + walked, lines_))
          return false;
    return true;
  }

private:
  Session& session_;
  std::size_t lines_;
  Buffer<Line> ring_;
  Buffer<Line*> at_;
  Buffer<long long> cycles_;
  Buffer<ClockReading> clock_;
};

ProbeResult run(Session& session) {
  Report report("latency of a gather", {{"level", {}}, {"sms", {}}, {"lines", {}}}, "latency",
                unit_of<Cycles>());
  const auto sms = static_cast<std::size_t>(session.device.sm_count());
  const std::size_t l2_size = session.device.properties.l2CacheSize;
  const std::size_t near = std::max<std::size_t>(l2_size / 16, std::size_t{1} << 18) / line_bytes;
  const std::size_t far = session.buffer_bytes(std::size_t{1} << 30) / line_bytes;
  for (const bool in_l2 : {true, false}) {
    const std::string level = in_l2 ? "L2" : "DRAM";
    session.say("latency of a gather: " + level);
    Gatherer gatherer(session, in_l2 ? near : far, sms);
    for (const std::size_t blocks : {std::min<std::size_t>(8, sms), sms})
      for (const std::size_t lines : {1, 2, 4, 8, 16, 32}) {
        Measurement latency;
        const bool right = gatherer.latency(blocks, lines, in_l2, latency);
        if (!report.verify(right, "ends of the walks of " + std::to_string(blocks) + " warps, " +
                                      std::to_string(lines) + " lines each, in " + level))
          return report.take();
        report.row({level, static_cast<std::int64_t>(blocks), static_cast<std::int64_t>(lines)}, latency);
        if (!in_l2 && blocks < sms && lines == lanes) report.constant("dram.gather_latency", latency);
      }
  }
  return report.take();
}

} // namespace

extern const Probe gather_latency{.name = "gather-latency",
                                  .order = 26,
                                  .measures = "latency of a load of 1 to 32 lines of L2 and DRAM",
                                  .provides = {"dram.gather_latency"},
                                  .run = run};

} // namespace perfmodel::kernels
