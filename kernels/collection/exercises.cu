// What a course shows of good and bad habits: strides, structs, divergence, bank conflicts, local arrays,
// spills, lonely threads, tiny blocks, constant memory, divisions, and literals of the wrong type.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <algorithm>

namespace perfmodel::collection {

using namespace program;

namespace {

// Copies every `stride`-th element from `offset` on.
__global__ void copy_with_stride(const float* in, float* out, int n, int stride, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride + offset] = in[i * stride + offset];
}

// Moves particles of seven floats (place, speed, mass), which are structs one after another, or seven arrays.
template <bool STRUCTS> __global__ void move_particles(float* all, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int axis = 0; axis < 3; ++axis) {
    float& place = all[STRUCTS ? 7 * i + axis : axis * n + i];
    place += all[STRUCTS ? 7 * i + 3 + axis : (3 + axis) * n + i] * dt;
  }
}

// Even and odd threads, or warps, take different ways of some length.
template <bool BY_WARP> __global__ void diverge(const float* in, float* out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = in[i];
  if ((BY_WARP ? i / 32 : i) % 2 == 0) {
    for (int r = 0; r < rounds; ++r) value = value * 0.5F + 1.0F;
  } else {
    for (int r = 0; r < rounds; ++r) value = sqrtf(value + 2.0F);
  }
  out[i] = value;
}

// Sums 32 words of shared memory a thread, where neighbours are STRIDE words apart.
template <int STRIDE> __global__ void walk_banks(float* out) {
  __shared__ float words[32 * 128];
  for (int i = threadIdx.x; i < 32 * 128; i += 128) words[i] = static_cast<float>(i);
  __syncthreads();
  float sum = 0;
  for (int round = 0; round < 64; ++round)
#pragma unroll 8
    for (int i = 0; i < 32; ++i) sum += words[(threadIdx.x * STRIDE + i * 32 + round) % (32 * 128)];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// A private histogram in an array with an index that is known only when it runs, so in local memory.
__global__ void count_in_local_array(int* out, int n, int rounds, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int counts[32];
  for (int k = 0; k < 32; ++k) counts[k] = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) counts[(i + r * step) % 32] += r;
  int most = 0;
  for (int k = 0; k < 32; ++k) most = max(most, counts[k]);
  out[i] = most;
}

// More values than the 32 registers that two blocks of 1024 threads leave each thread: they spill.
__global__ __launch_bounds__(1024, 2) void spill_registers(const float* in, float* out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float values[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) values[k] = in[(i + k * 1024) % n];
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 48; ++k) values[k] = 0.5F * (values[k] + values[(k + 7) % 48]);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 48; ++k) sum += values[k];
  if (i < n) out[i] = sum;
}

// One thread adds everything.
__global__ void add_alone(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

constexpr int coefficients = 64;
__constant__ float polynomial[coefficients];

// A polynomial from constant memory: the whole warp reads one coefficient, or each lane begins at its own.
template <bool UNIFORM> __global__ void evaluate_polynomial(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float value = 0;
  for (int k = 0; k < coefficients; ++k)
    value = value * x + polynomial[UNIFORM ? k : (k + threadIdx.x) % coefficients];
  out[i] = value;
}

// Turns (z, y, x) into (x, z, y), with divisions and remainders for the places, in a loop over the grid.
template <class T>
__global__ void permute_by_division(const T* in, T* out, unsigned nx, unsigned ny, unsigned nz) {
  const unsigned all = nx * ny * nz;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
    const unsigned x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    out[(x * nz + z) * ny + y] = in[i];
  }
}

// Floats with literals that are doubles by mistake.
__global__ void mix_literals(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i] = 0.5 * x * (1.0 + 0.7978845608 * (x + 0.044715 * x * x * x)) / (x * x + 1.5);
}

void run_stride(int n, int stride, int offset, unsigned block) {
  const size_t all = static_cast<size_t>(n) * stride + offset;
  const Array<float> in(elements(all)), out(all);
  repeat("copy_with_stride",
         [&] { copy_with_stride<<<blocks_of(n, block), block>>>(in.data, out.data, n, stride, offset); });
  const std::vector<float> found = out.host();
  const size_t last = static_cast<size_t>(n - 2) * stride + offset;
  expect(found[last] == element(last) && (stride == 1 || found[last + 1] == 0), "copy_with_stride");
}

template <bool STRUCTS> void run_particles(int n, unsigned block) {
  const Array<float> all(elements(7 * static_cast<size_t>(n)));
  repeat("move_particles",
         [&] { move_particles<STRUCTS><<<blocks_of(n, block), block>>>(all.data, n, 0.25F); });
  const std::vector<float> found = all.host();
  const int i = n - 9, place = STRUCTS ? 7 * i + 2 : 2 * n + i, mass = STRUCTS ? 7 * i + 6 : 6 * n + i;
  const double expected = element(place) + times * 0.25 * element(STRUCTS ? place + 3 : place + 3 * n);
  expect(close(found[place], expected, 1e-5) && found[mass] == element(mass), "move_particles");
}

