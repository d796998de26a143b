#include "kernel_energy.hpp"

#include "energy_prices.hpp"

#include <algorithm>
#include <iterator>

namespace perfmodel {

std::optional<KernelEnergy> kernel_energy(const Gpu& gpu, const TimedWork& work) {
  const auto known = [&](std::string_view path) {
    const auto cost = gpu.cost_of(path);
    return cost && cost->grade == Grade::known;
  };
  const Key<JoulesPerFlop>& per_flop = energy_prices::price_of_flop(work.precision);
  const Bytes only_l2 = std::max(work.from_l2 - work.from_memory, Bytes(0));
  if (!known(per_flop.path) || !known(facts::energy_dram.path) || !known(facts::power_constant.path) ||
      (only_l2 > Bytes(0) && !known(facts::energy_l2.path)))
    return std::nullopt;
  Recorder trace;
  const auto operations = trace.number(work.flops) * trace.cost(gpu, per_flop);
  const auto memory = trace.number(work.from_memory) * trace.cost(gpu, facts::energy_dram);
  const auto still = trace.number(work.time) * trace.cost(gpu, facts::power_constant);
  Joules energy = value_of(operations + memory + still);
  if (only_l2 > Bytes(0))
    energy = energy + value_of(trace.number(only_l2) * trace.cost(gpu, facts::energy_l2));
  const auto limit = gpu.find(facts::power_tdp);
  KernelEnergy found{energy, limit && energy / work.time > limit->value, {}};
  std::copy_if(trace.derivation.steps.begin(), trace.derivation.steps.end(),
               std::back_inserter(found.constants), [](const Step& step) { return step.is_fact; });
  return found;
}

} // namespace perfmodel
