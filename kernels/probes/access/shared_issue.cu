// The two costs of a warp that loads from shared memory alone on its SM, from two accesses that are no rows
// of lone_bank_conflicts.cu: all lanes read one word (one wavefront), and every lane a word of its own in one
// bank, the lanes in no order (as many wavefronts as lanes).
#include "kernels/probes/access/bank_access.cuh"
#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {
namespace {

BankPattern broadcast() { return {}; }

BankPattern one_bank() {
  BankPattern p;
  constexpr unsigned row = 128; // bytes: the words of all banks
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane)
    p.offsets.byte[lane] = (lane * 5 + 3) % lanes_of_warp * row;
  return p;
}

ProbeResult run(Session& session) {
  session.say("shared memory: one warp");
  Report report("shared memory, one warp of an SM", {{"lanes", {}}}, "cycles", unit_of<Cycles>());
  BankBench bench(session, 1);
  if (!report.verify(bench.right(broadcast()), "one word for all lanes") ||
      !report.verify(bench.right(one_bank()), "all lanes in one bank"))
    return report.take();
  const Measurement issue = bench.cycles(broadcast());
  report.row({std::string("all read one word")}, issue);
  Measurement wavefront = bench.cycles(one_bank());
  report.row({std::string("all in one bank")}, wavefront);
  for (double& cycles : wavefront.values) cycles /= lanes_of_warp;
  report.constant("shared.lone_issue", issue);
  report.constant("shared.lone_wavefront", wavefront);
  return report.take();
}

} // namespace

const Probe shared_issue{"shared-issue",
                         "",
                         "cycles between two loads of one warp from shared memory, and of each wavefront",
                         {"shared.lone_issue", "shared.lone_wavefront"},
                         run};

} // namespace perfmodel::kernels
