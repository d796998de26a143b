// Sorting and its parts: networks in global memory, shared memory, registers and warps; merging by rank,
// counting and splitting by digits with ballots, ranks in a tile, and the largest of a row.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <algorithm>

namespace perfmodel::collection {

using namespace program;

namespace {

// One step of a bitonic sort of all keys: exchanges with the key `j` further, in directions that `k` gives.
__global__ void bitonic_step_global(unsigned* keys, unsigned j, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other <= i) return; // its partner does it
  const unsigned a = keys[i], b = keys[other];
  const bool up = (i & k) == 0;
  keys[i] = up ? min(a, b) : max(a, b);
  keys[other] = up ? max(a, b) : min(a, b);
}

// Sorts tiles of twice as many keys as threads in shared memory, bitonic, in place.
template <class T> __global__ void bitonic_sort_tiles(T* keys) {
  extern __shared__ unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);
  const int t = threadIdx.x, threads = blockDim.x, n = 2 * threads;
  T* const mine = keys + static_cast<size_t>(blockIdx.x) * n;
  tile[t] = mine[t];
  tile[t + threads] = mine[t + threads];
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      const int i = 2 * t - (t & (j - 1));
      const T a = tile[i], b = tile[i + j];
      const bool up = (i & k) == 0;
      tile[i] = up ? min(a, b) : max(a, b);
      tile[i + j] = up ? max(a, b) : min(a, b);
    }
  __syncthreads();
  mine[t] = tile[t];
  mine[t + threads] = tile[t + threads];
}

// Odd-even transposition of 256 keys a block: as many rounds as keys.
__global__ void odd_even_transposition(const int* in, int* out) {
  __shared__ int tile[256];
  const int t = threadIdx.x, start = blockIdx.x * 256;
  tile[t] = in[start + t];
  tile[t + 128] = in[start + t + 128];
  __syncthreads();
  for (int round = 0; round < 256; ++round) {
    const int i = 2 * t + round % 2;
    if (i + 1 < 256) {
      const int a = tile[i], b = tile[i + 1];
      tile[i] = min(a, b);
      tile[i + 1] = max(a, b);
    }
    __syncthreads();
  }
  out[start + t] = tile[t];
  out[start + t + 128] = tile[t + 128];
}

// Merges two sorted arrays without common keys: each key finds its rank in the other array by halving.
__global__ void merge_by_rank(const int* a, int na, const int* b, int nb, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= na + nb) return;
  const int* const other = i < na ? b : a;
  const int own = i < na ? i : i - na, key = i < na ? a[i] : b[own];
  int low = 0, high = i < na ? nb : na;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (other[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[own + low] = key;
}

// How often each of the 16 leading digits occurs in every 512 keys, by ballots of a warp.
__global__ void count_digits_by_ballot(const unsigned* keys, int* counts) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  int count = 0;
  for (int chunk = 0; chunk < 16; ++chunk) {
    const unsigned digit = keys[warp * 512 + chunk * 32 + lane] >> 28;
    for (unsigned d = 0; d < 16; ++d) {
      const unsigned votes = __ballot_sync(~0U, digit == d);
      if (lane == d) count += __popc(votes);
    }
  }
  if (lane < 16) counts[warp * 16 + lane] = count;
}

// Sorts 512 keys a block by their low bits, bit after bit, each a stable split by ballots.
__global__ void split_tiles_by_bits(const unsigned* in, unsigned* out, int bits) {
  __shared__ unsigned keys[512];
  __shared__ int zeros[16]; // of each warp
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned key = in[blockIdx.x * 512 + t];
  for (int bit = 0; bit < bits; ++bit) {
    const bool one = key >> bit & 1;
    const unsigned votes = __ballot_sync(~0U, !one);
    if (lane == 0) zeros[warp] = __popc(votes);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < 16; ++w) {
      all += zeros[w];
      before += w < warp ? zeros[w] : 0;
    }
    const int rank = before + __popc(votes & ((1U << lane) - 1));
    keys[one ? all + t - rank : rank] = key;
    __syncthreads();
    key = keys[t];
  }
  out[blockIdx.x * 512 + t] = key;
}

// The rank of every key within its tile of 128: each thread compares with all.
__global__ void rank_in_tile(const double* keys, unsigned char* ranks) {
  __shared__ double tile[128];
  const int t = threadIdx.x;
  const size_t i = static_cast<size_t>(blockIdx.x) * 128 + t;
  const double mine = tile[t] = keys[i];
  __syncthreads();
  int rank = 0;
#pragma unroll 4
  for (int other = 0; other < 128; ++other)
    rank += tile[other] < mine || (tile[other] == mine && other < t) ? 1 : 0;
  ranks[i] = static_cast<unsigned char>(rank);
}

