// Shared memory accessed at one stride, over and over: lane l accesses the word of `word` bytes at byte
// offset[l], every warp the same ones. Loads and stores are volatile, their addresses come at run time; two
// batches of loads take turns, so that one is added up while the other is under way.
// Checked in SASS (sm_90): 128 to 144 LDS or STS in the loop body; with loads, adds of what they brought; one
// add, one compare and one branch.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <string_view>

namespace perfmodel::kernels {

inline constexpr int bank_bytes = 32 * 1024; // of shared memory that offsets may reach

template <int bytes> struct SharedWord;

template <> struct SharedWord<4> {
  static constexpr int batch = 16, batches = 4; // of two batches each, in a loop trip
  std::uint32_t v;
  __device__ void load(unsigned from) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(from));
  }
  __device__ void store(unsigned to) const {
    asm volatile("st.volatile.shared.u32 [%1], %0;" ::"r"(v), "r"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v; }
  __device__ void set(std::uint32_t value) { v = value; }
};

template <> struct SharedWord<8> {
  static constexpr int batch = 12, batches = 6;
  uint2 v;
  __device__ void load(unsigned from) {
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(from));
  }
  __device__ void store(unsigned to) const {
    asm volatile("st.volatile.shared.v2.u32 [%2], {%0, %1};" ::"r"(v.x), "r"(v.y), "r"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v.x + v.y; }
  __device__ void set(std::uint32_t value) { v = make_uint2(value, value); }
};

template <> struct SharedWord<16> {
  static constexpr int batch = 6, batches = 12;
  uint4 v;
  __device__ void load(unsigned from) {
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(from));
  }
  __device__ void store(unsigned to) const {
    asm volatile("st.volatile.shared.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w),
                 "r"(to)
                 : "memory");
  }
  __device__ std::uint32_t sum() const { return v.x + v.y + v.z + v.w; }
  __device__ void set(std::uint32_t value) { v = make_uint4(value, value, value, value); }
};

template <int word>
inline constexpr int shared_accesses = 2 * SharedWord<word>::batch* SharedWord<word>::batches;

template <int word>
__global__ void __launch_bounds__(1024)
    load_banks(LaneOffsets offsets, std::uint32_t* out, int trips, BlockSpan* spans) {
  constexpr int batch = SharedWord<word>::batch;
  __shared__ uint4 data[bank_bytes / sizeof(uint4)];
  for (unsigned i = threadIdx.x; i < bank_bytes / sizeof(uint4); i += blockDim.x) data[i] = pattern_vector(i);
  const unsigned address =
      static_cast<unsigned>(__cvta_generic_to_shared(data)) + offsets.byte[threadIdx.x % lanes_of_warp];
  SharedWord<word> a[batch], b[batch];
  for (int i = 0; i < batch; ++i) b[i].set(0);
  std::uint32_t sum = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int turn = 0; turn < SharedWord<word>::batches; ++turn) {
#pragma unroll
      for (int i = 0; i < batch; ++i) a[i].load(address);
#pragma unroll
      for (int i = 0; i < batch; ++i) sum += b[i].sum();
#pragma unroll
      for (int i = 0; i < batch; ++i) b[i].load(address);
#pragma unroll
      for (int i = 0; i < batch; ++i) sum += a[i].sum();
    }
  for (int i = 0; i < batch; ++i) sum += b[i].sum();
  span_stop(spans);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What a lane stores; `trips` differs from launch to launch, so that what an earlier one left is told apart.
__host__ __device__ inline std::uint32_t stored_by(int lane, int trips) {
  return static_cast<std::uint32_t>(lane * 1000003 + trips);
}

template <int word>
__global__ void __launch_bounds__(1024)
    store_banks(LaneOffsets offsets, std::uint32_t* out, int trips, BlockSpan* spans) {
  __shared__ uint4 data[bank_bytes / sizeof(uint4)];
  const int lane = threadIdx.x % lanes_of_warp;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(data)) + offsets.byte[lane];
  SharedWord<word> value;
  value.set(stored_by(lane, trips));
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < shared_accesses<word>; ++i) value.store(address);
  span_stop(spans);
  SharedWord<word> last;
  last.load(address);
  out[blockIdx.x * blockDim.x + threadIdx.x] = last.sum();
}

enum class SharedAccess { load, store };
inline constexpr std::string_view shared_access_names[] = {"load", "store"};

struct BankPattern {
  SharedAccess access = SharedAccess::load;
  int word = 4;
  LaneOffsets offsets{};

  int accesses() const {
    return word == 4 ? shared_accesses<4> : word == 8 ? shared_accesses<8> : shared_accesses<16>;
  }
  // What every thread of that lane writes out.
  std::uint32_t want(int lane, int trips) const {
    const auto words = static_cast<std::uint32_t>(word / 4);
    if (access == SharedAccess::store) return words * stored_by(lane, trips);
    return static_cast<std::uint32_t>(trips * accesses()) * pattern_sum(offsets.byte[lane] / 4, words);
  }
};

inline LaneOffsets strided_offsets(int word, int stride) {
  LaneOffsets offsets{};
  for (int lane = 0; lane < lanes_of_warp; ++lane)
    offsets.byte[lane] = static_cast<unsigned>(lane * stride * word);
  return offsets;
}

// Blocks of some warps, one on every SM.
class BankBench {
public:
  BankBench(Session& session, int warps)
      : session_(session), threads_(warps * lanes_of_warp), blocks_(session.device.sm_count()),
        out_(std::size_t(blocks_) * std::size_t(threads_)), spans_(std::size_t(blocks_)) {}

  void launch(const BankPattern& p, int blocks, int trips) {
    const auto go = [&](auto* loads, auto* stores) {
      (p.access == SharedAccess::load ? loads : stores)<<<blocks, threads_, 0, session_.stream>>>(
          p.offsets, out_.data(), trips, spans_.data());
    };
    switch (p.word) {
    case 4:
      go(&load_banks<4>, &store_banks<4>);
      break;
    case 8:
      go(&load_banks<8>, &store_banks<8>);
      break;
    default:
      go(&load_banks<16>, &store_banks<16>);
      break;
    }
    PERFMODEL_CUDA(cudaGetLastError());
  }

  bool right(const BankPattern& p) {
    constexpr int trips = 3;
    out_.poison();
    launch(p, blocks_, trips);
    session_.stream.synchronize();
    const std::vector<std::uint32_t> got = out_.to_host();
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != p.want(static_cast<int>(i % lanes_of_warp), trips)) return false;
    return true;
  }

  // Cycles of an SM per access of one of its warps.
  Measurement cycles(const BankPattern& p) {
    Measurement m = cycles_per_trip(session_, spans_, 1, [&](int trips) { launch(p, blocks_, trips); });
    for (double& value : m.values) value /= double(p.accesses()) * threads_ / lanes_of_warp;
    return m;
  }

private:
  Session& session_;
  int threads_, blocks_;
  Buffer<std::uint32_t> out_;
  Buffer<BlockSpan> spans_;
};

} // namespace perfmodel::kernels
