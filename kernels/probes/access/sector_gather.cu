// How many isolated segments DRAM delivers per second: every thread gathers single words, each from a 32-byte
// sector of its own. Chunks of 1 KiB are visited in shuffled order, either for one word or for two at some
// distance: where two cost hardly more than one, the same opening of a DRAM row serves both. Nothing else of
// a chunk is asked for, so that the bytes that DRAM moves for a word (counted) are the least that it fetches.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/access/shuffled.hpp"

#include <bit>
#include <optional>
#include <string>

namespace perfmodel::kernels {
namespace sector_gather_probe {
namespace {

constexpr int threads = 256, loads = 8;
constexpr std::size_t chunk_words = 256;

__device__ inline std::uint32_t load_streaming_word(const std::uint32_t* from) {
  std::uint32_t v;
  asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}

// Neighbouring threads share a chunk when `pairs_log2` is 1, the second `distance` words behind the first.
__global__ void __launch_bounds__(threads)
    gather(const std::uint32_t* words, Shuffled shuffled, unsigned pairs_log2, std::size_t distance,
           std::uint32_t* total, bool report) {
  const std::uint32_t first = blockIdx.x * (threads * loads) + threadIdx.x;
  std::uint32_t v[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const std::uint32_t n = first + i * threads;
    const std::size_t chunk = shuffled(n >> pairs_log2);
    v[i] = load_streaming_word(words + chunk * chunk_words + (n & ((1u << pairs_log2) - 1)) * distance);
  }
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < loads; ++i) sum += v[i];
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

class Gather {
public:
  explicit Gather(Session& session)
      : session_(session), data_(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4)), total_(1),
        chunks_(data_.bytes() / (chunk_words * sizeof(std::uint32_t))), shuffled_{static_cast<unsigned>(
                                                                            std::bit_width(chunks_) - 1)} {
    fill_pattern(data_.data(), data_.size(), session.stream);
    session.stream.synchronize();
  }

  // Of single words where `distance` (in words) is 0.
  std::size_t words(std::size_t distance) const { return distance == 0 ? chunks_ : 2 * chunks_; }

  void launch(cudaStream_t stream, std::size_t distance, bool with_sum) {
    gather<<<static_cast<unsigned>(words(distance) / (threads * loads)), threads, 0, stream>>>(
        reinterpret_cast<const std::uint32_t*>(data_.data()), shuffled_, distance == 0 ? 0 : 1, distance,
        total_.data(), with_sum);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  bool right(std::size_t distance) {
    total_.clear();
    launch(session_.stream, distance, true);
    session_.stream.synchronize();
    const std::size_t n = words(distance), starts = chunks_ / 2 * (chunks_ - 1) * chunk_words;
    const std::size_t indices = distance == 0 ? starts : 2 * starts + chunks_ * distance;
    return total_.to_host()[0] ==
           static_cast<std::uint32_t>(indices) * pattern_step + static_cast<std::uint32_t>(n);
  }

  Measurement rate(std::size_t distance) {
    return middle_run(session_, [&] {
      return rate_of(sample(session_, usual(session_), [&](cudaStream_t s) { launch(s, distance, false); }),
                     double(words(distance)));
    });
  }

private:
  Session& session_;
  Buffer<uint4> data_;
  Buffer<std::uint32_t> total_;
  std::size_t chunks_; // a power of two
  Shuffled shuffled_;
};

ProbeResult run(Session& session) {
  session.say("DRAM: isolated sectors");
  Report report("isolated sectors of DRAM", {{"distance", unit_of<Bytes>()}}, "segments_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  Gather gather(session);
  std::optional<Measurement> single;
  double shared = 0; // bytes
  for (const std::size_t distance : {0, 64, 128, 256, 512}) {
    if (!report.verify(gather.right(distance / sizeof(std::uint32_t)),
                       "sum of the words gathered, " + std::to_string(distance) + " B apart"))
      return report.take();
    const Measurement rate = gather.rate(distance / sizeof(std::uint32_t));
    report.row({static_cast<std::int64_t>(distance)}, rate);
    if (distance == 0) single = rate;
    // Two in the time of one would be 2; what is no better than two apart is 1.
    if (distance > 0 && rate.median() > 1.2 * single->median()) shared = 2.0 * static_cast<double>(distance);
  }
  report.constant("dram.segment_rate", *single);
  if (shared > 0) report.constant("dram.row_reach", {.values = {shared}, .sm_clock = single->sm_clock});
  return report.take();
}

ProbeResult count(Session& session) {
  session.say("counting: isolated sectors");
  Report report("isolated sectors of DRAM, counted", {{"distance", unit_of<Bytes>()}},
                {{"dram_bytes_per_word", unit_of<Bytes>()}});
  Gather gather(session);
  Counters counters(session, {"dram__bytes_read.sum"});
  if (!report.verify(gather.right(0), "sum of the words gathered")) return report.take();
  const auto launch = [&] { gather.launch(session.stream, 0, false); };
  const double bytes = counters.count(launch, launch)[0] / double(gather.words(0));
  report.row({std::int64_t{0}}, {bytes});
  report.constant("dram.atom", {.values = {bytes}, .sm_clock = {}});
  return report.take();
}

} // namespace
} // namespace sector_gather_probe

extern const Probe sector_gather{.name = "sector-gather",
                                 .order = 300,
                                 .measures =
                                     "isolated sectors that DRAM delivers per second, alone and in pairs",
                                 .provides = {"dram.segment_rate", "dram.row_reach", "dram.atom"},
                                 .run = sector_gather_probe::run,
                                 .count = sector_gather_probe::count,
                                 .counts = "bytes that DRAM reads for an isolated word"};

} // namespace perfmodel::kernels
