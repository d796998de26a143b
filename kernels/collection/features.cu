// What newer GPUs and CUDA offer: cooperative groups, warp-wide instructions, asynchronous copies, clusters,
// large shared memory, cache hints and the newer atomics.
#include "themes.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;
namespace cg = cooperative_groups;

namespace {

__host__ __device__ unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bU;
  x = (x ^ x >> 13) * 0xc2b2ae35U;
  return x ^ x >> 16;
}

std::vector<int> small_numbers(size_t n) {
  std::vector<int> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<int>(mix(static_cast<unsigned>(i)) % 1000);
  return all;
}

// The norm of each row, a tile of the warp a row, by cg::reduce.
template <int size> __global__ void row_norms_by_tiles(const float* x, float* norms, int rows, int columns) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (int i = tile.thread_rank(); i < columns; i += size) {
    const float value = x[static_cast<size_t>(row) * columns + i];
    sum += value * value;
  }
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) norms[row] = sqrtf(sum);
}

template <int size> void run_row_norms(int rows, int columns, int block) {
  const Array<float> x(elements(static_cast<size_t>(rows) * columns)), norms(rows);
  repeat("row_norms_by_tiles", [&] {
    row_norms_by_tiles<size><<<blocks_of(rows, block / size), block>>>(x.data, norms.data, rows, columns);
  });
  double sum = 0;
  for (int i = 0; i < columns; ++i) sum += std::pow(element(static_cast<size_t>(rows - 1) * columns + i), 2);
  expect(close(at(norms, rows - 1), std::sqrt(sum), 1e-4), "row_norms_by_tiles");
}

// Sum and largest of each 1024 numbers by the warp's own instructions for integers, four numbers a thread.
__global__ void block_totals_reduce_sync(const int4* in, int2* totals) {
  __shared__ int sums[8], tops[8];
  const int4 v = in[blockIdx.x * 256 + threadIdx.x];
  const int sum = __reduce_add_sync(~0U, v.x + v.y + v.z + v.w);
  const int top = __reduce_max_sync(~0U, max(max(v.x, v.y), max(v.z, v.w)));
  if (threadIdx.x % 32 == 0) {
    sums[threadIdx.x / 32] = sum;
    tops[threadIdx.x / 32] = top;
  }
  __syncthreads();
  if (threadIdx.x >= 8) return;
  const int total = __reduce_add_sync(0xFFU, sums[threadIdx.x]);
  const int largest = __reduce_max_sync(0xFFU, tops[threadIdx.x]);
  if (threadIdx.x == 0) totals[blockIdx.x] = make_int2(total, largest);
}

void run_block_totals(int blocks) {
  const std::vector<int> host = small_numbers(static_cast<size_t>(blocks) * 1024);
  const Array<int> in(host);
  const Array<int2> totals(blocks);
  repeat("block_totals_reduce_sync", [&] {
    block_totals_reduce_sync<<<blocks, 256>>>(reinterpret_cast<const int4*>(in.data), totals.data);
  });
  int sum = 0, top = 0;
  for (size_t i = host.size() - 1024; i < host.size(); ++i) {
    sum += host[i];
    top = top > host[i] ? top : host[i];
  }
  expect(at(totals, blocks - 1).x == sum && at(totals, blocks - 1).y == top, "block_totals_reduce_sync");
}

