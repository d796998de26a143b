// Constant memory read at addresses that may differ from lane to lane. Every word of the table holds its own
// address, so that a load can wait for the one before it and what it brings is known. The table spans 1 KiB,
// which the first constant cache holds.
// A plain load of an address that stays would be made once: between groups of four loads, 128 bytes apart in
// all lanes alike, the address moves by a number that is zero at run time.
// Checked in SASS (sm_90): 64 LDC in the loop body of read_constants, 64 dependent ones in chase_constants.
#include "kernels/probes/access/constant_reads.hpp"

#include "kernels/probes/concurrency/steady_cycles.cuh"

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

__global__ void tell_constant_address(std::uint32_t* address) { *address = constant_address(); }

__global__ void __launch_bounds__(1024)
    read_constants(LaneOffsets offsets, std::uint32_t zero, std::uint32_t* out, int trips, BlockSpan* spans) {
  constexpr int batch = 16, group = 4;
  std::uint32_t address = constant_address() + offsets.byte[threadIdx.x % lanes_of_warp], sum = 0;
  std::uint32_t a[batch], b[batch] = {};
  const auto load = [&](std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      v[i] = load_constant(address + 128 * (i % group));
      if (i % group == group - 1) address += zero;
    }
  };
  const auto add = [&](const std::uint32_t* v) {
#pragma unroll
    for (int i = 0; i < batch; ++i) sum += v[i];
  };
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int turn = 0; turn < constant_loads / (2 * batch); ++turn) {
      load(a);
      add(b); // while the others are under way
      load(b);
      add(a);
    }
  add(b);
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

ConstantBench::ConstantBench(Session& session, int warps)
    : session_(session), threads_(warps * lanes_of_warp), blocks_(session.device.sm_count()),
      out_(std::size_t(blocks_) * std::size_t(threads_)), spans_(std::size_t(blocks_)) {
  tell_constant_address<<<1, 1, 0, session.stream>>>(out_.data());
  PERFMODEL_CUDA(cudaGetLastError());
  session.stream.synchronize();
  base_ = out_.to_host()[0];
  std::vector<std::uint32_t> own(constant_words);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = base_ + static_cast<std::uint32_t>(4 * i);
  PERFMODEL_CUDA(cudaMemcpyToSymbol(constant_table, own.data(), own.size() * sizeof own[0]));
  PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy)); // the session's stream does not wait for it
}

bool ConstantBench::right(const LaneOffsets& offsets, ConstantLoads loads) {
  constexpr int trips = 3;
  out_.poison();
  launch(offsets, loads, trips);
  session_.stream.synchronize();
  const std::vector<std::uint32_t> got = out_.to_host();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::uint32_t address = base_ + offsets.byte[i % lanes_of_warp];
    // A group of four reads 0, 128, 256 and 384 bytes further on.
    const std::uint32_t want =
        loads == ConstantLoads::dependent ? address : trips * constant_loads * (address + 192);
    if (got[i] != want) return false;
  }
  return true;
}

Measurement ConstantBench::cycles(const LaneOffsets& offsets, ConstantLoads loads) {
  Measurement m = cycles_per_trip(session_, spans_, 1, [&](int trips) { launch(offsets, loads, trips); });
  for (double& value : m.values) value /= double(constant_loads) * threads_ / lanes_of_warp;
  return m;
}

void ConstantBench::launch(const LaneOffsets& offsets, ConstantLoads loads, int trips) {
  const auto kernel = loads == ConstantLoads::independent ? &read_constants : &chase_constants;
  kernel<<<blocks_, threads_, 0, session_.stream>>>(offsets, 0, out_.data(), trips, spans_.data());
  PERFMODEL_CUDA(cudaGetLastError());
}

} // namespace perfmodel::kernels
