// What blocks take that wait for what all blocks before them have found, as those of a scan in one pass do:
// each writes the sum of its tile, looks back over the sums of 32 blocks at a time until it meets a prefix,
// and writes its own. It holds its place on the SM meanwhile, and asks memory for next to nothing. Timed is
// the same kernel with and without the looking back, over waves of resident blocks; the difference is what a
// wave takes longer. (On an H200, 30 November 2026, a kernel like this one: 3.1 to 3.3 us a wave of 8 or 10
// blocks an SM with 12 KiB each, of one wave and of 83, and 3.7 of 12 blocks with 8 KiB.)
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"

#include <optional>
#include <string>

namespace perfmodel::kernels {
namespace look_back_probe {
namespace {

constexpr int threads = 128, warps = threads / 32, words = 6; // of 16 bytes, a thread's
constexpr std::size_t tile = std::size_t{threads} * words;    // of such words

// What a block has told: a sum of 32 bits, and that it is one of this launch, of its tile alone or of all
// tiles up to it.
enum Told : unsigned { of_tile = 1, of_all = 2 };
__device__ unsigned long long message(unsigned sum, unsigned launch, Told told) {
  return static_cast<unsigned long long>(sum) << 32 | launch << 2 | told;
}
#if __CUDA_ARCH__ >= 700
__device__ void tell(unsigned long long* at, unsigned long long message) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(message) : "memory");
}
__device__ unsigned long long heard(const unsigned long long* at) {
  unsigned long long message = 0;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(message) : "l"(at) : "memory");
  return message;
}
#else
__device__ void tell(unsigned long long* at, unsigned long long message) {
  *static_cast<volatile unsigned long long*>(at) = message;
}
__device__ unsigned long long heard(const unsigned long long* at) {
  return *static_cast<const volatile unsigned long long*>(at);
}
#endif

__device__ unsigned sum_of_warp(unsigned sum) {
  for (int away = 16; away > 0; away /= 2) sum += __shfl_xor_sync(~0u, sum, away);
  return sum;
}

// The sum of all tiles before this one; by one warp.
__device__ unsigned look_back(const unsigned long long* told, unsigned launch) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  unsigned before = 0;
  for (int last = static_cast<int>(blockIdx.x) - 1;; last -= 32) {
    unsigned long long found = 0;
    bool is_told = false;
    do {
      found = last >= lane ? heard(told + last - lane) : message(0, launch, of_all);
      is_told = (static_cast<unsigned>(found) >> 2) == launch;
    } while (!__all_sync(~0u, is_told));
    const unsigned ends = __ballot_sync(~0u, (found & 3) == of_all);
    const int end = ends != 0 ? __ffs(static_cast<int>(ends)) - 1 : 31;
    before += sum_of_warp(lane <= end ? static_cast<unsigned>(found >> 32) : 0);
    if (ends != 0) return before;
  }
}

template <bool waits>
__global__ void __launch_bounds__(threads)
    scan(const uint4* in, uint4* out, unsigned long long* told, unsigned launch) {
  __shared__ unsigned sums[warps], prefix;
  const uint4* const from = in + blockIdx.x * tile + threadIdx.x;
  uint4 word[words];
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = from[i * threads];
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < words; ++i) sum += word[i].x + word[i].y + word[i].z + word[i].w;
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  if (threadIdx.x == 0) prefix = 0;
  __syncthreads();
  if (waits && threadIdx.x < 32) {
    sum = 0;
    for (const unsigned of_warp : sums) sum += of_warp;
    const bool tells = threadIdx.x == 0;
    if (tells && blockIdx.x > 0) tell(told + blockIdx.x, message(sum, launch, of_tile));
    const unsigned before = look_back(told, launch);
    if (tells) tell(told + blockIdx.x, message(before + sum, launch, of_all)), prefix = before;
  }
  __syncthreads();
  const unsigned before = prefix;
  uint4* const to = out + blockIdx.x * tile + threadIdx.x;
#pragma unroll
  for (int i = 0; i < words; ++i)
    to[i * threads] = {word[i].x + before, word[i].y + before, word[i].z + before, word[i].w + before};
}

