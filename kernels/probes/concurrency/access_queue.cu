// How many accesses of shared memory wait in a scheduler for their pipe: a warp on each scheduler of one SM
// loads words of which all lie in one bank, many times in a row. The first loads issue as fast as the clock
// is read, then each waits until the pipe has taken one. As many as by which the loads of a long row are
// ahead of the pipe wait. Every load has registers of its own, and nothing uses them before the end (seen in
// SASS).
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>

namespace perfmodel::kernels {
namespace access_queue_probe {
namespace {

constexpr int warps = 4, loads = 40, last = 8; // the last loads, by which the pipe's pace is known
constexpr int stride = 32, words = 32 * stride;
constexpr int rounds = 2; // the second counts: the code is where it belongs then

__device__ unsigned low_clock() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}

// `issued`: of each warp the cycles from before its first load to behind each.
__global__ void __launch_bounds__(32 * warps) load_in_a_row(unsigned* issued, float* sums) {
  __shared__ float own[words];
  for (int i = int(threadIdx.x); i < words; i += 32 * warps) own[i] = float(i);
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(own + threadIdx.x % 32 * stride));
  unsigned read[loads + 1];
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    float v[loads];
    __syncthreads();
    read[0] = low_clock();
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v[i]) : "r"(at) : "memory");
      read[i + 1] = low_clock();
    }
#pragma unroll
    for (int i = 0; i < loads; ++i) sum += v[i];
  }
  sums[threadIdx.x] = sum;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < loads; ++i) issued[threadIdx.x / 32 * loads + i] = read[i + 1] - read[0];
}

ProbeResult run(Session& session) {
  session.say("loads of shared memory that wait in a scheduler");
  Report report("loads of shared memory in a row, all words in one bank", {{"loads", {}}}, "cycles",
                unit_of<Cycles>());
  Buffer<unsigned> issued(warps * loads);
  Buffer<float> sums(32 * warps);
  Buffer<ClockReading> clock(1);
  Measurement waiting;
  std::vector<Measurement> of_load(loads); // the mean of the warps
  for (int i = 0; i < (session.quick() ? 3 : 11); ++i) {
    load_in_a_row<<<1, 32 * warps, 0, session.stream>>>(issued.data(), sums.data());
    PERFMODEL_CUDA(cudaGetLastError());
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    const std::vector<float> sum = sums.to_host();
    for (int thread = 0; thread < 32 * warps; ++thread)
      if (!report.verify(sum[std::size_t(thread)] == float(rounds * loads * (thread % 32 * stride)),
                         "words loaded"))
        return report.take();
    const std::vector<unsigned> all = issued.to_host();
    const double hertz = clock.to_host()[0].hertz();
    double wait = 0;
    for (int load = 0; load < loads; ++load) {
      double mean = 0;
      for (int warp = 0; warp < warps; ++warp) mean += double(all[std::size_t(warp * loads + load)]) / warps;
      of_load[std::size_t(load)].values.push_back(mean);
      of_load[std::size_t(load)].sm_clock.push_back(hertz);
    }
    for (int warp = 0; warp < warps; ++warp) {
      const unsigned* const of_warp = all.data() + warp * loads;
      const double pace = double(of_warp[loads - 1] - of_warp[loads - 1 - last]) / last;
      wait += (loads - of_warp[loads - 1] / pace) / warps;
    }
    waiting.values.push_back(wait);
    waiting.sm_clock.push_back(hertz);
  }
  for (int load = 0; load < loads; ++load) report.row({std::int64_t{load + 1}}, of_load[std::size_t(load)]);
  report.constant("issue.access_queue", waiting);
  return report.take();
}

} // namespace
} // namespace access_queue_probe

extern const Probe access_queue{.name = "access-queue",
                                .order = 111,
                                .measures =
                                    "cycles until warps have issued loads of shared memory that conflict",
                                .provides = {"issue.access_queue"},
                                .run = access_queue_probe::run};

} // namespace perfmodel::kernels
