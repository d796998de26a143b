// A transpose whose tiles are fetched and written by the tensor memory accelerator (Hopper and later). A tile
// of 32 x 32 words is a box of both tensors; 64 threads transpose it in place, 4 x 4 words each in their
// registers. The accelerator puts 16-byte column c of row r at c ^ (r mod 8); eight threads of a quarter-warp
// take blocks of words along a diagonal of the tile, so that all they read and write at a time lies in
// different banks.
#pragma once

#include "kernels/probes/ladders/tensor_map.hpp"
#include "kernels/probes/ladders/tensor_pipeline.cuh"

namespace perfmodel::kernels::transpose {

constexpr unsigned box = 32, box_threads = 64, box_bytes = box * box * sizeof(float);

// A block has wide x high boxes, each with 64 threads of its own.
template <unsigned wide, unsigned high>
__global__ void __launch_bounds__(box_threads* wide* high)
    through_boxes(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __shared__ alignas(1024) float boxes[wide * high][box * box]; // 1024: where the swizzle begins
  __shared__ std::uint64_t arrived[wide * high];
  const unsigned own = threadIdx.x / box_threads, thread = threadIdx.x % box_threads;
  const unsigned x = (blockIdx.x * wide + own % wide) * box, y = (blockIdx.y * high + own / wide) * box;
  if (thread == 0) {
    tensor::init_barrier(&arrived[own], 1);
    tensor::publish_barriers();
    tensor::expect_bytes(&arrived[own], box_bytes);
    tensor::copy_box(boxes[own], in, static_cast<int>(x), static_cast<int>(y), &arrived[own]);
  }
  __syncthreads();
  tensor::wait_for(&arrived[own], 0);

  const unsigned column = thread % 8, row = column ^ thread / 8; // of its 4 x 4 words
  auto* const vectors = reinterpret_cast<float4*>(boxes[own]);
  const auto at = [](unsigned r, unsigned c) { return r * 8 + (c ^ r % 8); };
  float4 v[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) v[i] = vectors[at(row * 4 + i, column)];
  __syncthreads();
  vectors[at(column * 4 + 0, row)] = {v[0].x, v[1].x, v[2].x, v[3].x};
  vectors[at(column * 4 + 1, row)] = {v[0].y, v[1].y, v[2].y, v[3].y};
  vectors[at(column * 4 + 2, row)] = {v[0].z, v[1].z, v[2].z, v[3].z};
  vectors[at(column * 4 + 3, row)] = {v[0].w, v[1].w, v[2].w, v[3].w};
  tensor::publish_shared();
  __syncthreads();
  if (thread == 0) {
    tensor::write_box(out, static_cast<int>(y), static_cast<int>(x), boxes[own]);
    tensor::wait_until_read(); // shared memory ends with the block
  }
#endif
}

// n > 0; `pitch`, words from row to row, is a multiple of 4, as the accelerator wants whole 16 bytes. Throws
// MachineError.
inline CUtensorMap boxes_of(const float* words, unsigned n, unsigned pitch) {
  return tensor::map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float), words, n, pitch * sizeof(float), box);
}

} // namespace perfmodel::kernels::transpose
