// Which instruction classes share a pipe: pairs of them one to one, in cycles for an instruction of each.
// The sum of what each takes alone says one pipe, the larger of the two (or two issues) different pipes. The
// fact `pipes` rests on these rows; what rests on it is held against other mixes (instruction_mix.cu).
#include "instruction_mixes.cuh"

#include "kernels/core/probe.hpp"

namespace perfmodel::kernels {
namespace instruction_pairs_probe {
namespace {

constexpr int of_each = 4, unroll = 8;

struct Probing {
  Report& report;
  MixBench bench;
};

template <class First, class Second> void measure_pair(Probing& on) {
  auto cycles = on.bench.cycles_per_mix<unroll, Part<First, of_each>, Part<Second, of_each>>();
  if (!cycles) return;
  for (double& c : cycles->values) c /= of_each;
  on.report.row({std::string(First::name), std::string(Second::name)}, *cycles);
}
template <class First, class... Others> void measure_beside(Probing& on) {
  (measure_pair<First, Others>(on), ...);
}

ProbeResult run(Session& session) {
  Report report("pairs of instruction classes", {{"first", {}}, {"second", {}}}, "pair_cycles",
                unit_of<Cycles>());
  Probing on{report, {session, report}};
  measure_beside<Ffma, Imad, Logic>(on);
  if (session.quick()) return report.take();
  measure_beside<Ffma, Hfma2, HalfToFloat, Dfma, Iadd>(on);
  measure_beside<Imad, Hfma2, Bfma2, HalfToFloat, IntToFloat, Dfma>(on);
  measure_beside<Logic, Imad, Iadd3, Shift, Imin, Fmin, Compare, ByteToInt, IntToFloat, FloatToHalf, Iadd>(
      on);
  measure_beside<Logic, Dfma, Vote>(on);
  measure_beside<Rcp, Popc, Clz, FloatToInt, FloatToDouble, DoubleToFloat, Ex2, Dfma, Logic>(on);
  measure_beside<SharedLoad, SharedStore, Shuffle, SharedAtomic, Rcp>(on);
  return report.take();
}

} // namespace
} // namespace instruction_pairs_probe

extern const Probe instruction_pairs{.name = "instruction-pairs",
                                     .order = 70,
                                     .model = "instruction-throughput",
                                     .measures =
                                         "cycles of pairs of instruction classes: which of them share a pipe",
                                     .run = instruction_pairs_probe::run};

} // namespace perfmodel::kernels
