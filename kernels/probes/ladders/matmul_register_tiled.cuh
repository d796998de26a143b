// The third rung: every thread keeps a small tile of C in registers, so that one word of shared memory serves
// several products, and the next tiles of A and B are on their way while this one is multiplied.
//   block   rows x columns of C, `depth` steps of k at a time in two buffers of shared memory
//   warp    4 x 8 threads; a thread's rows and columns lie in groups of four, a warp's groups side by side,
//   so
//           that a warp's 16-byte reads are contiguous
// A is stored transposed, with a row of padding that spreads its stores over the banks. Registers stage the
// tiles instead of cp.async: the transposition needs them, and it runs on every capability.
#pragma once

#include <cstddef>

namespace perfmodel::kernels {

template <int rows, int columns, int depth, int thread_rows, int thread_columns> struct RegisterTile {
  static constexpr int threads = rows / thread_rows * (columns / thread_columns);
  static constexpr int pitch = rows + 4; // words between the k of A's tile
  static constexpr int shared_bytes = 2 * depth * (pitch + columns) * 4;
};

// Four words of a row that has `width` of them, from `column` on; zeros outside. `aligned`: n is a multiple
// of four, so that all four are inside or outside, and at a 16-byte address.
template <bool aligned>
__device__ inline float4 four_words(const float* __restrict__ matrix, int row, int column, int n) {
  if (row >= n) return {};
  const float* const from = matrix + std::size_t(row) * n + column;
  if constexpr (aligned) return column < n ? *reinterpret_cast<const float4*>(from) : float4{};
  float4 words{};
  if (column < n) words.x = from[0];
  if (column + 1 < n) words.y = from[1];
  if (column + 2 < n) words.z = from[2];
  if (column + 3 < n) words.w = from[3];
  return words;
}

template <int rows, int columns, int depth, int thread_rows, int thread_columns, int blocks_per_sm,
          bool aligned>
__global__ void __launch_bounds__(RegisterTile<rows, columns, depth, thread_rows, thread_columns>::threads,
                                  blocks_per_sm)
    matmul_register_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                          int n) {
  using Tile = RegisterTile<rows, columns, depth, thread_rows, thread_columns>;
  constexpr int threads = Tile::threads, pitch = Tile::pitch;
  constexpr int warps_down = rows / (4 * thread_rows);
  constexpr int a_loads = rows * depth / 4 / threads, b_loads = columns * depth / 4 / threads;
  constexpr int row_groups = thread_rows / 4, column_groups = thread_columns / 4;
  static_assert(rows * depth % (4 * threads) == 0 && columns * depth % (4 * threads) == 0);
  extern __shared__ float4 shared[];
  float* const a_shared = reinterpret_cast<float*>(shared); // [2][depth][pitch]
  float* const b_shared = a_shared + 2 * depth * pitch;     // [2][depth][columns]

  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  // Pairs of lanes share an address of B, and pairs of pairs one of A: a half-warp's 16-byte reads of 8
  // different addresses are then one pass.
  const int lane_down = lane % 2 + lane / 16 * 2, lane_across = lane / 2 % 8;
  const int first_row = warp % warps_down * 4 * thread_rows + lane_down * 4;
  const int first_column = warp / warps_down * 8 * thread_columns + lane_across * 4;
  const int block_row = blockIdx.y * rows, block_column = blockIdx.x * columns;

  float4 a_staged[a_loads], b_staged[b_loads];
  // Two neighbouring threads read the 32 bytes of a sector of A; 16 rows of it reach 16 banks each.
  const auto a_row = [&](int i) { return (thread + i * threads) / 2 % rows; };
  const auto a_k = [&](int i) { return ((thread + i * threads) / (2 * rows) * 2 + thread % 2) * 4; };
  const auto b_k = [&](int i) { return (thread + i * threads) / (columns / 4); };
  const auto b_column = [&](int i) { return (thread + i * threads) % (columns / 4) * 4; };
  const auto load = [&](int first) {
#pragma unroll
    for (int i = 0; i < a_loads; ++i)
      a_staged[i] = four_words<aligned>(a, block_row + a_row(i), first + a_k(i), n);
#pragma unroll
    for (int i = 0; i < b_loads; ++i)
      b_staged[i] = four_words<aligned>(b, first + b_k(i), block_column + b_column(i), n);
  };
  const auto store = [&](int buffer) {
#pragma unroll
    for (int i = 0; i < a_loads; ++i) {
      float* const to = a_shared + (buffer * depth + a_k(i)) * pitch + a_row(i);
      to[0] = a_staged[i].x, to[pitch] = a_staged[i].y;
      to[2 * pitch] = a_staged[i].z, to[3 * pitch] = a_staged[i].w;
    }
#pragma unroll
    for (int i = 0; i < b_loads; ++i)
      *reinterpret_cast<float4*>(b_shared + (buffer * depth + b_k(i)) * columns + b_column(i)) = b_staged[i];
  };

  float sum[thread_rows][thread_columns] = {};
  float4 a_words[2][row_groups], b_words[2][column_groups];
  const auto fetch = [&](int to, int buffer, int k) {
#pragma unroll
    for (int group = 0; group < row_groups; ++group)
      a_words[to][group] =
          *reinterpret_cast<const float4*>(a_shared + (buffer * depth + k) * pitch + first_row + group * 16);
#pragma unroll
    for (int group = 0; group < column_groups; ++group)
      b_words[to][group] = *reinterpret_cast<const float4*>(b_shared + (buffer * depth + k) * columns +
                                                            first_column + group * 32);
  };

  load(0);
  store(0);
  __syncthreads();
  fetch(0, 0, 0);
  int buffer = 0;
#pragma unroll 1
  for (int first = 0; first < n; first += depth, buffer ^= 1) {
    const bool more = first + depth < n;
    if (more) load(first + depth);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      if (k + 1 == depth && more) {
        store(buffer ^ 1);
        __syncthreads();
        fetch((k + 1) % 2, buffer ^ 1, 0);
      }
      if (k + 1 < depth) fetch((k + 1) % 2, buffer, k + 1);
      const float* const a_now = reinterpret_cast<const float*>(a_words[k % 2]);
      const float* const b_now = reinterpret_cast<const float*>(b_words[k % 2]);
#pragma unroll
      for (int i = 0; i < thread_rows; ++i)
#pragma unroll
        for (int j = 0; j < thread_columns; ++j) sum[i][j] += a_now[i] * b_now[j];
    }
  }

#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    const int row = block_row + first_row + i / 4 * 16 + i % 4;
    if (row >= n) continue;
#pragma unroll
    for (int j = 0; j < thread_columns; j += 4) {
      const int column = block_column + first_column + j / 4 * 32;
      float* const to = c + std::size_t(row) * n + column;
      if constexpr (aligned) {
        if (column < n)
          *reinterpret_cast<float4*>(to) = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
      } else {
#pragma unroll
        for (int w = 0; w < 4; ++w)
          if (column + w < n) to[w] = sum[i][j + w];
      }
    }
  }
}

} // namespace perfmodel::kernels
