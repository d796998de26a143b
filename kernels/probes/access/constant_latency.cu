// Latency of a load from constant memory, over the number of different words that the lanes of the warp read:
// one warp, each load waits for the one before it.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/constant_reads.hpp"

namespace perfmodel::kernels {
namespace constant_latency_probe {
namespace {

ProbeResult run(Session& session) {
  Report report("constant memory by different words, one warp", {{"words", {}}}, "latency",
                unit_of<Cycles>());
  ConstantBench bench(session, 1);
  for (int words = 1; words <= lanes_of_warp; words += session.quick() ? 7 : 1) {
    const std::string name = std::to_string(words) + " different words";
    session.say("latency of constant memory: " + name);
    const LaneOffsets offsets = distinct_words(words);
    if (!report.verify(bench.right(offsets, ConstantLoads::dependent), name)) break;
    report.row({std::int64_t{words}}, bench.cycles(offsets, ConstantLoads::dependent));
  }
  return report.take();
}

} // namespace
} // namespace constant_latency_probe

extern const Probe constant_latency{
    .name = "constant-latency",
    .order = 260,
    .model = "constant-cache",
    .measures = "latency of a load from constant memory, by different words of a warp",
    .run = constant_latency_probe::run};

} // namespace perfmodel::kernels
