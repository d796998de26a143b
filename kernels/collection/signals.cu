// Signal processing: Fourier and cosine transforms, filters, correlations and convolutions.
#include "themes.hpp"

#include <algorithm>

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

constexpr double turn = 6.283185307179586;

float2 complex_element(size_t i) { return make_float2(element(i), element(i * i + 3) - 0.5F); }

std::vector<float2> complex_elements(size_t n) {
  std::vector<float2> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = complex_element(i);
  return all;
}

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// exp(-2 pi i part)
__device__ float2 root(float part) {
  float2 w;
  sincospif(-2 * part, &w.y, &w.x);
  return w;
}

// One step of radix 2 of Stockham's FFT in global memory; done are the products of the radices before.
__global__ void fft_stockham_step(const float2* in, float2* out, int half, int done) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= half) return;
  const int group = i / done, place = i % done;
  const float2 a = in[i], b = in[i + half], w = root(static_cast<float>(group) * done / (2 * half));
  out[place + 2 * done * group] = a + b;
  out[place + 2 * done * group + done] = (a - b) * w;
}

void run_fft_step(int n, int done, int block) {
  const Array<float2> in(complex_elements(n)), out(n);
  repeat("fft_stockham_step",
         [&] { fft_stockham_step<<<blocks_of(n / 2, block), block>>>(in.data, out.data, n / 2, done); });
  const int i = n / 2 - done - 1; // of the group before the last
  const float2 a = complex_element(i), b = complex_element(i + n / 2);
  const double angle = turn * (i / done) * done / n, x = a.x - b.x, y = a.y - b.y;
  const float2 sum = at(out, i % done + 2 * done * (i / done));
  const float2 turned = at(out, i % done + 2 * done * (i / done) + done);
  expect(close(sum.x, a.x + b.x, 1e-5) && close(sum.y, a.y + b.y, 1e-5), "fft_stockham_step");
  expect(close(turned.x, x * std::cos(angle) + y * std::sin(angle), 1e-4), "fft_stockham_step");
  expect(close(turned.y, y * std::cos(angle) - x * std::sin(angle), 1e-4), "fft_stockham_step");
}

__device__ void radix_4(float2& a, float2& b, float2& c, float2& d) {
  const float2 s = a + c, t = a - c, u = b + d, v = b - d;
  a = s + u;
  b = make_float2(t.x + v.y, t.y - v.x);
  c = s - u;
  d = make_float2(t.x - v.y, t.y + v.x);
}

// FFT of 16 points in registers by two steps of radix 4, a thread a transform, stored interleaved.
__global__ void fft_16_in_registers(const float2* in, float2* out, int transforms) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= transforms) return;
  float2 v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = in[k * transforms + t];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    radix_4(v[j], v[j + 4], v[j + 8], v[j + 12]);
#pragma unroll
    for (int k = 1; k < 4; ++k) v[j + 4 * k] = v[j + 4 * k] * root(j * k / 16.0F);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    radix_4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
#pragma unroll
    for (int j = 0; j < 4; ++j) out[(k + 4 * j) * transforms + t] = v[4 * k + j];
  }
}

// FFT of 1024 points in shared memory by ten steps of radix 2, a block a transform.
__global__ void fft_1024_shared(const float2* in, float2* out) {
  __shared__ float2 buffers[2][1024];
  const int t = threadIdx.x;
  in += blockIdx.x * 1024;
  out += blockIdx.x * 1024;
  buffers[0][t] = in[t];
  buffers[0][t + 512] = in[t + 512];
  int from = 0;
  for (int done = 1; done < 1024; done *= 2) {
    __syncthreads();
    const float2 a = buffers[from][t], b = buffers[from][t + 512];
    const int group = t / done, place = t % done + 2 * done * group;
    buffers[1 - from][place] = a + b;
    buffers[1 - from][place + done] = (a - b) * root(group * done / 1024.0F);
    from = 1 - from;
  }
  __syncthreads();
  out[t] = buffers[from][t];
  out[t + 512] = buffers[from][t + 512];
}

// Whether `found` is the bin of n points that lie `step` apart.
bool is_bin(float2 found, int bin, size_t first, size_t step, int n) {
  double x = 0, y = 0;
  for (int k = 0; k < n; ++k) {
    const float2 v = complex_element(first + k * step);
    const double c = std::cos(turn * (bin * k % n) / n), s = -std::sin(turn * (bin * k % n) / n);
    x += v.x * c - v.y * s;
    y += v.x * s + v.y * c;
  }
  return std::fabs(found.x - x) < 1e-5 * n && std::fabs(found.y - y) < 1e-5 * n;
}

