// C = A B in bf16 on Hopper's tensor units, fp32 sums, C rounded to bf16. One block per SM walks over tiles
// of 128 x 256: a thread of the first warpgroup keeps the copy engine four steps of k ahead, the two others
// multiply, 64 x 256 each, and store. Rows are as they come: B is read with n, not k, contiguous. The blocks
// of a cluster work on tiles one below the other and each fetch a part of the B that they share.
// All three matrices have rows of whole 16 bytes. C is stored by the copy engine, a warp's 16 x 64 elements
// at a time. All blocks begin a round of tiles together, so that what they share is still in L2 when the last
// of them reads it. `times` that of A B, for measuring without the stores.
#pragma once

#include "kernels/probes/bounds/wgmma.cuh"
#include "kernels/probes/ladders/tensor_pipeline.cuh"

#include <cuda_bf16.h>

#include <cstddef>

namespace perfmodel::kernels {

struct Bf16Tile {
  static constexpr int rows = 128, columns = 256, depth = 64, stages = 4, threads = 384, cluster = 2;
  static constexpr int a_bytes = rows * depth * 2, b_bytes = columns * depth * 2; // per stage
  static constexpr int box_columns = 64; // of B: 128 bytes, the widest swizzled row
  static constexpr int box_bytes = box_columns * depth * 2;
  static constexpr int out_rows = 16, out_bytes = out_rows * 128, warps = 8; // of C, of a warp at a time:
  static constexpr int out_boxes = 2;                                        // so many boxes of 64 columns
  static constexpr int shared_bytes =
      stages * (a_bytes + b_bytes + 16) + warps * out_boxes * out_bytes + 1024; // 1024: to align
};

// A is k-major as in the rate probe; B's tile is four boxes of 64 columns, each 64 rows of k of 128 bytes.
__device__ inline void wgmma_bf16_rows(std::uint32_t (&d)[128], std::uint64_t a, std::uint64_t b) {
  // clang-format off
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
#include "kernels/probes/bounds/wgmma_names.inc"
               "%128, %129, 1, 1, 1, 0, 1;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
               : "l"(a), "l"(b));
  // clang-format on
}

// Between boxes of 64 columns, and between groups of 8 rows of k.
__device__ inline std::uint64_t row_tile_descriptor(const void* tile) {
  const std::uint64_t address = __cvta_generic_to_shared(tile);
  return (address & 0x3FFFF) >> 4 | std::uint64_t{Bf16Tile::box_bytes >> 4} << 16 |
         std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 62;
}

