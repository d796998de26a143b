// C = A B of fp32 matrices in tf32 on Hopper's tensor units, which want both operands with k contiguous or,
// of one of them, in registers. So C^T = B^T A^T: a tile of A lies in shared memory as it comes, a tile of B
// is read from there into registers, transposed on the way. One block per SM walks over tiles of 256 rows and
// 128 columns of C; a thread of the first warpgroup keeps the copy engine four steps of k ahead, the two
// others multiply, 64 columns each, and store. Rows are of whole 16 bytes; stores, rounds and `times` are as
// in matmul_tensor_bf16.cuh.
#pragma once

#include "kernels/probes/bounds/wgmma.cuh"
#include "kernels/probes/ladders/tensor_pipeline.cuh"

#include <cstddef>

namespace perfmodel::kernels {

struct Tf32Tile {
  static constexpr int rows = 256, columns = 128, depth = 32, stages = 4, threads = 384;
  static constexpr int a_bytes = rows * depth * 4, b_bytes = columns * depth * 4; // per stage
  static constexpr int box_columns = 32; // of B: 128 bytes, the widest swizzled row
  static constexpr int box_bytes = box_columns * depth * 4;
  static constexpr int out_rows = 64, out_bytes = out_rows * 128; // of C, of two warps at a time
  static constexpr int shared_bytes =
      stages * (a_bytes + b_bytes + 16) + columns / box_columns * out_bytes + 1024; // 1024: to align
};

__device__ inline void wgmma_tf32_registers(std::uint32_t (&d)[128], const std::uint32_t (&a)[4],
                                            std::uint64_t b) {
  // clang-format off
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
#include "kernels/probes/bounds/wgmma_names.inc"
               "{%128, %129, %130, %131}, %132, 1, 1, 1;" :
#include "kernels/probes/bounds/wgmma_registers.inc"
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
  // clang-format on
}

static __global__ void __launch_bounds__(Tf32Tile::threads, 1)
    matmul_tensor_tf32(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
                       const __grid_constant__ CUtensorMap c_map, int n, int times,
                       unsigned* arrived_blocks) {
  using Tile = Tf32Tile;
  constexpr int stages = Tile::stages;
  extern __shared__ unsigned char raw[];
  unsigned char* const a_shared = raw + (1024 - tensor::shared_address(raw) % 1024) % 1024;
  unsigned char* const b_shared = a_shared + stages * Tile::a_bytes;
  unsigned char* const c_shared = b_shared + stages * Tile::b_bytes;
  auto* const full =
      reinterpret_cast<std::uint64_t*>(c_shared + Tile::columns / Tile::box_columns * Tile::out_bytes);
  std::uint64_t* const empty = full + stages;

  const int group = threadIdx.x / 128;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      tensor::init_barrier(full + stage, 1);
      tensor::init_barrier(empty + stage, 8); // a lane of each warp that multiplies
    }
    tensor::publish_barriers();
  }
  __syncthreads();

  const int steps_once = (n + 2 * Tile::depth - 1) / (2 * Tile::depth) * 2; // even; beyond n all is zero
  const int steps = steps_once * times;
  const tensor::TileOrder order{(n + Tile::rows - 1) / Tile::rows, (n + Tile::columns - 1) / Tile::columns};
  tensor::Place<stages> place;
  if (group == 0) {
    tensor::keep_registers<40>();
    if (threadIdx.x != 0) return;
    for (int index = blockIdx.x, first = 0; first < order.count(); index += gridDim.x, first += gridDim.x) {
      if (first > 0) tensor::meet_other_blocks(arrived_blocks);
      if (index >= order.count()) break;
      const auto [down, across] = order.at(index);
      for (int step = 0; step < steps; ++step, place.next()) {
        const int k = step % steps_once * Tile::depth;
        std::uint64_t* const arrived = full + place.stage;
        tensor::wait_for(empty + place.stage, place.parity ^ 1);
        tensor::expect_bytes(arrived, Tile::a_bytes + Tile::b_bytes);
        tensor::copy_box(a_shared + place.stage * Tile::a_bytes, a_map, k, down * Tile::rows, arrived);
        for (int i = 0; i < Tile::columns / Tile::box_columns; ++i)
          tensor::copy_box(b_shared + place.stage * Tile::b_bytes + i * Tile::box_bytes, b_map,
                           across * Tile::columns + i * Tile::box_columns, k, arrived);
      }
    }
    return;
  }
  tensor::take_registers<232>();
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  // A thread's fragment holds C's columns (of its warp's 16) lane / 4 and lane / 4 + 8 at k and k + 4. Which
  // columns these are is free: four neighbours and the four that lie 16 further lie in different banks for
  // the four k that the lanes of a quad read.
  const int four = (lane >> 4) & 1, box = (group - 1) * 2 + warp / 2;
  const auto chunk = [&](int half) { return warp % 2 * 2 + half + four * 4; }; // of 4 columns, in the box
  const auto word = [&](int k, int half) { return k * 32 + ((chunk(half) ^ (k & 7)) * 4) + lane / 4 % 4; };
  const auto release = [&](int stage) {
    if (lane == 0) tensor::arrive(empty + stage, 0);
  };

  for (int index = blockIdx.x; index < order.count(); index += gridDim.x) {
    std::uint32_t d[128] = {};
    std::uint32_t fragments[2][4][4]; // two steps: the tensor units still read those of the step before
    const auto multiply = [&](std::uint32_t(&now)[4][4], std::uint32_t(&before)[4][4], bool release_last) {
      tensor::wait_for(full + place.stage, place.parity);
      const auto* const b = reinterpret_cast<const std::uint32_t*>(b_shared + place.stage * Tile::b_bytes +
                                                                   box * Tile::box_bytes);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          // Rounded: the units drop the last 13 bits. The copy engine has rounded A.
          now[i][j] = b[word(i * 8 + lane % 4 + j / 2 * 4, j % 2)] + 0x1000;
      const std::uint64_t a = tile_descriptor(a_shared + place.stage * Tile::a_bytes);
      wgmma_begin();
#pragma unroll
      for (int i = 0; i < 4; ++i) wgmma_tf32_registers(d, now[i], a + i * 32 / 16);
      asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
#pragma unroll
      for (int i = 0; i < 16; ++i) asm volatile("" ::"r"(before[i / 4][i % 4])); // kept until here
      if (release_last) release((place.stage + stages - 1) % stages);
      place.next();
    };
#pragma unroll
    for (int i = 0; i < 16; ++i) fragments[1][i / 4][i % 4] = 0;
    for (int step = 0; step < steps; step += 2) {
      multiply(fragments[0], fragments[1], step > 0);
      multiply(fragments[1], fragments[0], true);
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    release((place.stage + stages - 1) % stages);

    const auto [down, across] = order.at(index);
    unsigned char* const out = c_shared + box * Tile::out_bytes;
    const bool leads = warp % 2 == 0 && lane == 0; // of the two warps of a box
#pragma unroll
    for (int first = 0; first < Tile::rows; first += Tile::out_rows) {
      if (leads) tensor::wait_until_read();
      tensor::sync_threads(1 + box, 64);
#pragma unroll
      for (int i = 0; i < Tile::out_rows / 8; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int j = 0; j < 2; ++j) { // half of the lanes have the odd row first: other banks
            const int odd = j ^ four, from_top = i * 8 + lane % 4 * 2 + odd;
            const std::uint32_t *const pair = d + (first / 8 + i) * 4 + half * 2,
                                       sum = odd ? pair[1] : pair[0];
            *reinterpret_cast<std::uint32_t*>(out + from_top * 128 + (chunk(half) ^ from_top % 8) * 16 +
                                              lane / 4 % 4 * 4) = sum;
          }
      tensor::publish_shared();
      tensor::sync_threads(1 + box, 64);
      if (leads)
        tensor::write_box(c_map, across * Tile::columns + box * Tile::box_columns, down * Tile::rows + first,
                          out);
    }
  }
  if (threadIdx.x % 64 == 0) tensor::wait_until_read(); // shared memory ends with the block
}

} // namespace perfmodel::kernels
