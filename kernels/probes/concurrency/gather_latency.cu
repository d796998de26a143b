// Latency of a gather: the lanes of one warp follow rings of pointers, and what they ask for lies in one line
// or in up to 32. A warp goes on when the last of its lines is there, so that a gather waits longer than a
// single load: for the slowest of 32 places of device memory. `lines` lanes have a way of their own, and the
// others go with one of them. What lanes ask for together lies anywhere, or in neighbouring rows of a matrix,
// 16 KiB apart, as where each thread reads a row: 32 of them share a page of memory. With one warp on each of
// eight SMs nothing queues but the warp's own lines; with one on every SM they meet.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include <numeric>
#include <string>

namespace perfmodel::kernels {
namespace gather_latency_probe {
namespace {

constexpr int lanes = 32, unroll = 8;
constexpr std::int64_t timed_hops = 1024;

constexpr std::size_t row_lines = 128, group_lines = row_lines * lanes,
                      group_bytes = group_lines * line_bytes;

// Where rings lie, in whole groups of 32 rows of 16 KiB: all in one order through all lines, or a lane's in
// its own row of 32.
struct Places {
  std::size_t lines;
  bool in_rows;

  // Of a whole ring.
  __host__ __device__ std::size_t hops() const { return in_rows ? lines / lanes : lines; }
  // The line that `lane` comes to after `hop` hops.
  __host__ __device__ std::size_t line(std::size_t hop, std::size_t lane) const {
    const std::size_t at = shuffled(hop % hops(), hops());
    return in_rows ? (at / row_lines * lanes + lane) * row_lines + at % row_lines : at;
  }
};

__global__ void lay_rows(Line* lines, Places places) {
  const std::size_t lane = threadIdx.x;
  for (std::size_t hop = blockIdx.x; hop < places.hops(); hop += gridDim.x)
    lines[places.line(hop, lane)].next = lines + places.line(hop + 1, lane);
}

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
  Gatherer(Session& session, Places places, std::size_t most_blocks)
      : session_(session), places_(places), ring_(places.lines), at_(most_blocks * lanes),
        cycles_(most_blocks), clock_(1) {
    if (places.in_rows)
      lay_rows<<<4096, lanes, 0, session.stream>>>(ring_.data(), places);
    else
      lay_ring<<<1024, 256, 0, session.stream>>>(ring_.data(), places.lines);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
  }

  // Cycles of a hop of the warps of `blocks` SMs, their mean, in seven walks. The ring is walked over before
  // the first where `warm`.
  bool latency(std::size_t blocks, std::size_t ways, bool warm, Measurement& latency) {
    const std::size_t all = places_.in_rows ? blocks : blocks * ways; // starts, spread over the ring
    const auto start = [&](std::size_t block, std::size_t lane) {
      return (places_.in_rows ? block : block * ways + lane % ways) * places_.hops() / all;
    };
    std::vector<Line*> starts(blocks * lanes);
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        starts[block * lanes + lane] = ring_.data() + places_.line(start(block, lane), lane % ways);
    at_.copy_from(starts.data(), starts.size());
    std::uint64_t walked = 0;
    for (int i = 0; i < 7; ++i) {
      const auto untimed = static_cast<std::int64_t>(i == 0 && warm ? places_.hops() / all + 1 : 0);
      gather_from<<<static_cast<unsigned>(blocks), lanes, 0, session_.stream>>>(
          at_.data(), untimed, timed_hops, cycles_.data(), clock_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      walked += static_cast<std::uint64_t>(untimed + timed_hops);
      const std::vector<long long> readings = cycles_.to_host();
      const double sum =
          std::accumulate(readings.begin(), readings.begin() + static_cast<std::ptrdiff_t>(blocks), 0.0);
      latency.values.push_back(sum / static_cast<double>(blocks) / static_cast<double>(timed_hops));
      latency.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    const std::vector<Line*> ends = at_.to_host();
    for (std::size_t block = 0; block < blocks; ++block)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (ends[block * lanes + lane] !=
            ring_.data() + places_.line(start(block, lane) + walked, lane % ways))
          return false;
    return true;
  }

private:
  Session& session_;
  Places places_;
  Buffer<Line> ring_;
  Buffer<Line*> at_;
  Buffer<long long> cycles_;
  Buffer<ClockReading> clock_;
};

ProbeResult run(Session& session) {
  Report report("latency of a gather", {{"level", {}}, {"places", {}}, {"sms", {}}, {"lines", {}}}, "latency",
                unit_of<Cycles>());
  const auto sms = static_cast<std::size_t>(session.device.sm_count());
  const std::size_t l2_size = session.device.properties.l2CacheSize;
  const std::size_t near = std::max(l2_size / 16 / group_bytes, std::size_t{1}) * group_lines;
  const std::size_t far = session.buffer_bytes(std::size_t{1} << 30) / group_bytes * group_lines;
  for (const bool in_l2 : {true, false})
    for (const bool in_rows : {false, true}) {
      const std::string level = in_l2 ? "L2" : "DRAM", where = in_rows ? "16 KiB apart" : "anywhere";
      session.say("latency of a gather: " + level + ", " + where);
      Gatherer gatherer(session, {in_l2 ? near : far, in_rows}, sms);
      for (const std::size_t blocks : {std::min<std::size_t>(8, sms), sms})
        for (const std::size_t lines : {1, 2, 4, 8, 16, 32}) {
          Measurement latency;
          const bool right = gatherer.latency(blocks, lines, in_l2, latency);
          if (!report.verify(right, "ends of the walks of " + std::to_string(blocks) + " warps, " +
                                        std::to_string(lines) + " lines each, in " + level + ", " + where))
            return report.take();
          report.row({level, where, static_cast<std::int64_t>(blocks), static_cast<std::int64_t>(lines)},
                     latency);
          if (!in_l2 && in_rows && blocks < sms && lines == lanes)
            report.constant("dram.gather_latency", latency);
        }
    }
  return report.take();
}

} // namespace
} // namespace gather_latency_probe

extern const Probe gather_latency{.name = "gather-latency",
                                  .order = 26,
                                  .measures = "latency of a load of 1 to 32 lines of L2 and DRAM",
                                  .provides = {"dram.gather_latency"},
                                  .run = gather_latency_probe::run};

} // namespace perfmodel::kernels
