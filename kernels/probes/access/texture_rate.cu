// How fast an SM reads words through its texture units.
// Rows: words a cycle, all of them in L1, of warps whose lanes read 1 to 32 different lines of 128 bytes; by
// tex1Dfetch of words of 4 and 16 bytes, by tex2D, and by plain loads beside them.
// texture.wavefront_rate: wavefronts a cycle of tex2D over a matrix that L2 does not hold. Each quad of lanes
// is one, whatever its direction. From L2, which a note says, more come: the longer words are on their way,
// the fewer the units have room for.
// texture.latency: how long one waits for a word in L1, in a ring of words of which each says the next.
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/access/texture_reads.cuh"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <string>

namespace perfmodel::kernels {
namespace texture_rate_probe {
namespace {

constexpr int threads = 1024, line = 128, batch = 8, reads = 64; // reads of a trip
constexpr unsigned width_log2 = 7, width = 1U << width_log2;     // 64 KiB of words, in L1 whole
constexpr unsigned rows_apart = 8;                               // between two reads of a batch: 4 KiB

// Words of 16 bytes are numbered in fours.
template <ReadPath path, typename Word>
__global__ void __launch_bounds__(threads) read_again(TextureView view, LaneOffsets offsets, unsigned zero,
                                                      std::uint32_t* out, int trips, BlockSpan* spans) {
  const unsigned byte = offsets.byte[threadIdx.x % lanes_of_warp];
  if (sizeof(Word) == sizeof(uint4)) view.width_log2 -= 2;
  unsigned x = byte % (width * 4) / sizeof(Word), y = byte / (width * 4);
  std::uint32_t sum = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int turn = 0; turn < reads / batch; ++turn) {
      Word v[batch];
#pragma unroll
      for (int i = 0; i < batch; ++i)
        v[i] = read_word<path, Word>(view, x, y + static_cast<unsigned>(i) * rows_apart);
#pragma unroll
      for (int i = 0; i < batch; ++i) sum += sum_of(v[i]);
      x += zero; // else it would read once
    }
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

// Blocks of 32 x 8 threads read tiles of 32 x 64 words, each block those that are `tiles_apart` from one
// another, as many as there are such.
constexpr unsigned tile_width = 32, tile_height = 64, tiles_apart = 32, block_rows = 8;

__global__ void __launch_bounds__(tile_width* block_rows)
    read_tiles(TextureView view, std::uint32_t* total, bool report) {
  const unsigned across = (1U << view.width_log2) / tile_width,
                 tiles = across * ((1U << view.width_log2) / tile_height);
  std::uint32_t sum = 0;
  for (unsigned round = 0; round < tiles / tiles_apart; ++round) {
    const unsigned tile = (blockIdx.x + 33 * tiles_apart * round) % tiles;
    const unsigned x = tile % across * tile_width + threadIdx.x,
                   y = tile / across * tile_height + threadIdx.y;
    std::uint32_t v[tile_height / block_rows];
#pragma unroll
    for (unsigned k = 0; k < tile_height / block_rows; ++k)
      v[k] = read_word<ReadPath::tex2d, unsigned>(view, x, y + k * block_rows);
#pragma unroll
    for (const std::uint32_t word : v) sum += word;
  }
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

// A ring in the first row: word k says (k + 11) % width.
__global__ void lay_word_ring(unsigned* words) { words[threadIdx.x] = (threadIdx.x + 11) % width; }

template <ReadPath path>
__global__ void follow(TextureView view, int hops, unsigned* at, ClockReading* reading) {
  unsigned x = *at;
  for (int i = 0; i < hops; ++i) x = read_word<path, unsigned>(view, x, 0);
  clock_start(reading);
#pragma unroll 16
  for (int i = 0; i < hops; ++i) x = read_word<path, unsigned>(view, x, 0);
  *at = x;
  clock_stop(reading);
}

// Lane l reads in line (5 l + 3) mod `different`, each its own word of it.
LaneOffsets lines_of(int different, int word) {
  LaneOffsets offsets{};
  for (int lane = 0; lane < lanes_of_warp; ++lane)
    offsets.byte[lane] =
        static_cast<unsigned>((lane * 5 + 3) % different * line + lane * word % line / word * word);
  return offsets;
}

class RateBench {
public:
  explicit RateBench(Session& session)
      : session_(session), blocks_(session.device.sm_count()), matrix_(session, width_log2),
        out_(std::size_t(blocks_) * threads), spans_(std::size_t(blocks_)) {}

  template <ReadPath path, typename Word> bool right(int different) {
    const LaneOffsets offsets = lines_of(different, sizeof(Word));
    constexpr int trips = 3;
    out_.poison();
    launch<path, Word>(offsets, trips);
    session_.stream.synchronize();
    const std::vector<std::uint32_t> got = out_.to_host();
    for (std::size_t i = 0; i < got.size(); ++i) {
      std::uint32_t want = 0;
      for (unsigned b = 0; b < batch; ++b)
        want += pattern_sum(offsets.byte[i % lanes_of_warp] / 4 + b * rows_apart * width, sizeof(Word) / 4);
      if (got[i] != trips * (reads / batch) * want) return false;
    }
    return true;
  }

  // Words that an SM reads in a cycle.
  template <ReadPath path, typename Word> Measurement rate(int different) {
    const LaneOffsets offsets = lines_of(different, sizeof(Word));
    Measurement m =
        cycles_per_trip(session_, spans_, 1, [&](int trips) { launch<path, Word>(offsets, trips); });
    for (double& value : m.values) value = double(reads) * threads / value;
    return m;
  }

  // Cycles from a word to the next; none where the walk went wrong.
  template <ReadPath path> std::optional<Measurement> latency() {
    constexpr int hops = 4096;
    Measurement m;
    for (int i = 0; i < (session_.quick() ? 3 : 11); ++i) {
      Buffer<unsigned> at(1);
      Buffer<ClockReading> reading(1);
      at.clear();
      lay_word_ring<<<1, width, 0, session_.stream>>>(
          static_cast<unsigned*>(const_cast<void*>(matrix_.view().words)));
      follow<path><<<1, 1, 0, session_.stream>>>(matrix_.view(), hops, at.data(), reading.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      if (at.to_host()[0] != 2U * hops * 11 % width) return std::nullopt;
      const ClockReading read = reading.to_host()[0];
      m.values.push_back(static_cast<double>(read.cycles) / hops);
      m.sm_clock.push_back(read.hertz());
    }
    return m;
  }

private:
  template <ReadPath path, typename Word> void launch(const LaneOffsets& offsets, int trips) {
    read_again<path, Word><<<static_cast<unsigned>(blocks_), threads, 0, session_.stream>>>(
        matrix_.view(), offsets, 0, out_.data(), trips, spans_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Session& session_;
  int blocks_;
  TextureMatrix matrix_;
  Buffer<std::uint32_t> out_;
  Buffer<BlockSpan> spans_;
};

// Wavefronts that an SM takes in a cycle of a matrix. No value where words were not read as often as they
// should be.
std::optional<Measurement> wavefronts(Session& session, unsigned log2_of_width) {
  const std::uint32_t words = 1U << 2 * log2_of_width;
  const auto sms = static_cast<unsigned>(session.device.sm_count());
  const unsigned blocks = sms * 8 / tiles_apart * tiles_apart;
  TextureMatrix matrix(session, log2_of_width);
  Buffer<std::uint32_t> total(1);
  const auto launch = [&](bool report) {
    read_tiles<<<blocks, dim3(tile_width, block_rows), 0, session.stream>>>(matrix.view(), total.data(),
                                                                            report);
    PERFMODEL_CUDA(cudaGetLastError());
  };
  total.clear();
  launch(true);
  session.stream.synchronize();
  const std::uint32_t times = blocks / tiles_apart; // each tile
  if (total.to_host()[0] != times * pattern_sum(0, words)) return std::nullopt;
  const Sampled sampled = sample(session, usual(session), [&](cudaStream_t) { launch(false); });
  Measurement m{.values = {}, .sm_clock = sampled.sm_clock};
  const double all = double(words) / 4 * times / sms;
  for (std::size_t i = 0; i < sampled.seconds.size(); ++i)
    m.values.push_back(all / (sampled.seconds[i] * sampled.sm_clock[i]));
  return m;
}

ProbeResult run(Session& session) {
  session.say("texture units: words a cycle");
  Report report("words read in L1", {{"path", {}}, {"word", unit_of<Bytes>()}, {"lines", {}}}, "rate",
                unit_of<PerCycle>());
  RateBench bench(session);
  const auto row = [&]<ReadPath path, typename Word>(int different) {
    const std::string name(name_of(path));
    if (report.verify(bench.right<path, Word>(different), name))
      report.row({name, std::int64_t{sizeof(Word)}, std::int64_t{different}},
                 bench.rate<path, Word>(different));
  };
  for (const int different : {1, 2, 4, 8, 32}) {
    row.operator()<ReadPath::global, unsigned>(different);
    row.operator()<ReadPath::tex1d, unsigned>(different);
    row.operator()<ReadPath::tex2d, unsigned>(different);
    row.operator()<ReadPath::tex1d, uint4>(different);
  }
  const std::optional<Measurement> linear = bench.latency<ReadPath::tex1d>(),
                                   plain = bench.latency<ReadPath::global>(),
                                   from_l2 = wavefronts(session, 11), // 16 MiB
      from_dram = wavefronts(session, session.quick() ? 13 : 14);
  if (!report.verify(linear && plain, "a walk along the ring") ||
      !report.verify(from_l2 && from_dram, "the sum of all words"))
    return report.take();
  report.constant("texture.wavefront_rate", *from_dram);
  report.constant("texture.latency", *linear);
  report.note("a plain load's word comes after " + std::to_string(plain->median()) + " cycles");
  report.note("from L2 an SM takes " + std::to_string(from_l2->median()) + " wavefronts a cycle");
  return report.take();
}

} // namespace
} // namespace texture_rate_probe

extern const Probe texture_rate{
    .name = "texture-rate",
    .order = 441,
    .measures = "words that an SM reads in a cycle through its texture units, and how long one takes",
    .provides = {"texture.wavefront_rate", "texture.latency"},
    .run = texture_rate_probe::run};

} // namespace perfmodel::kernels
