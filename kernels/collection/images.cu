// Filters and transformations of images, on bytes and floats, as courses and image libraries write them.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <algorithm>

namespace perfmodel::collection {

using namespace program;

namespace {

// Grey of pixels of three bytes.
__global__ void grey_from_rgb(const uchar3* rgb, unsigned char* grey, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const uchar3 pixel = rgb[y * width + x];
  grey[y * width + x] = static_cast<unsigned char>(0.299F * pixel.x + 0.587F * pixel.y + 0.114F * pixel.z);
}

// The magnitude of Sobel's gradient, with clamped coordinates.
__global__ void sobel_magnitude(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int p[3][3];
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      p[dy + 1][dx + 1] = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  const int gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
  const int gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
  out[y * width + x] = static_cast<unsigned char>(min(255.0F, sqrtf(static_cast<float>(gx * gx + gy * gy))));
}

constexpr int blur = 8;
__constant__ float bell[2 * blur + 1];

// Gauss along rows: eight pixels a thread of 16, the row and its halo in shared memory.
__global__ void gauss_along_rows(const float* in, float* out, int width) {
  __shared__ float rows[4][16 * 10];
  const int left = blockIdx.x * 128 - 16;
  const size_t row = static_cast<size_t>(blockIdx.y * 4 + threadIdx.y) * width;
  for (int s = 0; s < 10; ++s) {
    const int x = left + s * 16 + static_cast<int>(threadIdx.x);
    rows[threadIdx.y][s * 16 + threadIdx.x] = x >= 0 && x < width ? in[row + x] : 0.0F;
  }
  __syncthreads();
  for (int s = 1; s <= 8; ++s) {
    const int x = left + s * 16 + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int d = -blur; d <= blur; ++d) sum += bell[d + blur] * rows[threadIdx.y][s * 16 + threadIdx.x + d];
    if (x < width) out[row + x] = sum;
  }
}

// A bilateral filter of radius 3: near pixels of like brightness.
__global__ void filter_bilateral(const float* in, float* out, int width, int height, float space,
                                 float range) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return;
  float sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; ++dy)
    for (int dx = -3; dx <= 3; ++dx) {
      const float there = in[(y + dy) * width + x + dx], difference = there - in[y * width + x];
      const float weight = __expf(-space * (dx * dx + dy * dy) - range * difference * difference);
      sum += weight * there;
      weights += weight;
    }
  out[y * width + x] = sum / weights;
}

template <class T> __device__ void order(T& a, T& b) {
  const T low = min(a, b);
  b = max(a, b);
  a = low;
}

// The median of 3 x 3 by a network of exchanges.
template <class T> __global__ void median_of_nine(const T* in, T* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= width - 1 || y >= height - 1) return;
  T p[9];
#pragma unroll
  for (int i = 0; i < 9; ++i) p[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
#pragma unroll
  for (int row = 0; row < 9; row += 3) {
    order(p[row], p[row + 1]);
    order(p[row + 1], p[row + 2]);
    order(p[row], p[row + 1]);
  }
  T low = max(p[0], max(p[3], p[6])), high = min(p[2], min(p[5], p[8]));
  order(p[1], p[4]);
  order(p[4], p[7]);
  T middle = max(p[1], min(p[4], p[7]));
  order(low, middle);
  order(middle, high);
  out[y * width + x] = max(low, middle);
}

// Bilinear scaling of pixels of four floats.
__global__ void resize_bilinear(const float4* in, float4* out, int width, int height, int wide, int high) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wide || y >= high) return;
  const float fx = x * (width - 1.0F) / (wide - 1), fy = y * (height - 1.0F) / (high - 1);
  const int x0 = min(static_cast<int>(fx), width - 2), y0 = min(static_cast<int>(fy), height - 2);
  const float u = fx - x0, v = fy - y0;
  const float4 a = in[y0 * width + x0], b = in[y0 * width + x0 + 1];
  const float4 c = in[(y0 + 1) * width + x0], d = in[(y0 + 1) * width + x0 + 1];
  const auto mix = [&](float p, float q, float r, float s) {
    return (1 - v) * ((1 - u) * p + u * q) + v * ((1 - u) * r + u * s);
  };
  out[y * wide + x] = make_float4(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y), mix(a.z, b.z, c.z, d.z),
                                  mix(a.w, b.w, c.w, d.w));
}

// Turns an image about its centre; what comes from outside is -1.
__global__ void rotate_about_centre(const float* in, float* out, int width, int height, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float dx = x - 0.5F * width, dy = y - 0.5F * height;
  const float fx = cosf(angle) * dx + sinf(angle) * dy + 0.5F * width;
  const float fy = cosf(angle) * dy - sinf(angle) * dx + 0.5F * height;
  const int x0 = static_cast<int>(floorf(fx)), y0 = static_cast<int>(floorf(fy));
  float value = -1;
  if (x0 >= 0 && y0 >= 0 && x0 + 1 < width && y0 + 1 < height) {
    const float u = fx - x0, v = fy - y0, *p = in + y0 * width + x0;
    value = (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[width] + u * p[width + 1]);
  }
  out[y * width + x] = value;
}

