// Lines of 128 bytes of which one sector is written by two warps, each a part of it: how many of them L2
// completes in a second. Words of 4 bytes, 12 words behind a line's start: an offset that is no row of
// coalescing.cu.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/pattern_bench.cuh"

namespace perfmodel::kernels {
namespace split_sectors_probe {
namespace {

ProbeResult run(Session& session) {
  session.say("L2: sectors written in two parts");
  Report report("sectors written in two parts", {{"offset", {}}}, "lines_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  PatternBench bench(session);
  const AccessPattern p{.offset = 12, .access = Access::store};
  if (!report.verify(bench.right(p), "stores 12 words behind a line's start")) return report.take();
  const std::size_t words = bench.most_words(p);
  const double lines = double(words) * p.word / 128;
  const Measurement rate = middle_run(session, [&] {
    return rate_of(sample(session, usual(session), [&](cudaStream_t) { bench.launch(p, words); }), lines);
  });
  report.row({static_cast<std::int64_t>(p.offset)}, rate);
  report.constant("l2.split_rate", rate);
  return report.take();
}

} // namespace
} // namespace split_sectors_probe

extern const Probe split_sectors{.name = "split-sectors",
                                 .order = 320,
                                 .measures = "lines that L2 completes of which two warps write one sector",
                                 .provides = {"l2.split_rate"},
                                 .run = split_sectors_probe::run};

} // namespace perfmodel::kernels
