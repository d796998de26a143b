// Sums, norms, extremes, statistics and votes, by trees, shuffles, cooperative groups and atomics.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#include <algorithm>

namespace perfmodel::collection {

using namespace program;
namespace cg = cooperative_groups;
namespace {

// The dot product of two vectors by a tree in shared memory; every block adds its part to the result.
__global__ void dot_by_tree(const float* a, const float* b, float* result, int n) {
  extern __shared__ float parts[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, parts[0]);
}

// The sum of squares with an atomic addition of every thread.
__global__ void square_sum_all_atomic(const float* in, float* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(result, in[i] * in[i]);
}

// The sum of absolute differences of doubles with one atomic addition a warp.
__global__ void distance_atomic_by_warp(const double* a, const double* b, double* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = i < n ? fabs(a[i] - b[i]) : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

// Mean and variance of every row in one pass, one row a block, with cooperative groups.
__global__ void mean_and_variance_of_rows(const float* in, float2* out, int length) {
  __shared__ float2 parts[32];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const float* const row = in + static_cast<size_t>(blockIdx.x) * length;
  float sum = 0, squares = 0;
  for (int i = block.thread_rank(); i < length; i += block.size()) {
    const float value = row[i];
    sum += value;
    squares += value * value;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  squares = cg::reduce(warp, squares, cg::plus<float>());
  if (warp.thread_rank() == 0) parts[warp.meta_group_rank()] = make_float2(sum, squares);
  block.sync();
  if (block.thread_rank() > 0) return;
  for (unsigned w = 1; w < warp.meta_group_size(); ++w) {
    sum += parts[w].x;
    squares += parts[w].y;
  }
  const float mean = sum / length;
  out[blockIdx.x] = make_float2(mean, squares / length - mean * mean);
}

struct Box {
  float low[3], high[3];
};

// The box about the points of each block, as a tree of structs in shared memory.
__global__ void bounding_boxes(const float3* points, Box* boxes) {
  __shared__ Box parts[256];
  const float3 point = points[blockIdx.x * 256 + threadIdx.x];
  parts[threadIdx.x] = {{point.x, point.y, point.z}, {point.x, point.y, point.z}};
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    Box& mine = parts[threadIdx.x];
    const Box& other = parts[threadIdx.x + half];
    for (int axis = 0; axis < 3; ++axis) {
      mine.low[axis] = fminf(mine.low[axis], other.low[axis]);
      mine.high[axis] = fmaxf(mine.high[axis], other.high[axis]);
    }
  }
  if (threadIdx.x == 0) boxes[blockIdx.x] = parts[0];
}

// The place of the first maximum of every row, one row a warp.
__global__ void first_maximum_of_rows(const float* in, int* places, int rows, int length) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float most = -INFINITY;
  int place = 0;
  for (int i = threadIdx.x; i < length; i += 32) {
    const float value = in[static_cast<size_t>(row) * length + i];
    place = value > most ? i : place;
    most = fmaxf(most, value);
  }
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(~0U, most, d);
    const int there = __shfl_xor_sync(~0U, place, d);
    const bool better = other > most || (other == most && there < place);
    place = better ? there : place;
    most = better ? other : most;
  }
  if (threadIdx.x == 0) places[row] = place;
}

// The sums of the columns of some rows a block: 32 columns across, eight rows at a time.
template <class T>
__global__ void sums_of_columns(const T* in, T* out, int rows, int cols, int rows_of_block) {
  __shared__ T parts[8][32];
  const int col = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * rows_of_block;
  T sum = 0;
  if (col < cols)
    for (int row = first + threadIdx.y; row < min(first + rows_of_block, rows); row += 8)
      sum += in[static_cast<size_t>(row) * cols + col];
  parts[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || col >= cols) return;
  for (int y = 1; y < 8; ++y) sum += parts[y][threadIdx.x];
  out[static_cast<size_t>(blockIdx.y) * cols + col] = sum;
}

// The sum of 64-bit numbers in two stages of one launch: the last block to finish adds the parts.
__global__ void sum_by_last_block(const long long* in, volatile long long* parts, unsigned* finished,
                                  long long* result, int n) {
  __shared__ long long sums[8];
  __shared__ bool last;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const auto sum_of_block = [&](long long sum) { // complete in thread 0
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0U, sum, d);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int w = 1; w < 8; ++w) sum += sums[w];
    return sum;
  };
  long long sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1; // which sets it to 0 for the next launch
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += 256) sum += parts[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}

