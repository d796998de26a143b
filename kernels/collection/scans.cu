// Prefix sums and their relatives: running maxima, compaction and linear recurrences.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <algorithm>
#include <climits>

namespace perfmodel::collection {

using namespace program;

namespace {

// Inclusive sums within each block by Hillis and Steele, between two buffers.
__global__ void scan_hillis_steele(const float* in, float* out, int n) {
  extern __shared__ float buffers[];
  const int t = threadIdx.x, width = blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  float *from = buffers, *to = buffers + width;
  from[t] = i < n ? in[i] : 0.0F;
  __syncthreads();
  for (int d = 1; d < width; d *= 2) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    __syncthreads();
    to = from;
    from = from == buffers ? buffers + width : buffers;
  }
  if (i < n) out[i] = from[t];
}

// Exclusive sums of 1024 elements a block by Blelloch's two sweeps, with padding against bank conflicts or
// not.
template <bool PADDED> __global__ void scan_blelloch(const int* in, int* out) {
  constexpr int n = 1024;
  __shared__ int tree[n + n / 32];
  const auto at = [](int i) { return PADDED ? i + i / 32 : i; };
  const int t = threadIdx.x, start = blockIdx.x * n;
  tree[at(t)] = in[start + t];
  tree[at(t + n / 2)] = in[start + t + n / 2];
  int step = 1;
  for (int d = n / 2; d > 0; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d) tree[at(step * (2 * t + 2) - 1)] += tree[at(step * (2 * t + 1) - 1)];
  }
  if (t == 0) tree[at(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      const int left = at(step * (2 * t + 1) - 1), right = at(step * (2 * t + 2) - 1);
      const int sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  __syncthreads();
  out[start + t] = tree[at(t)];
  out[start + t + n / 2] = tree[at(t + n / 2)];
}

template <class T> __device__ T scan_warp(T value, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const T before = __shfl_up_sync(~0U, value, d);
    if (lane >= d) value += before;
  }
  return value;
}

// The last of three phases: inclusive sums within a block by shuffles, plus the sum of all blocks before.
template <class T> __global__ void scan_with_offsets(const T* in, const T* offsets, T* out, int n) {
  __shared__ T sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = scan_warp(i < n ? in[i] : T(0), lane);
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  const int warps = blockDim.x / 32;
  if (warp == 0) sums[lane] = scan_warp(lane < warps ? sums[lane] : T(0), lane);
  __syncthreads();
  if (warp > 0) value += sums[warp - 1];
  if (i < n) out[i] = offsets[blockIdx.x] + value;
}

// Sixteen neighbours a thread, summed in registers, and the sums of the threads by shuffles.
__global__ void scan_sixteen_a_thread(const int4* in, int4* out) {
  __shared__ int sums[4];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t start = (static_cast<size_t>(blockIdx.x) * 128 + threadIdx.x) * 4;
  int4 own[4];
  int sum = 0;
  for (int q = 0; q < 4; ++q) {
    own[q] = in[start + q];
    own[q].x = sum += own[q].x;
    own[q].y = sum += own[q].y;
    own[q].z = sum += own[q].z;
    own[q].w = sum += own[q].w;
  }
  const int up_to = scan_warp(sum, lane);
  if (lane == 31) sums[warp] = up_to;
  __syncthreads();
  int before = up_to - sum;
  for (int w = 0; w < warp; ++w) before += sums[w];
  for (int q = 0; q < 4; ++q)
    out[start + q] = make_int4(own[q].x + before, own[q].y + before, own[q].z + before, own[q].w + before);
}

// The middle of three phases: exclusive sums of the sums of blocks, by one block.
__global__ void scan_by_one_block(const long long* in, long long* out, int n) {
  __shared__ long long sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  long long carry = 0;
  for (int start = 0; start < n; start += 1024) {
    const int i = start + threadIdx.x;
    const long long own = i < n ? in[i] : 0, value = scan_warp(own, lane);
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    if (warp == 0) sums[lane] = scan_warp(sums[lane], lane);
    __syncthreads();
    if (i < n) out[i] = carry + (warp > 0 ? sums[warp - 1] : 0) + value - own;
    carry += sums[31];
    __syncthreads();
  }
}

// Sums within segments of a fixed length, one segment a thread.
__global__ void scan_short_segments(const float* in, float* out, int segments, int length) {
  const int segment = blockIdx.x * blockDim.x + threadIdx.x;
  if (segment >= segments) return;
  float sum = 0;
  for (int i = segment * length; i < (segment + 1) * length; ++i) out[i] = sum += in[i];
}

// The largest so far along every row, one row a warp.
__global__ void running_maxima(const int* in, int* out, int rows, int length) {
  const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  int most = INT_MIN;
  for (int start = 0; start < length; start += 32) {
    const int i = start + lane;
    int value = i < length ? in[row * length + i] : INT_MIN;
    for (int d = 1; d < 32; d *= 2) value = max(value, __shfl_up_sync(~0U, value, d));
    most = max(most, value);
    if (i < length) out[row * length + i] = most;
    most = __shfl_sync(~0U, most, 31);
  }
}

// Keeps the elements whose index modulo 7 is below 3, places by ballots; 224 threads keep 96.
__global__ void compact_by_index(const double* in, double* out) {
  __shared__ int counts[7];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * 224 + t;
  const bool kept = i % 7 < 3;
  const unsigned votes = __ballot_sync(~0U, kept);
  if (lane == 0) counts[warp] = __popc(votes);
  __syncthreads();
  int place = blockIdx.x * 96 + __popc(votes & ((1U << lane) - 1));
  for (int w = 0; w < warp; ++w) place += counts[w];
  if (kept) out[place] = in[i];
}

// y = decay * y + x along time, one channel a thread.
__global__ void recur_along_time(const float* x, const float* decay, float* y, int channels, int steps) {
  const int channel = blockIdx.x * blockDim.x + threadIdx.x;
  if (channel >= channels) return;
  const float factor = decay[channel];
  float state = 0;
#pragma unroll 4
  for (int i = 0; i < steps; ++i) {
    state = factor * state + x[static_cast<size_t>(i) * channels + channel];
    y[static_cast<size_t>(i) * channels + channel] = state;
  }
}

// y = a y + b along a row with a and b of each element, by composing the maps of a warp with shuffles.
__global__ void recur_by_composition(const float2* maps, float* y, int length) {
  const int lane = threadIdx.x % 32;
  const size_t row = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * length;
  float state = 0;
  for (int start = 0; start < length; start += 32) {
    const int i = start + lane;
    float2 map = i < length ? maps[row + i] : make_float2(1, 0);
    for (int d = 1; d < 32; d *= 2) {
      const float a = __shfl_up_sync(~0U, map.x, d), b = __shfl_up_sync(~0U, map.y, d);
      if (lane >= d) map = make_float2(a * map.x, map.x * b + map.y);
    }
    const float value = map.x * state + map.y;
    if (i < length) y[row + i] = value;
    state = __shfl_sync(~0U, value, 31);
  }
}

void run_hillis(int n, unsigned block) {
  const Array<float> in(elements(n)), out(n);
  repeat("scan_hillis_steele", [&] {
    scan_hillis_steele<<<blocks_of(n, block), block, 2 * block * sizeof(float)>>>(in.data, out.data, n);
  });
  double sum = 0;
  for (int i = (n - 1) / block * block; i < n; ++i) sum += element(i);
  expect(close(out.host()[n - 1], sum, 1e-5), "scan_hillis_steele");
}

template <bool PADDED> void run_blelloch(int blocks) {
  std::vector<int> host(blocks * 1024);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i * 433 % 1021 % 10);
  const Array<int> in(host), out(host.size());
  repeat("scan_blelloch", [&] { scan_blelloch<PADDED><<<blocks, 512>>>(in.data, out.data); });
  const std::vector<int> found = out.host();
  int sum = 0;
  for (size_t i = host.size() - 1024; i < host.size(); sum += host[i++])
    expect(found[i] == sum, "scan_blelloch");
}

