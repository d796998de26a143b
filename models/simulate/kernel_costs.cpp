#include "kernel_costs.hpp"

#include "atomic_cost.hpp"
#include "launch_samples.hpp"
#include "opcode_class.hpp"
#include "order_costs.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/instruction_class.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/memory_step.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

std::vector<std::string_view> classes_of(const KernelCode& code, const std::vector<OlderInstruction>& older) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    if (find_instruction_class(name) != nullptr && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  };
  for (std::size_t n = 0; n < code.instructions.size(); ++n) {
    if (older[n].times > 0) add(class_of(code.instructions[n], older[n]));
    if (older[n].words > 0) add(class_of_moves);
  }
  return names;
}

// Atomic operations of L2 that take longer than additions of 32 bits whose results nobody waits for.
struct AtomicsUsed {
  bool doubles = false, swaps = false, results = false;
};

AtomicsUsed atomics_of(const KernelCode& code) {
  AtomicsUsed used;
  for (const Instruction& i : code.instructions) {
    const MemoryOpcode* memory = find_memory_opcode(i.opcode);
    if (memory == nullptr || !memory->atomic || memory->space == Space::shared) continue;
    used.doubles |= i.has(mod("F64")) || adds_halves(i);
    used.swaps |= i.has(mod("CAS"));
    used.results |= memory->loads;
  }
  return used;
}

bool makes_products_of_warps(const KernelCode& code) {
  return std::any_of(code.instructions.begin(), code.instructions.end(),
                     [](const Instruction& i) { return class_of(i) == "tensor" && i.columns == 0; });
}

// Bytes for which L2 takes as long as for one of so many requests.
template <class T>
double bytes_of_request(const Gpu& gpu, const Key<BytesPerSecond>& bandwidth, const Key<PerSecond>& rate,
                        T& trace) {
  if (!gpu.has_cost(rate) || !has_l2(gpu)) return 0;
  return value_of(trace.cost(gpu, bandwidth)).value / value_of(trace.cost(gpu, rate)).value;
}

// Cycles from an instruction's issue until it has its operands, at the latest. Chosen: with 2 our 36 mixes of
// instruction classes, 32 warps of an SM, are met within 2.1 % in the mean (H200, 24 November 2026).
constexpr double operands_after = 2;

// Cycles of an SM that device memory takes longer for a byte stored where blocks scatter their stretches over
// it than where they follow one another (probe run-copy), or change lines in place of which others change the
// rest (probe change-in-place, by blocks; by warps of a block alike): of a copy half the bytes are stored.
template <class T>
double scattered(const Gpu& gpu, const SmModel& sm, const LaunchTraffic& launch, T& trace) {
  constexpr double few = 0.01;
  if (launch.use != MemoryUse::copy || !has_l2(gpu)) return 0;
  const double device = value_of(trace.fact(gpu, facts::sm_count)) * sm.clock.value;
  const double stream = device / value_of(copy_bandwidth(gpu, trace)).value;
  const auto longer = [&](double share, const Key<BytesPerSecond>& bandwidth) {
    if (share < few) return 0.0;
    return 2 * share * std::max(0.0, device / value_of(trace.cost(gpu, bandwidth)).value - stream);
  };
  return longer(launch.short_stretches,
                launch.loads_too ? facts::sustained_dram_copy_both_lines : facts::sustained_dram_copy_lines) +
         longer(launch.long_stretches, facts::sustained_dram_copy_runs) +
         longer(launch.changed_beside, facts::sustained_dram_change_halves);
}

} // namespace