template <bool BY_WARP> void run_diverge(int n, int rounds, unsigned block) {
  const Array<float> in(elements(n)), out(n);
  repeat("diverge", [&] { diverge<BY_WARP><<<blocks_of(n, block), block>>>(in.data, out.data, n, rounds); });
  expect(close(out.host()[(BY_WARP ? 32 : 1) * 4], 2, 1e-4), "diverge"); // both ways come to 2
  expect(close(out.host()[(BY_WARP ? 32 : 1) * 7], 2, 1e-4), "diverge");
}

template <int STRIDE> void run_banks(unsigned blocks) {
  const Array<float> out(blocks * 128);
  repeat("walk_banks", [&] { walk_banks<STRIDE><<<blocks, 128>>>(out.data); });
  double sum = 0;
  for (int round = 0; round < 64; ++round)
    for (int i = 0; i < 32; ++i) sum += (127 * STRIDE + i * 32 + round) % (32 * 128);
  expect(close(out.host().back(), sum, 1e-4), "walk_banks");
}

void run_local(int n, int rounds, int step, unsigned block) {
  const Array<int> out(n);
  repeat("count_in_local_array",
         [&] { count_in_local_array<<<blocks_of(n, block), block>>>(out.data, n, rounds, step); });
  int counts[32] = {};
  for (int r = 0; r < rounds; ++r) counts[(n - 1 + r * step) % 32] += r;
  expect(out.host().back() == *std::max_element(counts, counts + 32), "count_in_local_array");
}

void run_spills(int n, int rounds) {
  const Array<float> in(std::vector<float>(n, 0.75F)), out(n); // the mean of equals stays
  repeat("spill_registers",
         [&] { spill_registers<<<blocks_of(n, 1024), 1024>>>(in.data, out.data, n, rounds); });
  const std::vector<float> found = out.host();
  expect(found[0] == 36 && found[n - 1] == 36, "spill_registers");
}

void run_alone(int n) {
  std::vector<int> host(n);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] = i % 19;
  const Array<int> in(host), out(1);
  repeat("add_alone", [&] { add_alone<<<1, 1>>>(in.data, out.data, n); });
  expect(out.host()[0] == sum, "add_alone");
}

template <bool UNIFORM> void run_polynomial(int n, unsigned block) {
  float weights[coefficients];
  for (int k = 0; k < coefficients; ++k) weights[k] = element(k) - 0.5F;
  check(cudaMemcpyToSymbol(polynomial, weights, sizeof(weights)), "constant memory");
  const Array<float> in(elements(n)), out(n);
  repeat("evaluate_polynomial",
         [&] { evaluate_polynomial<UNIFORM><<<blocks_of(n, block), block>>>(in.data, out.data, n); });
  const int i = n - 1;
  double value = 0;
  for (int k = 0; k < coefficients; ++k)
    value = value * element(i) + weights[UNIFORM ? k : (k + i % block) % coefficients];
  expect(close(out.host()[i], value, 1e-4), "evaluate_polynomial");
}

template <class T>
void run_permutation(unsigned nx, unsigned ny, unsigned nz, unsigned blocks, unsigned block) {
  std::vector<T> host(static_cast<size_t>(nx) * ny * nz);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<T>(i);
  const Array<T> in(host), out(host.size());
  repeat("permute_by_division",
         [&] { permute_by_division<<<blocks, block>>>(in.data, out.data, nx, ny, nz); });
  const std::vector<T> found = out.host();
  for (const unsigned x : {0U, nx / 2, nx - 1}) {
    const unsigned y = ny - 1, z = nz / 3;
    expect(found[(x * nz + z) * ny + y] == host[(z * ny + y) * nx + x], "permute_by_division");
  }
}

void run_literals(int n, unsigned block) {
  const Array<float> in(elements(n)), out(n);
  repeat("mix_literals", [&] { mix_literals<<<blocks_of(n, block), block>>>(in.data, out.data, n); });
  const double x = element(n - 1);
  const double expected = 0.5 * x * (1.0 + 0.7978845608 * (x + 0.044715 * x * x * x)) / (x * x + 1.5);
  expect(close(out.host()[n - 1], expected, 1e-5), "mix_literals");
}

} // namespace

void run_exercises() {
  run_stride(12000001, 1, 13, 32); // blocks of one warp
  run_stride(1 << 23, 2, 1, 256);
  run_stride(1500000, 17, 3, 128);
  run_particles<true>(3000000, 256);
  run_particles<false>(3000000, 192);
  run_diverge<false>(1 << 22, 100, 256);
  run_diverge<true>(1 << 22, 100, 256);
  run_banks<2>(2000);
  run_banks<4>(2000);
  run_banks<32>(1000);
  run_banks<33>(1000);
  run_local(1000003, 200, 5, 128);
  run_spills(1 << 19, 20);
  run_alone(5000);
  run_polynomial<true>(1 << 22, 512);
  run_polynomial<false>(999999, 128);
  run_permutation<short>(300, 200, 400, 1056, 256);
  run_permutation<double>(127, 129, 500, 132, 1024);
  run_literals(10000019, 256);
}

} // namespace perfmodel::collection
