// Option prices, random numbers and simulations by chance.
#include "themes.hpp"

#include <algorithm>

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

__host__ __device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352dU;
  x = (x ^ x >> 15) * 0x846ca68bU;
  return x ^ x >> 16;
}

__host__ __device__ float uniform(unsigned bits) { return ((bits >> 9) + 0.5F) / 8388608.0F; }

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double call_price(double s, double k, double t, double rate, double sigma) {
  const double d = (std::log(s / k) + (rate + sigma * sigma / 2) * t) / (sigma * std::sqrt(t));
  return s * normal_cdf(d) - k * std::exp(-rate * t) * normal_cdf(d - sigma * std::sqrt(t));
}

// Prices of European calls and puts by the formula of Black and Scholes.
template <class T> __global__ void black_scholes(const T* s, const T* k, const T* t, T* call, T* put, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T rate = T(0.03), sigma = T(0.25), root = sqrt(t[i]);
  const T d = (log(s[i] / k[i]) + (rate + sigma * sigma / 2) * t[i]) / (sigma * root);
  const T paid = k[i] * exp(-rate * t[i]);
  const T price = s[i] * normcdf(d) - paid * normcdf(d - sigma * root);
  call[i] = price;
  put[i] = price + paid - s[i];
}

template <class T> void run_black_scholes(int n, int block) {
  std::vector<T> spot(n), strike(n), years(n);
  for (int i = 0; i < n; ++i) {
    spot[i] = 80 + 40 * element(i);
    strike[i] = 90 + 20 * element(i + 77);
    years[i] = T(0.25) + element(i + 5);
  }
  const Array<T> s(spot), k(strike), t(years), call(n), put(n);
  repeat("black_scholes", [&] {
    black_scholes<T><<<blocks_of(n, block), block>>>(s.data, k.data, t.data, call.data, put.data, n);
  });
  const double price = call_price(spot[n - 1], strike[n - 1], years[n - 1], 0.03, 0.25);
  expect(close(at(call, n - 1), price, 1e-4), "black_scholes");
}

// American puts by binomial trees in shared memory: a block an option, a thread a few nodes of a step.
__global__ void binomial_tree(const float* strikes, float* prices, int steps) {
  extern __shared__ float tree[];
  float *values = tree, *next = tree + steps + 1;
  const float strike = strikes[blockIdx.x], dt = 1.0F / steps, growth = 0.25F * sqrtf(dt);
  const float up = expf(growth), down = expf(-growth), fade = expf(-0.03F * dt);
  const float chance = (expf(0.03F * dt) - down) / (up - down);
  for (int i = threadIdx.x; i <= steps; i += blockDim.x)
    values[i] = fmaxf(strike - 100 * expf(growth * (2 * i - steps)), 0.0F);
  __syncthreads();
  for (int step = steps - 1; step >= 0; --step) {
    for (int i = threadIdx.x; i <= step; i += blockDim.x) {
      const float waits = fade * (chance * values[i + 1] + (1 - chance) * values[i]);
      next[i] = fmaxf(waits, strike - 100 * __expf(growth * (2 * i - step)));
    }
    __syncthreads();
    float* other = values;
    values = next;
    next = other;
  }
  if (threadIdx.x == 0) prices[blockIdx.x] = values[0];
}

void run_binomial(int options, int steps, int block) {
  std::vector<float> host(options);
  for (int i = 0; i < options; ++i) host[i] = 90 + 20 * element(i);
  const Array<float> strikes(host), prices(options);
  repeat("binomial_tree", [&] {
    binomial_tree<<<options, block, (2 * steps + 2) * sizeof(float)>>>(strikes.data, prices.data, steps);
  });
  const double dt = 1.0 / steps, growth = 0.25 * std::sqrt(dt), fade = std::exp(-0.03 * dt);
  const double chance = (std::exp(0.03 * dt) - std::exp(-growth)) / (std::exp(growth) - std::exp(-growth));
  std::vector<double> values(steps + 1);
  for (int step = steps; step >= 0; --step)
    for (int i = 0; i <= step; ++i) {
      const double now = std::max(host[options - 1] - 100 * std::exp(growth * (2 * i - step)), 0.0);
      values[i] =
          step == steps ? now : std::max(now, fade * (chance * values[i + 1] + (1 - chance) * values[i]));
    }
  expect(close(at(prices, options - 1), values[0], 5e-3), "binomial_tree");
}

__host__ __device__ unsigned xorshift(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

// Payoffs of Asian calls, a path a thread: xorshift, Box-Muller, 64 days.
__global__ void asian_paths(float* payoffs, int paths, float strike) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  unsigned state = hash(path) | 1;
  float price = 100, sum = 0;
  for (int day = 0; day < 64; day += 2) {
    const float radius = sqrtf(-2 * logf(uniform(xorshift(state))));
    float sine, cosine;
    sincospif(2 * uniform(xorshift(state)), &sine, &cosine);
    price *= expf(0.0001F + 0.02F * radius * cosine);
    sum += price;
    price *= expf(0.0001F + 0.02F * radius * sine);
    sum += price;
  }
  payoffs[path] = fmaxf(sum / 64 - strike, 0.0F);
}

