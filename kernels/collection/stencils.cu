// Stencils in one, two and three dimensions, on bytes, halves, floats and doubles.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <cuda_fp16.h>

namespace perfmodel::collection {

using namespace program;

namespace {

// One Jacobi sweep with 5 points; the border is left alone.
__global__ void jacobi_five_points(const float* in, float* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int i = y * nx + x;
  out[i] = 0.25F * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]) - 0.1F * in[i];
}

constexpr int side = 16;

// The mean of 3 x 3 doubles, with a tile and its halo in shared memory; coordinates are clamped.
__global__ void mean_nine_points(const double* in, double* out, int nx, int ny) {
  __shared__ double tile[side + 2][side + 2];
  const int left = blockIdx.x * side - 1, top = blockIdx.y * side - 1;
  for (int t = threadIdx.y * side + threadIdx.x; t < (side + 2) * (side + 2); t += side * side) {
    const int x = min(max(left + t % (side + 2), 0), nx - 1);
    const int y = min(max(top + t / (side + 2), 0), ny - 1);
    tile[t / (side + 2)][t % (side + 2)] = in[static_cast<size_t>(y) * nx + x];
  }
  __syncthreads();
  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  double sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[static_cast<size_t>(y) * nx + x] = sum / 9;
}

// 7 points in space; each thread marches along z and keeps the column in three registers.
__global__ void march_seven_points(const float* in, float* out, int nx, int ny, int nz, float weight) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int i = y * nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    const float above = in[i + plane];
    out[i] = here + weight * (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] - 6 * here);
    below = here;
    here = above;
  }
}

// 27 points in space, one element a thread, everything from global memory.
template <class T>
__global__ void weigh_twenty_seven_points(const T* __restrict__ in, T* __restrict__ out, int nx, int ny,
                                          int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  T sum[4] = {0, 0, 0, 0}; // by distance: centre, faces, edges, corners
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx)
        sum[dx * dx + dy * dy + dz * dz] += in[((z + dz) * ny + y + dy) * nx + x + dx];
  out[(z * ny + y) * nx + x] = sum[0] + sum[1] / 2 + sum[2] / 4 + sum[3] / 8;
}

constexpr int far = 4;
__constant__ float star[far + 1];

// Radius 4 in space: planes in shared memory with a halo of 4, the axis z in a queue of registers.
__global__ __launch_bounds__(512) void march_radius_four(const float* in, float* out, int nx, int ny,
                                                         int nz) {
  __shared__ float tile[16 + 2 * far][32 + 2 * far];
  const int tx = threadIdx.x + far, ty = threadIdx.y + far;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty; // the grid covers the inner part exactly
  const int plane = nx * ny;
  int i = y * nx + x;
  float column[2 * far + 1];
#pragma unroll
  for (int q = 1; q <= 2 * far; ++q) column[q] = in[i + (q - 1) * plane];
  for (int z = far; z < nz - far; ++z) {
#pragma unroll
    for (int q = 0; q < 2 * far; ++q) column[q] = column[q + 1];
    column[2 * far] = in[i + (z + far) * plane];
    const int at = i + z * plane;
    __syncthreads();
    tile[ty][tx] = column[far];
    if (threadIdx.x < far) {
      tile[ty][tx - far] = in[at - far];
      tile[ty][tx + 32] = in[at + 32];
    }
    if (threadIdx.y < far) {
      tile[ty - far][tx] = in[at - far * nx];
      tile[ty + 16][tx] = in[at + 16 * nx];
    }
    __syncthreads();
    float sum = star[0] * column[far];
#pragma unroll
    for (int r = 1; r <= far; ++r)
      sum += star[r] * (column[far - r] + column[far + r] + tile[ty][tx - r] + tile[ty][tx + r] +
                        tile[ty - r][tx] + tile[ty + r][tx]);
    out[at] = sum;
  }
}

