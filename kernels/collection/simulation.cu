// Steps of physical simulations: fluids, waves, fields, bodies, particles, diffusion.
#include "themes.hpp"

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

__constant__ int lattice_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int lattice_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float lattice_weight[9] = {4 / 9.0F,  1 / 9.0F,  1 / 9.0F,  1 / 9.0F, 1 / 9.0F,
                                        1 / 36.0F, 1 / 36.0F, 1 / 36.0F, 1 / 36.0F};

template <bool by_direction> __host__ __device__ size_t lattice_index(int cell, int k, int cells) {
  return by_direction ? static_cast<size_t>(k) * cells + cell : static_cast<size_t>(cell) * 9 + k;
}

// Lattice Boltzmann D2Q9, pulled from periodic neighbours; directions outermost or innermost in memory.
template <bool by_direction>
__global__ void lattice_boltzmann_d2q9(const float* from, float* to, int nx, int ny, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const int sx = (x - lattice_x[k] + nx) % nx, sy = (y - lattice_y[k] + ny) % ny;
    f[k] = from[lattice_index<by_direction>(sy * nx + sx, k, nx * ny)];
    rho += f[k];
    ux += f[k] * lattice_x[k];
    uy += f[k] * lattice_y[k];
  }
  ux /= rho;
  uy /= rho;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float c = 3 * (ux * lattice_x[k] + uy * lattice_y[k]);
    const float rest = lattice_weight[k] * rho * (1 + c + 0.5F * c * c - 1.5F * (ux * ux + uy * uy));
    to[lattice_index<by_direction>(y * nx + x, k, nx * ny)] = f[k] + omega * (rest - f[k]);
  }
}

template <bool by_direction> void run_lattice(int nx, int ny, dim3 block) {
  const size_t n = static_cast<size_t>(nx) * ny * 9;
  const Array<float> from(numbers(n, 0.5F, 1.0F)), to(n);
  const dim3 grid(blocks_of(nx, block.x), blocks_of(ny, block.y));
  repeat("lattice_boltzmann_d2q9",
         [&] { lattice_boltzmann_d2q9<by_direction><<<grid, block>>>(from.data, to.data, nx, ny, 0.8F); });
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  double before = 0, after = 0, momentum = 0, kept = 0; // collisions keep mass and momentum of a cell
  const int x = nx - 1, y = 7;
  for (int k = 0; k < 9; ++k) {
    const int cell = (y - dy[k]) * nx + (x - dx[k] + nx) % nx;
    const double in = 0.5 + element(lattice_index<by_direction>(cell, k, nx * ny));
    const double out = at(to, lattice_index<by_direction>(y * nx + x, k, nx * ny));
    before += in;
    after += out;
    momentum += in * dx[k];
    kept += out * dx[k];
  }
  expect(close(after, before, 1e-4) && close(kept, momentum, 1e-4), "lattice_boltzmann_d2q9");
}

// FDTD in 3-D: the three magnetic components from the curl of the electric field, in place.
__global__ void fdtd_magnetic_3d(const float* ex, const float* ey, const float* ez, float* hx, float* hy,
                                 float* hz, int nx, int ny, int nz, float s) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const int i = (z * ny + y) * nx + x, plane = nx * ny;
  hx[i] += s * (ey[i + plane] - ey[i] - ez[i + nx] + ez[i]);
  hy[i] += s * (ez[i + 1] - ez[i] - ex[i + plane] + ex[i]);
  hz[i] += s * (ex[i + nx] - ex[i] - ey[i + 1] + ey[i]);
}

void run_fdtd(int nx, int ny, int nz, dim3 block) {
  const size_t n = static_cast<size_t>(nx) * ny * nz;
  const Array<float> ex(elements(n)), ey(numbers(n, 1.0F, 2.0F)), ez(numbers(n, 0.0F, -1.0F));
  const Array<float> hx(n), hy(n), hz(n);
  const dim3 grid(blocks_of(nx, block.x), blocks_of(ny, block.y), blocks_of(nz, block.z));
  repeat("fdtd_magnetic_3d", [&] {
    fdtd_magnetic_3d<<<grid, block>>>(ex.data, ey.data, ez.data, hx.data, hy.data, hz.data, nx, ny, nz, 0.5F);
  });
  const size_t i = (static_cast<size_t>(nz - 2) * ny + ny - 2) * nx + nx - 2,
               plane = static_cast<size_t>(nx) * ny;
  const double e = element(i);
  const double x = 2 * (element(i + plane) - e) + element(i + nx) - e;
  const double z = element(i + nx) - e - 2 * (element(i + 1) - e);
  expect(close(at(hx, i), times * 0.5 * x, 1e-4) && close(at(hz, i), times * 0.5 * z, 1e-4),
         "fdtd_magnetic_3d");
}

