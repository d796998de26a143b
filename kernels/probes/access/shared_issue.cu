// What a warp that is alone on its SM pays for shared memory, from three accesses that are no rows of
// lone_bank_conflicts.cu: all lanes read one word (one wavefront); every lane reads a word of its own in one
// bank, the lanes in no order (as many wavefronts as lanes); every lane writes 16 B, in no order and without
// conflicts, for which each hands over an address and four registers.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/bank_access.cuh"

namespace perfmodel::kernels {
namespace shared_issue_probe {
namespace {

BankPattern broadcast() { return {}; }

BankPattern one_bank() {
  BankPattern p;
  constexpr unsigned row = 128; // bytes: the words of all banks
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane)
    p.offsets.byte[lane] = (lane * 5 + 3) % lanes_of_warp * row;
  return p;
}

BankPattern wide_store() {
  BankPattern p{.access = SharedAccess::store, .word = 16};
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane)
    p.offsets.byte[lane] = (lane * 5 + 3) % lanes_of_warp * 16;
  return p;
}
constexpr double registers_of_wide_store = 5; // its address and what it stores

ProbeResult run(Session& session) {
  session.say("shared memory: one warp");
  Report report("shared memory, one warp of an SM", {{"lanes", {}}}, "cycles", unit_of<Cycles>());
  BankBench bench(session, 1);
  if (!report.verify(bench.right(broadcast()), "one word for all lanes") ||
      !report.verify(bench.right(one_bank()), "all lanes in one bank") ||
      !report.verify(bench.right(wide_store()), "every lane writes 16 B"))
    return report.take();
  const Measurement issue = bench.cycles(broadcast());
  report.row({std::string("all read one word")}, issue);
  Measurement wavefront = bench.cycles(one_bank());
  report.row({std::string("all in one bank")}, wavefront);
  for (double& cycles : wavefront.values) cycles /= lanes_of_warp;
  Measurement handover = bench.cycles(wide_store());
  report.row({std::string("every lane writes 16 B")}, handover);
  for (double& cycles : handover.values) cycles /= registers_of_wide_store;
  report.constant("shared.lone_issue", issue);
  report.constant("shared.lone_wavefront", wavefront);
  report.constant("shared.lone_register", handover);
  return report.take();
}

} // namespace
} // namespace shared_issue_probe

extern const Probe shared_issue{
    .name = "shared-issue",
    .order = 220,
    .measures = "cycles of a lone warp for a load from shared memory, a wavefront, a register to be stored",
    .provides = {"shared.lone_issue", "shared.lone_wavefront", "shared.lone_register"},
    .run = shared_issue_probe::run};

} // namespace perfmodel::kernels