// Histogram in shared memory; the lanes of a warp with the same bin add once, as __match_any_sync finds them.
__global__ void histogram_match_any(const int* in, unsigned* bins, int n) {
  __shared__ unsigned counts[1000];
  for (int i = threadIdx.x; i < 1000; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  for (int start = blockIdx.x * blockDim.x; start < n; start += gridDim.x * blockDim.x) {
    const int i = start + threadIdx.x, bin = i < n ? in[i] : -1;
    const unsigned same = __match_any_sync(~0U, bin);
    if (bin >= 0 && threadIdx.x % 32 == __ffs(same) - 1) {
      cuda::atomic_ref<unsigned, cuda::thread_scope_block> count(counts[bin]);
      count.fetch_add(__popc(same), cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1000; i += blockDim.x)
    if (counts[i] > 0) atomicAdd(bins + i, counts[i]);
}

void run_histogram(int n) {
  const std::vector<int> host = small_numbers(n);
  const Array<int> in(host);
  const Array<unsigned> bins(1000);
  repeat("histogram_match_any", [&] { histogram_match_any<<<264, 512>>>(in.data, bins.data, n); });
  unsigned count = 0;
  for (const int bin : host) count += bin == 77;
  expect(at(bins, 77) == times * count, "histogram_match_any");
}

// Differences of neighbours, smoothed, over tiles of 1024 floats that are copied asynchronously two deep.
__global__ void __launch_bounds__(256) tiles_by_async_copy(const float4* in, float* out, int tiles) {
  __shared__ float4 buffers[2][256];
  const int t = threadIdx.x;
  int turn = 0;
  if (blockIdx.x < tiles) __pipeline_memcpy_async(&buffers[0][t], in + blockIdx.x * 256 + t, sizeof(float4));
  __pipeline_commit();
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn = 1 - turn) {
    const int next = tile + gridDim.x;
    if (next < tiles) __pipeline_memcpy_async(&buffers[1 - turn][t], in + next * 256 + t, sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float* values = reinterpret_cast<const float*>(buffers[turn]);
    for (int i = t; i < 1024; i += 256)
      out[tile * 1024 + i] =
          0.5F * values[i] + 0.3F * values[(i + 1) % 1024] + 0.2F * values[(i + 37) % 1024];
    __syncthreads();
  }
}

void run_async_tiles(int tiles, int blocks) {
  const size_t n = static_cast<size_t>(tiles) * 1024;
  std::vector<float> host(n);
  for (size_t i = 0; i < n; ++i) host[i] = element(i / 3);
  const Array<float> in(host), out(n);
  repeat("tiles_by_async_copy", [&] {
    tiles_by_async_copy<<<blocks, 256>>>(reinterpret_cast<const float4*>(in.data), out.data, tiles);
  });
  for (const size_t tile : {0, 1, tiles / 2, tiles - 1}) {
    const float* v = host.data() + tile * 1024;
    expect(close(at(out, tile * 1024 + 5), 0.5 * v[5] + 0.3 * v[6] + 0.2 * v[42], 1e-5),
           "tiles_by_async_copy");
    expect(close(at(out, tile * 1024 + 1023), 0.5 * v[1023] + 0.3 * v[0] + 0.2 * v[36], 1e-5),
           "tiles_by_async_copy");
  }
}

// Blends two images of bytes with streaming loads and stores, four words at a time, by SIMD in a word.
__global__ void blend_streaming(const uint4* a, const uint4* b, uint4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 x = __ldcs(a + i), y = __ldcs(b + i);
  __stcs(out + i, make_uint4(__vavgu4(x.x, y.x), __vavgu4(x.y, y.y), __vavgu4(x.z, y.z), __vavgu4(x.w, y.w)));
}

void run_blend(size_t bytes, int block) {
  std::vector<unsigned char> first(bytes), second(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    first[i] = static_cast<unsigned char>(i * 7);
    second[i] = static_cast<unsigned char>(i / 5);
  }
  const Array<unsigned char> a(first), b(second), out(bytes);
  const int n = static_cast<int>(bytes / 16);
  repeat("blend_streaming", [&] {
    blend_streaming<<<blocks_of(n, block), block>>>(reinterpret_cast<const uint4*>(a.data),
                                                    reinterpret_cast<const uint4*>(b.data),
                                                    reinterpret_cast<uint4*>(out.data), n);
  });
  for (size_t i = bytes - 9; i < bytes; ++i)
    expect(at(out, i) == (first[i] + second[i] + 1) / 2, "blend_streaming");
}

// Each block of a cluster loads 2048 floats; then all read those of the other blocks by distributed memory.
__global__ void cluster_rotation(const float* in, float* out) {
  __shared__ float mine[2048];
  const cg::cluster_group cluster = cg::this_cluster();
  const size_t start = static_cast<size_t>(blockIdx.x) * 2048;
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) mine[i] = in[start + i];
  cluster.sync();
  const unsigned size = cluster.num_blocks(), rank = cluster.block_rank();
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
    float sum = 0;
    for (unsigned k = 0; k < size; ++k) sum += (k + 1) * cluster.map_shared_rank(mine, (rank + k) % size)[i];
    out[start + i] = sum;
  }
  cluster.sync();
}

void run_cluster(int clusters, unsigned size, int block) {
  const size_t n = static_cast<size_t>(clusters) * size * 2048;
  std::vector<float> host(n);
  for (size_t i = 0; i < n; ++i) host[i] = element(i / 5);
  const Array<float> in(host), out(n);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {size, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(clusters * size);
  config.blockDim = dim3(block);
  config.attrs = &attribute;
  config.numAttrs = 1;
  repeat("cluster_rotation", [&] {
    check(cudaLaunchKernelEx(&config, cluster_rotation, static_cast<const float*>(in.data), out.data),
          "cluster_rotation");
  });
  const size_t rank = size - 2, first = n - size * 2048; // of the last cluster
  double sum = 0;
  for (size_t k = 0; k < size; ++k) sum += (k + 1) * host[first + (rank + k) % size * 2048 + 99];
  expect(close(at(out, first + rank * 2048 + 99), sum, 1e-5), "cluster_rotation");
}

// A matrix of side x side a block, turned and scaled by its diagonal in large dynamic shared memory.
__global__ void turn_in_large_shared(const float* in, float* out, int side) {
  extern __shared__ float matrix[];
  const size_t start = static_cast<size_t>(blockIdx.x) * side * side;
  for (int i = threadIdx.x; i < side * side; i += blockDim.x) matrix[i] = in[start + i];
  __syncthreads();
  for (int i = threadIdx.x; i < side * side; i += blockDim.x)
    out[start + i] = matrix[i % side * side + i / side] * matrix[i / side * (side + 1)];
}

void run_turn(int matrices, int side, int block) {
  const size_t n = static_cast<size_t>(matrices) * side * side, start = n - side * side;
  const Array<float> in(elements(n)), out(n);
  const int bytes = side * side * static_cast<int>(sizeof(float));
  check(cudaFuncSetAttribute(turn_in_large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "bytes");
  repeat("turn_in_large_shared",
         [&] { turn_in_large_shared<<<matrices, block, bytes>>>(in.data, out.data, side); });
  const int row = side - 3, column = 8;
  const double expected = element(start + column * side + row) * element(start + row * (side + 1));
  expect(close(at(out, start + row * side + column), expected, 1e-5), "turn_in_large_shared");
}

// A field of waves by fast intrinsics in persistent blocks, two of them an SM.
__global__ void __launch_bounds__(1024, 2)
    waves_fast_math(const float* __restrict__ phase, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float p = __ldg(phase + i);
    float sum = 0;
#pragma unroll 4
    for (int k = 1; k <= 12; ++k) sum += __fdividef(__sinf(p * k), __expf(0.25F * k) + p);
    out[i] = sum;
  }
}

void run_waves(int n, int blocks) {
  const Array<float> phase(elements(n)), out(n);
  repeat("waves_fast_math", [&] { waves_fast_math<<<blocks, 1024>>>(phase.data, out.data, n); });
  const double p = element(n - 1);
  double sum = 0;
  for (int k = 1; k <= 12; ++k) sum += std::sin(p * k) / (std::exp(0.25 * k) + p);
  expect(close(at(out, n - 1), sum, 1e-3), "waves_fast_math");
}

// Sums down the columns: each block adds what 64 rows give to the totals, by atomics on pairs of halves or on
// four floats.
template <class T> __global__ void column_sums_vector_atomics(const float4* in, T* totals, int quads) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= quads) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < 64; ++k) {
    const float4 v = in[(static_cast<size_t>(blockIdx.y) * 64 + k) * quads + column];
    sum = make_float4(sum.x + v.x, sum.y + v.y, sum.z + v.z, sum.w + v.w);
  }
  if constexpr (sizeof(T) == sizeof(float4)) {
    atomicAdd(totals + column, sum);
  } else {
    atomicAdd(totals + 2 * column, __floats2half2_rn(sum.x / 64, sum.y / 64));
    atomicAdd(totals + 2 * column + 1, __floats2half2_rn(sum.z / 64, sum.w / 64));
  }
}