// Wave equation in 2-D in double, with a Laplacian of fourth order.
__global__ void wave_fourth_order(const double* now, const double* before, double* next, int nx, int ny,
                                  double c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 2, y = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (x >= nx - 2 || y >= ny - 2) return;
  const double* p = now + static_cast<size_t>(y) * nx + x;
  const double near = p[1] + p[-1] + p[nx] + p[-nx], far = p[2] + p[-2] + p[2 * nx] + p[-2 * nx];
  const double laplacian = (16 * near - far - 60 * p[0]) / 12;
  next[y * nx + x] = 2 * p[0] - before[y * nx + x] + c * laplacian;
}

void run_wave(int nx, int ny, dim3 block) {
  const size_t n = static_cast<size_t>(nx) * ny, w = nx;
  const Array<double> now(numbers(n, 0.0, 1.0)), before(numbers(n, 0.5, 0.5)), next(n);
  const dim3 grid(blocks_of(nx - 4, block.x), blocks_of(ny - 4, block.y));
  repeat("wave_fourth_order",
         [&] { wave_fourth_order<<<grid, block>>>(now.data, before.data, next.data, nx, ny, 0.2); });
  const size_t i = (ny - 3) * w + w - 3;
  const double near = element(i + 1) + element(i - 1) + element(i + w) + element(i - w);
  const double far = element(i + 2) + element(i - 2) + element(i + 2 * w) + element(i - 2 * w);
  const double e = element(i), expected = 2 * e - 0.5 - 0.5 * e + 0.2 * (16 * near - far - 60 * e) / 12;
  expect(close(at(next, i), expected, 1e-9), "wave_fourth_order");
}

