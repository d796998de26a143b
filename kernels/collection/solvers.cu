// Pieces of solvers of linear systems: relaxation, conjugate gradients, tridiagonal and small dense systems
// in batches, sparse products and grid transfer.
#include "themes.hpp"

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

// Gauss-Seidel, the cells of one colour of a chessboard, for -laplace(u) = f; a thread a cell of the colour.
template <class T> __global__ void gauss_seidel_colour(T* u, const T* f, int nx, int ny, int colour) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int i = y * nx + x;
  u[i] = T(0.25) * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + f[i]);
}

template <class T> void run_gauss_seidel(int nx, int ny, dim3 block) {
  const size_t n = static_cast<size_t>(nx) * ny, w = nx;
  const Array<T> u(numbers<T>(n, 0, 1)), f(numbers<T>(n, 1, 1));
  const dim3 grid(blocks_of(nx / 2, block.x), blocks_of(ny - 2, block.y));
  repeat("gauss_seidel_colour", [&] { gauss_seidel_colour<<<grid, block>>>(u.data, f.data, nx, ny, 0); });
  const size_t i = 5 * w + 12, j = i + 1; // 12 has the colour in an odd row
  const double around = element(i - 1) + element(i + 1) + element(i - w) + element(i + w);
  expect(close(at(u, i), 0.25 * (around + 1 + element(i)), 1e-5), "gauss_seidel_colour");
  expect(at(u, j) == static_cast<T>(element(j)), "gauss_seidel_colour");
}

// Conjugate gradients: x += alpha p, r -= alpha q and the sums of r * r by block, in one pass.
__global__ void conjugate_gradient_update(float* x, float* r, const float* p, const float* q, float* sums,
                                          float alpha, int n) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    x[i] += alpha * p[i];
    const float rest = r[i] - alpha * q[i];
    r[i] = rest;
    sum += rest * rest;
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

void run_conjugate_gradient(int n, int blocks) {
  const Array<float> x(n), r(numbers(n, 1.0F, 1.0F)), p(elements(n)), q(elements(n)), sums(blocks);
  repeat("conjugate_gradient_update", [&] {
    conjugate_gradient_update<<<blocks, 256>>>(x.data, r.data, p.data, q.data, sums.data, 0.02F, n);
  });
  double sum = 0, found = 0;
  for (int i = 0; i < n; ++i) sum += std::pow(1 + (1 - 0.02 * times) * element(i), 2);
  for (const float part : sums.host()) found += part;
  expect(close(found, sum, 1e-3), "conjugate_gradient_update");
  expect(close(at(x, n - 1), 0.02 * times * element(n - 1), 1e-4), "conjugate_gradient_update");
}

// Tridiagonal systems by Thomas, a thread each, stored one after another or interleaved.
template <class T, bool interleaved>
__global__ void thomas_systems(const T* a, const T* b, const T* c, const T* d, T* x, T* upper, int n,
                               int systems) {
  const int system = blockIdx.x * blockDim.x + threadIdx.x;
  if (system >= systems) return;
  const int step = interleaved ? systems : 1;
  int i = interleaved ? system : system * n;
  T factor = c[i] / b[i], value = d[i] / b[i];
  upper[i] = factor;
  x[i] = value;
  for (int k = 1; k < n; ++k) {
    i += step;
    const T scale = 1 / (b[i] - a[i] * factor);
    factor = c[i] * scale;
    value = (d[i] - a[i] * value) * scale;
    upper[i] = factor;
    x[i] = value;
  }
  for (int k = 1; k < n; ++k) {
    i -= step;
    value = x[i] - upper[i] * value;
    x[i] = value;
  }
}

