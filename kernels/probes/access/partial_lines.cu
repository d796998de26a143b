// How many lines L2 lets be partly written. A column of lines is written in two launches, first one half of
// each sector, then the other: what L2 has sent to device memory between the two it had to fill up from there
// first, and the sectors filled are counted. Lines lie a whole row of lines apart, so that they meet in L2's
// sets as by chance. From the share for several lengths of the column follow the sets and how many lines of
// each may wait (partial_lines.hpp).
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/report.hpp"
#include "kernels/probes/registry.hpp"

#include "models/access/partial_lines.hpp"
#include "models/core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel::kernels {
namespace {

constexpr unsigned threads = 256, sectors = 4, columns = 125; // of a line; in lines
constexpr std::size_t line_vectors = 8;

// A thread writes half a sector of the column.
__global__ void __launch_bounds__(threads)
    write_halves(uint4* rows, unsigned lines, unsigned column, unsigned half) {
  const unsigned at = blockIdx.x * threads + threadIdx.x;
  if (at >= lines * sectors) return;
  const std::size_t line = std::size_t{at / sectors} * columns + column;
  const std::size_t vector = line * line_vectors + at % sectors * 2 + half;
  rows[vector] = pattern_vector(vector);
}

class Columns {
public:
  explicit Columns(Session& session)
      : session_(session), rows_(session.buffer_bytes(std::size_t{2} << 30) / sizeof(uint4)) {}

  bool fit(unsigned lines) const { return std::size_t{lines} * columns * line_vectors <= rows_.size(); }
  void write(unsigned lines) {
    const unsigned blocks = (lines * sectors + threads - 1) / threads;
    for (unsigned column = 0; column < columns; ++column)
      for (const unsigned half : {0u, 1u})
        write_halves<<<blocks, threads, 0, session_.stream>>>(rows_.data(), lines, column, half);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  bool right(unsigned lines) {
    rows_.poison();
    write(lines);
    return pattern_differences(rows_.data(), std::size_t{lines} * columns * line_vectors, session_.stream) ==
           0;
  }

private:
  Session& session_;
  Buffer<uint4> rows_;
};

std::vector<unsigned> lengths(bool quick) {
  if (quick) return {16384, 32768, 65536};
  return {8192, 16384, 24576, 32768, 49152, 65536, 98304};
}
const std::vector<KeyColumn> keys{{"lines", {}}};

ProbeResult run(Session& session) {
  session.say("lines that are partly written");
  Report report("lines written in two halves", keys, "lines_per_second", unit_of<Quantity<0, 0, 0, -1, 0>>());
  Columns rows(session);
  for (const unsigned lines : lengths(session.quick())) {
    if (!rows.fit(lines)) continue;
    if (!report.verify(rows.right(lines), "words of " + std::to_string(lines) + " lines")) break;
    const auto launch = [&](cudaStream_t) { rows.write(lines); };
    report.row({std::int64_t{lines}},
               rate_of(sample(session, usual(session), launch), double(lines) * columns));
  }
  return report.take();
}

struct Counted {
  double lines, share;
};

// Sets for which as many lines as that would leave, for each count that tells; the share rises with lines
// over sets.
std::vector<double> sets_of(const std::vector<Counted>& counts, double ways) {
  std::vector<double> all;
  for (const auto [lines, share] : counts) {
    if (share < 0.01 || share > 0.4) continue;
    double few = 1, many = 1e8;
    for (int i = 0; i < 60; ++i) {
      const double sets = std::sqrt(few * many);
      (sent_early_of_all({sets, ways}, lines) > share ? few : many) = sets;
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
  Report report("sectors filled up because they left L2 half written", keys, {{"share", {}}});
  Columns rows(session);
  Counters counters(session, {"lts__d_sectors_fill_device.sum"});
  std::vector<Counted> counts;
  for (const unsigned lines : lengths(session.quick())) {
    if (!rows.fit(lines)) continue;
    if (!report.verify(rows.right(lines), "words of " + std::to_string(lines) + " lines")) break;
    const auto launch = [&] { rows.write(lines); };
    const double filled = counters.count(launch, launch)[0];
    counts.push_back({double(lines), filled / (double(lines) * columns * sectors)});
    report.row({std::int64_t{lines}}, {counts.back().share});
  }
  if (const PartialLines found = explained(counts); found.ways > 0) {
    report.constant("l2.partial_sets", {{found.sets}, {}});
    report.constant("l2.partial_ways", {{found.ways}, {}});
  }
  return report.take();
}

} // namespace

const Probe partial_lines{"partial-lines",
                          "",
                          "lines that L2 completes per second when each is written in two halves",
                          {"l2.partial_sets", "l2.partial_ways"},
                          run,
                          count,
                          "sectors filled up because they left L2 half written"};

} // namespace perfmodel::kernels
