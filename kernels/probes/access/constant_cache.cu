// Cycles of an SM per load of a warp from constant memory, over the number of different words that its lanes
// read: many warps, loads that do not wait for one another.
#include "kernels/probes/access/constant_reads.hpp"
#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {
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

const Probe constant_cache{"constant-cache",
                           "constant-cache",
                           "cycles of an SM per load from constant memory, by different words of a warp",
                           {},
                           run};

} // namespace perfmodel::kernels
