// Resident blocks, counted by the hardware itself: every block adds itself to the count of its SM (%smid),
// stays for a while and leaves. The grid has more blocks than the device can hold, so the largest count is
// what an SM holds. A block waits for time to pass and never for another block, so nothing can hang.
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/resident_kernels.hpp"

#include <array>
#include <cstdint>

namespace perfmodel::kernels {
namespace {

// Longer than all blocks of a wave take to start: 4224 of them start within some 10 us on an H200.
constexpr long long stay = 60'000; // ns

__device__ inline unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// The loads before the wait and the sum behind it keep `live` registers in use through it.
template <int live>
__global__ void hold(const volatile float* in, float* out, SmCount* sms, long long nanoseconds) {
  float held[live];
#pragma unroll
  for (int i = 0; i < live; ++i) held[i] = in[(threadIdx.x + i) % 1024];
  __syncthreads();
  if (threadIdx.x == 0) {
    SmCount& sm = sms[sm_id()];
    atomicMax(&sm.most, atomicAdd(&sm.now, 1) + 1);
    const long long end = nanoseconds_now() + nanoseconds;
    while (nanoseconds_now() < end) {
    }
    atomicSub(&sm.now, 1);
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < live; ++i) sum = fmaf(sum, held[i], held[live - 1 - i]);
  if (sum == 1e30f) *out = sum; // never
}

// Steps of 8 registers with some beside them: allocation units are 8 registers of a thread.
constexpr std::array kernels_by_registers = {
    hold<1>,   hold<12>,  hold<18>,  hold<22>,  hold<23>,  hold<27>,  hold<28>, hold<34>,  hold<42>,
    hold<50>,  hold<58>,  hold<66>,  hold<74>,  hold<82>,  hold<90>,  hold<98>, hold<106>, hold<114>,
    hold<122>, hold<138>, hold<154>, hold<170>, hold<186>, hold<214>, hold<242>};

struct Point {
  int threads;
  std::size_t kernel, shared;
};

// Block sizes with each number of registers, then with shared memory.
std::vector<Point> points(bool quick) {
  std::vector<Point> list;
  for (const int threads : {32, 96, 128, 256, 352, 640, 1024})
    for (std::size_t kernel = 0; kernel < kernels_by_registers.size(); kernel += quick ? 8 : 4)
      list.push_back({threads, kernel, 0});
  for (const std::size_t shared :
       {1000, 3072, 7 * 1024, 16 * 1024, 32 * 1024, 64 * 1024, 100 * 1024, 200 * 1024})
    for (const int threads : quick ? std::vector{256} : std::vector{32, 128, 256})
      list.push_back({threads, 0, shared});
  return list;
}

ProbeResult run(Session& session) {
  Report report("resident blocks, counted on the SM",
                {{"threads", {}}, {"registers", {}}, {"shared", unit_of<Bytes>()}}, "blocks", {});
  const int sms = session.device.sm_count();
  const Buffer<float> in(std::vector<float>(1024, 0.5f));
  Buffer<float> out(1);
  Buffer<ClockReading> clock(1);
  read_clock(clock.data(), session.stream);
  session.stream.synchronize();
  const double hertz = clock.to_host()[0].hertz();
  for (const Point& point : points(session.quick())) {
    const ResidentKernel kernel = kernels_by_registers[point.kernel];
    const int expected = blocks_by_runtime({kernel, point.threads, point.shared, 100});
    if (expected == 0) continue; // it cannot launch
    session.say("resident blocks of " + std::to_string(point.threads) + " threads");
    // %smid can have gaps: room for more than there are.
    Buffer<SmCount> counts(static_cast<std::size_t>(sms) * 2);
    counts.clear();
    kernel<<<sms*(expected + 2), point.threads, point.shared, session.stream>>>(in.data(), out.data(),
                                                                                counts.data(), stay);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    Measurement blocks{.values = {}, .sm_clock = {hertz}};
    bool left = true;
    for (const SmCount& sm : counts.to_host()) {
      if (sm.most > 0) blocks.values.push_back(sm.most);
      left = left && sm.now == 0;
    }
    if (!report.verify(left && blocks.values.size() == static_cast<std::size_t>(sms),
                       "every SM counts blocks and ends with none"))
      break;
    report.row({std::int64_t(point.threads), std::int64_t(registers_of(kernel)), std::int64_t(point.shared)},
               blocks);
  }
  ProbeResult result = report.take();
  result.samples.clear(); // low and high say whether the SMs agree
  return result;
}

} // namespace

std::span<const ResidentKernel> resident_kernels() {
  static const std::vector<ResidentKernel> all(kernels_by_registers.begin(), kernels_by_registers.end());
  return all;
}

int registers_of(ResidentKernel kernel) {
  cudaFuncAttributes attributes{};
  PERFMODEL_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.numRegs;
}

int blocks_by_runtime(const ResidentLaunch& launch) {
  PERFMODEL_CUDA(cudaFuncSetAttribute(launch.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(launch.shared)));
  PERFMODEL_CUDA(cudaFuncSetAttribute(launch.kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                      launch.carveout_percent));
  int blocks = 0;
  PERFMODEL_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, launch.kernel, launch.threads, launch.shared));
  return blocks;
}

std::size_t carveout_bytes(const Device& device, int percent) {
  return device.properties.sharedMemPerMultiprocessor * static_cast<std::size_t>(percent) / 100;
}

extern const Probe resident_blocks{.name = "resident-blocks",
                                   .order = 140,
                                   .model = "occupancy",
                                   .measures = "blocks on an SM at a time, counted by the blocks themselves",
                                   .run = run};

} // namespace perfmodel::kernels
