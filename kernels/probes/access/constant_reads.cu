// Constant memory read at addresses that may differ from lane to lane. Every word of the table holds its own
// address, so that a load can wait for the one before it and what it brings is known. The table spans 1 KiB,
// which the first constant cache holds.
// A plain load of an address that stays would be made once: between groups of four loads, 128 bytes apart in
// all lanes alike, the address moves by a number that is zero at run time.
// Checked in SASS (sm_90): 64 LDC in the loop body of read_constants, 64 dependent ones in chase_constants.
// Of 64 bits there are as many, by what they take: 64 cycles for 32 addresses, as those of 32 bits.
#include "kernels/probes/access/constant_reads.hpp"

#include "kernels/probes/access/batches.cuh"

#include <string>
#include <vector>

namespace perfmodel::kernels {
namespace {

constexpr int constant_words = 256, constant_loads = 64; // of the table; of a trip
__constant__ std::uint32_t constant_table[constant_words];

__device__ inline std::uint32_t constant_address() {
  return static_cast<std::uint32_t>(__cvta_generic_to_constant(constant_table));
}

__device__ inline std::uint32_t load_constant(std::uint32_t from) {
  std::uint32_t v;
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(v) : "r"(from));
  return v;
}

__device__ inline std::uint32_t load_two_constants(std::uint32_t from) {
  std::uint64_t v;
  asm volatile("ld.const.u64 %0, [%1];" : "=l"(v) : "r"(from));
  return static_cast<std::uint32_t>(v);
}

__global__ void tell_constant_address(std::uint32_t* address) { *address = constant_address(); }

template <std::uint32_t (*load_from)(std::uint32_t)>
__global__ void __launch_bounds__(1024)
    read_constants(LaneOffsets offsets, std::uint32_t zero, std::uint32_t* out, int trips, BlockSpan* spans) {
  constexpr int batch = 16, group = 4;
  std::uint32_t address = constant_address() + offsets.byte[threadIdx.x % lanes_of_warp];
  const auto load = [&](std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      v[i] = load_from(address + 128 * (i % group));
      if (i % group == group - 1) address += zero;
    }
  };
  span_start(spans);
  const std::uint32_t sum = sum_of_batches<batch, constant_loads>(trips, load);
  span_stop(spans);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void __launch_bounds__(1024)
    chase_constants(LaneOffsets offsets, std::uint32_t, std::uint32_t* out, int trips, BlockSpan* spans) {
  std::uint32_t address = constant_address() + offsets.byte[threadIdx.x % lanes_of_warp];
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < constant_loads; ++i) address = load_constant(address);
  span_stop(spans);
  out[blockIdx.x * blockDim.x + threadIdx.x] = address;
}

} // namespace

ConstantBench::ConstantBench(Session& session, int warps) : bench_(session, 1, warps * lanes_of_warp) {
  tell_constant_address<<<1, 1, 0, session.stream>>>(bench_.out());
  PERFMODEL_CUDA(cudaGetLastError());
  session.stream.synchronize();
  base_ = bench_.words()[0];
  std::vector<std::uint32_t> own(constant_words);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = base_ + static_cast<std::uint32_t>(4 * i);
  PERFMODEL_CUDA(cudaMemcpyToSymbol(constant_table, own.data(), own.size() * sizeof own[0]));
  PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy)); // the session's stream does not wait for it
}

bool ConstantBench::right(const LaneOffsets& offsets, ConstantLoads loads) {
  constexpr int trips = 3;
  return bench_.right(trips, launch(offsets, loads), [&](std::size_t i) {
    const std::uint32_t address = base_ + offsets.byte[i % lanes_of_warp];
    // A group of four reads 0, 128, 256 and 384 bytes further on.
    return loads == ConstantLoads::dependent ? address : trips * constant_loads * (address + 192);
  });
}

Measurement ConstantBench::cycles(const LaneOffsets& offsets, ConstantLoads loads) {
  return bench_.cycles(constant_loads, launch(offsets, loads));
}

std::function<void(int)> ConstantBench::launch(const LaneOffsets& offsets, ConstantLoads loads) {
  const auto kernel = loads == ConstantLoads::independent      ? &read_constants<load_constant>
                      : loads == ConstantLoads::independent_64 ? &read_constants<load_two_constants>
                                                               : &chase_constants;
  return [this, offsets, kernel](int trips) {
    kernel<<<bench_.blocks(), bench_.threads(), 0, bench_.stream()>>>(offsets, 0, bench_.out(), trips,
                                                                      bench_.spans());
    PERFMODEL_CUDA(cudaGetLastError());
  };
}

} // namespace perfmodel::kernels