void run_asian(int paths, int block) {
  const Array<float> payoffs(paths);
  repeat("asian_paths", [&] { asian_paths<<<blocks_of(paths, block), block>>>(payoffs.data, paths, 20); });
  unsigned state = hash(paths - 1) | 1;
  double price = 100, sum = 0;
  for (int day = 0; day < 64; day += 2) {
    const double radius = std::sqrt(-2 * std::log(uniform(xorshift(state))));
    const double angle = 2 * 3.141592653589793 * uniform(xorshift(state));
    sum += price *= std::exp(0.0001 + 0.02 * radius * std::cos(angle));
    sum += price *= std::exp(0.0001 + 0.02 * radius * std::sin(angle));
  }
  expect(close(at(payoffs, paths - 1), std::max(sum / 64 - 20, 0.0), 1e-3), "asian_paths");
}

__host__ __device__ uint4 philox(uint4 counter, unsigned key, unsigned other) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ULL * counter.x, b = 0xCD9E8D57ULL * counter.z;
    counter = uint4{static_cast<unsigned>(b >> 32) ^ counter.y ^ key, static_cast<unsigned>(b),
                    static_cast<unsigned>(a >> 32) ^ counter.w ^ other, static_cast<unsigned>(a)};
    key += 0x9E3779B9U;
    other += 0xBB67AE85U;
  }
  return counter;
}

// Random bits by Philox 4x32 with ten rounds, four words a step, blocks that stride over all of it.
__global__ void philox_bits(uint4* out, unsigned n, unsigned seed) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = philox(uint4{i, 0, 1, 2}, seed, 77);
}

void run_philox(unsigned n, int blocks, int block) {
  const Array<uint4> out(n);
  repeat("philox_bits", [&] { philox_bits<<<blocks, block>>>(out.data, n, 5); });
  const uint4 found = at(out, n - 1), expected = philox(uint4{n - 1, 0, 1, 2}, 5, 77);
  expect(found.x == expected.x && found.w == expected.w, "philox_bits");
}

__host__ __device__ double radical_inverse(int i, int base) {
  double value = 0, digit = 1;
  for (; i > 0; i /= base) {
    digit /= base;
    value += digit * (i % base);
  }
  return value;
}

// Points of the Halton sequence in bases 2, 3 and 5.
__global__ void halton_points(double3* points, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[i] = make_double3(radical_inverse(i, 2), radical_inverse(i, 3), radical_inverse(i, 5));
}

void run_halton(int n) {
  const Array<double3> points(n);
  repeat("halton_points", [&] { halton_points<<<blocks_of(n, 192), 192>>>(points.data, n); });
  const double3 found = at(points, n - 1);
  expect(close(found.x, radical_inverse(n - 1, 2), 1e-12), "halton_points");
  expect(close(found.z, radical_inverse(n - 1, 5), 1e-12), "halton_points");
}

__host__ __device__ bool ising_flips(int energy, unsigned bits) {
  return energy <= 0 || bits < (energy == 2 ? 0x2A000000U : 0x06E00000U);
}

// Ising spins on a torus: Metropolis on the cells of one colour, with hashed random numbers.
__global__ void ising_colour(signed char* spins, int width, int height, int colour, unsigned sweep) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  const int around = spins[y * width + (x + 1) % width] + spins[y * width + (x + width - 1) % width] +
                     spins[(y + 1) % height * width + x] + spins[(y + height - 1) % height * width + x];
  const signed char spin = spins[i];
  spins[i] = ising_flips(spin * around, hash(i ^ hash(sweep))) ? -spin : spin;
}

void run_ising(int width, int height, dim3 block) {
  std::vector<signed char> host(static_cast<size_t>(width) * height);
  for (size_t i = 0; i < host.size(); ++i) host[i] = hash(i) % 2 ? 1 : -1;
  const Array<signed char> spins(host);
  const dim3 grid(blocks_of(width / 2, block.x), blocks_of(height, block.y));
  unsigned sweep = 0;
  repeat("ising_colour", [&] { ising_colour<<<grid, block>>>(spins.data, width, height, 1, sweep++); });
  for (int x = 1; x < 101; x += 2) { // of the row in the middle
    const int i = height / 4 * 2 * width + x;
    const int around = host[i - 1] + host[i + 1] + host[i - width] + host[i + width];
    int spin = host[i];
    for (unsigned k = 0; k < times; ++k) spin = ising_flips(spin * around, hash(i ^ hash(k))) ? -spin : spin;
    expect(at(spins, i) == spin, "ising_colour");
  }
}