// Half a Gauss-Seidel sweep: the cells of one colour become the mean of their neighbours, in place.
__global__ void relax_one_colour(float* u, int nx, int ny, int colour) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int i = y * nx + x;
  u[i] = 0.25F * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx]);
}

// One generation of the game of life on a torus of bytes.
__global__ void live_on_torus(const signed char* in, signed char* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int west = (x + nx - 1) % nx, east = (x + 1) % nx;
  const int north = (y + ny - 1) % ny * nx, south = (y + 1) % ny * nx, here = y * nx;
  const int around = in[north + west] + in[north + x] + in[north + east] + in[here + west] + in[here + east] +
                     in[south + west] + in[south + x] + in[south + east];
  out[here + x] = around == 3 || (around == 2 && in[here + x] == 1) ? 1 : 0;
}

constexpr int steps = 8;

// Eight steps of heat along a rod at once: each block takes eight ghost cells at either end.
__global__ void heat_with_ghosts(const float* in, float* out, int n) {
  extern __shared__ float rod[]; // two copies
  const int width = blockDim.x, t = threadIdx.x;
  float *now = rod, *next = rod + width;
  const int i = static_cast<int>(blockIdx.x) * (width - 2 * steps) + t - steps;
  now[t] = i >= 0 && i < n ? in[i] : 0.0F;
  __syncthreads();
  for (int s = 1; s <= steps; ++s) {
    if (t >= s && t < width - s)
      next[t] = i >= 0 && i < n ? 0.5F * now[t] + 0.25F * (now[t - 1] + now[t + 1]) : 0.0F;
    __syncthreads();
    now = rod + (s % 2) * width;
    next = rod + width - (s % 2) * width;
  }
  if (t >= steps && t < width - steps && i < n) out[i] = now[t];
}

// The second derivative down the columns, two halves a thread and rows along y of the grid.
__global__ void curvature_of_columns(const half2* in, half2* out, int pairs, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
  if (x >= pairs || y >= ny - 1) return;
  const half2 *above = in + (y - 1) * pairs, *here = above + pairs, *below = here + pairs;
  out[y * pairs + x] = __hfma2(here[x], __float2half2_rn(-2.0F), __hadd2(above[x], below[x]));
}

// y = A x for a matrix of five diagonals that are stored as arrays, as simulation codes have it.
__global__ void apply_five_diagonals(const double* centre, const double* west, const double* east,
                                     const double* south, const double* north, const double* x, double* y,
                                     int nx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = centre[i] * x[i];
  if (i % nx > 0) sum -= west[i] * x[i - 1];
  if (i % nx < nx - 1) sum -= east[i] * x[i + 1];
  if (i >= nx) sum -= south[i] * x[i - nx];
  if (i + nx < n) sum -= north[i] * x[i + nx];
  y[i] = sum;
}

void run_five(int nx, int ny, dim3 block) {
  const Array<float> in(elements(nx * ny)), out(nx * ny);
  const dim3 grid(blocks_of(nx, block.x), blocks_of(ny, block.y));
  repeat("jacobi_five_points", [&] { jacobi_five_points<<<grid, block>>>(in.data, out.data, nx, ny); });
  const int i = (ny - 2) * nx + nx - 2;
  const float sum = element(i - 1) + element(i + 1) + element(i - nx) + element(i + nx);
  expect(close(out.host()[i], 0.25 * sum - 0.1 * element(i), 1e-5), "jacobi_five_points");
}

void run_nine(int nx, int ny) {
  const std::vector<float> values = elements(static_cast<size_t>(nx) * ny);
  const Array<double> in(std::vector<double>(values.begin(), values.end())), out(values.size());
  const dim3 grid(blocks_of(nx, side), blocks_of(ny, side)), block(side, side);
  repeat("mean_nine_points", [&] { mean_nine_points<<<grid, block>>>(in.data, out.data, nx, ny); });
  const size_t i = static_cast<size_t>(ny / 2) * nx + nx / 3;
  double sum = 0;
  for (const size_t row : {i - nx, i, i + nx}) sum += element(row - 1) + element(row) + element(row + 1);
  expect(close(out.host()[i], sum / 9, 1e-9), "mean_nine_points");
}

