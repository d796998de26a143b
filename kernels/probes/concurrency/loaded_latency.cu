// DRAM latency while others draw bandwidth: one thread follows a random ring of pointers through 1 GiB, alone
// on its SM; the blocks of all other SMs stream, reading or copying, with 32 to 2048 threads per SM in
// flight, until it is done. The share of the bandwidth that they draw is that of a read stream in the same
// run. What reads make it wait tells how long a line keeps its bank busy, what copies do how long a bank
// takes to turn between reading and writing (dram_turns.hpp).
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/bounds/dram_read.hpp"
#include "kernels/probes/concurrency/pointer_ring.cuh"

#include "models/access/dram_turns.hpp"

namespace perfmodel::kernels {
namespace loaded_latency_probe {
namespace {

constexpr int hops_before = 256, hops_timed = 2048;

struct Walk {
  Line* at;
  int done;
  unsigned long long bytes, nanoseconds;
  ClockReading reading;
};

template <bool copy>
__global__ void __launch_bounds__(1024)
    stream_beside_walk(Walk* walk, const uint4* in, uint4* out, std::size_t vectors) {
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    Line* line = walk->at;
    for (int i = 0; i < hops_before; ++i) line = follow(line); // the others have started by then
    const ClockReading start = clocks_now();
#pragma unroll 16
    for (int i = 0; i < hops_timed; ++i) line = follow(line);
    walk->at = line; // needs the last load
    const ClockReading stop = clocks_now();
    walk->reading = {stop.cycles - start.cycles, stop.nanoseconds - start.nanoseconds};
    __threadfence();
    *const_cast<volatile int*>(&walk->done) = 1;
    return;
  }
  __shared__ int done;
  const std::size_t streamers = gridDim.x - 1, stretch = vectors / streamers / 4 * 4;
  const uint4* from = in + (blockIdx.x - 1) * stretch;
  uint4* to = out + (blockIdx.x - 1) * stretch;
  uint4 v[4];
  unsigned sum = 0;
  const long long begin = nanoseconds_now();
  std::size_t i = threadIdx.x, trips = 0;
  for (;; ++trips) {
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = load_streaming(from + i + k * blockDim.x);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (copy)
        store_streaming(to + i + k * blockDim.x, v[k]);
      else
        sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
    i += 4 * blockDim.x;
    if (i + 4 * blockDim.x > stretch) i = threadIdx.x;
    if (trips % 4 != 0) continue;
    if (threadIdx.x == 0) done = *const_cast<volatile int*>(&walk->done);
    __syncthreads();
    const bool stop = done != 0;
    __syncthreads();
    if (stop) break;
  }
  if (sum == 0x9E3779B9u) out[0] = v[0]; // as good as never
  if (threadIdx.x != 0) return;
  atomicAdd(&walk->bytes, (trips + 1) * 4ull * blockDim.x * sizeof(uint4) * (copy ? 2 : 1));
  atomicMax(&walk->nanoseconds, static_cast<unsigned long long>(nanoseconds_now() - begin));
}

class Walker {
public:
  explicit Walker(Session& session)
      : session_(session), ring_((std::size_t{1} << 30) / line_bytes),
        in_(session.buffer_bytes(std::size_t{4} << 30) / sizeof(uint4)), out_(in_.size()), walk_(1) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    lay_ring<<<1024, 256, 0, session.stream>>>(ring_.data(), ring_.size());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
  }