// The K largest of every row by insertion into registers, one row a thread, rows side by side.
template <int K> __global__ void largest_of_rows(const float* values, float* largest, int rows, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float best[K];
  for (int k = 0; k < K; ++k) best[k] = -1;
  for (int i = 0; i < length; ++i) {
    float value = values[i * rows + row];
    if (value <= best[K - 1]) continue;
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const float smaller = fminf(best[k], value);
      best[k] = fmaxf(best[k], value);
      value = smaller;
    }
  }
  for (int k = 0; k < K; ++k) largest[k * rows + row] = best[k];
}

// Batcher's network for eight keys in the registers of one thread.
__global__ void sort_eight_in_registers(float4* keys, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const float4 first = keys[2 * i], second = keys[2 * i + 1];
  float k[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
  constexpr int network[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6},
                                  {5, 7}, {1, 2}, {5, 6}, {0, 4}, {1, 5}, {2, 6}, {3, 7},
                                  {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
#pragma unroll
  for (int e = 0; e < 19; ++e) {
    const float a = k[network[e][0]], b = k[network[e][1]];
    k[network[e][0]] = fminf(a, b);
    k[network[e][1]] = fmaxf(a, b);
  }
  keys[2 * i] = make_float4(k[0], k[1], k[2], k[3]);
  keys[2 * i + 1] = make_float4(k[4], k[5], k[6], k[7]);
}

// Sorts 32 keys of 64 bits in every warp by shuffles.
__global__ void sort_warps_by_shuffles(const long long* in, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;
  if (i >= n) return; // whole warps only: n is a multiple of 32
  long long key = in[i];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const long long other = __shfl_xor_sync(~0U, key, j);
      const bool low = ((lane & k) == 0) == ((lane & j) == 0);
      key = low ? min(key, other) : max(key, other);
    }
  out[i] = key;
}

unsigned hash(size_t i) { return static_cast<unsigned>(i) * 2654435761U; }

std::vector<unsigned> hashes(size_t n) {
  std::vector<unsigned> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = hash(i);
  return all;
}

// Every 256 neighbours are the numbers from 0 to 255.
template <class T> std::vector<T> shuffled(size_t n) {
  std::vector<T> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<T>(i * 433 % 256);
  return all;
}

void run_step(unsigned n, unsigned j, unsigned k, unsigned block) {
  const Array<unsigned> keys(hashes(n));
  repeat("bitonic_step_global", [&] { bitonic_step_global<<<n / block, block>>>(keys.data, j, k); });
  const std::vector<unsigned> found = keys.host();
  for (unsigned i = 5; i < n; i += n / 19) {
    const unsigned low = std::min(hash(i), hash(i ^ j)), high = std::max(hash(i), hash(i ^ j));
    expect(found[i] == (((i & k) == 0) == ((i & j) == 0) ? low : high), "bitonic_step_global");
  }
}

template <class T> void run_bitonic(std::vector<T> host, unsigned tile) {
  const Array<T> keys(host);
  const unsigned tiles = host.size() / tile;
  repeat("bitonic_sort_tiles", [&] { bitonic_sort_tiles<<<tiles, tile / 2, tile * sizeof(T)>>>(keys.data); });
  const std::vector<T> found = keys.host();
  std::sort(host.end() - tile, host.end());
  expect(std::equal(host.end() - tile, host.end(), found.end() - tile), "bitonic_sort_tiles");
}

void run_transposition(unsigned tiles) {
  const Array<int> in(shuffled<int>(tiles * 256)), out(tiles * 256);
  repeat("odd_even_transposition", [&] { odd_even_transposition<<<tiles, 128>>>(in.data, out.data); });
  const std::vector<int> found = out.host();
  for (int i = 0; i < 256; ++i) expect(found[found.size() - 256 + i] == i, "odd_even_transposition");
}

void run_merge(int n, unsigned block) { // the multiples of 3 and the other numbers
  std::vector<int> thirds(n), others(2 * n);
  for (int i = 0; i < n; ++i) thirds[i] = 3 * i;
  for (int i = 0; i < 2 * n; ++i) others[i] = i / 2 * 3 + i % 2 + 1;
  const Array<int> a(thirds), b(others), out(3 * n);
  repeat("merge_by_rank",
         [&] { merge_by_rank<<<blocks_of(3 * n, block), block>>>(a.data, n, b.data, 2 * n, out.data); });
  const std::vector<int> found = out.host();
  for (int i = 0; i < 3 * n; i += 101) expect(found[i] == i, "merge_by_rank");
}

void run_digits(unsigned blocks, unsigned block) {
  const int warps = blocks * block / 32;
  const Array<unsigned> keys(hashes(warps * 512));
  const Array<int> counts(warps * 16);
  repeat("count_digits_by_ballot",
         [&] { count_digits_by_ballot<<<blocks, block>>>(keys.data, counts.data); });
  int expected[16] = {};
  for (size_t i = (warps - 1) * 512; i < warps * 512U; ++i) ++expected[hash(i) >> 28];
  const std::vector<int> found = counts.host();
  for (int d = 0; d < 16; ++d) expect(found[(warps - 1) * 16 + d] == expected[d], "count_digits_by_ballot");
}

void run_split(unsigned tiles) {
  const Array<unsigned> in(shuffled<unsigned>(tiles * 512)), out(tiles * 512);
  repeat("split_tiles_by_bits", [&] { split_tiles_by_bits<<<tiles, 512>>>(in.data, out.data, 8); });
  const std::vector<unsigned> found = out.host();
  for (size_t i = 0; i < found.size(); i += 77) expect(found[i] == i % 512 / 2, "split_tiles_by_bits");
}

void run_ranks(unsigned tiles) {
  const Array<double> keys(shuffled<double>(tiles * 128));
  const Array<unsigned char> ranks(tiles * 128);
  repeat("rank_in_tile", [&] { rank_in_tile<<<tiles, 128>>>(keys.data, ranks.data); });
  const std::vector<double> tile = shuffled<double>(128); // tiles 0, 2, 4, ... are the same
  const std::vector<unsigned char> found = ranks.host();
  for (int i = 0; i < 128; ++i) {
    const auto rank = std::count_if(tile.begin(), tile.end(), [&](double key) { return key < tile[i]; });
    expect(found[(tiles - 1) / 2 * 256 + i] == rank, "rank_in_tile");
  }
}

void run_largest(int rows, int length, unsigned block) {
  constexpr int k = 8;
  const Array<float> values(elements(static_cast<size_t>(rows) * length)), largest(k * rows);
  repeat("largest_of_rows", [&] {
    largest_of_rows<k><<<blocks_of(rows, block), block>>>(values.data, largest.data, rows, length);
  });
  std::vector<float> row(length);
  for (int i = 0; i < length; ++i) row[i] = element(static_cast<size_t>(i) * rows + rows - 1);
  std::sort(row.rbegin(), row.rend());
  const std::vector<float> found = largest.host();
  for (int i = 0; i < k; ++i) expect(found[i * rows + rows - 1] == row[i], "largest_of_rows");
}

void run_eight(int groups, unsigned block) {
  std::vector<float> values = elements(8 * static_cast<size_t>(groups));
  std::vector<float4> host(2 * groups);
  for (int i = 0; i < 2 * groups; ++i)
    host[i] = make_float4(values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]);
  const Array<float4> keys(host);
  repeat("sort_eight_in_registers",
         [&] { sort_eight_in_registers<<<blocks_of(groups, block), block>>>(keys.data, groups); });
  const std::vector<float4> sorted = keys.host();
  const float4 low = sorted[2 * groups - 2], high = sorted[2 * groups - 1];
  const float found[] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  std::sort(values.end() - 8, values.end());
  expect(std::equal(found, found + 8, values.end() - 8), "sort_eight_in_registers");
}

void run_warps(int n, unsigned block) {
  std::vector<long long> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<long long>(hash(i)) - (1LL << 31);
  const Array<long long> in(keys), out(n);
  repeat("sort_warps_by_shuffles",
         [&] { sort_warps_by_shuffles<<<blocks_of(n, block), block>>>(in.data, out.data, n); });
  const std::vector<long long> found = out.host();
  std::sort(keys.end() - 32, keys.end());
  expect(std::equal(keys.end() - 32, keys.end(), found.end() - 32), "sort_warps_by_shuffles");
}

} // namespace

void run_sorting() {
  run_step(1U << 24, 1U << 20, 1U << 21, 256);
  run_step(1U << 24, 4, 64, 512);
  run_bitonic(elements(8192 * 1024), 1024);
  run_bitonic(shuffled<long long>(5001 * 256), 256);
  run_transposition(4096);
  run_merge(1 << 21, 256);
  run_merge(100001, 64);
  run_digits(3001, 256);
  run_split(6000);
  run_ranks(20001);
  run_largest(100003, 150, 128);
  run_eight(1 << 21, 256);
  run_eight(99999, 96);
  run_warps(1 << 23, 1024);
}

} // namespace perfmodel::collection