static __global__ void __cluster_dims__(Bf16Tile::cluster, 1, 1) __launch_bounds__(Bf16Tile::threads, 1)
    matmul_tensor_bf16(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
                       const __grid_constant__ CUtensorMap c_map, int n, int times,
                       unsigned* arrived_blocks) {
  using Tile = Bf16Tile;
  constexpr int stages = Tile::stages, cluster = Tile::cluster;
  extern __shared__ unsigned char raw[];
  unsigned char* const a_shared = raw + (1024 - tensor::shared_address(raw) % 1024) % 1024;
  unsigned char* const b_shared = a_shared + stages * Tile::a_bytes;
  unsigned char* const c_shared = b_shared + stages * Tile::b_bytes;
  auto* const full =
      reinterpret_cast<std::uint64_t*>(c_shared + Tile::warps * Tile::out_boxes * Tile::out_bytes);
  std::uint64_t* const empty = full + stages;

  const int group = threadIdx.x / 128, rank = tensor::cluster_rank();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      tensor::init_barrier(full + stage, 1);
      tensor::init_barrier(empty + stage, 8 * cluster); // a lane of each warp that multiplies
    }
    tensor::publish_barriers();
  }
  tensor::sync_cluster();

  const int steps_once = (n + Tile::depth - 1) / Tile::depth, steps = steps_once * times;
  const tensor::TileOrder order{(n + cluster * Tile::rows - 1) / (cluster * Tile::rows),
                                (n + Tile::columns - 1) / Tile::columns};
  const int first_tile = blockIdx.x / cluster, blocks = gridDim.x / cluster;
  tensor::Place<stages> place;
  if (group == 0) {
    tensor::keep_registers<40>();
    if (threadIdx.x == 0)
      for (int index = first_tile; index - first_tile < order.count(); index += blocks) {
        if (index != first_tile) tensor::meet_other_blocks(arrived_blocks);
        if (index >= order.count()) break;
        const auto [down, across] = order.at(index);
        const int row = (down * cluster + rank) * Tile::rows, column = across * Tile::columns;
        for (int step = 0; step < steps; ++step, place.next()) {
          const int k = step % steps_once * Tile::depth;
          std::uint64_t* const arrived = full + place.stage;
          tensor::wait_for(empty + place.stage, place.parity ^ 1);
          tensor::expect_bytes(arrived, Tile::a_bytes + Tile::b_bytes);
          tensor::copy_box(a_shared + place.stage * Tile::a_bytes, a_map, k, row, arrived);
          constexpr int boxes = Tile::columns / Tile::box_columns / cluster;
          for (int i = rank * boxes; i < (rank + 1) * boxes; ++i) {
            unsigned char* const to = b_shared + place.stage * Tile::b_bytes + i * Tile::box_bytes;
            tensor::copy_box_to((1 << cluster) - 1, to, b_map, column + i * Tile::box_columns, k, arrived);
          }
        }
      }
  } else {
    tensor::take_registers<232>();
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    const auto release = [&](int stage) {
      if (lane < cluster) tensor::arrive(empty + stage, lane);
    };
    for (int index = first_tile; index < order.count(); index += blocks) {
      std::uint32_t d[128] = {};
      for (int step = 0; step < steps; ++step) {
        tensor::wait_for(full + place.stage, place.parity);
        const std::uint64_t a =
            tile_descriptor(a_shared + place.stage * Tile::a_bytes + (group - 1) * 64 * 128);
        const std::uint64_t b = row_tile_descriptor(b_shared + place.stage * Tile::b_bytes);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < Tile::depth; k += 16) // descriptors count 16 bytes
          wgmma_bf16_rows(d, a + k * 2 / 16, b + k * 128 / 16);
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (step > 0) release((place.stage + stages - 1) % stages); // the step before is done
        place.next();
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      release((place.stage + stages - 1) % stages);

      const auto [down, across] = order.at(index);
      const int row = (down * cluster + rank) * Tile::rows + (group - 1) * 64 + warp * 16;
      unsigned char* const out =
          c_shared + ((group - 1) * 4 + warp) * Tile::out_boxes * Tile::out_bytes + lane % 4 * 4;
#pragma unroll
      for (int first = 0; first < 4; first += Tile::out_boxes) {
        if (lane == 0) tensor::wait_until_read();
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 8 * Tile::out_boxes; ++i)
#pragma unroll
          for (int half = 0; half < 2; ++half) { // eight rows below
            const int at = (first * 8 + i) * 4 + half * 2, from_top = half * 8 + lane / 4;
            *reinterpret_cast<__nv_bfloat162*>(out + i / 8 * Tile::out_bytes + from_top * 128 +
                                               (i % 8 ^ from_top % 8) * 16) =
                __floats2bfloat162_rn(__uint_as_float(d[at]), __uint_as_float(d[at + 1]));
          }
        tensor::publish_shared();
        __syncwarp();
        if (lane == 0)
          for (int i = 0; i < Tile::out_boxes; ++i)
            tensor::write_box(c_map, across * Tile::columns + (first + i) * Tile::box_columns, row,
                              out + i * Tile::out_bytes);
      }
    }
    if (threadIdx.x % 32 == 0) tensor::wait_until_read(); // shared memory ends with the block
  }
  tensor::sync_cluster(); // a block that has left cannot be told anything
}

} // namespace perfmodel::kernels