  // False when the walk ended on a wrong line.
  template <bool copy> bool latency(int threads, int blocks, Measurement& cycles, double& bandwidth) {
    const auto kernel = &stream_beside_walk<copy>;
    const auto shared = shared_for_residency(session_.device, kernel, threads == 0 ? 32 : threads, blocks);
    if (!shared) return false;
    // One block's slots are left to the walk, which shares its SM with nobody but idle slots.
    const int streamers = threads == 0 ? 0 : (session_.device.sm_count() - 1) * blocks;
    std::vector<double> rates;
    for (int i = session_.quick() ? -1 : -2; i < (session_.quick() ? 3 : 11); ++i) {
      Walk walk{.at = ring_.data() + line_after(walked_, ring_.size()),
                .done = 0,
                .bytes = 0,
                .nanoseconds = 0,
                .reading = {}};
      walk_.copy_from(&walk, 1);
      kernel<<<1 + streamers, threads == 0 ? 32 : threads, *shared, session_.stream>>>(
          walk_.data(), in_.data(), out_.data(), in_.size());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      walk = walk_.to_host()[0];
      walked_ += hops_timed + hops_before;
      if (walk.at != ring_.data() + line_after(walked_, ring_.size())) return false;
      if (i < 0) continue;
      cycles.values.push_back(double(walk.reading.cycles) / hops_timed);
      cycles.sm_clock.push_back(walk.reading.hertz());
      rates.push_back(walk.nanoseconds == 0 ? 0 : double(walk.bytes) / double(walk.nanoseconds) * 1e9);
    }
    bandwidth = Measurement{.values = rates, .sm_clock = {}}.median();
    return true;
  }

private:
  Session& session_;
  Buffer<Line> ring_;
  Buffer<uint4> in_, out_;
  Buffer<Walk> walk_;
  std::uint64_t walked_ = 0; // every walk goes on where the last one ended: its lines are not in L2
};

// Lines that queue for banks at random: a line that keeps its bank busy for s cycles waits, at a share u of
// the bandwidth, u s / 2 (1 - u) cycles for those before it (Pollaczek and Khinchine, constant service).
double wait_for_reads(double service, double share) { return share * service / (2 * (1 - share)); }

void add_service(Measurement& service, const Measurement& idle, const Measurement& loaded, double share) {
  if (share < 0.3 || share > 0.95) return; // too little to wait for, or a queue that a row cannot settle
  const double wait = loaded.median() - idle.median();
  if (wait <= 0) return;
  service.values.push_back(wait / wait_for_reads(1, share));
  service.sm_clock.push_back(loaded.clock());
}

// Half of what a copy draws are writes. At more load they wait for each other.
void add_turn(Measurement& turn, double service, const Measurement& idle, const Measurement& loaded,
              double share) {
  if (share < 0.1 || share > 0.45) return;
  const double wait = loaded.median() - idle.median() - wait_for_reads(service, share / 2);
  const double cycles = turn_of(service, wait, share / 2);
  if (cycles <= 0) return;
  turn.values.push_back(cycles);
  turn.sm_clock.push_back(loaded.clock());
}

ProbeResult run(Session& session) {
  Report report("DRAM latency under load", {{"traffic", {}}, {"bandwidth", unit_of<BytesPerSecond>()}},
                "latency", unit_of<Cycles>());
  session.say("latency under load: read bandwidth");
  const auto most = dram_read_bandwidth(session);
  if (!report.verify(most.has_value(), "sum of the words read")) return report.take();
  Walker walker(session);
  std::optional<Measurement> idle;
  Measurement service, turn;
  const auto level = [&](const std::string& traffic, int threads, int blocks) {
    session.say("latency under load: " + traffic + ", " + std::to_string(blocks) + " x " +
                std::to_string(threads));
    Measurement cycles;
    double bandwidth = 0;
    const bool right = traffic == "copy" ? walker.latency<true>(threads, blocks, cycles, bandwidth)
                                         : walker.latency<false>(threads, blocks, cycles, bandwidth);
    if (!report.verify(right, "end of the walk")) return false;
    report.row({traffic, bandwidth}, cycles);
    if (threads == 0) idle = cycles;
    const double share = bandwidth / most->median();
    if (traffic == "read")
      add_service(service, *idle, cycles, share);
    else if (!service.values.empty())
      add_turn(turn, service.median(), *idle, cycles, share);
    return true;
  };
  Measurement cold; // the first walks are slower
  double none = 0;
  if (!report.verify(walker.latency<false>(0, 1, cold, none), "end of the walk")) return report.take();
  for (const std::string traffic : {"read", "copy"}) {
    if (!level(traffic, 0, 1)) return report.take();
    for (int threads = 32; threads <= 1024; threads += session.quick() ? 480 : threads < 256 ? 32 : 128)
      if (!level(traffic, threads, 1)) return report.take();
    if (!level(traffic, 1024, 2)) return report.take();
  }
  if (!service.values.empty())
    report.constant("dram.service", service);
  else
    report.note("no level drew 30 to 95 % of the read bandwidth: dram.service was left out");
  if (!turn.values.empty())
    report.constant("dram.turn", turn);
  else
    report.note("no copy drew 10 to 45 % of the read bandwidth: dram.turn was left out");
  return report.take();
}

} // namespace
} // namespace loaded_latency_probe

extern const Probe loaded_latency{
    .name = "loaded-latency",
    .order = 200,
    .model = "littles-law",
    .measures = "DRAM latency while the other SMs read or copy at part of the bandwidth",
    .provides = {"dram.service", "dram.turn"},
    .run = loaded_latency_probe::run};

} // namespace perfmodel::kernels