// Whether any, and whether all, of the bytes of each block are in a range: votes of warps and of the block.
__global__ void votes_of_bytes(const uchar4* in, int* any, int* warps_all, unsigned char low,
                               unsigned char high) {
  const uchar4 four = in[blockIdx.x * blockDim.x + threadIdx.x];
  const auto inside = [&](unsigned char value) { return value >= low && value < high; };
  const bool one = inside(four.x) || inside(four.y) || inside(four.z) || inside(four.w);
  const bool four_of_four = inside(four.x) && inside(four.y) && inside(four.z) && inside(four.w);
  const int all = __all_sync(~0U, four_of_four);
  const int warps = __syncthreads_count(all && threadIdx.x % 32 == 0);
  const int some = __syncthreads_or(one);
  if (threadIdx.x > 0) return;
  any[blockIdx.x] = some != 0;
  warps_all[blockIdx.x] = warps;
}

// The greatest of halves in absolute value, two at a time, eight a load; a maximum of bits at the end.
__global__ void greatest_half(const uint4* in, unsigned* result, int n) {
  half2 most = __float2half2_rn(0);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 eight = in[i];
    const unsigned words[4] = {eight.x, eight.y, eight.z, eight.w};
    for (const unsigned word : words) most = __hmax2(most, __habs2(*reinterpret_cast<const half2*>(&word)));
  }
  float value = fmaxf(__low2float(most), __high2float(most));
  for (int d = 16; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(~0U, value, d));
  if (threadIdx.x % 32 == 0) atomicMax(result, __float_as_uint(value)); // positive floats are ordered as bits
}

void run_dot(int n, unsigned blocks, unsigned block) {
  const Array<float> a(elements(n)), b(elements(n)), result(1);
  repeat("dot_by_tree",
         [&] { dot_by_tree<<<blocks, block, block * sizeof(float)>>>(a.data, b.data, result.data, n); });
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(element(i)) * element(i);
  expect(close(result.host()[0], times * sum, 1e-3), "dot_by_tree"); // added to by every launch
}

void run_squares(int n, unsigned block) {
  const Array<float> in(std::vector<float>(n, 0.5F)), result(1);
  repeat("square_sum_all_atomic",
         [&] { square_sum_all_atomic<<<blocks_of(n, block), block>>>(in.data, result.data, n); });
  expect(result.host()[0] == times * 0.25F * n, "square_sum_all_atomic"); // exact below 2^24 quarters
}

void run_distance(int n, unsigned block) {
  std::vector<double> left(n), right(n);
  for (int i = 0; i < n; ++i) left[i] = i % 10, right[i] = i % 4;
  const Array<double> a(left), b(right), result(1);
  repeat("distance_atomic_by_warp",
         [&] { distance_atomic_by_warp<<<blocks_of(n, block), block>>>(a.data, b.data, result.data, n); });
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += std::fabs(left[i] - right[i]);
  expect(result.host()[0] == times * sum, "distance_atomic_by_warp"); // whole numbers
}

void run_variance(int rows, int length, unsigned block) {
  const Array<float> in(elements(static_cast<size_t>(rows) * length));
  const Array<float2> out(rows);
  repeat("mean_and_variance_of_rows",
         [&] { mean_and_variance_of_rows<<<rows, block>>>(in.data, out.data, length); });
  double sum = 0, squares = 0;
  for (size_t i = in.count - length; i < in.count; ++i) {
    sum += element(i);
    squares += static_cast<double>(element(i)) * element(i);
  }
  const float2 found = out.host().back();
  const double mean = sum / length, variance = squares / length - mean * mean;
  expect(close(found.x, mean, 1e-4) && close(found.y, variance, 1e-3), "mean_and_variance_of_rows");
}

void run_boxes(int blocks) {
  std::vector<float3> host(static_cast<size_t>(blocks) * 256);
  for (size_t i = 0; i < host.size(); ++i) host[i] = make_float3(element(i), element(i + 300) - 2, i % 256);
  const Array<float3> points(host);
  const Array<Box> boxes(blocks);
  repeat("bounding_boxes", [&] { bounding_boxes<<<blocks, 256>>>(points.data, boxes.data); });
  float low = 1, high = 0;
  for (size_t i = host.size() - 256; i < host.size(); ++i)
    low = std::min(low, host[i].x), high = std::max(high, host[i].x);
  const Box found = boxes.host().back();
  expect(found.low[0] == low && found.high[0] == high && found.high[1] < 0, "bounding_boxes");
  expect(found.low[2] == 0 && found.high[2] == 255, "bounding_boxes");
}