template <class T> void run_column_sums(int rows, int quads, int block) { // columns of 0s, 1s, 2s and 3s
  std::vector<float4> host(static_cast<size_t>(rows) * quads, make_float4(0, 1, 2, 3));
  const Array<float4> in(host);
  const Array<T> totals(quads * sizeof(float4) / sizeof(T) / (sizeof(T) == sizeof(float4) ? 1 : 2));
  const dim3 grid(blocks_of(quads, block), rows / 64);
  repeat("column_sums_vector_atomics",
         [&] { column_sums_vector_atomics<<<grid, block>>>(in.data, totals.data, quads); });
  const T last = at(totals, totals.count - 1);
  if constexpr (sizeof(T) == sizeof(float4))
    expect(last.y == 1.0F * times * rows && last.w == 3.0F * times * rows, "column_sums_vector_atomics");
  else
    expect(__high2float(last) == 3.0F * times * (rows / 64), "column_sums_vector_atomics");
}

} // namespace

void run_features() {
  run_row_norms<16>(200'000, 200, 256);
  run_row_norms<4>(1'000'000, 24, 128);
  run_block_totals(30'000);
  run_histogram(20'000'000);
  run_async_tiles(40'000, 528);
  run_async_tiles(3000, 132);
  run_blend(size_t{96} << 20, 256);
  run_cluster(4000, 4, 256);
  run_cluster(300, 8, 512);
  run_turn(700, 200, 512);
  run_turn(2000, 160, 1024);
  run_waves(1 << 25, 264);
  run_column_sums<float4>(8192, 1024, 128);
  run_column_sums<__half2>(2560, 3000, 64);
}

} // namespace perfmodel::collection
