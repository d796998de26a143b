// Cycles of an SM per load of a warp from constant memory, over the number of different words that its lanes
// read: many warps, loads that do not wait for one another.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/constant_reads.hpp"

namespace perfmodel::kernels {
namespace constant_cache_probe {
namespace {

ProbeResult run(Session& session) {
  Report report("constant memory by different words of a warp", {{"words", {}}}, "cycles", unit_of<Cycles>());
  ConstantBench bench(session, 32);
  for (int words = 1; words <= lanes_of_warp; words += session.quick() ? 7 : 1) {
    const std::string name = std::to_string(words) + " different words";
    session.say("constant memory: " + name);
    const LaneOffsets offsets = distinct_words(words);
    if (!report.verify(bench.right(offsets, ConstantLoads::independent), name)) break;
    report.row({std::int64_t{words}}, bench.cycles(offsets, ConstantLoads::independent));
  }
  return report.take();
}

} // namespace
} // namespace constant_cache_probe

extern const Probe constant_cache{
    .name = "constant-cache",
    .order = 270,
    .model = "constant-cache",
    .measures = "cycles of an SM per load from constant memory, by different words of a warp",
    .run = constant_cache_probe::run};

} // namespace perfmodel::kernels
