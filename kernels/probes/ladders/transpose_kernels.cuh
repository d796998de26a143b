// The transpose ladder's kernels, n x n words of 4 bytes, rows `pitch` words apart (n at least). Blocks of
// side x 8 threads work on square tiles, a row of words for each row of threads, all loads before the first
// store. All of them take any n and leave the words between the rows alone.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace perfmodel::kernels::transpose {

constexpr unsigned tile_rows = 8; // of threads

__device__ inline std::size_t word_at(unsigned row, unsigned column, unsigned pitch) {
  return row * std::size_t{pitch} + column;
}

// By rows: neighbouring threads access neighbouring words. By columns: words n apart. Rows to rows is the
// copy, columns to columns the copy by columns, rows to columns the naive transpose.
template <bool reads_columns, bool writes_columns>
__global__ void __launch_bounds__(32 * tile_rows)
    direct(const float* __restrict__ in, float* __restrict__ out, unsigned n, unsigned pitch) {
  constexpr unsigned tile = 32, per_thread = tile / tile_rows;
  const unsigned x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  float v[per_thread];
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i)
    if (x < n && y + i * tile_rows < n)
      v[i] = in[reads_columns ? word_at(x, y + i * tile_rows, pitch) : word_at(y + i * tile_rows, x, pitch)];
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i)
    if (x < n && y + i * tile_rows < n)
      out[writes_columns ? word_at(x, y + i * tile_rows, pitch) : word_at(y + i * tile_rows, x, pitch)] =
          v[i];
}

// Rows to rows through shared memory. Transposed, a warp reads columns of the tile: of one of 32 x 32 all in
// one bank, unless `padding` makes rows 33 words long. Diagonal: neighbouring blocks write neither the same
// rows nor the same columns.
template <unsigned tile, bool transposes, unsigned padding, bool diagonal>
__global__ void __launch_bounds__(tile* tile_rows)
    through_shared(const float* __restrict__ in, float* __restrict__ out, unsigned n, unsigned pitch) {
  constexpr unsigned per_thread = tile / tile_rows;
  __shared__ float words[tile][tile + padding];
  const unsigned tile_x = diagonal ? (blockIdx.x + blockIdx.y) % gridDim.x : blockIdx.x,
                 tile_y = diagonal ? blockIdx.x : blockIdx.y;
  const unsigned x = tile_x * tile + threadIdx.x, y = tile_y * tile + threadIdx.y;
#pragma unroll
  for (unsigned i = 0; i < tile; i += tile_rows)
    if (x < n && y + i < n) words[threadIdx.y + i][threadIdx.x] = in[word_at(y + i, x, pitch)];
  __syncthreads();
  const unsigned to_x = transposes ? tile_y * tile + threadIdx.x : x,
                 to_y = transposes ? tile_x * tile + threadIdx.y : y;
  float v[per_thread]; // what lies outside of the matrix is read, too, and not written
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i)
    v[i] = transposes ? words[threadIdx.x][threadIdx.y + i * tile_rows]
                      : words[threadIdx.y + i * tile_rows][threadIdx.x];
#pragma unroll
  for (unsigned i = 0; i < per_thread; ++i)
    if (to_x < n && to_y + i * tile_rows < n) out[word_at(to_y + i * tile_rows, to_x, pitch)] = v[i];
}

// Four words of a row from column x on, as one where rows are a multiple of 16 bytes; what lies outside is
// left alone.
template <bool whole> __device__ inline float4 load_four(const float* row, unsigned x, unsigned n) {
  if constexpr (whole) return x < n ? __ldcs(reinterpret_cast<const float4*>(row + x)) : float4{};
  return {x < n ? row[x] : 0, x + 1 < n ? row[x + 1] : 0, x + 2 < n ? row[x + 2] : 0,
          x + 3 < n ? row[x + 3] : 0};
}
template <bool whole> __device__ inline void store_four(float* row, unsigned x, unsigned n, float4 v) {
  if constexpr (whole) {
    if (x < n) __stcs(reinterpret_cast<float4*>(row + x), v);
  } else {
    if (x < n) row[x] = v.x;
    if (x + 1 < n) row[x + 1] = v.y;
    if (x + 2 < n) row[x + 2] = v.z;
    if (x + 3 < n) row[x + 3] = v.w;
  }
}

// Transposes with loads and stores of 16 bytes, tiles of `height` rows of `width` words. Vector v of row r
// lies in shared memory at v ^ (r / 4 mod 8): the four words that eight threads gather for vectors of one
// written row, in four rows together, are then in 32 different banks, and so are the eight vectors that a
// quarter of a warp stores.
template <unsigned width, unsigned height, unsigned threads, bool whole>
__global__ void __launch_bounds__(threads)
    vectorised(const float* __restrict__ in, float* __restrict__ out, unsigned n, unsigned pitch) {
  __shared__ float4 vectors[height][width / 4];
  constexpr unsigned row_vectors = width / 4, count = width * height / 4 / threads;
  const unsigned x0 = blockIdx.x * width, y0 = blockIdx.y * height;
  float4 v[count];
#pragma unroll
  for (unsigned k = 0; k < count; ++k) {
    const unsigned i = threadIdx.x + k * threads, row = i / row_vectors, x = i % row_vectors * 4;
    v[k] = y0 + row < n ? load_four<whole>(in + word_at(y0 + row, 0, pitch), x0 + x, n) : float4{};
  }
#pragma unroll
  for (unsigned k = 0; k < count; ++k) {
    const unsigned i = threadIdx.x + k * threads, row = i / row_vectors, vector = i % row_vectors;
    vectors[row][vector ^ (row / 4 % 8)] = v[k];
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (unsigned k = 0; k < count; ++k) {
    const unsigned part = warp + k * (threads / 32), across = part % (height / 32) * 8 + lane % 8,
                   column = part / (height / 32) * 4 + lane / 8;
    const unsigned at = (column / 4 ^ across % 8) * 4 + column % 4;
    const auto word = [&](unsigned row) { return reinterpret_cast<const float*>(vectors[row])[at]; };
    const unsigned row = across * 4;
    const float4 gathered{word(row), word(row + 1), word(row + 2), word(row + 3)};
    if (x0 + column < n) store_four<whole>(out + word_at(x0 + column, 0, pitch), y0 + row, n, gathered);
  }
}

} // namespace perfmodel::kernels::transpose