void run_maximum(int rows, int length, unsigned high) {
  const std::vector<float> host = elements(static_cast<size_t>(rows) * length);
  const Array<float> in(host);
  const Array<int> places(rows);
  repeat("first_maximum_of_rows", [&] {
    first_maximum_of_rows<<<blocks_of(rows, high), dim3(32, high)>>>(in.data, places.data, rows, length);
  });
  const std::vector<int> found = places.host();
  for (const int row : {0, rows / 2, rows - 1}) {
    const auto start = host.begin() + static_cast<size_t>(row) * length;
    expect(found[row] == std::max_element(start, start + length) - start, "first_maximum_of_rows");
  }
}

template <class T> void run_columns(int rows, int cols, int rows_of_block) {
  std::vector<T> host(static_cast<size_t>(rows) * cols);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i % 13);
  const unsigned parts = blocks_of(rows, rows_of_block);
  const dim3 grid(blocks_of(cols, 32), parts), block(32, 8);
  const Array<T> in(host), out(static_cast<size_t>(parts) * cols);
  repeat("sums_of_columns",
         [&] { sums_of_columns<<<grid, block>>>(in.data, out.data, rows, cols, rows_of_block); });
  T sum = 0;
  for (size_t row = (parts - 1) * rows_of_block; row < static_cast<size_t>(rows); ++row)
    sum += host[row * cols + cols - 1];
  expect(out.host().back() == sum, "sums_of_columns"); // whole numbers
}

void run_last(int n, unsigned blocks) {
  std::vector<long long> host(n);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] = i * 1000003LL;
  const Array<long long> in(host), parts(blocks), result(1);
  const Array<unsigned> finished(1);
  repeat("sum_by_last_block",
         [&] { sum_by_last_block<<<blocks, 256>>>(in.data, parts.data, finished.data, result.data, n); });
  expect(result.host()[0] == sum, "sum_by_last_block");
}

void run_votes(int blocks, unsigned block) { // a byte is the number of its warp modulo 5
  std::vector<uchar4> host(static_cast<size_t>(blocks) * block);
  for (size_t i = 0; i < host.size(); ++i) {
    const unsigned char value = i / 32 % 5;
    host[i] = make_uchar4(value, value, value, i % 32 == 9 ? 77 : value);
  }
  const Array<uchar4> in(host);
  const Array<int> any(blocks), all(blocks);
  repeat("votes_of_bytes", [&] { votes_of_bytes<<<blocks, block>>>(in.data, any.data, all.data, 4, 80); });
  const size_t last = static_cast<size_t>(blocks - 1) * block / 32;
  int fours = 0;
  for (size_t w = last; w < last + block / 32; ++w) fours += w % 5 == 4 ? 1 : 0;
  expect(any.host().back() == 1 && all.host().back() == fours, "votes_of_bytes");
}

void run_greatest(int n, unsigned blocks) {
  std::vector<half2> table(200), host(4 * static_cast<size_t>(n));
  for (int i = 0; i < 200; ++i) table[i] = __floats2half2_rn(i, -300 - i);
  for (size_t i = 0; i < host.size(); ++i) host[i] = table[i % 100];
  host[host.size() - 3] = __floats2half2_rn(1, -513);
  const Array<half2> in(host);
  const Array<unsigned> result(1);
  const uint4* const eights = reinterpret_cast<const uint4*>(in.data);
  repeat("greatest_half", [&] { greatest_half<<<blocks, 512>>>(eights, result.data, n); });
  expect(result.host()[0] == 0x44004000, "greatest_half"); // the bits of 513
}

} // namespace

void run_reductions() {
  run_dot(1 << 24, 528, 256);
  run_dot(9999999, 132, 1024);
  run_squares(1 << 20, 256);
  run_distance(1 << 22, 128);
  run_variance(20000, 1000, 128);
  run_variance(300, 65536, 1024);
  run_boxes(40000);
  run_maximum(8000, 3000, 8);
  run_columns<float>(10000, 2000, 500);
  run_columns<double>(3000, 5001, 3000);
  run_last(1 << 24, 1056);
  run_votes(30000, 256);
  run_votes(5001, 1024);
  run_greatest(1 << 22, 264);
}

} // namespace perfmodel::collection
