// Bank conflicts of shared memory in throughput: every SM full of warps that load or store words of 4, 8 and
// 16 bytes at strides of 1 to 33 words. Counted: the wavefronts of one warp on an otherwise idle GPU, because
// a full one adds replays of its own.
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/bank_sweep.cuh"

namespace perfmodel::kernels {
namespace bank_conflicts_probe {
namespace {

ProbeResult run(Session& session) {
  return measure_banks(session, "shared memory by stride, SM full of warps", "cycles", 32);
}

ProbeResult count(Session& session) {
  Report report("shared memory by stride, one warp", bank_keys(), {{"wavefronts", {}}});
  BankBench bench(session, 1);
  const std::string wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
  const std::string instructions = "smsp__sass_inst_executed_op_shared_";
  Counters counters(session, {wavefronts + "ld.sum", instructions + "ld.sum", wavefronts + "st.sum",
                              instructions + "st.sum"});
  constexpr int trips = 4;
  for (const StridedBanks& row : bank_sweep(session.quick())) {
    session.say("wavefronts: " + row.name());
    if (!report.verify(bench.right(row.pattern), row.name())) break;
    const std::vector<double> counts = counters.count([&] { bench.launch(row.pattern, 1, trips); });
    // Loads stand beside the stores that fill the memory, and the store's check is one load: each kind apart.
    const std::size_t kind = row.pattern.access == SharedAccess::load ? 0 : 2;
    const double wanted = double(trips) * row.pattern.accesses();
    if (!report.verify(counts[kind + 1] == wanted, row.name() + ": instructions counted")) break;
    report.row(row.keys(), {counts[kind] / counts[kind + 1]});
  }
  return report.take();
}

} // namespace
} // namespace bank_conflicts_probe

extern const Probe bank_conflicts{
    .name = "bank-conflicts",
    .order = 240,
    .model = "bank-conflicts",
    .measures = "cycles of an SM per access to shared memory, by stride and word, many warps",
    .run = bank_conflicts_probe::run,
    .count = bank_conflicts_probe::count,
    .counts = "wavefronts per access to shared memory, by stride and word"};

} // namespace perfmodel::kernels
