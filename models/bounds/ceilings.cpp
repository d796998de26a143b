// The machine's side of the roofline: what its units and its memory levels allow, whatever the kernel.
#include "roofline.hpp"

namespace perfmodel {

namespace {

template <class T> void say_if_left_out(const Gpu& gpu, std::string_view path, T& trace) {
  if (gpu.record(path) != nullptr) trace.say(path, "measured", "left out: above what --set allows");
}

template <class T>
auto ceiling_of(const Gpu& gpu, const ArithmeticUnit& unit, Level level, Basis basis, T& trace) {
  const FlopsPerSecond p = value_of(rate(gpu, unit, basis, trace));
  const BytesPerSecond most = value_of(bandwidth(gpu, level, Basis::spec, trace));
  const BytesPerSecond seen = value_of(bandwidth(gpu, level, Basis::measured, trace));
  // A sustained rate was seen at a clock of its own, which its file tells.
  const auto clock = basis == Basis::spec ? gpu.cost_of(clock_of(gpu, unit).path) : std::nullopt;
  return Roofline::ComputeCeiling{.ceiling = std::string(unit.name),
                                  .precision = unit.precision,
                                  .basis = basis,
                                  .rate = p,
                                  .clock = Hertz(clock ? clock->value : absent),
                                  .ridge = p / most,
                                  .ridge_measured = seen == most ? FlopsPerByte(absent) : p / seen};
}

template <class T>
std::vector<Roofline::ComputeCeiling> compute_ceilings(const Gpu& gpu, const Roofline::Input& in, T& trace) {
  std::vector<Roofline::ComputeCeiling> rows;
  for (const ArithmeticUnit* unit : units_of(gpu, in.precision)) {
    const bool measured = has_sustained(gpu, *unit) && in.basis != Basis::spec;
    if (!measured && in.basis != Basis::spec) say_if_left_out(gpu, unit->sustained.path, trace);
    if (!measured || in.basis != Basis::measured) { // nobody measured it: the specification has to do
      const Roofline::ComputeCeiling spec = ceiling_of(gpu, *unit, in.level, Basis::spec, trace);
      rows.push_back(spec);
      if (unit->fused) { // an addition or a product alone fills the unit for half the operations
        rows.push_back(spec);
        rows.back().ceiling += " without FMA";
        rows.back().rate = spec.rate / 2.0;
        rows.back().ridge = spec.ridge / 2.0;
        rows.back().ridge_measured = spec.ridge_measured / 2.0;
      }
    }
    if (measured) {
      rows.push_back(ceiling_of(gpu, *unit, in.level, Basis::measured, trace));
      rows.back().ceiling += " measured";
    }
  }
  return rows;
}

template <class T>
std::vector<Roofline::BandwidthCeiling> bandwidth_ceilings(const Gpu& gpu, const Roofline::Input& in,
                                                           T& trace) {
  const ArithmeticUnit& roof = *units_of(gpu, in.precision.value_or(Precision::fp32)).front();
  const FlopsPerSecond p = value_of(rate(gpu, roof, in.basis.value_or(Basis::spec), trace));
  std::vector<Roofline::BandwidthCeiling> rows;
  const auto add = [&](std::string_view name, Level level, Basis basis, BytesPerSecond beta) {
    rows.push_back({std::string(name), level, basis, beta, p / beta});
  };
  const bool spec_alone = bandwidth_key(gpu, Level::dram, Basis::measured).path == facts::dram_bandwidth.path;
  for (const BandwidthFact& fact : bandwidth_facts()) {
    const bool wanted = !in.basis || fact.basis == *in.basis || (fact.level == Level::dram && spec_alone);
    if (fact.level == Level::shared && has_shared_banks(gpu) && in.basis != Basis::measured)
      add("shared banks", Level::shared, Basis::spec, value_of(shared_bandwidth(gpu, trace)));
    if (!wanted) continue;
    if (holds(gpu, fact))
      add(fact.name, fact.level, fact.basis, value_of(trace.cost(gpu, fact.key)));
    else
      say_if_left_out(gpu, fact.key.path, trace);
  }
  return rows;
}

} // namespace

template <class T> Roofline::Machine Roofline::machine(const Gpu& gpu, const Input& in, T& trace) {
  return {compute_ceilings(gpu, in, trace), bandwidth_ceilings(gpu, in, trace)};
}

template Roofline::Machine Roofline::machine(const Gpu&, const Input&, Plain&);
template Roofline::Machine Roofline::machine(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
