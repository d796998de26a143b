// How many lines L2 lets be partly written. Every lane writes one line after another, word by word, a pause
// after each word of its four sectors. After the last of them a line is whole: at any time seven lines of
// eight lanes are partly written. What L2 has not kept until it was whole it has to fill up from device
// memory, and the sectors filled are counted. Lines lie a whole row of lines apart, so that they meet in L2's
// sets as by chance. From the share for several numbers of lanes follow the sets and how many lines of each
// may wait (partial_lines.hpp).
#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/access/partial_lines.hpp"
#include "models/core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel::kernels {
namespace partial_lines_probe {
namespace {

constexpr unsigned threads = 128, sectors = 4, sector_words = 8; // of a line
constexpr unsigned rows = 16384, columns = 125;                  // of lines: 262 MB
constexpr std::size_t line_words = sectors * sector_words, total = std::size_t{rows} * columns;
constexpr long long pause = 2500; // cycles; shares are the same from 1000 to 10 000

__device__ void wait(long long cycles) {
  const long long start = cycles_now();
  while (cycles_now() - start < cycles) {
  }
}

// Warps begin at different words of a line's time. Volatile, so that no store waits for its neighbours.
__global__ void __launch_bounds__(threads) write_by_words(volatile unsigned* words) {
  const unsigned lanes = gridDim.x * threads, lane = blockIdx.x * threads + threadIdx.x;
  wait(pause * sector_words * (lane / 32 % 64) / 64);
#pragma unroll 1
  for (std::size_t i = lane; i < total; i += lanes) {
    const std::size_t first = (i % rows * columns + i / rows) * line_words;
#pragma unroll 1
    for (unsigned word = 0; word < sector_words; ++word) {
#pragma unroll
      for (unsigned sector = 0; sector < sectors; ++sector) {
        const std::size_t at = first + sector * sector_words + word;
        words[at] = pattern(at);
      }
      wait(pause);
    }
  }
}

class Lines {
public:
  explicit Lines(Session& session) : session_(session), words_(total * line_words / 4) {}

  bool fit(unsigned lanes) const {
    const auto& properties = session_.device.properties;
    return lanes <=
           unsigned(properties.multiProcessorCount) * unsigned(properties.maxThreadsPerMultiProcessor);
  }
  void write(unsigned lanes) {
    write_by_words<<<lanes / threads, threads, 0, session_.stream>>>(
        reinterpret_cast<unsigned*>(words_.data()));
    PERFMODEL_CUDA(cudaGetLastError());
  }
  bool right(unsigned lanes) {
    words_.poison();
    write(lanes);
    return pattern_differences(words_.data(), words_.size(), session_.stream) == 0;
  }

private:
  Session& session_;
  Buffer<uint4> words_;
};

std::vector<unsigned> lane_counts(bool quick) {
  if (quick) return {8192, 16384, 32768};
  return {4096, 8192, 12288, 16384, 20480, 24576, 32768, 49152, 65536};
}
const std::vector<KeyColumn> keys{{"lines", {}}};

ProbeResult run(Session& session) {
  session.say("lines that are partly written");
  Report report("lines written word by word, as many at a time", keys, "lines_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  Lines lines(session);
  for (const unsigned lanes : lane_counts(session.quick())) {
    if (!lines.fit(lanes)) continue;
    if (!report.verify(lines.right(lanes), "words of " + std::to_string(lanes) + " lines at a time")) break;
    const auto launch = [&](cudaStream_t) { lines.write(lanes); };
    report.row({std::int64_t{lanes}}, rate_of(sample(session, usual(session), launch), double(total)));
  }
  return report.take();
}

struct Counted {
  double lines, share; // partly written at a time; of their sectors, filled up
};

double partly_written(unsigned lanes) { return double(lanes) * (sector_words - 1) / sector_words; }

// Sets for which as many lines as that would leave, for each count that tells; the share rises with lines
// over sets.
std::vector<double> sets_of(const std::vector<Counted>& counts, double ways) {
  std::vector<double> all;
  for (const auto [lines, share] : counts) {
    if (share < 0.04 || share > 0.2) continue; // of more lines L2 takes the words no faster
    double few = 1, many = 1e8;
    for (int i = 0; i < 60; ++i) {
      const double sets = std::sqrt(few * many);
      (sent_early({sets, ways}, lines) > share ? few : many) = sets;
    }
    all.push_back(few);
  }
  return all;
}

// The number of ways for which all counts tell of the same sets.
PartialLines explained(const std::vector<Counted>& counts) {
  PartialLines best;
  double least = 0;
  for (int ways = 1; ways <= 16; ++ways) {
    const std::vector<double> sets = sets_of(counts, ways);
    if (sets.size() < 2) break;
    const auto [low, high] = std::minmax_element(sets.begin(), sets.end());
    const double spread = *high / *low;
    if (best.ways == 0 || spread < least) best = {median(sets), double(ways)}, least = spread;
  }
  return best;
}

ProbeResult count(Session& session) {
  session.say("counting: lines that are partly written");
  Report report("sectors filled up because they left L2 before they were whole", keys, {{"share", {}}});
  Lines lines(session);
  Counters counters(session, {"lts__d_sectors_fill_device.sum"});
  std::vector<Counted> counts;
  for (const unsigned lanes : lane_counts(session.quick())) {
    if (!lines.fit(lanes)) continue;
    if (!report.verify(lines.right(lanes), "words of " + std::to_string(lanes) + " lines at a time")) break;
    const auto launch = [&] { lines.write(lanes); };
    const double filled = counters.count(launch, launch)[0];
    counts.push_back({partly_written(lanes), filled / (double(total) * sectors)});
    report.row({std::int64_t{lanes}}, {counts.back().share});
  }
  if (const PartialLines found = explained(counts); found.ways > 0) {
    report.constant("l2.partial_sets", {{found.sets}, {}});
    report.constant("l2.partial_ways", {{found.ways}, {}});
  }
  return report.take();
}

} // namespace
} // namespace partial_lines_probe

extern const Probe partial_lines{
    .name = "partial-lines",
    .order = 340,
    .measures = "lines that L2 completes per second, as many written word by word at a time",
    .provides = {"l2.partial_sets", "l2.partial_ways"},
    .run = partial_lines_probe::run,
    .count = partial_lines_probe::count,
    .counts = "sectors filled up because they left L2 before they were whole"};

} // namespace perfmodel::kernels
