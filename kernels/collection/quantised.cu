// Arithmetic in few bits: int8, 4-bit, ternary and binary weights, half and bfloat16, tensor cores by WMMA.
#include "themes.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;
using namespace nvcuda;

namespace {

// f(i) for every i, as a vector.
template <class F> auto filled(size_t n, F f) {
  std::vector<decltype(f(size_t{}))> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = f(i);
  return all;
}

unsigned bits(size_t i) { return static_cast<unsigned>(i) * 2654435761U ^ static_cast<unsigned>(i >> 3); }
int small(size_t i) { return static_cast<int>(bits(i) >> 9 & 255U) - 128; }

// c = a * b^T of int8 by dp4a, tiles of 16 x 16 results and 64 of the depth in shared memory.
__global__ void int8_product_dp4a(const int* a, const int* b, int* c, int n, int words) {
  __shared__ int rows[16][17], columns[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  int sum = 0;
  for (int k = 0; k < words; k += 16) {
    rows[ty][tx] = a[row * words + k + tx];
    columns[ty][tx] = b[(blockIdx.x * 16 + ty) * words + k + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = __dp4a(rows[ty][i], columns[tx][i], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void run_dp4a(int m, int n, int depth) {
  const auto value = [](size_t i) { return static_cast<signed char>(small(i)); };
  const Array<signed char> a(filled(static_cast<size_t>(m) * depth, value));
  const Array<signed char> b(filled(static_cast<size_t>(n) * depth, value));
  const Array<int> c(static_cast<size_t>(m) * n);
  repeat("int8_product_dp4a", [&] {
    int8_product_dp4a<<<dim3(n / 16, m / 16), dim3(16, 16)>>>(
        reinterpret_cast<const int*>(a.data), reinterpret_cast<const int*>(b.data), c.data, n, depth / 4);
  });
  int sum = 0;
  const size_t i = m - 2, j = n - 5;
  for (int k = 0; k < depth; ++k) sum += small(i * depth + k) * small(j * depth + k);
  expect(at(c, i * n + j) == sum, "int8_product_dp4a");
}

// y = W x with weights of 4 bits, eight a word, and one scale for 64 of them; a warp a row.
__global__ void four_bit_matrix_vector(const unsigned* weights, const float* scales, const float* x, float* y,
                                       int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int words = columns / 8;
  float sum = 0;
  for (int w = threadIdx.x; w < words; w += 32) {
    const unsigned word = weights[static_cast<size_t>(row) * words + w];
    float part = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) part += (static_cast<int>(word >> 4 * k & 15U) - 8) * x[w * 8 + k];
    sum += part * scales[static_cast<size_t>(row) * (columns / 64) + w / 8];
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x == 0) y[row] = sum;
}

void run_four_bit(int rows, int columns, int warps) {
  const Array<unsigned> weights(filled(static_cast<size_t>(rows) * columns / 8, bits));
  const Array<float> scales(elements(static_cast<size_t>(rows) * columns / 64)), x(elements(columns)),
      y(rows);
  repeat("four_bit_matrix_vector", [&] {
    four_bit_matrix_vector<<<blocks_of(rows, warps), dim3(32, warps)>>>(weights.data, scales.data, x.data,
                                                                        y.data, rows, columns);
  });
  const size_t row = rows - 1;
  double sum = 0;
  for (int i = 0; i < columns; ++i) {
    const int weight = static_cast<int>(bits(row * (columns / 8) + i / 8) >> 4 * (i % 8) & 15U) - 8;
    sum += weight * static_cast<double>(element(row * (columns / 64) + i / 64)) * element(i);
  }
  expect(std::fabs(at(y, row) - sum) < 0.05 + 1e-3 * std::fabs(sum), "four_bit_matrix_vector");
}

// Each 64 values to int8 by their largest magnitude; a warp a group, two values a lane.
__global__ void quantise_absolute_maximum(const float2* x, char2* q, float* scales, int groups) {
  const int group = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (group >= groups) return;
  const float2 value = x[group * 32 + lane];
  float largest = fmaxf(fabsf(value.x), fabsf(value.y));
  for (int offset = 16; offset > 0; offset /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0U, largest, offset));
  const float inverse = largest > 0 ? 127.0F / largest : 0.0F;
  q[group * 32 + lane] = make_char2(__float2int_rn(value.x * inverse), __float2int_rn(value.y * inverse));
  if (lane == 0) scales[group] = largest / 127.0F;
}

// Back from int8 to float, sixteen values a thread.
__global__ void dequantise_sixteen(const int4* q, const float* scales, float4* x, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const int4 packed = q[i];
  const float scale = scales[i / 4];
  const int words[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int w = words[k];
    x[i * 4 + k] = make_float4(static_cast<signed char>(w) * scale, static_cast<signed char>(w >> 8) * scale,
                               static_cast<signed char>(w >> 16) * scale, (w >> 24) * scale);
  }
}

void run_absolute_maximum(int groups) {
  const size_t n = static_cast<size_t>(groups) * 64;
  const Array<float> x(elements(n)), scales(groups), back(n);
  const Array<char> q(n);
  repeat("quantise_absolute_maximum", [&] {
    quantise_absolute_maximum<<<blocks_of(groups, 8), 256>>>(
        reinterpret_cast<const float2*>(x.data), reinterpret_cast<char2*>(q.data), scales.data, groups);
  });
  repeat("dequantise_sixteen", [&] {
    dequantise_sixteen<<<blocks_of(groups * 4, 128), 128>>>(
        reinterpret_cast<const int4*>(q.data), scales.data, reinterpret_cast<float4*>(back.data), groups * 4);
  });
  for (size_t i = n - 70; i < n; ++i)
    expect(std::fabs(at(back, i) - element(i)) < 0.0045, "dequantise_sixteen");
}

// A polynomial of degree 8 in pairs of bfloat16, by Horner.
__global__ void polynomial_bfloat162(const __nv_bfloat162* x, __nv_bfloat162* y, int pairs) {
  const __nv_bfloat162 half = __float2bfloat162_rn(0.5F), one = __float2bfloat162_rn(1.0F);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    const __nv_bfloat162 v = x[i];
    __nv_bfloat162 sum = one;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum = __hfma2(__hmul2(sum, half), v, one);
    y[i] = sum;
  }
}

void run_bfloat16_polynomial(int n, int blocks) {
  const auto value = [](size_t i) { return __float2bfloat16(element(i)); };
  const Array<__nv_bfloat16> x(filled(n, value)), y(n);
  repeat("polynomial_bfloat162", [&] {
    polynomial_bfloat162<<<blocks, 256>>>(reinterpret_cast<const __nv_bfloat162*>(x.data),
                                          reinterpret_cast<__nv_bfloat162*>(y.data), n / 2);
  });
  double sum = 1;
  for (int k = 0; k < 8; ++k) sum = 1 + sum / 2 * element(n - 1);
  expect(close(__bfloat162float(at(y, n - 1)), sum, 0.02), "polynomial_bfloat162");
}

// Float to half, eight values a thread: two loads and one store of 16 bytes.
__global__ void float_to_half_vectors(const float4* in, uint4* out, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const float4 a = in[2 * i], b = in[2 * i + 1];
  uint4 packed;
  __half2* halves = reinterpret_cast<__half2*>(&packed);
  halves[0] = __floats2half2_rn(a.x, a.y);
  halves[1] = __floats2half2_rn(a.z, a.w);
  halves[2] = __floats2half2_rn(b.x, b.y);
  halves[3] = __floats2half2_rn(b.z, b.w);
  out[i] = packed;
}

void run_float_to_half(int n) {
  const Array<float> in(elements(n));
  const Array<__half> out(n);
  repeat("float_to_half_vectors", [&] {
    float_to_half_vectors<<<blocks_of(n / 8, 512), 512>>>(reinterpret_cast<const float4*>(in.data),
                                                          reinterpret_cast<uint4*>(out.data), n / 8);
  });
  for (int i = n - 9; i < n; ++i) expect(__half2float(at(out, i)) == element(i), "float_to_half_vectors");
}

// c = a * b on tensor cores, a warp a tile of 16 x 16, straight from global memory.
template <class T, class Sum>
__global__ void wmma_tile_a_warp(const T* a, const T* b, Sum* c, int n, int depth) {
  const int column = (blockIdx.x * blockDim.y + threadIdx.y) * 16, row = blockIdx.y * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum;
  wmma::fill_fragment(sum, Sum(0));
  for (int k = 0; k < depth; k += 16) {
    wmma::load_matrix_sync(left, a + row * depth + k, depth);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

template <class T, class Sum, class Value>
void run_wmma_tile(Value value, int m, int n, int depth, int warps) {
  const Array<T> a(
      filled(static_cast<size_t>(m) * depth, [&](size_t i) { return static_cast<T>(value(i)); }));
  const Array<T> b(
      filled(static_cast<size_t>(depth) * n, [&](size_t i) { return static_cast<T>(value(i)); }));
  const Array<Sum> c(static_cast<size_t>(m) * n);
  repeat("wmma_tile_a_warp", [&] {
    wmma_tile_a_warp<<<dim3(n / 16 / warps, m / 16), dim3(32, warps)>>>(a.data, b.data, c.data, n, depth);
  });
  const size_t i = m - 3, j = n - 7;
  double sum = 0;
  for (size_t k = 0; k < static_cast<size_t>(depth); ++k)
    sum += static_cast<double>(value(i * depth + k)) * static_cast<double>(value(k * n + j));
  expect(close(static_cast<double>(at(c, i * n + j)), sum, 1e-3), "wmma_tile_a_warp");
}

// c = a * b in bfloat16: blocks of 64 x 64 by four warps, tiles of both operands in shared memory.
__global__ void __launch_bounds__(128)
    wmma_shared_bfloat16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int depth) {
  __shared__ alignas(32) __nv_bfloat16 left[64][48], right[32][80];
  const int row = blockIdx.y * 64, column = blockIdx.x * 64, warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
  for (int j = 0; j < 4; ++j) wmma::fill_fragment(sums[j], 0.0F);
  for (int k = 0; k < depth; k += 32) {
    for (int i = threadIdx.x; i < 64 * 4; i += 128)
      *reinterpret_cast<int4*>(&left[i / 4][i % 4 * 8]) =
          *reinterpret_cast<const int4*>(a + (row + i / 4) * depth + k + i % 4 * 8);
    for (int i = threadIdx.x; i < 32 * 8; i += 128)
      *reinterpret_cast<int4*>(&right[i / 8][i % 8 * 8]) =
          *reinterpret_cast<const int4*>(b + (k + i / 8) * n + column + i % 8 * 8);
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 32; step += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> x;
      wmma::load_matrix_sync(x, &left[warp * 16][step], 48);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> y;
        wmma::load_matrix_sync(y, &right[step][j * 16], 80);
        wmma::mma_sync(sums[j], x, y, sums[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(c + (row + warp * 16) * n + column + j * 16, sums[j], n, wmma::mem_row_major);
}

void run_wmma_shared(int m, int n, int depth) {
  const auto value = [](size_t i) { return __float2bfloat16(element(i)); };
  const Array<__nv_bfloat16> a(filled(static_cast<size_t>(m) * depth, value));
  const Array<__nv_bfloat16> b(filled(static_cast<size_t>(depth) * n, value));
  const Array<float> c(static_cast<size_t>(m) * n);
  repeat("wmma_shared_bfloat16",
         [&] { wmma_shared_bfloat16<<<dim3(n / 64, m / 64), 128>>>(a.data, b.data, c.data, n, depth); });
  const size_t i = m - 3, j = n - 7;
  double sum = 0;
  for (size_t k = 0; k < static_cast<size_t>(depth); ++k)
    sum += static_cast<double>(__bfloat162float(value(i * depth + k))) * __bfloat162float(value(k * n + j));
  expect(close(at(c, i * n + j), sum, 1e-3), "wmma_shared_bfloat16");
}

// Ternary weights as masks of plus and minus, inputs as bits: y = popc(plus & x) - popc(minus & x).
__global__ void ternary_popcount(const uint4* plus, const uint4* minus, const uint4* x, short* y, int rows,
                                 int vectors) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = 0; i < vectors; ++i) {
    const uint4 p = plus[i * rows + row], m = minus[i * rows + row], v = x[blockIdx.y * vectors + i];
    sum += __popc(p.x & v.x) + __popc(p.y & v.y) + __popc(p.z & v.z) + __popc(p.w & v.w);
    sum -= __popc(m.x & v.x) + __popc(m.y & v.y) + __popc(m.z & v.z) + __popc(m.w & v.w);
  }
  y[blockIdx.y * rows + row] = static_cast<short>(sum);
}

void run_ternary(int rows, int batch, int vectors) {
  const size_t words = static_cast<size_t>(rows) * vectors * 4;
  const auto minus = [](size_t i) { return bits(i + 99) & ~bits(i); };
  const Array<unsigned> p(filled(words, bits)), m(filled(words, minus));
  const Array<unsigned> x(filled(static_cast<size_t>(batch) * vectors * 4, bits));
  const Array<short> y(static_cast<size_t>(rows) * batch);
  repeat("ternary_popcount", [&] {
    ternary_popcount<<<dim3(blocks_of(rows, 96), batch), 96>>>(
        reinterpret_cast<const uint4*>(p.data), reinterpret_cast<const uint4*>(m.data),
        reinterpret_cast<const uint4*>(x.data), y.data, rows, vectors);
  });
  int sum = 0;
  for (size_t k = 0; k < static_cast<size_t>(vectors) * 4; ++k) {
    const size_t w = (k / 4 * rows + rows - 1) * 4 + k % 4;
    const unsigned v = bits(static_cast<size_t>(batch - 1) * vectors * 4 + k);
    sum += __builtin_popcount(bits(w) & v) - __builtin_popcount(minus(w) & v);
  }
  expect(at(y, static_cast<size_t>(rows) * batch - 1) == sum, "ternary_popcount");
}

} // namespace

void run_quantised() {
  const auto fraction = [](size_t i) { return element(i); };
  run_dp4a(1024, 2048, 1024);
  run_dp4a(208, 4000, 4096);
  run_four_bit(8192, 8192, 4);
  run_four_bit(11008, 4096, 8);
  run_absolute_maximum(500'000);
  run_bfloat16_polynomial(1 << 25, 1056);
  run_float_to_half(30'000'000);
  run_wmma_tile<__half, float>(fraction, 1024, 1024, 1024, 4);
  run_wmma_tile<signed char, int>(small, 2048, 1024, 512, 2);
  run_wmma_shared(2048, 2048, 1024);
  run_wmma_shared(576, 1088, 2048);
  run_ternary(9000, 32, 16);
}

} // namespace perfmodel::collection