template <class T> void run_offsets(int n, unsigned block) {
  const unsigned blocks = blocks_of(n, block);
  std::vector<T> host(n), before(blocks);
  for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i % 100);
  for (unsigned i = 0; i < blocks; ++i) before[i] = static_cast<T>(i % 1000);
  const Array<T> in(host), offsets(before), out(n);
  repeat("scan_with_offsets",
         [&] { scan_with_offsets<<<blocks, block>>>(in.data, offsets.data, out.data, n); });
  double sum = (blocks - 1) % 1000;
  for (int i = (blocks - 1) * block; i < n; ++i) sum += i % 100;
  expect(close(static_cast<double>(out.host()[n - 1]), sum, 1e-6), "scan_with_offsets");
}

void run_sixteen(int blocks) {
  std::vector<int4> host(static_cast<size_t>(blocks) * 512);
  for (size_t i = 0; i < host.size(); ++i) host[i] = make_int4(i % 11, i % 5, 1, i % 3);
  const Array<int4> in(host), out(host.size());
  repeat("scan_sixteen_a_thread", [&] { scan_sixteen_a_thread<<<blocks, 128>>>(in.data, out.data); });
  const std::vector<int4> found = out.host();
  int sum = 0;
  for (size_t i = host.size() - 512; i < host.size(); ++i) {
    expect(found[i].x == sum + host[i].x, "scan_sixteen_a_thread");
    sum += host[i].x + host[i].y + host[i].z + host[i].w;
    expect(found[i].w == sum, "scan_sixteen_a_thread");
  }
}