template <class T, bool interleaved> void run_thomas(int n, int systems, int block) {
  const size_t all = static_cast<size_t>(n) * systems, step = interleaved ? systems : 1;
  const Array<T> a(numbers<T>(all, 0, -1)), b(numbers<T>(all, 3, 1)), c(numbers<T>(all, -1, 0.5));
  const Array<T> d(numbers<T>(all, 0, 1)), x(all), upper(all);
  repeat("thomas_systems", [&] {
    thomas_systems<T, interleaved><<<blocks_of(systems, block), block>>>(a.data, b.data, c.data, d.data,
                                                                         x.data, upper.data, n, systems);
  });
  const size_t i = interleaved ? (n / 2 + 1) * step - 1 : all - n / 2;
  const double e = element(i), left = at(x, i - step), middle = at(x, i), right = at(x, i + step);
  expect(close(-e * left + (3 + e) * middle + (0.5 * e - 1) * right, e, 1e-4), "thomas_systems");
}

// Tridiagonal systems by parallel cyclic reduction in shared memory, a block each and a thread an unknown.
__global__ void parallel_cyclic_reduction(const float* a, const float* b, const float* c, const float* d,
                                          float* x) {
  extern __shared__ float rows[];
  const int n = blockDim.x, i = threadIdx.x;
  float *sa = rows, *sb = rows + n, *sc = rows + 2 * n, *sd = rows + 3 * n;
  const size_t place = static_cast<size_t>(blockIdx.x) * n + i;
  float na = i > 0 ? a[place] : 0, nb = b[place], nc = i < n - 1 ? c[place] : 0, nd = d[place];
  for (int s = 1; s < n; s *= 2) {
    sa[i] = na, sb[i] = nb, sc[i] = nc, sd[i] = nd;
    __syncthreads();
    float before = 0, after = 0;
    if (i >= s) {
      const float k = na / sb[i - s];
      before = -sa[i - s] * k;
      nb -= sc[i - s] * k;
      nd -= sd[i - s] * k;
    }
    if (i + s < n) {
      const float k = nc / sb[i + s];
      after = -sc[i + s] * k;
      nb -= sa[i + s] * k;
      nd -= sd[i + s] * k;
    }
    na = before;
    nc = after;
    __syncthreads();
  }
  x[place] = nd / nb;
}

void run_cyclic_reduction(int n, int systems) {
  const size_t all = static_cast<size_t>(n) * systems;
  const Array<float> a(numbers(all, 0.0F, -1.0F)), b(numbers(all, 3.0F, 1.0F)), c(numbers(all, -1.0F, 0.5F));
  const Array<float> d(elements(all)), x(all);
  repeat("parallel_cyclic_reduction", [&] {
    parallel_cyclic_reduction<<<systems, n, 4 * n * sizeof(float)>>>(a.data, b.data, c.data, d.data, x.data);
  });
  const size_t i = all - n / 3;
  const double e = element(i), left = at(x, i - 1), middle = at(x, i), right = at(x, i + 1);
  expect(close(-e * left + (3 + e) * middle + (0.5 * e - 1) * right, e, 1e-4), "parallel_cyclic_reduction");
}

// LU without pivots of small matrices in registers, a thread each, stored interleaved.
template <int n> __global__ void lu_in_registers(const double* in, double* out, int matrices) {
  const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
  if (matrix >= matrices) return;
  double m[n][n];
#pragma unroll
  for (int k = 0; k < n * n; ++k) m[k / n][k % n] = in[k * matrices + matrix];
#pragma unroll
  for (int k = 0; k < n; ++k) {
    const double inverse = 1 / m[k][k];
#pragma unroll
    for (int i = k + 1; i < n; ++i) {
      m[i][k] *= inverse;
#pragma unroll
      for (int j = k + 1; j < n; ++j) m[i][j] -= m[i][k] * m[k][j];
    }
  }
#pragma unroll
  for (int k = 0; k < n * n; ++k) out[k * matrices + matrix] = m[k / n][k % n];
}

// Element (i, j) of L * U, which lie in one matrix; get(i, j) gives its elements.
template <class Get> double lu_product(int i, int j, Get get) {
  double sum = i <= j ? get(i, j) : 0;
  for (int k = 0; k < i && k <= j; ++k) sum += get(i, k) * get(k, j);
  return sum;
}