// Pi by points in a quarter circle, with a linear congruential generator a thread.
__global__ void estimate_pi(unsigned long long* inside, int points) {
  unsigned long long state = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9E3779B97F4A7C15ULL + 1;
  unsigned count = 0;
  for (int k = 0; k < points; ++k) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const float x = static_cast<float>(state >> 40) / 16777216.0F;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const float y = static_cast<float>(state >> 40) / 16777216.0F;
    count += x * x + y * y < 1;
  }
  count = __reduce_add_sync(~0U, count);
  if (threadIdx.x % 32 == 0) atomicAdd(inside, static_cast<unsigned long long>(count));
}

void run_pi(int blocks, int block, int points) {
  const Array<unsigned long long> inside(1);
  repeat("estimate_pi", [&] { estimate_pi<<<blocks, block>>>(inside.data, points); });
  const double all = static_cast<double>(times) * blocks * block * points;
  expect(close(4 * static_cast<double>(at(inside, 0)) / all, 3.14159, 0.01), "estimate_pi");
}

// Brownian bridges of 64 steps from given normal numbers, a path a thread, in an array of its own.
__global__ void brownian_bridge(const float* normals, float* out, int paths) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float places[65];
  places[0] = 0;
  places[64] = 8 * normals[path];
  int used = 1;
  for (int width = 64; width > 1; width /= 2)
    for (int left = 0; left < 64; left += width, ++used)
      places[left + width / 2] =
          0.5F * (places[left] + places[left + width]) + 0.5F * sqrtf(width) * normals[used * paths + path];
  for (int k = 1; k <= 64; ++k) out[(k - 1) * paths + path] = places[k];
}

void run_bridge(int paths) {
  const size_t n = static_cast<size_t>(paths) * 64, last = paths - 1;
  const Array<float> normals(elements(n)), out(n);
  repeat("brownian_bridge",
         [&] { brownian_bridge<<<blocks_of(paths, 128), 128>>>(normals.data, out.data, paths); });
  const double end = 8 * element(last), middle = end / 2 + 4 * element(n / 64 + last);
  const double quarter = middle / 2 + std::sqrt(8) * element(2 * (n / 64) + last);
  expect(close(at(out, n - 1), end, 1e-5) && close(at(out, 31 * (n / 64) + last), middle, 1e-5),
         "brownian_bridge");
  expect(close(at(out, 15 * (n / 64) + last), quarter, 1e-5), "brownian_bridge");
}

// Barrier options by explicit finite differences between two barriers, a block an option, a thread a price.
__global__ void barrier_differences(const float* strikes, float* prices, int steps, float ratio) {
  __shared__ float now[2][1026];
  const int i = threadIdx.x + 1;
  float value = fmaxf(i - strikes[blockIdx.x] * blockDim.x, 0.0F);
  if (threadIdx.x < 2) now[threadIdx.x][0] = now[threadIdx.x][blockDim.x + 1] = 0;
  for (int step = 0; step < steps; ++step) {
    now[step % 2][i] = value;
    __syncthreads();
    value += ratio * (now[step % 2][i - 1] - 2 * value + now[step % 2][i + 1]);
  }
  prices[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void run_barrier(int options, int block, int steps) {
  const Array<float> strikes(elements(options)), prices(static_cast<size_t>(options) * block);
  repeat("barrier_differences",
         [&] { barrier_differences<<<options, block>>>(strikes.data, prices.data, steps, 0.4F); });
  std::vector<double> now(block + 2), next(block + 2);
  for (int i = 1; i <= block; ++i)
    now[i] = std::max(i - static_cast<double>(element(options - 1)) * block, 0.0);
  for (int step = 0; step < steps; ++step, now.swap(next))
    for (int i = 1; i <= block; ++i) next[i] = now[i] + 0.4 * (now[i - 1] - 2 * now[i] + now[i + 1]);
  const size_t first = static_cast<size_t>(options - 1) * block;
  expect(close(at(prices, first + block - 3), now[block - 2], 1e-3), "barrier_differences");
  expect(close(at(prices, first + block / 2), now[block / 2 + 1], 1e-3), "barrier_differences");
}

} // namespace

void run_chance() {
  run_black_scholes<float>(1 << 24, 256);
  run_black_scholes<double>(3'000'000, 128);
  run_binomial(1056, 500, 256);
  run_asian(1'000'000, 128);
  run_philox(1U << 24, 1056, 256);
  run_halton(3'000'000);
  run_ising(8192, 4096, dim3(32, 8));
  run_ising(1000, 1002, dim3(128, 2));
  run_pi(1056, 256, 1000);
  run_pi(40, 1024, 500);
  run_bridge(300'000);
  run_barrier(4000, 256, 400);
  run_barrier(900, 1000, 150);
}

} // namespace perfmodel::collection
