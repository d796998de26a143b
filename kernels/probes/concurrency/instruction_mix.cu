// Mixes of two to five instruction classes against the model, with the loop's share small and large.
// Those of two classes one to one are in instruction_pairs.cu.
#include "instruction_mixes.cuh"

#include "kernels/core/probe.hpp"

namespace perfmodel::kernels {
namespace instruction_mix_probe {
namespace {

struct Probing {
  Report& report;
  MixBench bench;
};

template <int unroll, class... Parts> void measure_mix(Probing& on) {
  if (const auto cycles = on.bench.cycles_per_mix<unroll, Parts...>())
    on.report.row({Mix<Parts...>::text(), std::int64_t{unroll}, std::string("uadd:1,compare:1,branch:1")},
                  *cycles);
}

template <class Op, int n> using N = Part<Op, n>;

constexpr int long_body = 16;
template <class... Parts> void unrolled(Probing& on) { measure_mix<long_body, Parts...>(on); }
template <class... Parts> void short_loops(Probing& on) {
  measure_mix<1, Parts...>(on);
  measure_mix<2, Parts...>(on);
}

void measure_few(Probing& on) {
  unrolled<N<Ffma, 8>, N<Iadd3, 4>>(on);
  unrolled<N<Ffma, 8>, N<Rcp, 1>>(on);
  measure_mix<1, N<Ffma, 8>, N<Iadd3, 4>>(on);
}

void measure_of_two(Probing& on) {
  unrolled<N<Ffma, 12>, N<Iadd3, 8>>(on);
  unrolled<N<Ffma, 4>, N<Iadd3, 8>>(on);
  unrolled<N<Ffma, 8>, N<Iadd, 4>>(on);
  unrolled<N<Ffma, 8>, N<Logic, 6>>(on);
  unrolled<N<Ffma, 8>, N<Imad, 4>>(on);
  unrolled<N<Ffma, 4>, N<Imad, 8>>(on);
  unrolled<N<Ffma, 8>, N<Dfma, 2>>(on);
  unrolled<N<Dfma, 6>, N<Iadd3, 2>>(on);
  unrolled<N<Ffma, 8>, N<Hfma2, 2>>(on);
  unrolled<N<Hfma2, 8>, N<Imad, 4>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 1>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 4>>(on);
  unrolled<N<Ffma, 8>, N<Shuffle, 2>>(on);
  unrolled<N<Ffma, 8>, N<IntToFloat, 2>>(on);
  unrolled<N<Ffma, 8>, N<FloatToInt, 1>>(on);
  unrolled<N<Ffma, 8>, N<Compare, 2>>(on);
  unrolled<N<Ffma, 8>, N<SharedAtomic, 1>>(on);
  unrolled<N<Ffma, 8>, N<FloatToDouble, 1>>(on);
  unrolled<N<Imad, 4>, N<Logic, 6>>(on);
}

void measure_larger(Probing& on) {
  unrolled<N<Ffma, 12>, N<Rcp, 1>, N<Iadd3, 3>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 2>, N<Iadd3, 2>>(on);
  unrolled<N<Ffma, 6>, N<SharedLoad, 2>, N<SharedStore, 1>>(on);
  unrolled<N<Iadd3, 4>, N<Logic, 4>, N<Shift, 4>>(on);
  unrolled<N<Logic, 4>, N<Imad, 4>, N<Imin, 2>>(on);
  unrolled<N<Rcp, 1>, N<FloatToInt, 1>, N<Ffma, 4>>(on);
  unrolled<N<Rcp, 1>, N<Popc, 1>, N<Ffma, 6>>(on);
  unrolled<N<Ex2, 1>, N<Ffma, 6>, N<Fmul, 2>>(on);
  unrolled<N<FloatToHalf, 2>, N<HalfToFloat, 2>, N<Ffma, 4>>(on);
  unrolled<N<Bfma2, 4>, N<Ffma, 4>, N<Iadd3, 4>>(on);
  unrolled<N<Dfma, 2>, N<Imad, 2>, N<Logic, 2>>(on);
  unrolled<N<Ffma, 6>, N<Logic, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Imad, 4>, N<Iadd3, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Ffma, 6>, N<Fadd, 2>, N<Fmul, 2>, N<Iadd3, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Dfma, 2>, N<Ffma, 4>, N<Imad, 2>, N<SharedLoad, 1>, N<Rcp, 1>>(on);
}

void measure_loops(Probing& on) {
  short_loops<N<Ffma, 8>>(on);
  short_loops<N<Ffma, 4>, N<Imad, 4>>(on);
  short_loops<N<Iadd3, 4>, N<Logic, 4>>(on);
  short_loops<N<Ffma, 8>, N<SharedLoad, 2>>(on);
  short_loops<N<Ffma, 4>, N<Dfma, 2>>(on);
  short_loops<N<Ffma, 8>, N<Rcp, 1>>(on);
  short_loops<N<Ffma, 6>, N<Logic, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
}

ProbeResult run(Session& session) {
  Report report("instruction mixes", {{"mix", {}}, {"unroll", {}}, {"overhead", {}}}, "mix_cycles",
                unit_of<Cycles>());
  Probing on{report, {session, report}};
  measure_few(on);
  if (session.quick()) return report.take();
  measure_of_two(on);
  measure_larger(on);
  measure_loops(on);
  return report.take();
}

} // namespace
} // namespace instruction_mix_probe

extern const Probe instruction_mix{.name = "instruction-mix",
                                   .order = 80,
                                   .model = "instruction-throughput",
                                   .measures = "cycles per warp of mixes of instruction classes",
                                   .run = instruction_mix_probe::run};

} // namespace perfmodel::kernels
