// The product that keeps the tensor units of an SM busy: two warpgroups multiply tiles that stay in shared
// memory into accumulators that stay in registers. One block per SM.
#pragma once

#include "kernels/core/clock.cuh"
#include "kernels/probes/bounds/tensor_operands.hpp"
#include "kernels/probes/bounds/wgmma.cuh"

namespace perfmodel::kernels {
namespace {

constexpr int warpgroups = 2, threads = 128 * warpgroups;
constexpr int rows = 64 * warpgroups, columns = 256; // of D, per block
constexpr int tiles = 2, row_bytes = 128;            // along k: each tile is 128 bytes of every row
constexpr int a_tile = rows * row_bytes, b_tile = columns * row_bytes;
constexpr int shared_bytes = tiles * (a_tile + b_tile) + 1024; // 1024: to align

template <Format format>
__global__ void __launch_bounds__(threads, 1)
    multiply_tiles(const uint4* a, const uint4* b, std::uint32_t* d_out, int trips, ClockReading* clock) {
  extern __shared__ unsigned char raw[];
  auto* const a_shared =
      reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(raw) + 1023) & ~1023ull);
  unsigned char* const b_shared = a_shared + tiles * a_tile;
  for (int i = threadIdx.x; i < tiles * rows * 8; i += threads) {
    const int row = i / (tiles * 8), tile = i / 8 % tiles;
    *reinterpret_cast<uint4*>(a_shared + tile * a_tile + swizzled(row, i % 8)) = a[i];
  }
  for (int i = threadIdx.x; i < tiles * columns * 8; i += threads) {
    const int row = i / (tiles * 8), tile = i / 8 % tiles;
    *reinterpret_cast<uint4*>(b_shared + tile * b_tile + swizzled(row, i % 8)) = b[i];
  }
  publish_to_tensor_units();
  __syncthreads();

  const int group = threadIdx.x / 128;
  const std::uint64_t a_at = tile_descriptor(a_shared + group * 64 * row_bytes),
                      b_at = tile_descriptor(b_shared);
  std::uint32_t d[128] = {};
  clock_start(clock);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    wgmma_begin();
#pragma unroll
    for (int tile = 0; tile < tiles; ++tile)
#pragma unroll
      for (int k = 0; k < row_bytes; k += 32) // descriptors count 16 bytes
        wgmma<format>(d, a_at + (tile * a_tile + k) / 16, b_at + (tile * b_tile + k) / 16);
    wgmma_end();
  }
  clock_stop(clock);

  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  d_out += blockIdx.x * std::size_t{rows * columns};
#pragma unroll
  for (int i = 0; i < 128; ++i) {
    const int row = group * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8,
              column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    d_out[row * columns + column] = d[i];
  }
}

template <Format format> using Operand = Matrix<format, tiles * row_bytes>;

} // namespace
} // namespace perfmodel::kernels
