// Products of matrices and vectors, from the first attempt of a course to what a library hacker tries.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <cuda_bf16.h>

namespace perfmodel::collection {

using namespace program;

namespace {

// C (m x n) = A (m x k) B (k x n), one element a thread.
template <class T> __global__ void multiply_naive(const T* a, const T* b, T* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// C = A B', where B is stored by rows too (n x k), so that neighbours read k elements apart.
__global__ void multiply_by_rows(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[col * k + i];
  c[row * n + col] = sum;
}

// C = A B with square tiles in shared memory, of any size of tile and of matrix.
template <int TILE>
__global__ void multiply_tiles(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[TILE][TILE];
  __shared__ float right[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int start = 0; start < k; start += TILE) {
    left[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0F;
    right[ty][tx] = col < n && start + ty < k ? b[(start + ty) * n + col] : 0.0F;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// C = A B with ROWS x COLS elements a thread, 256 threads a block, tiles of depth 16.
template <int ROWS, int COLS>
__global__ __launch_bounds__(256) void multiply_registers(const float* a, const float* b, float* c, int m,
                                                          int n, int k) {
  constexpr int depth = 16, high = 16 * ROWS, wide = 16 * COLS;
  __shared__ float left[depth][high + 1];
  __shared__ float right[depth][wide];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int top = blockIdx.y * high, first = blockIdx.x * wide;
  float sum[ROWS][COLS] = {};
  for (int start = 0; start < k; start += depth) {
    for (int t = threadIdx.x; t < high * depth; t += 256) {
      const int row = top + t / depth, i = start + t % depth;
      left[t % depth][t / depth] = row < m && i < k ? a[row * k + i] : 0.0F;
    }
    for (int t = threadIdx.x; t < wide * depth; t += 256) {
      const int i = start + t / wide, col = first + t % wide;
      right[t / wide][t % wide] = i < k && col < n ? b[i * n + col] : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < depth; ++i) {
      float x[ROWS], y[COLS];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) x[r] = left[i][ty * ROWS + r];
#pragma unroll
      for (int s = 0; s < COLS; ++s) y[s] = right[i][tx + 16 * s];
#pragma unroll
      for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int s = 0; s < COLS; ++s) sum[r][s] = fmaf(x[r], y[s], sum[r][s]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    for (int s = 0; s < COLS; ++s) {
      const int row = top + ty * ROWS + r, col = first + tx + 16 * s;
      if (row < m && col < n) c[row * n + col] = sum[r][s];
    }
}

constexpr int small = 6, together = 5;

// Many products of 6 x 6 matrices of doubles, five of them a block.
__global__ void multiply_small_batched(const double* a, const double* b, double* c, int matrices) {
  __shared__ double left[together][small][small], right[together][small][small];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int matrix = blockIdx.x * together + z;
  const int at = matrix * small * small + y * small + x;
  left[z][y][x] = matrix < matrices ? a[at] : 0;
  right[z][y][x] = matrix < matrices ? b[at] : 0;
  __syncthreads();
  if (matrix >= matrices) return;
  double sum = 0;
  for (int i = 0; i < small; ++i) sum += left[z][y][i] * right[z][i][x];
  c[at] = sum;
}

// C = L B with L lower triangular: the loop of a row is as long as the row.
__global__ void multiply_triangular(const float* l, const float* b, float* c, int n, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= cols) return;
  float sum = 0;
  for (int i = 0; i <= row; ++i) sum += l[row * n + i] * b[i * cols + col];
  c[row * cols + col] = sum;
}

// The lower triangle of C = A A' + C / 2; blocks above the diagonal have nothing to do. Multiples of 32 only.
__global__ void update_rank_k(const float* a, float* c, int n, int k) {
  __shared__ float rows[32][33];
  __shared__ float cols[32][33];
  if (blockIdx.x > blockIdx.y) return;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * 32, first = blockIdx.x * 32;
  float sum[4] = {0, 0, 0, 0};
  for (int start = 0; start < k; start += 32) {
    for (int r = ty; r < 32; r += 8) {
      rows[r][tx] = a[(top + r) * k + start + tx];
      cols[r][tx] = a[(first + r) * k + start + tx];
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i) {
      const float other = cols[tx][i];
      for (int r = 0; r < 4; ++r) sum[r] += rows[ty + 8 * r][i] * other;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    const int row = top + ty + 8 * r, col = first + tx;
    if (col <= row) c[row * n + col] = sum[r] + 0.5F * c[row * n + col];
  }
}

// A += x y', one column a thread and eight rows a block.
template <class T> __global__ void add_outer_product(const T* x, const T* y, T* a, int m, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  const T right = y[col];
  for (int r = 0; r < 8; ++r) {
    const int row = blockIdx.y * 8 + r;
    if (row < m) a[static_cast<size_t>(row) * n + col] += x[row] * right;
  }
}

// y = A x with one row a block, bf16 in pairs, and a tree in shared memory.
__global__ void multiply_vector_rows_bf16(const __nv_bfloat162* a, const __nv_bfloat162* x, float* y,
                                          int pairs) {
  __shared__ float part[128];
  const size_t start = static_cast<size_t>(blockIdx.x) * pairs;
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += 128) {
    const float2 left = __bfloat1622float2(a[start + i]), right = __bfloat1622float2(x[i]);
    sum += left.x * right.x + left.y * right.y;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

// y = A' x with one column a thread: coalesced, but few blocks.
__global__ void multiply_vector_columns(const float* a, const float* x, float* y, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
#pragma unroll 8
  for (int row = 0; row < rows; ++row) sum += a[row * cols + col] * x[row];
  y[col] = sum;
}

// Rows whose width is a multiple of 1024 shall differ.
float entry(size_t i) { return element(i + i / 1000); }

template <class T> std::vector<T> entries(size_t n) {
  std::vector<T> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<T>(entry(i));
  return all;
}

double row_by_column(int row, int col, int n, int k, bool transposed = false) {
  double sum = 0;
  for (int i = 0; i < k; ++i)
    sum += static_cast<double>(entry(row * k + i)) * entry(transposed ? col * k + i : i * n + col);
  return sum;
}

template <class T, class Launch>
void run_product(const char* what, int m, int n, int k, bool transposed, Launch launch) {
  const Array<T> a(entries<T>(m * k)), b(entries<T>(k * n)), c(m * n);
  repeat(what, [&] { launch(a.data, b.data, c.data); });
  const std::vector<T> found = c.host();
  const int places[3][2] = {{0, 1}, {m - 1, n - 1}, {m / 2, n / 3}};
  for (const auto& [row, col] : places)
    expect(close(found[row * n + col], row_by_column(row, col, n, k, transposed), 1e-4), what);
}

template <class T> void run_naive(int m, int n, int k, dim3 block) {
  const dim3 grid(blocks_of(n, block.x), blocks_of(m, block.y));
  run_product<T>("multiply_naive", m, n, k, false,
                 [&](const T* a, const T* b, T* c) { multiply_naive<<<grid, block>>>(a, b, c, m, n, k); });
}

void run_transposed(int m, int n, int k, dim3 block) {
  const dim3 grid(blocks_of(n, block.x), blocks_of(m, block.y));
  run_product<float>("multiply_by_rows", m, n, k, true, [&](const float* a, const float* b, float* c) {
    multiply_by_rows<<<grid, block>>>(a, b, c, m, n, k);
  });
}

template <int TILE> void run_tiles(int m, int n, int k) {
  const dim3 grid(blocks_of(n, TILE), blocks_of(m, TILE)), block(TILE, TILE);
  run_product<float>("multiply_tiles", m, n, k, false, [&](const float* a, const float* b, float* c) {
    multiply_tiles<TILE><<<grid, block>>>(a, b, c, m, n, k);
  });
}

template <int ROWS, int COLS> void run_registers(int m, int n, int k) {
  const dim3 grid(blocks_of(n, 16 * COLS), blocks_of(m, 16 * ROWS));
  run_product<float>("multiply_registers", m, n, k, false, [&](const float* a, const float* b, float* c) {
    multiply_registers<ROWS, COLS><<<grid, 256>>>(a, b, c, m, n, k);
  });
}

void run_small(int matrices) {
  const int size = small * small, all = size * matrices;
  const Array<double> a(entries<double>(all)), b(entries<double>(all)), c(all);
  const dim3 block(small, small, together);
  repeat("multiply_small_batched", [&] {
    multiply_small_batched<<<blocks_of(matrices, together), block>>>(a.data, b.data, c.data, matrices);
  });
  double sum = 0;
  const size_t last = static_cast<size_t>(size) * (matrices - 1);
  for (int i = 0; i < small; ++i) sum += entry(last + 2 * small + i) * entry(last + i * small + 4);
  expect(close(c.host()[last + 2 * small + 4], sum, 1e-6), "multiply_small_batched");
}

void run_triangular(int n, int cols, dim3 block) {
  const Array<float> l(entries<float>(n * n)), b(entries<float>(n * cols)), c(n * cols);
  const dim3 grid(blocks_of(cols, block.x), blocks_of(n, block.y));
  repeat("multiply_triangular",
         [&] { multiply_triangular<<<grid, block>>>(l.data, b.data, c.data, n, cols); });
  double sum = 0;
  const int row = n - 3, col = cols - 2;
  for (int i = 0; i <= row; ++i) sum += static_cast<double>(entry(row * n + i)) * entry(i * cols + col);
  expect(close(c.host()[row * cols + col], sum, 1e-4), "multiply_triangular");
}

void run_rank_k(int n, int k) {
  const Array<float> a(entries<float>(n * k)), c(n * n);
  repeat("update_rank_k",
         [&] { update_rank_k<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a.data, c.data, n, k); });
  const int row = n - 1, col = n / 2 + 5;
  const double all = 2 - std::pow(2.0, 1 - times); // 1 + 1/2 + 1/4 + ..., `times` terms
  expect(close(c.host()[row * n + col], all * row_by_column(row, col, n, k, true), 1e-4), "update_rank_k");
}

template <class T> void run_outer(int m, int n, unsigned block) {
  const Array<T> x(entries<T>(m)), y(entries<T>(n)), a(static_cast<size_t>(m) * n);
  const dim3 grid(blocks_of(n, block), blocks_of(m, 8));
  repeat("add_outer_product", [&] { add_outer_product<<<grid, block>>>(x.data, y.data, a.data, m, n); });
  const double expected = static_cast<double>(times) * entry(m - 1) * entry(n - 2);
  expect(close(a.host()[static_cast<size_t>(m) * n - 2], expected, 1e-4), "add_outer_product");
}

void run_vector_rows(int rows, int pairs) {
  std::vector<__nv_bfloat162> matrix(static_cast<size_t>(rows) * pairs), vector(pairs);
  for (size_t i = 0; i < matrix.size(); ++i) // multiples of 1/64 are exact in bf16
    matrix[i] = __nv_bfloat162(__float2bfloat16(i % 61 / 64.0F), __float2bfloat16(i % 7 / 64.0F));
  for (size_t i = 0; i < vector.size(); ++i)
    vector[i] = __nv_bfloat162(__float2bfloat16(i % 13 / 64.0F), __float2bfloat16(0.5F));
  const Array<__nv_bfloat162> a(matrix), x(vector);
  const Array<float> y(rows);
  repeat("multiply_vector_rows_bf16",
         [&] { multiply_vector_rows_bf16<<<rows, 128>>>(a.data, x.data, y.data, pairs); });
  double sum = 0;
  for (int i = 0; i < pairs; ++i) {
    const size_t at = static_cast<size_t>(rows - 1) * pairs + i;
    sum += at % 61 / 64.0 * (i % 13 / 64.0) + at % 7 / 64.0 * 0.5;
  }
  expect(close(y.host()[rows - 1], sum, 1e-4), "multiply_vector_rows_bf16");
}

void run_vector_columns(int rows, int cols, unsigned block) {
  const Array<float> a(entries<float>(rows * cols)), x(entries<float>(rows)), y(cols);
  repeat("multiply_vector_columns", [&] {
    multiply_vector_columns<<<blocks_of(cols, block), block>>>(a.data, x.data, y.data, rows, cols);
  });
  double sum = 0;
  for (int row = 0; row < rows; ++row) sum += static_cast<double>(entry(row * cols + cols - 1)) * entry(row);
  expect(close(y.host()[cols - 1], sum, 1e-4), "multiply_vector_columns");
}

} // namespace

void run_linear_algebra() {
  run_naive<float>(1024, 1024, 1024, dim3(16, 16));
  run_naive<double>(900, 1100, 650, dim3(32, 8));
  run_transposed(768, 512, 600, dim3(32, 32));
  run_tiles<24>(1000, 1000, 1000);
  run_tiles<16>(2048, 1024, 512);
  run_registers<8, 8>(2048, 2048, 1024);
  run_registers<2, 4>(1000, 900, 777);
  run_small(100003);
  run_triangular(1200, 1000, dim3(64, 4));
  run_rank_k(1536, 512);
  run_outer<float>(4099, 4001, 256);
  run_outer<double>(6000, 5000, 512);
  run_vector_rows(10000, 1500);
  run_vector_columns(3000, 8192, 256);
  run_vector_columns(777, 50000, 96);
}

} // namespace perfmodel::collection