// Gravity of all bodies on each, tiles of bodies in shared memory; a thread a body, w is the mass.
template <int tile> __global__ void bodies_in_tiles(const float4* bodies, float4* pull, int n) {
  __shared__ float4 others[tile];
  const int i = blockIdx.x * tile + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += tile) {
    others[threadIdx.x] = start + threadIdx.x < n ? bodies[start + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < tile; ++j) {
      const float dx = others[j].x - me.x, dy = others[j].y - me.y, dz = others[j].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01F);
      const float weight = others[j].w * inverse * inverse * inverse;
      sum.x += weight * dx;
      sum.y += weight * dy;
      sum.z += weight * dz;
    }
    __syncthreads();
  }
  if (i < n) pull[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// The same in double from separate arrays and without tiles, as a first version does it.
__global__ void bodies_naive_double(const double* x, const double* y, const double* m, double* px, double* py,
                                    int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  px[i] = 0;
  py[i] = 0;
  for (int j = 0; j < n; ++j) {
    const double dx = x[j] - x[i], dy = y[j] - y[i], square = dx * dx + dy * dy + 0.01;
    px[i] += m[j] * dx / (square * sqrt(square));
    py[i] += m[j] * dy / (square * sqrt(square));
  }
}

template <int tile> void run_bodies(int n) {
  const auto y = [](size_t i) { return element(i * i + 5); };
  std::vector<float4> host(n);
  for (size_t i = 0; i < host.size(); ++i) host[i] = make_float4(element(i), y(i), element(i / 7), 0.01F);
  const Array<float4> bodies(host), pull(n);
  repeat("bodies_in_tiles",
         [&] { bodies_in_tiles<tile><<<blocks_of(n, tile), tile>>>(bodies.data, pull.data, n); });
  double sum = 0;
  for (const float4& other : host) {
    const double dx = other.x - host[n - 1].x, dy = other.y - host[n - 1].y, dz = other.z - host[n - 1].z;
    sum += 0.01 * dx / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
  }
  expect(std::fabs(at(pull, n - 1).x - sum) < 0.01 + 0.01 * std::fabs(sum), "bodies_in_tiles");
}

void run_bodies_naive(int n) {
  const Array<double> x(numbers(n, 0.0, 3.0)), y(numbers(n, 1.0, 1.0)), m(numbers(n, 0.0, 0.1)), px(n), py(n);
  repeat("bodies_naive_double",
         [&] { bodies_naive_double<<<blocks_of(n, 64), 64>>>(x.data, y.data, m.data, px.data, py.data, n); });
  double sum = 0;
  for (int j = 0; j < n; ++j) {
    const double d = static_cast<double>(element(j)) - element(n - 1), square = 10 * d * d + 0.01;
    sum += 0.1 * element(j) * 3 * d / (square * std::sqrt(square));
  }
  expect(close(at(px, n - 1), sum, 1e-6), "bodies_naive_double");
}

// Speeds of particles in a field that is interpolated between the four grid points around each.
__global__ void push_particles(const float2* place, const float2* speed, const float2* field, float2* next,
                               int n, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = place[i], v = speed[i];
  const int cx = static_cast<int>(p.x), cy = static_cast<int>(p.y), cell = cy * width + cx;
  const float fx = p.x - cx, fy = p.y - cy;
  const float2 a = field[cell], b = field[cell + 1], c = field[cell + width], d = field[cell + width + 1];
  const float ex = (1 - fy) * ((1 - fx) * a.x + fx * b.x) + fy * ((1 - fx) * c.x + fx * d.x);
  const float ey = (1 - fy) * ((1 - fx) * a.y + fx * b.y) + fy * ((1 - fx) * c.y + fx * d.y);
  next[i] = make_float2(v.x + 0.1F * ex, v.y + 0.1F * ey);
}

void run_push(int n, int width) { // the field is linear, so that interpolation is exact
  std::vector<float2> place(n), field(static_cast<size_t>(width) * width);
  for (size_t i = 0; i < place.size(); ++i)
    place[i] = make_float2(element(i) * (width - 2) + 0.25F, element(i / 3) * (width - 2) + 0.5F);
  for (int i = 0; i < width * width; ++i) field[i] = make_float2(i % width * 0.01F, i / width * 0.02F);
  const Array<float2> p(place), v(place), f(field), next(n);
  repeat("push_particles",
         [&] { push_particles<<<blocks_of(n, 256), 256>>>(p.data, v.data, f.data, next.data, n, width); });
  const float2 found = at(next, n - 2);
  expect(close(found.x, place[n - 2].x * 1.001, 1e-4), "push_particles");
  expect(close(found.y, place[n - 2].y * 1.002, 1e-4), "push_particles");
}

// Lennard-Jones forces between atoms in periodic cells of four, over the 27 cells around; a thread an atom.
__global__ void lattice_dynamics(const float4* atoms, float4* forces, int side) {
  const int atom = blockIdx.x * blockDim.x + threadIdx.x, cell = atom / 4;
  const int cx = cell % side, cy = cell / side % side, cz = cell / side / side;
  if (cz >= side) return;
  const float4 me = atoms[atom];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < 27; ++k) {
    const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
    const int other =
        ((cz + dz + side) % side * side + (cy + dy + side) % side) * side + (cx + dx + side) % side;
    for (int j = 0; j < 4; ++j) {
      const float4 p = atoms[other * 4 + j]; // a place within its cell, which is 2 wide
      const float x = me.x - p.x - 2 * dx, y = me.y - p.y - 2 * dy, z = me.z - p.z - 2 * dz;
      const float square = x * x + y * y + z * z, inverse = 1 / square, sixth = inverse * inverse * inverse;
      const bool counts = square < 4 && other * 4 + j != atom;
      const float size = counts ? 24 * inverse * sixth * (2 * sixth - 1) : 0.0F;
      fx += size * x;
      fy += size * y;
      fz += size * z;
    }
  }
  forces[atom] = make_float4(fx, fy, fz, 0);
}