void run_fft_16(int transforms) {
  const size_t n = static_cast<size_t>(transforms) * 16, step = transforms;
  const Array<float2> in(complex_elements(n)), out(n);
  repeat("fft_16_in_registers",
         [&] { fft_16_in_registers<<<blocks_of(transforms, 128), 128>>>(in.data, out.data, transforms); });
  for (int bin = 0; bin < 16; ++bin)
    expect(is_bin(at(out, (bin + 1) * step - 1), bin, step - 1, step, 16), "fft_16_in_registers");
}

void run_fft_1024(int transforms) {
  const size_t n = static_cast<size_t>(transforms) * 1024;
  const Array<float2> in(complex_elements(n)), out(n);
  repeat("fft_1024_shared", [&] { fft_1024_shared<<<transforms, 512>>>(in.data, out.data); });
  for (const int bin : {0, 1, 37, 700})
    expect(is_bin(at(out, n - 1024 + bin), bin, n - 1024, 1, 1024), "fft_1024_shared");
}

__constant__ float taps[31];
float tap(int k) { return 0.01F * (k - 11); }

// FIR filter with 31 taps in constant memory, straight from global memory.
template <class T> __global__ void fir_constant_taps(const T* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 31; ++k) sum += taps[k] * static_cast<float>(in[i + k]);
  out[i] = sum;
}

template <class T> void run_fir_constant(int n, int block) {
  std::vector<float> coefficients(31);
  for (int k = 0; k < 31; ++k) coefficients[k] = tap(k);
  check(cudaMemcpyToSymbol(taps, coefficients.data(), sizeof taps), "taps");
  std::vector<T> host(n + 30);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(100 * element(i));
  const Array<T> in(host);
  const Array<float> out(n);
  repeat("fir_constant_taps",
         [&] { fir_constant_taps<<<blocks_of(n, block), block>>>(in.data, out.data, n); });
  double sum = 0;
  for (int k = 0; k < 31; ++k) sum += tap(k) * static_cast<double>(host[n - 1 + k]);
  expect(std::fabs(at(out, n - 1) - sum) < 0.01, "fir_constant_taps");
}

// Autocorrelation: the block of a lag sums x[i] * x[i + lag].
__global__ void autocorrelation_lags(const double* x, double* out, int n) {
  __shared__ double parts[8];
  const int lag = blockIdx.x;
  double sum = 0;
  for (int i = threadIdx.x; i < n - lag; i += 256) sum += x[i] * x[i + lag];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0U, sum, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < 8; ++w) sum += parts[w];
  out[lag] = sum;
}

void run_autocorrelation(int n, int lags) {
  const std::vector<float> host = elements(n);
  const Array<double> x(std::vector<double>(host.begin(), host.end())), out(lags);
  repeat("autocorrelation_lags", [&] { autocorrelation_lags<<<lags, 256>>>(x.data, out.data, n); });
  double sum = 0;
  for (int i = 0; i < n - lags + 1; ++i) sum += static_cast<double>(element(i)) * element(i + lags - 1);
  expect(close(at(out, lags - 1), sum, 1e-9), "autocorrelation_lags");
}

// Cosine transform of 8 x 8 pixels, rows then columns; four tiles a block.
__global__ void dct_8x8_tiles(const unsigned char* in, float* out, int width) {
  __shared__ float tiles[4][8][9], cosines[8][8];
  const int u = threadIdx.x, v = threadIdx.y, z = threadIdx.z;
  const int x = (blockIdx.x * 4 + z) * 8 + u, y = blockIdx.y * 8 + v;
  if (z == 0) cosines[v][u] = cospif((2 * u + 1) * v / 16.0F) * (v == 0 ? 0.35355339F : 0.5F);
  tiles[z][v][u] = in[y * width + x] - 128.0F;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += tiles[z][v][k] * cosines[u][k];
  __syncthreads();
  tiles[z][v][u] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += tiles[z][k][u] * cosines[v][k];
  out[y * width + x] = sum;
}