void run_seven(int nx, int ny, int nz, dim3 block) {
  const Array<float> in(elements(nx * ny * nz)), out(nx * ny * nz);
  const dim3 grid(blocks_of(nx - 2, block.x), blocks_of(ny - 2, block.y));
  repeat("march_seven_points",
         [&] { march_seven_points<<<grid, block>>>(in.data, out.data, nx, ny, nz, 0.1F); });
  const int plane = nx * ny, i = (nz - 2) * plane + (ny - 2) * nx + nx / 2;
  double sum = -6 * element(i);
  for (const int d : {1, nx, plane}) sum += element(i - d) + element(i + d);
  expect(close(out.host()[i], element(i) + 0.1 * sum, 1e-4), "march_seven_points");
}

template <class T> void run_twenty_seven(int nx, int ny, int nz, dim3 block) {
  const std::vector<float> values = elements(nx * ny * nz);
  const Array<T> in(std::vector<T>(values.begin(), values.end())), out(values.size());
  const dim3 grid(blocks_of(nx, block.x), blocks_of(ny, block.y), blocks_of(nz, block.z));
  repeat("weigh_twenty_seven_points",
         [&] { weigh_twenty_seven_points<<<grid, block>>>(in.data, out.data, nx, ny, nz); });
  const int i = ((nz - 2) * ny + ny / 2) * nx + 1;
  double sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        sum += element(i + (dz * ny + dy) * nx + dx) / (1 << (dx * dx + dy * dy + dz * dz));
  expect(close(out.host()[i], sum, 1e-4), "weigh_twenty_seven_points");
}

void run_radius_four(int blocks_x, int blocks_y, int nz) {
  const float weights[] = {-2.5F, 0.8F, -0.2F, 0.05F, -0.01F};
  check(cudaMemcpyToSymbol(star, weights, sizeof(weights)), "constant memory");
  const int nx = blocks_x * 32 + 2 * far, ny = blocks_y * 16 + 2 * far, plane = nx * ny;
  const Array<float> in(elements(plane * nz)), out(plane * nz);
  repeat("march_radius_four", [&] {
    march_radius_four<<<dim3(blocks_x, blocks_y), dim3(32, 16)>>>(in.data, out.data, nx, ny, nz);
  });
  const int i = (nz / 2) * plane + 33 * nx + 40;
  double sum = static_cast<double>(weights[0]) * element(i);
  for (int r = 1; r <= far; ++r)
    for (const int d : {1, nx, plane}) sum += weights[r] * (element(i - r * d) + element(i + r * d));
  expect(close(out.host()[i], sum, 1e-4), "march_radius_four");
}

void run_colours(int nx, int ny, int colour) {
  const Array<float> u(elements(nx * ny));
  const dim3 block(64, 4), grid(blocks_of(nx / 2, 64), blocks_of(ny - 2, 4));
  repeat("relax_one_colour", [&] { relax_one_colour<<<grid, block>>>(u.data, nx, ny, colour); });
  const int y = 101, x = 201 + (y + colour) % 2, i = y * nx + x;
  const float sum = element(i - 1) + element(i + 1) + element(i - nx) + element(i + nx);
  const std::vector<float> found = u.host();
  expect(close(found[i], 0.25 * sum, 1e-5) && found[i + 1] == element(i + 1), "relax_one_colour");
}

