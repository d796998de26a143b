// How many isolated segments DRAM delivers per second: every thread gathers single words, each from a 32-byte
// sector of its own, the sectors of 8 GiB in shuffled order. Nothing of a sector's neighbourhood is asked for
// at the same time, and the rest of the sector never.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/report.hpp"
#include "kernels/probes/access/shuffled.hpp"
#include "kernels/probes/registry.hpp"

#include <bit>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 256, loads = 8;
constexpr std::size_t sector_words = 8;

__device__ inline std::uint32_t load_streaming_word(const std::uint32_t* from) {
  std::uint32_t v;
  asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}

__global__ void __launch_bounds__(threads)
    gather(const std::uint32_t* words, Shuffled shuffled, std::uint32_t* total, bool report) {
  const std::uint32_t first = blockIdx.x * (threads * loads) + threadIdx.x;
  std::uint32_t v[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i)
    v[i] = load_streaming_word(words + shuffled(first + i * threads) * sector_words);
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < loads; ++i) sum += v[i];
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

ProbeResult run(Session& session) {
  session.say("DRAM: isolated sectors");
  Report report("isolated sectors of DRAM", {{"gathered", unit_of<Bytes>()}}, "segments_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  Buffer<uint4> data(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4));
  Buffer<std::uint32_t> total(1);
  fill_pattern(data.data(), data.size(), session.stream);
  const std::size_t sectors = data.bytes() / (sector_words * sizeof(std::uint32_t)); // a power of two
  const Shuffled shuffled{static_cast<unsigned>(std::bit_width(sectors) - 1)};
  const auto launch = [&](cudaStream_t stream, bool with_sum) {
    gather<<<static_cast<unsigned>(sectors / (threads * loads)), threads, 0, stream>>>(
        reinterpret_cast<const std::uint32_t*>(data.data()), shuffled, total.data(), with_sum);
  };

  session.stream.synchronize();
  total.clear();
  launch(session.stream, true);
  PERFMODEL_CUDA(cudaGetLastError());
  session.stream.synchronize();
  // Words 0, 8, 16, ...: the sum of the whole numbers below `sectors`, times 8 steps of the pattern.
  const auto step = static_cast<std::uint32_t>(sector_words) * pattern_step;
  const auto want =
      static_cast<std::uint32_t>(sectors / 2 * (sectors - 1)) * step + static_cast<std::uint32_t>(sectors);
  if (!report.verify(total.to_host()[0] == want, "sum of the words gathered")) return report.take();

  const Measurement rate = middle_run(session, [&] {
    return rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, false); }),
                   double(sectors));
  });
  report.row({std::int64_t{sizeof(std::uint32_t)}}, rate);
  report.constant("dram.segment_rate", rate);
  return report.take();
}

} // namespace

const Probe sector_gather{
    "sector-gather", "", "isolated sectors that DRAM delivers per second", {"dram.segment_rate"}, run};

} // namespace perfmodel::kernels