void run_dct(int width, int height) {
  const size_t n = static_cast<size_t>(width) * height;
  std::vector<unsigned char> host(n);
  for (size_t i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(element(i) * 256);
  const Array<unsigned char> in(host);
  const Array<float> out(n);
  repeat("dct_8x8_tiles",
         [&] { dct_8x8_tiles<<<dim3(width / 32, height / 8), dim3(8, 8, 4)>>>(in.data, out.data, width); });
  const size_t corner = n - 7 * width - 8;
  double sum = 0;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      sum += 0.25 * (host[corner + y * width + x] - 128) * std::cos((2 * x + 1) * 3 * turn / 32) *
             std::cos((2 * y + 1) * 2 * turn / 32);
  expect(std::fabs(at(out, corner + 2 * width + 3) - sum) < 0.05, "dct_8x8_tiles");
}

// Biquad filters of many channels, a thread each; the samples of one time lie together, or those of a
// channel.
template <bool by_time> __global__ void iir_biquads(const float* in, float* out, int channels, int length) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  if (channel >= channels) return;
  const int step = by_time ? channels : 1;
  float first = 0, second = 0;
  for (int t = 0, i = by_time ? channel : channel * length; t < length; ++t, i += step) {
    const float x = in[i], y = 0.2F * x + first;
    first = 0.3F * x + 0.5F * y + second;
    second = 0.1F * x - 0.2F * y;
    out[i] = y;
  }
}

template <bool by_time> void run_biquads(int channels, int length, int block) {
  const size_t n = static_cast<size_t>(channels) * length;
  const Array<float> in(elements(n)), out(n);
  repeat("iir_biquads", [&] {
    iir_biquads<by_time><<<blocks_of(channels, block), block>>>(in.data, out.data, channels, length);
  });
  double first = 0, second = 0, y = 0;
  for (int t = 0; t < length; ++t) {
    const size_t late = length - 1 - t;
    const double x = element(by_time ? n - 1 - late * channels : n - 1 - late);
    y = 0.2 * x + first;
    first = 0.3 * x + 0.5 * y + second;
    second = 0.1 * x - 0.2 * y;
  }
  expect(close(at(out, n - 1), y, 1e-4), "iir_biquads");
}

__constant__ float stamp[121];

// Direct convolution in 2-D, tiles with a rim in shared memory; edges are repeated.
template <int radius> __global__ void convolve_2d_tiles(const float* in, float* out, int width, int height) {
  __shared__ float tile[16 + 2 * radius][32 + 2 * radius];
  const int left = blockIdx.x * 32 - radius, top = blockIdx.y * 16 - radius;
  for (int y = threadIdx.y; y < 16 + 2 * radius; y += 16)
    for (int x = threadIdx.x; x < 32 + 2 * radius; x += 32)
      tile[y][x] = in[min(max(top + y, 0), height - 1) * width + min(max(left + x, 0), width - 1)];
  __syncthreads();
  const int x = left + radius + threadIdx.x, y = top + radius + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < (2 * radius + 1) * (2 * radius + 1); ++k)
    sum += stamp[k] * tile[threadIdx.y + k / (2 * radius + 1)][threadIdx.x + k % (2 * radius + 1)];
  out[y * width + x] = sum;
}

template <int radius> void run_convolution(int width, int height) {
  constexpr int side = 2 * radius + 1;
  const size_t n = static_cast<size_t>(width) * height;
  check(cudaMemcpyToSymbol(stamp, elements(side * side).data(), side * side * sizeof(float)), "stamp");
  const Array<float> in(elements(n)), out(n);
  const dim3 grid(blocks_of(width, 32), blocks_of(height, 16));
  repeat("convolve_2d_tiles",
         [&] { convolve_2d_tiles<radius><<<grid, dim3(32, 16)>>>(in.data, out.data, width, height); });
  const int x = width - 2, y = height / 2;
  double sum = 0;
  for (int k = 0; k < side * side; ++k) {
    const int sx = std::min(x + k % side - radius, width - 1), sy = y + k / side - radius;
    sum += static_cast<double>(element(k)) * element(static_cast<size_t>(sy) * width + sx);
  }
  expect(close(at(out, static_cast<size_t>(y) * width + x), sum, 1e-4), "convolve_2d_tiles");
}

} // namespace

void run_signals() {
  run_fft_step(1 << 23, 1, 256);
  run_fft_step(3 << 19, 1 << 10, 128);
  run_fft_16(600'000);
  run_fft_1024(8000);
  run_fir_constant<float>(20'000'000, 256);
  run_fir_constant<short>(1 << 22, 1024);
  run_autocorrelation(100'000, 800);
  run_autocorrelation(20'001, 4000);
  run_dct(4000, 2160);
  run_biquads<true>(40'000, 500, 96);
  run_biquads<false>(10'000, 700, 32);
  run_convolution<2>(4096, 4096);
  run_convolution<5>(1921, 1081);
}

} // namespace perfmodel::collection