template <class T>
KernelCosts costs_of(const Gpu& gpu, const KernelCode& code, const LaunchTraffic& launch, T& trace) {
  const double active = launch.active;
  KernelCosts costs;
  const UsedParts used = used_by(code);
  costs.older = as_older(code, capability_of(gpu));
  costs.sm = sm_model(gpu, classes_of(code, costs.older), launch.use, used, trace);
  // Few SMs share all of L2 and device memory; one alone takes 64 bytes a cycle at most.
  costs.sm.l2_cycles = std::max(costs.sm.l2_cycles * active, std::min(costs.sm.l2_cycles, 1.0 / 64));
  // What streams through L2 to device memory was faster there than what is written in L2 again and again.
  if (launch.streams_out && has_l2(gpu))
    costs.sm.store_cycles =
        std::min(costs.sm.store_cycles, value_of(trace.fact(gpu, facts::sm_count)) * costs.sm.clock.value /
                                            value_of(write_bandwidth(gpu, trace)).value);
  // Half of that is seen where it stores, half where it loads.
  const double scatter = scattered(gpu, costs.sm, launch, trace) / 2;
  costs.sm.write_cycles += scatter;
  costs.sm.read_cycles += scatter * std::min(1.0, launch.stored_to_loaded);
  costs.sm.machine.units[costs.sm.dram].piece =
      128 * costs.sm.read_cycles / static_cast<double>(costs.sm.machine.sms);
  // Whatever a byte takes, requests of L2 have a rate of their own.
  const double store_cycles = costs.sm.store_cycles;
  costs.sm.store_cycles *= active; // what one SM alone can store, its own path to L2 says
  costs.sm.read_cycles *= active;
  costs.sm.write_cycles *= active;
  costs.sm.machine.units[costs.sm.dram].piece *= active;
  // The block that does nothing, of whose turn-over block.launch is, waits for an argument and a predicate.
  const double nothing = costs.sm.constant_latency + costs.sm.predicate_latency;
  costs.sm.machine.launch = std::max(costs.sm.machine.launch_interval, costs.sm.machine.launch - nothing);
  costs.l1_latency = gpu.has_cost(facts::l1_latency) ? value_of(trace.cost(gpu, facts::l1_latency)).value
                                                     : costs.sm.shared_latency;
  if (gpu.has_cost(facts::constant_latency_per_word)) {
    costs.constant_latency_per_word = value_of(trace.cost(gpu, facts::constant_latency_per_word)).value;
    costs.constant_per_word = value_of(trace.cost(gpu, facts::constant_cycles_per_word)).value;
  }
  costs.sm.dram_latency = detail::latency_beside(value_of(trace.cost(gpu, facts::dram_latency_mean)).value,
                                                 value_of(trace.cost(gpu, facts::dram_service)).value);
  if (launch.together)
    costs.l2_together = value_of(trace.fact(gpu, facts::sm_count)) * costs.sm.clock.value * active /
                        value_of(trace.cost(gpu, facts::sustained_l2_together)).value;
  costs.bytes_per_gather = bytes_of_request(gpu, facts::sustained_l2, facts::l2_gather_rate, trace);
  costs.request_cycles = launch.stores_in_part * costs.bytes_per_gather * costs.sm.l2_cycles;
  if (has_l2(gpu)) { // the probe's load is of 32 lines, which arrive one after the other
    const double arrivals = 31 * costs.bytes_per_gather * costs.sm.fill_cycles;
    const double longer = value_of(trace.cost(gpu, facts::dram_gather_latency)).value -
                          value_of(trace.cost(gpu, facts::dram_latency_mean)).value - arrivals;
    costs.dram_tail = std::max(0.0, longer) / (slowest_of(32) - 1);
  }
  constexpr double volta = 7;
  costs.local_goes_on = has_l2(gpu) && gpu.capability() >= volta;
  if (has_l2(gpu)) {
    const double bytes_per_second =
        value_of(trace.fact(gpu, facts::sm_count)) * costs.sm.clock.value / store_cycles;
    const auto bytes_of = [&](const Key<PerSecond>& rate) {
      return bytes_per_second / value_of(trace.cost(gpu, rate)).value;
    };
    const double of_one = bytes_of(facts::l2_scatter_rate), of_four = bytes_of(facts::l2_line_scatter_rate);
    costs.bytes_per_line_in_part = std::max(0.0, of_one - of_four) * 4 / 3; // 1 - 1/4 of a line
    costs.bytes_per_sector_in_part = (of_one - costs.bytes_per_line_in_part) * (1 + launch.more_in_part);
    costs.bytes_per_line = std::max(0.0, bytes_of(facts::l2_sector_store_rate) - 32);
    costs.line_store = value_of(trace.cost(gpu, facts::l2_sm_line_interval)).value;
    costs.sector_store = value_of(trace.cost(gpu, facts::l2_sm_sector_interval)).value;
    costs.sm.l2_latency = value_of(trace.cost(gpu, facts::l2_latency_mean)).value + costs.sm.spread / 2;
    costs.sm.machine.open_lines =
        static_cast<std::size_t>(std::lround(value_of(trace.cost(gpu, facts::l1_open_lines))));
  }
  if (used.atomics && !has_l2(gpu))
    throw RefusedKernel(fmt::format(
        "{}: what an atomic operation on global memory costs {} is not known", gpu.name,
        gpu.capability() < 1.1 ? "(compute capability 1.0 has none)" : "before compute capability 2.0"));
  if (has_l2(gpu) && used.atomics) {
    const double sm_cycles = value_of(trace.fact(gpu, facts::sm_count)) * costs.sm.clock.value * active;
    costs.sm_atomic = value_of(trace.cost(gpu, facts::l2_sm_atomic_interval)).value;
    const auto of_sector = [&](const Key<PerSecond>& rate) {
      return sm_cycles / value_of(trace.cost(gpu, rate)).value;
    };
    costs.atomic = {of_sector(facts::l2_atomic_rate), of_sector(facts::l2_kib_atomic_rate)};
    const AtomicsUsed other = atomics_of(code);
    if (other.doubles)
      costs.double_atomic = {of_sector(facts::l2_double_atomic_rate),
                             of_sector(facts::l2_kib_double_atomic_rate)};
    if (other.swaps) costs.swap = {of_sector(facts::l2_swap_rate), of_sector(facts::l2_kib_swap_rate)};
    costs.sector_atomic = of_sector(facts::l2_sector_atomic_rate);
    if (other.results) costs.result_atomic = of_sector(facts::l2_result_atomic_rate);
    costs.float_counter = sm_cycles / value_of(trace.cost(gpu, facts::l2_float_counter_rate)).value;
    costs.sm.counter_cycles *= active;
  }
  if (gpu.has_cost(facts::register_reads) && gpu.find(facts::register_banks)) {
    costs.register_banks =
        static_cast<unsigned>(std::lround(value_of(trace.fact(gpu, facts::register_banks))));
    costs.sm.machine.register_read =
        costs.register_banks / value_of(trace.cost(gpu, facts::register_reads)).value;
    costs.sm.machine.operands_after = operands_after;
  }
  if (used.fences) add_fences(costs, gpu, trace);
  if (used.commits) add_commits(costs, gpu, trace);
  add_fetch(costs, gpu, code, trace);
  if (used.shared_atomics) {
    const auto longer = [&](const Key<Cycles>& key) {
      const double load = costs.sm.shared_latency + costs.sm.wavefront;
      return std::max(0.0, value_of(trace.cost(gpu, key)).value - load);
    };
    costs.shared_atomic = longer(facts::latency_shared_atomic);
    costs.shared_swap = longer(facts::latency_shared_swap);
    costs.swap_interval = value_of(trace.cost(gpu, facts::shared_swap_interval)).value;
  }
  costs.constants = detail::unit_named(costs.sm.machine, "constant cache", UnitOf::sm);
  costs.special_registers = detail::unit_named(costs.sm.machine, "special registers", UnitOf::sm);
  costs.special_interval = value_of(trace.cost(gpu, facts::special_interval)).value;
  costs.tensor = detail::unit_named(costs.sm.machine, "tensor units", UnitOf::scheduler);
  if (gpu.find(facts::throughput_fp16_tensor)) {
    const auto flops = [&](double results) {
      return 2 * results / static_cast<double>(costs.sm.machine.schedulers);
    };
    costs.tensor_flops = flops(value_of(trace.fact(gpu, facts::throughput_fp16_tensor)).value);
    if (makes_products_of_warps(code)) {
      const auto rate = [&](const Key<PerCycle>& own, const Key<PerCycle>& of_tensor_units, double of_fp16) {
        if (gpu.has_cost(own)) return flops(value_of(trace.cost(gpu, own)).value);
        return gpu.find(of_tensor_units) ? flops(value_of(trace.fact(gpu, of_tensor_units)).value)
                                         : of_fp16 * costs.tensor_flops;
      };
      costs.mma_fp16 = rate(facts::throughput_mma_fp16, facts::throughput_fp16_tensor, 1);
      costs.mma_tf32 = rate(facts::throughput_mma_tf32, facts::throughput_tf32_tensor, 0.5);
      costs.mma_int8 = rate(facts::throughput_mma_int8, facts::throughput_int8_tensor, 2);
      if (gpu.find(facts::throughput_fp64_tensor))
        costs.mma_fp64 = flops(value_of(trace.fact(gpu, facts::throughput_fp64_tensor)).value);
      costs.mma_latency = value_of(trace.cost(gpu, facts::latency_mma_fp16)).value;
      // Before compute capability 8.0 the smallest are parts of a product, and as fast as their flops.
      if (gpu.has_cost(facts::issue_matrix_interval)) {
        costs.mma_least = value_of(trace.cost(gpu, facts::issue_matrix_interval)).value;
        costs.mma_least_latency = value_of(trace.cost(gpu, facts::latency_mma_short)).value;
      }
    }
  }
  return costs;
}

template KernelCosts costs_of(const Gpu&, const KernelCode&, const LaunchTraffic&, Plain&);
template KernelCosts costs_of(const Gpu&, const KernelCode&, const LaunchTraffic&, Recorder&);

} // namespace perfmodel