void run_life(int nx, int ny, dim3 block) {
  std::vector<signed char> cells(static_cast<size_t>(nx) * ny);
  for (size_t i = 0; i < cells.size(); ++i) cells[i] = element(i + i / 1000) < 0.4F;
  const Array<signed char> in(cells), out(cells.size());
  const dim3 grid(blocks_of(nx, block.x), blocks_of(ny, block.y));
  repeat("live_on_torus", [&] { live_on_torus<<<grid, block>>>(in.data, out.data, nx, ny); });
  const std::vector<signed char> found = out.host();
  for (int x = 0; x < nx; x += 7) { // along the last row, whose neighbours are at both ends
    int around = 0;
    for (const int y : {ny - 2, ny - 1, 0})
      for (const int d : {nx - 1, nx, nx + 1}) around += cells[y * nx + (x + d) % nx];
    const bool alive = cells[(ny - 1) * nx + x] == 1;
    expect(found[(ny - 1) * nx + x] == (around == 3 || (around == 4 && alive)), "live_on_torus");
  }
}

void run_rod(int n, int block) {
  const Array<float> in(elements(n)), out(n);
  repeat("heat_with_ghosts", [&] {
    heat_with_ghosts<<<blocks_of(n, block - 2 * steps), block, 2 * block * sizeof(float)>>>(in.data, out.data,
                                                                                            n);
  });
  const int middle = n / 2 + 3;
  std::vector<double> rod(2 * steps + 1);
  for (int i = 0; i <= 2 * steps; ++i) rod[i] = element(middle - steps + i);
  for (int last = 2 * steps; last > 0; last -= 2) // every step leaves two cells less
    for (int i = 0; i <= last - 2; ++i) rod[i] = 0.5 * rod[i + 1] + 0.25 * (rod[i] + rod[i + 2]);
  expect(close(out.host()[middle], rod[0], 1e-5), "heat_with_ghosts");
}

void run_curvature(int pairs, int ny) {
  std::vector<half2> rows(static_cast<size_t>(pairs) * ny);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = __floats2half2_rn(i / pairs % 5, i % 3);
  const Array<half2> in(rows), out(rows.size());
  repeat("curvature_of_columns", [&] {
    curvature_of_columns<<<dim3(blocks_of(pairs, 192), ny - 2), 192>>>(in.data, out.data, pairs, ny);
  });
  const int i = 5 * pairs - 1; // in row 4
  const half2 found = out.host()[i];
  const float across = (i - pairs) % 3 + (i + pairs) % 3 - 2 * (i % 3);
  expect(__low2float(found) == 3 - 8 && __high2float(found) == across, "curvature_of_columns");
}

void run_diagonals(int nx, int ny, unsigned block) {
  const int n = nx * ny;
  const std::vector<float> values = elements(n);
  const std::vector<double> wide(values.begin(), values.end()), ones(n, 1), quarters(n, 0.25), thirds(n, 0.3);
  const Array<double> centre(wide), west(ones), east(quarters), south(thirds), north(wide), x(wide), y(n);
  repeat("apply_five_diagonals", [&] {
    apply_five_diagonals<<<blocks_of(n, block), block>>>(centre.data, west.data, east.data, south.data,
                                                         north.data, x.data, y.data, nx, n);
  });
  const int i = n / 2 + nx / 2;
  const double v = element(i), sum = v * v - element(i - 1) - 0.25 * element(i + 1) - 0.3 * element(i - nx);
  expect(close(y.host()[i], sum - v * element(i + nx), 1e-9), "apply_five_diagonals");
}

} // namespace

void run_stencils() {
  run_five(4096, 4096, dim3(32, 8));
  run_five(3003, 1001, dim3(16, 16));
  run_nine(3000, 2000);
  run_seven(256, 256, 256, dim3(32, 8));
  run_seven(500, 300, 90, dim3(64, 2));
  run_twenty_seven<float>(200, 200, 200, dim3(32, 4, 2));
  run_twenty_seven<double>(160, 150, 140, dim3(8, 8, 8));
  run_radius_four(10, 20, 160);
  run_colours(4096, 4096, 0);
  run_colours(2501, 2001, 1);
  run_life(8192, 4096, dim3(128, 2));
  run_life(1999, 1000, dim3(32, 32));
  run_rod(1 << 24, 256);
  run_rod(5000000, 96);
  run_curvature(2048, 4000);
  run_diagonals(1500, 1400, 256);
}

} // namespace perfmodel::collection