void run_lattice_dynamics(int side, int block) { // a perfect crystal: all forces cancel
  const int n = side * side * side * 4;
  std::vector<float4> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = make_float4(i % 4 == 1 || i % 4 == 2, i % 4 == 1 || i % 4 == 3, i % 4 > 1, 1);
  host[n - 4] = make_float4(0.25F, 0, 0, 1); // but for one atom out of its place
  const Array<float4> atoms(host), forces(n);
  repeat("lattice_dynamics",
         [&] { lattice_dynamics<<<blocks_of(n, block), block>>>(atoms.data, forces.data, side); });
  const float4 still = at(forces, 0), moved = at(forces, n - 4);
  expect(std::fabs(still.x) < 1e-3 && std::fabs(still.y) < 1e-3, "lattice_dynamics");
  expect(close(moved.x, 2.71440, 1e-3) && std::fabs(moved.y) < 1e-3, "lattice_dynamics");
}

// Heat by ADI, the implicit half: a thread solves (-r, 1 + 2r, -r) along a line in x or in y.
template <bool along_x>
__global__ void adi_lines(const float* from, float* to, float* factors, int n, float r) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= n) return;
  const int first = along_x ? line * n : line, step = along_x ? 1 : n;
  float factor = r / (1 + 2 * r), value = from[first] / (1 + 2 * r);
  factors[first] = factor;
  to[first] = value;
  for (int i = 1; i < n; ++i) {
    const float scale = 1 / (1 + 2 * r - r * factor);
    factors[first + i * step] = factor = r * scale;
    to[first + i * step] = value = (from[first + i * step] + r * value) * scale;
  }
  for (int i = n - 2; i >= 0; --i)
    to[first + i * step] = value = to[first + i * step] + factors[first + i * step] * value;
}

template <bool along_x> void run_adi(int n) {
  const size_t cells = static_cast<size_t>(n) * n;
  const Array<float> from(elements(cells)), to(cells), factors(cells);
  repeat("adi_lines",
         [&] { adi_lines<along_x><<<blocks_of(n, 64), 64>>>(from.data, to.data, factors.data, n, 0.6F); });
  const size_t step = along_x ? 1 : n, i = cells / 2 + n / 3;
  const double left = 2.2 * at(to, i) - 0.6 * (at(to, i - step) + at(to, i + step));
  expect(close(left, element(i), 1e-4), "adi_lines");
}

// Gray-Scott reaction and diffusion on a torus.
__global__ void gray_scott(const float* u, const float* v, float* un, float* vn, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int i = y * nx + x, up = (y + 1) % ny * nx + x, down = (y + ny - 1) % ny * nx + x;
  const int right = y * nx + (x + 1) % nx, left = y * nx + (x + nx - 1) % nx;
  const float a = u[i], b = v[i], reaction = a * b * b;
  un[i] = a + 0.16F * (u[up] + u[down] + u[left] + u[right] - 4 * a) - reaction + 0.035F * (1 - a);
  vn[i] = b + 0.08F * (v[up] + v[down] + v[left] + v[right] - 4 * b) + reaction - 0.1F * b;
}

void run_gray_scott(int nx, int ny, int block) {
  const size_t n = static_cast<size_t>(nx) * ny, w = nx;
  const Array<float> u(elements(n)), v(numbers(n, 1.0F, -1.0F)), un(n), vn(n);
  repeat("gray_scott", [&] {
    gray_scott<<<dim3(blocks_of(nx, block), ny), block>>>(u.data, v.data, un.data, vn.data, nx, ny);
  });
  const double a = element(0), b = 1 - a, around = element(1) + element(w - 1) + element(w) + element(n - w);
  expect(close(at(un, 0), a + 0.16 * (around - 4 * a) - a * b * b + 0.035 * (1 - a), 1e-4), "gray_scott");
  expect(close(at(vn, 0), b - 0.08 * (around - 4 * a) + a * b * b - 0.1 * b, 1e-4), "gray_scott");
}

} // namespace

void run_simulation() {
  run_lattice<true>(2048, 1024, dim3(128, 1));
  run_lattice<false>(1500, 900, dim3(32, 8));
  run_fdtd(256, 256, 256, dim3(32, 4, 4));
  run_fdtd(130, 300, 90, dim3(8, 8, 8));
  run_wave(4000, 3000, dim3(64, 4));
  run_bodies<256>(30'000);
  run_bodies<128>(8192);
  run_bodies_naive(6'000);
  run_push(4'000'000, 1000);
  run_lattice_dynamics(40, 128);
  run_adi<true>(1500);
  run_adi<false>(2048);
  run_gray_scott(4096, 3072, 512);
  run_gray_scott(777, 1001, 96);
}

} // namespace perfmodel::collection
