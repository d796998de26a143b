// What L1 still has of what warps come back to. Each warp reads a row of words of its own three times over,
// as a normalisation does, and then ends; nothing keeps warps in step. Rows of so many words that those of
// all warps of an SM are 96 to 352 KiB. How much of the second and third reading L1 had lost by then is
// counted: what came from L2 beyond the rows themselves.
#include "share_lost.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>

namespace perfmodel::kernels {
namespace l1_retention_probe {
namespace {

constexpr unsigned threads = 256, warp = 32, readings = 3, rounds = 4; // rows of an SM's warp, in the mean
constexpr std::int64_t KiB = 1024;
constexpr double sector = 32;

__global__ void __launch_bounds__(threads)
    read_rows(const std::uint32_t* data, unsigned words, unsigned rows, std::uint32_t* out) {
  const unsigned row = (blockIdx.x * threads + threadIdx.x) / warp, lane = threadIdx.x % warp;
  if (row >= rows) return;
  const std::uint32_t* const from = data + std::size_t{row} * words + lane;
  std::uint32_t all = 0;
#pragma unroll 1
  for (unsigned reading = 0; reading < readings; ++reading) {
    std::uint32_t sum = 0;
#pragma unroll 4
    for (unsigned i = 0; i < words; i += warp) {
      std::uint32_t v;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(from + i));
      sum += v;
    }
    for (unsigned away = warp / 2; away > 0; away /= 2) sum += __shfl_xor_sync(~0u, sum, away);
    all += sum; // the next reading follows it
  }
  if (lane == 0) out[row] = all;
}

class Rows {
public:
  explicit Rows(Session& session)
      : session_(session), warps_(unsigned(session.device.properties.maxThreadsPerMultiProcessor) / warp),
        rows_(warps_ * rounds * unsigned(session.device.sm_count())),
        data_(std::size_t{rows_} * words_of(footprints(false).back()) / 4), out_(rows_) {
    fill_pattern(data_.data(), data_.size(), session.stream);
  }

  static std::vector<std::int64_t> footprints(bool quick) {
    std::vector<std::int64_t> all;
    for (std::int64_t size = 96 * KiB; size <= 352 * KiB; size += (quick ? 128 : 16) * KiB)
      all.push_back(size);
    return all;
  }
  void read(std::int64_t footprint) {
    read_rows<<<(rows_ * warp + threads - 1) / threads, threads, 0, session_.stream>>>(
        reinterpret_cast<const std::uint32_t*>(data_.data()), words_of(footprint), rows_, out_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }
  bool right(std::int64_t footprint) {
    read(footprint);
    session_.stream.synchronize();
    const std::uint64_t words = words_of(footprint);
    std::uint64_t row = 0;
    for (const std::uint32_t sum : out_.to_host())
      if (sum != readings * pattern_sum(words * row++, words)) return false;
    return true;
  }
  double sectors(std::int64_t footprint) const { return double(rows_) * words_of(footprint) * 4 / sector; }

private:
  unsigned words_of(std::int64_t footprint) const { // in whole lines
    return unsigned(footprint / 4 / warps_) / warp * warp;
  }

  Session& session_;
  unsigned warps_, rows_;
  Buffer<uint4> data_;
  Buffer<std::uint32_t> out_;
};

const std::vector<KeyColumn> keys{{"footprint", unit_of<Bytes>()}};

ProbeResult run(Session& session) {
  Report report("rows read three times, as many bytes of an SM", keys, "bandwidth",
                unit_of<BytesPerSecond>());
  Rows rows(session);
  for (const std::int64_t footprint : Rows::footprints(session.quick())) {
    const std::string name = "rows of " + std::to_string(footprint / KiB) + " KiB of an SM";
    session.say(name);
    if (!report.verify(rows.right(footprint), name)) break;
    const auto launch = [&](cudaStream_t) { rows.read(footprint); };
    report.row({footprint},
               rate_of(sample(session, usual(session), launch), readings * sector * rows.sectors(footprint)));
  }
  return report.take();
}

ProbeResult count(Session& session) {
  session.say("counting: what L1 has lost of rows that are read again");
  Report report("share of what is read again that L1 had lost", keys, {{"lost", {}}});
  Rows rows(session);
  Counters counters(session, {"l1tex__m_xbar2l1tex_read_sectors.sum"});
  std::vector<std::pair<double, double>> lost;
  for (const std::int64_t footprint : Rows::footprints(session.quick())) {
    if (!report.verify(rows.right(footprint), "rows of " + std::to_string(footprint / KiB) + " KiB")) break;
    const auto launch = [&] { rows.read(footprint); };
    const double once = rows.sectors(footprint), read = counters.count(launch, launch)[0];
    lost.emplace_back(double(footprint), (read / once - 1) / (readings - 1));
    report.row({footprint}, {lost.back().second});
  }
  if (const auto quarter = footprint_at(0.25, lost)) report.constant("l1.quarter_lost", {{*quarter}, {}});
  if (const auto more = footprint_at(0.75, lost)) report.constant("l1.three_quarters_lost", {{*more}, {}});
  return report.take();
}

} // namespace
} // namespace l1_retention_probe

extern const Probe l1_retention{.name = "l1-retention",
                                .order = 432,
                                .measures =
                                    "bandwidth of rows that their warps read three times, in L1 or not",
                                .provides = {"l1.quarter_lost", "l1.three_quarters_lost"},
                                .run = l1_retention_probe::run,
                                .count = l1_retention_probe::count,
                                .counts = "what L1 has lost of rows that are read again"};

} // namespace perfmodel::kernels