// Grey dilation by a square of 7 x 7: rows first, then columns, both in shared memory.
__global__ void dilate_square(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char tile[22][40];
  __shared__ unsigned char across[22][32];
  const int left = blockIdx.x * 32 - 3, top = blockIdx.y * 16 - 3;
  for (int r = threadIdx.y; r < 22; r += blockDim.y)
    for (int c = threadIdx.x; c < 38; c += 32) {
      const int x = left + c, y = top + r;
      tile[r][c] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 0;
    }
  __syncthreads();
  for (int r = threadIdx.y; r < 22; r += blockDim.y) {
    int most = 0;
    for (int d = 0; d < 7; ++d) most = max(most, static_cast<int>(tile[r][threadIdx.x + d]));
    across[r][threadIdx.x] = most;
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 16; r += blockDim.y) {
    int most = 0;
    for (int d = 0; d < 7; ++d) most = max(most, static_cast<int>(across[r + d][threadIdx.x]));
    const int x = left + 3 + threadIdx.x, y = top + 3 + r;
    if (x < width && y < height) out[y * width + x] = most;
  }
}

// A box blur of 2 r + 1 pixels by a running sum, one row a thread.
__global__ void box_by_running_sum(const float* in, float* out, int width, int height, int r) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  const float* from = in + y * width;
  const float scale = 1.0F / (2 * r + 1);
  float sum = 0;
  for (int x = 0; x < r; ++x) sum += from[x];
  for (int x = 0; x < width; ++x) {
    if (x + r < width) sum += from[x + r];
    if (x - r > 0) sum -= from[x - r - 1];
    out[y * width + x] = sum * scale;
  }
}

dim3 over(int w, int h, dim3 block) { return dim3(blocks_of(w, block.x), blocks_of(h, block.y)); }

unsigned char byte(size_t i) { return static_cast<unsigned char>(element(i + i / 1000) * 256); }

std::vector<unsigned char> bytes(size_t n) {
  std::vector<unsigned char> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = byte(i);
  return all;
}

void run_grey(int width, int height, dim3 block) {
  std::vector<uchar3> pixels(static_cast<size_t>(width) * height);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = make_uchar3(byte(i), i % 200, 7);
  const Array<uchar3> rgb(pixels);
  const Array<unsigned char> grey(pixels.size());
  repeat("grey_from_rgb",
         [&] { grey_from_rgb<<<over(width, height, block), block>>>(rgb.data, grey.data, width, height); });
  const size_t i = pixels.size() - 5;
  const double expected = 0.299 * byte(i) + 0.587 * (i % 200) + 0.114 * 7;
  expect(std::fabs(grey.host()[i] - expected) < 1.01, "grey_from_rgb");
}

void run_sobel(int width, int height, dim3 block) {
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * height);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = (3 * (i % width) + 4 * (i / width)) % 251;
  const Array<unsigned char> in(pixels), out(pixels.size());
  repeat("sobel_magnitude",
         [&] { sobel_magnitude<<<over(width, height, block), block>>>(in.data, out.data, width, height); });
  // 8 times the slopes 3 and 4, with no jump near:
  expect(out.host()[10 * width + 20] == 40, "sobel_magnitude");
}

void run_gauss(int width, int height) {
  float weights[2 * blur + 1];
  for (int d = -blur; d <= blur; ++d) weights[d + blur] = std::exp(-0.05F * d * d);
  check(cudaMemcpyToSymbol(bell, weights, sizeof(weights)), "constant memory");
  const Array<float> in(elements(width * height)), out(width * height);
  const dim3 grid(blocks_of(width, 128), height / 4);
  repeat("gauss_along_rows", [&] { gauss_along_rows<<<grid, dim3(16, 4)>>>(in.data, out.data, width); });
  double sum = 0;
  const int i = width * (height - 1) + width / 2;
  for (int d = -blur; d <= blur; ++d) sum += std::exp(-0.05 * d * d) * element(i + d);
  expect(close(out.host()[i], sum, 1e-4), "gauss_along_rows");
}

void run_bilateral(int width, int height, dim3 block) {
  const Array<float> in(elements(width * height)), out(width * height);
  repeat("filter_bilateral", [&] {
    filter_bilateral<<<over(width, height, block), block>>>(in.data, out.data, width, height, 0.1F, 4.0F);
  });
  const int i = (height - 4) * width + width - 4;
  double sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; ++dy)
    for (int dx = -3; dx <= 3; ++dx) {
      const double there = element(i + dy * width + dx), difference = there - element(i);
      const double weight = std::exp(-0.1 * (dx * dx + dy * dy) - 4 * difference * difference);
      sum += weight * there;
      weights += weight;
    }
  expect(close(out.host()[i], sum / weights, 1e-4), "filter_bilateral");
}