void run_one_block(int n) {
  std::vector<long long> host(n);
  for (int i = 0; i < n; ++i) host[i] = 1000000LL * (i % 1000) + i % 7;
  const Array<long long> in(host), out(n);
  repeat("scan_by_one_block", [&] { scan_by_one_block<<<1, 1024>>>(in.data, out.data, n); });
  const std::vector<long long> found = out.host();
  long long sum = 0;
  for (int i = 0; i < n; sum += host[i++]) expect(found[i] == sum, "scan_by_one_block");
}

void run_segments(int segments, int length, unsigned block) {
  const Array<float> in(elements(static_cast<size_t>(segments) * length)), out(in.count);
  repeat("scan_short_segments", [&] {
    scan_short_segments<<<blocks_of(segments, block), block>>>(in.data, out.data, segments, length);
  });
  double sum = 0;
  for (size_t i = in.count - length; i < in.count; ++i) sum += element(i);
  expect(close(out.host().back(), sum, 1e-5), "scan_short_segments");
}

void run_maxima(int rows, int length, unsigned high) {
  std::vector<int> host(static_cast<size_t>(rows) * length);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i % length + i * 433 % 1021);
  const Array<int> in(host), out(host.size());
  repeat("running_maxima",
         [&] { running_maxima<<<blocks_of(rows, high), dim3(32, high)>>>(in.data, out.data, rows, length); });
  const std::vector<int> found = out.host();
  int most = 0;
  for (size_t i = host.size() - length; i < host.size(); ++i) {
    most = std::max(most, host[i]);
    expect(found[i] == most, "running_maxima");
  }
}

void run_compact(int blocks) {
  std::vector<double> host(static_cast<size_t>(blocks) * 224);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<double>(i);
  const Array<double> in(host), out(static_cast<size_t>(blocks) * 96);
  repeat("compact_by_index", [&] { compact_by_index<<<blocks, 224>>>(in.data, out.data); });
  const std::vector<double> found = out.host();
  for (size_t i = 0; i < found.size(); i += 13) // three of every seven
    expect(found[i] == static_cast<double>(i / 3 * 7 + i % 3), "compact_by_index");
}

void run_time(int channels, int length, unsigned block) {
  const Array<float> x(elements(static_cast<size_t>(channels) * length)), y(x.count),
      decay(elements(channels));
  repeat("recur_along_time", [&] {
    recur_along_time<<<blocks_of(channels, block), block>>>(x.data, decay.data, y.data, channels, length);
  });
  double state = 0;
  for (size_t i = channels - 1; i < x.count; i += channels)
    state = element(channels - 1) * state + element(i);
  expect(close(y.host().back(), state, 1e-3), "recur_along_time");
}

void run_composition(int blocks, int length) {
  std::vector<float2> host(static_cast<size_t>(blocks) * 8 * length);
  for (size_t i = 0; i < host.size(); ++i) host[i] = make_float2(element(i), element(i + 7));
  const Array<float2> maps(host);
  const Array<float> y(host.size());
  repeat("recur_by_composition", [&] { recur_by_composition<<<blocks, 256>>>(maps.data, y.data, length); });
  double state = 0;
  for (size_t i = host.size() - length; i < host.size(); ++i) state = host[i].x * state + host[i].y;
  expect(close(y.host().back(), state, 1e-4), "recur_by_composition");
}

} // namespace

void run_scans() {
  run_hillis(1 << 24, 1024);
  run_hillis(3000001, 128);
  run_blelloch<false>(16384);
  run_blelloch<true>(16384);
  run_offsets<double>(1 << 23, 256);
  run_offsets<float>(5000003, 1024);
  run_sixteen(8000);
  run_one_block(200000);
  run_segments(400000, 37, 128);
  run_maxima(9000, 1000, 4);
  run_maxima(132, 50000, 1);
  run_compact(60000);
  run_time(20000, 800, 64);
  run_time(1500, 3001, 32);
  run_composition(2048, 512);
}

} // namespace perfmodel::collection