template <int n> void run_lu_registers(int matrices) {
  std::vector<double> host(numbers(static_cast<size_t>(n) * n * matrices, 0.0, 1.0));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < matrices; ++k) host[static_cast<size_t>(i * n + i) * matrices + k] += n;
  const Array<double> in(host), out(host.size());
  repeat("lu_in_registers",
         [&] { lu_in_registers<n><<<blocks_of(matrices, 128), 128>>>(in.data, out.data, matrices); });
  const auto place = [&](int i, int j) { return static_cast<size_t>(i * n + j + 1) * matrices - 1; };
  const auto get = [&](int i, int j) { return at(out, place(i, j)); };
  expect(close(lu_product(n - 1, n - 2, get), host[place(n - 1, n - 2)], 1e-9), "lu_in_registers");
  expect(close(lu_product(1, n - 1, get), host[place(1, n - 1)], 1e-9), "lu_in_registers");
}

// LU without pivots of 64 x 64 in shared memory, a block each.
__global__ void lu_block_64(const double* in, double* out) {
  __shared__ double m[64][64];
  const int column = threadIdx.x, first = threadIdx.y;
  const size_t start = static_cast<size_t>(blockIdx.x) * 64 * 64;
  for (int i = first; i < 64; i += 4) m[i][column] = in[start + i * 64 + column];
  __syncthreads();
  for (int k = 0; k < 63; ++k) {
    if (first == 0 && column > k) m[column][k] /= m[k][k];
    __syncthreads();
    for (int i = k + 1 + first; i < 64; i += 4)
      if (column > k) m[i][column] -= m[i][k] * m[k][column];
    __syncthreads();
  }
  for (int i = first; i < 64; i += 4) out[start + i * 64 + column] = m[i][column];
}

void run_lu_block(int matrices) {
  std::vector<double> host(numbers(static_cast<size_t>(matrices) * 64 * 64, 0.0, 1.0));
  for (size_t i = 0; i < host.size(); ++i) host[i] += i % 4096 % 65 == 0 ? 64 : 0;
  const Array<double> in(host), out(host.size());
  repeat("lu_block_64", [&] { lu_block_64<<<matrices, dim3(64, 4)>>>(in.data, out.data); });
  const size_t start = host.size() - 4096;
  const auto get = [&](int i, int j) { return at(out, start + i * 64 + j); };
  expect(close(lu_product(63, 50, get), host[start + 63 * 64 + 50], 1e-9), "lu_block_64");
  expect(close(lu_product(20, 63, get), host[start + 20 * 64 + 63], 1e-9), "lu_block_64");
}

// Cholesky of 32 x 32, a warp each and a lane a row, four in a block.
__global__ void cholesky_warp_32(const float* in, float* out, int matrices) {
  __shared__ float all[4][32][33];
  const int matrix = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  if (matrix >= matrices) return;
  float(*m)[33] = all[threadIdx.y];
  for (int i = 0; i < 32; ++i) m[i][lane] = in[static_cast<size_t>(matrix) * 1024 + i * 32 + lane];
  __syncwarp();
  for (int k = 0; k < 32; ++k) {
    const float pivot = sqrtf(m[k][k]);
    __syncwarp();
    if (lane >= k) m[lane][k] = lane == k ? pivot : m[lane][k] / pivot;
    __syncwarp();
    for (int j = k + 1; j <= lane; ++j) m[lane][j] -= m[lane][k] * m[j][k];
    __syncwarp();
  }
  for (int i = 0; i < 32; ++i)
    out[static_cast<size_t>(matrix) * 1024 + i * 32 + lane] = lane <= i ? m[i][lane] : 0.0F;
}