// A block for each tile: whether its words are those of `in` and the prefix of the tile before, and its own
// prefix that and its sum.
__global__ void __launch_bounds__(threads)
    check(const uint4* in, const uint4* out, const unsigned long long* told, unsigned* wrong) {
  __shared__ unsigned all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  const auto sum_until = [&](unsigned block) { return static_cast<unsigned>(told[block] >> 32); };
  const unsigned before = blockIdx.x > 0 ? sum_until(blockIdx.x - 1) : 0;
  unsigned sum = 0, off = 0;
  for (int i = 0; i < words; ++i) {
    const std::size_t at = blockIdx.x * tile + threadIdx.x + i * threads;
    const uint4 a = in[at], b = out[at];
    sum += a.x + a.y + a.z + a.w;
    off += (b.x != a.x + before) + (b.y != a.y + before) + (b.z != a.z + before) + (b.w != a.w + before);
  }
  atomicAdd(&all, sum);
  if (off != 0) atomicAdd(wrong, off);
  __syncthreads();
  if (threadIdx.x == 0 && before + all != sum_until(blockIdx.x)) atomicAdd(wrong, 1);
}

class Scans {
public:
  Scans(Session& session, std::size_t most_tiles)
      : session_(session), in_(most_tiles * tile), out_(in_.size()), told_(most_tiles), wrong_(1) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    told_.clear();
    wrong_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
  }

  template <bool waits> Sampled times(unsigned blocks, std::size_t shared) {
    return sample(session_, usual(session_), [&](cudaStream_t stream) {
      scan<waits><<<blocks, threads, shared, stream>>>(in_.data(), out_.data(), told_.data(), ++launch_);
      PERFMODEL_CUDA(cudaGetLastError());
    });
  }
  // Of what the last scan that waited has left.
  bool is_right(unsigned blocks) {
    check<<<blocks, threads, 0, session_.stream>>>(in_.data(), out_.data(), told_.data(), wrong_.data());
    session_.stream.synchronize();
    return wrong_.to_host()[0] == 0;
  }

private:
  Session& session_;
  Buffer<uint4> in_, out_;
  Buffer<unsigned long long> told_;
  Buffer<unsigned> wrong_;
  unsigned launch_ = 0;
};

ProbeResult run(Session& session) {
  Report report("what a wave of blocks takes longer that look back", {{"resident", {}}, {"waves", {}}},
                "cycles", unit_of<Cycles>());
  constexpr int residents[] = {8, 4}, waves[] = {32, 8, 1};
  const std::size_t sms = std::size_t(session.device.sm_count());
  const std::size_t fit = session.buffer_bytes(std::size_t{1} << 30) / (tile * sizeof(uint4));
  Scans scans(session, std::min(fit, sms * residents[0] * waves[0]));
  for (const int resident : residents) {
    const auto shared = shared_for_residency(session.device, scan<true>, threads, resident);
    const auto same = shared_for_residency(session.device, scan<false>, threads, resident);
    if (!shared || !same) {
      report.note("no " + std::to_string(resident) + " blocks can be kept on an SM");
      continue;
    }
    for (const int count : waves) {
      const std::size_t blocks = sms * resident * count;
      if (blocks > fit) continue;
      session.say(std::to_string(count) + " waves of " + std::to_string(resident) + " blocks");
      const Sampled alone = scans.times<false>(static_cast<unsigned>(blocks), *same),
                    waiting = scans.times<true>(static_cast<unsigned>(blocks), *shared);
      if (!report.verify(scans.is_right(static_cast<unsigned>(blocks)), "the prefixes of all tiles"))
        return report.take();
      Measurement longer;
      for (std::size_t i = 0; i < waiting.seconds.size() && i < alone.seconds.size(); ++i) {
        longer.values.push_back((waiting.seconds[i] - alone.seconds[i]) / count * waiting.sm_clock[i]);
        longer.sm_clock.push_back(waiting.sm_clock[i]);
      }
      report.row({std::int64_t{resident}, std::int64_t{count}}, longer);
      if (resident == residents[0] && count == waves[0]) report.constant("block.look_back", longer);
    }
  }
  return report.take();
}

} // namespace
} // namespace look_back_probe

extern const Probe look_back{
    .name = "look-back",
    .order = 353,
    .measures = "what a wave of blocks takes longer that wait for what all blocks before them have found",
    .provides = {"block.look_back"},
    .run = look_back_probe::run};

} // namespace perfmodel::kernels
