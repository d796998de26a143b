#include "order_costs.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace perfmodel {

// Before there was an L2 a fence waits for device memory.
template <class T> void add_fences(KernelCosts& costs, const Gpu& gpu, T& trace) {
  const auto cycles = [&](const Key<Cycles>& key) { return value_of(trace.cost(gpu, key)).value; };
  SmMachine& machine = costs.sm.machine;
  costs.fences = detail::unit_named(machine, "memory fences", UnitOf::sm);
  costs.block_fence = {cycles(facts::fence_block_latency), cycles(facts::fence_block_interval)};
  const double interval = cycles(facts::fence_interval);
  costs.gpu_fence = costs.system_fence = {costs.sm.dram_latency, interval};
  machine.fences = costs.fences;
  machine.fence_of_store = std::max(0.0, cycles(facts::fence_store_interval) - interval);
  machine.fence_of_load = std::max(0.0, cycles(facts::fence_load_interval) - interval);
  if (!has_l2(gpu)) return;
  costs.gpu_fence.latency = cycles(facts::fence_latency);
  costs.system_fence = {cycles(facts::fence_system_latency), cycles(facts::fence_system_interval)};
  machine.fence_behind_store = cycles(facts::fence_store_latency);
  machine.load_behind_fence = cycles(facts::fence_load_delay);
}

template <class T> void add_commits(KernelCosts& costs, const Gpu& gpu, T& trace) {
  costs.commit_latency = value_of(trace.cost(gpu, facts::copy_commit_latency)).value;
  costs.commit_interval = value_of(trace.cost(gpu, facts::copy_commit_interval)).value;
}

template <class T> void add_fetch(KernelCosts& costs, const Gpu& gpu, const KernelCode& code, T& trace) {
  constexpr std::size_t fit_any = 1024; // instructions
  if (!code.has_encoding || code.instructions.size() <= fit_any || !gpu.has_cost(facts::icache_size)) return;
  constexpr double of_line = 16 * instructions_of_line; // bytes
  const auto lines = [&](const auto& key) {
    return static_cast<std::size_t>(std::lround(value_of(trace.cost(gpu, key)).value / of_line));
  };
  const std::size_t kept = lines(facts::icache_size),
                    all = (code.instructions.size() + instructions_of_line - 1) / instructions_of_line;
  if (all <= kept) return;
  const auto cycles = [&](const Key<Cycles>& key) {
    return instructions_of_line * value_of(trace.cost(gpu, key)).value;
  };
  costs.sm.machine.fetch = {.lines = all,
                            .kept = kept,
                            .kept_next = lines(facts::icache_next_size),
                            .next = cycles(facts::icache_next_interval),
                            .l2 = cycles(facts::icache_l2_interval)};
}

template void add_fences(KernelCosts&, const Gpu&, Plain&);
template void add_fences(KernelCosts&, const Gpu&, Recorder&);
template void add_commits(KernelCosts&, const Gpu&, Plain&);
template void add_commits(KernelCosts&, const Gpu&, Recorder&);
template void add_fetch(KernelCosts&, const Gpu&, const KernelCode&, Plain&);
template void add_fetch(KernelCosts&, const Gpu&, const KernelCode&, Recorder&);

} // namespace perfmodel