void run_cholesky(int matrices) {
  const auto value = [](size_t i, size_t j) { return element(i * j) + (i == j ? 32.0F : 0.0F); };
  std::vector<float> host(static_cast<size_t>(matrices) * 1024);
  for (size_t i = 0; i < host.size(); ++i) host[i] = value(i / 32 % 32, i % 32);
  const Array<float> in(host), out(host.size());
  repeat("cholesky_warp_32",
         [&] { cholesky_warp_32<<<blocks_of(matrices, 4), dim3(32, 4)>>>(in.data, out.data, matrices); });
  const float* last = host.data() + host.size() - 1024;
  double sum = 0;
  for (int k = 0; k <= 21; ++k)
    sum += at(out, host.size() - 1024 + 30 * 32 + k) * at(out, host.size() - 1024 + 21 * 32 + k);
  expect(close(sum, last[30 * 32 + 21], 1e-4), "cholesky_warp_32");
}

// Sparse product with seven diagonals.
__global__ void dia_product(const float* diagonals, int4 offsets, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int shifts[7] = {-offsets.z, -offsets.y, -offsets.x, 0, offsets.x, offsets.y, offsets.z};
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 7; ++k) {
    const int column = i + shifts[k];
    if (column >= 0 && column < n) sum += diagonals[static_cast<size_t>(k) * n + i] * x[column];
  }
  y[i] = sum;
}

void run_dia(int n, int line, int plane, int block) {
  const Array<float> diagonals(elements(static_cast<size_t>(n) * 7)), x(numbers(n, 1.0F, 1.0F)), y(n);
  const int4 offsets = make_int4(1, line, plane, 0);
  repeat("dia_product",
         [&] { dia_product<<<blocks_of(n, block), block>>>(diagonals.data, offsets, x.data, y.data, n); });
  const int shifts[7] = {-plane, -line, -1, 0, 1, line, plane};
  double sum = 0;
  const int i = n - plane + 9; // the last diagonal ends before
  for (int k = 0; k < 6; ++k) sum += element(static_cast<size_t>(k) * n + i) * (1 + element(i + shifts[k]));
  expect(close(at(y, i), sum, 1e-4), "dia_product");
}

// Multigrid: full weighting of nine fine points to a coarse one.
__global__ void restrict_full_weighting(const double* fine, double* coarse, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int width = 2 * n - 1;
  const double* p = fine + static_cast<size_t>(2 * y) * width + 2 * x;
  const double corners = p[-width - 1] + p[-width + 1] + p[width - 1] + p[width + 1];
  coarse[y * n + x] = (4 * p[0] + 2 * (p[-1] + p[1] + p[-width] + p[width]) + corners) / 16;
}

void run_restriction(int n) {
  const size_t w = 2 * n - 1, i = w * (2 * (n - 2)) + 2 * (n - 2);
  const Array<double> fine(numbers(w * w, 0.0, 1.0)), coarse(static_cast<size_t>(n) * n);
  const dim3 grid(blocks_of(n, 32), blocks_of(n, 4));
  repeat("restrict_full_weighting",
         [&] { restrict_full_weighting<<<grid, dim3(32, 4)>>>(fine.data, coarse.data, n); });
  double sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += (2 - dx * dx) * (2 - dy * dy) / 16.0 * element(i + dy * w + dx);
  expect(close(at(coarse, static_cast<size_t>(n - 2) * n + n - 2), sum, 1e-9), "restrict_full_weighting");
}

} // namespace

void run_solvers() {
  run_gauss_seidel<double>(3000, 3001, dim3(32, 8));
  run_gauss_seidel<float>(2050, 1026, dim3(128, 1));
  run_conjugate_gradient(12'000'000, 528);
  run_thomas<float, true>(128, 65536, 128);
  run_thomas<double, false>(100, 20'000, 64);
  run_cyclic_reduction(512, 12'000);
  run_cyclic_reduction(200, 3000);
  run_lu_registers<4>(1 << 20);
  run_lu_registers<7>(100'000);
  run_lu_block(1500);
  run_cholesky(12'000);
  run_dia(8'000'000, 200, 40'000, 256);
  run_dia(1 << 20, 128, 16384, 64);
  run_restriction(2049);
}

} // namespace perfmodel::collection