template <class T> void run_median(const std::vector<T>& pixels, int width, int height, dim3 block) {
  const Array<T> in(pixels), out(pixels.size());
  repeat("median_of_nine", [&] {
    median_of_nine<<<over(width - 2, height - 2, block), block>>>(in.data, out.data, width, height);
  });
  const std::vector<T> found = out.host();
  for (const int i : {width + 1, (height - 2) * width + width - 2, (height / 2) * width + width / 3}) {
    T p[9];
    for (int j = 0; j < 9; ++j) p[j] = pixels[i + (j / 3 - 1) * width + j % 3 - 1];
    std::sort(p, p + 9);
    expect(found[i] == p[4], "median_of_nine");
  }
}

void run_resize(int width, int height, int wide, int high) {
  std::vector<float4> pixels(static_cast<size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) pixels[y * width + x] = make_float4(x, y, 1, x + y);
  const Array<float4> in(pixels), out(static_cast<size_t>(wide) * high);
  const dim3 block(32, 4);
  repeat("resize_bilinear", [&] {
    resize_bilinear<<<over(wide, high, block), block>>>(in.data, out.data, width, height, wide, high);
  });
  const int x = wide - 1, y = high / 3; // a slope stays a slope
  const float4 found = out.host()[y * wide + x];
  const double fx = x * (width - 1.0) / (wide - 1), fy = y * (height - 1.0) / (high - 1);
  const bool right = close(found.x, fx, 1e-3) && close(found.y, fy, 1e-3) && close(found.w, fx + fy, 1e-3);
  expect(right && close(found.z, 1, 1e-5), "resize_bilinear");
}

void run_rotate(int width, int height, double angle, dim3 block) {
  std::vector<float> slope(static_cast<size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) slope[y * width + x] = x + 2.0F * y;
  const Array<float> in(slope), out(slope.size());
  repeat("rotate_about_centre", [&] {
    rotate_about_centre<<<over(width, height, block), block>>>(in.data, out.data, width, height, angle);
  });
  const std::vector<float> found = out.host();
  const int x = width / 2 + 40, y = height / 2 - 30; // near the centre, so never from outside
  const double dx = x - 0.5 * width, dy = y - 0.5 * height;
  const double fx = std::cos(angle) * dx + std::sin(angle) * dy + 0.5 * width;
  const double fy = std::cos(angle) * dy - std::sin(angle) * dx + 0.5 * height;
  expect(close(found[y * width + x], fx + 2 * fy, 1e-3) && found[0] == -1, "rotate_about_centre");
}

void run_dilate(int width, int height) {
  const std::vector<unsigned char> pixels = bytes(static_cast<size_t>(width) * height);
  const Array<unsigned char> in(pixels), out(pixels.size());
  const dim3 grid = over(width, height, dim3(32, 16));
  repeat("dilate_square", [&] { dilate_square<<<grid, dim3(32, 8)>>>(in.data, out.data, width, height); });
  const int x = width / 2, y = height - 1; // three rows of the square are outside
  unsigned char most = 0;
  for (int dy = -3; dy <= 0; ++dy)
    for (int dx = -3; dx <= 3; ++dx) most = std::max(most, pixels[(y + dy) * width + x + dx]);
  expect(out.host()[y * width + x] == most, "dilate_square");
}

void run_box(int width, int height, int r, unsigned block) {
  const Array<float> in(elements(width * height)), out(width * height);
  repeat("box_by_running_sum", [&] {
    box_by_running_sum<<<blocks_of(height, block), block>>>(in.data, out.data, width, height, r);
  });
  const int i = (height - 1) * width + width - r - 1; // the last whole window
  double sum = 0;
  for (int d = -r; d <= r; ++d) sum += element(i + d);
  expect(close(out.host()[i], sum / (2 * r + 1), 1e-4), "box_by_running_sum");
}

} // namespace

void run_images() {
  run_grey(5120, 3333, dim3(32, 8));
  run_grey(1921, 1081, dim3(16, 16));
  run_sobel(6000, 4000, dim3(16, 16));
  run_sobel(2048, 2048, dim3(128, 1));
  run_gauss(3840, 2160);
  run_gauss(7001, 4000);
  run_bilateral(1920, 1080, dim3(16, 8));
  run_median(bytes(4000 * 3000), 4000, 3000, dim3(32, 4));
  run_median(elements(4096 * 4096), 4096, 4096, dim3(64, 8));
  run_resize(1600, 1200, 2500, 1900);
  run_resize(3000, 2000, 1024, 768);
  run_rotate(4000, 3000, 0.5, dim3(32, 8));
  run_rotate(2600, 2600, 1.0, dim3(32, 32));
  run_dilate(5000, 4000);
  run_box(2000, 4000, 10, 64);
}

} // namespace perfmodel::collection
