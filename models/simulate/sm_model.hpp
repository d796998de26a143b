// The SM of a device as the simulation sees it: its units, and what an instruction or an access takes of
// them, from the device's facts.
//   pipes: cycles of a warp's instruction = warp size x schedulers / throughput, on any pipe of its set
//   memory port, one of each scheduler: the interval between two accesses, or the time in which it hands over
//     the registers of one: address and value of a store, what a load fills
//   shared memory and L1, one of each SM: wavefronts, slots of accesses that no lane makes, and what L1 takes
//     in from L2
//   L2, device memory: an SM's share of the bandwidth; a store is done when L2 has it. Where a kernel copies,
//     the banks of device memory turn between reads and writes (dram_turns.hpp), if the turn is known
// What nobody has measured on the device is an estimate with its grade (models/machine/inherit.hpp); what its
// hardware does not have, such as an L2 for loads before cc 2.0, takes no part.
#pragma once

#include "sm_simulation.hpp"
#include "used_parts.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/access/dram_turns.hpp"
#include "models/concurrency/functions.hpp"
#include "models/concurrency/instruction_latency.hpp"
#include "models/concurrency/mix_bounds.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct InstructionCost {
  std::vector<UnitUse> uses; // of one instruction: any one of them
  bool all = false;          // or all
  double latency = 0;        // cycles from the end of its use to its result
  double issue = 0;          // cycles of the scheduler beside its slot
};

struct SmModel {
  SmMachine machine;
  Hertz clock;
  std::map<std::string, InstructionCost, std::less<>> instructions;
  std::map<std::string, std::vector<MixPart>, std::less<>> functions;             // what each is made of
  std::size_t port = 0, lsu = 0, l2 = 0, stores_to_l2 = 0, dram = 0, counter = 0; // units
  double wavefront = 1;                     // cycles of lsu for one wavefront
  double shared_latency = 0;                // beside the first wavefront
  double lone_wavefront = 1;                // cycles by which each further one lengthens the wait of a warp
  double lone_register = 0;                 // in which a scheduler hands over a register of an access
  double l1_bytes = 128;                    // per cycle
  double fill_cycles = 0;                   // of L1's banks, for a byte that comes from L2
  double l2_cycles = 0, store_cycles = 0;   // per byte, from L2 and to it
  double counter_cycles = 0;                // of L2, for an addition to a word that all count with
  double read_cycles = 0, write_cycles = 0; // per byte of device memory
  double turning = 0;                       // per byte that is copied, of both, for the turns beside them
  double dram_latency = 0, l2_latency = 0, drain = 0;
  double spread = 0;                             // of both, between the near and the far half of L2
  double constant_latency = 0;                   // of an argument of the kernel
  double global_release = 0, shared_release = 0; // for which a store needs its registers
  double predicate_latency = 0;                  // from a comparison to what it guards
  double port_cycles = 0;                        // of a scheduler's way to memory, for one access
  double queued = 0;        // cycles of the scheduler beside the slot of an access of shared memory
  double queued_global = 0; // and of a load of global memory
  double idle_access = 0;   // cycles of lsu for an access that no lane makes
  double loop_latency = 0;  // cycles from its branch to the next trip
  double entry = 0;         // cycles from the start of a warp until it can form its first address
};

// What a kernel does to device memory: a stream of reads runs faster than reads and writes in turn, and than
// writes alone a line at a time.
enum class MemoryUse { read, copy, write_lines };

namespace detail {

std::size_t unit_named(SmMachine& machine, std::string_view name, UnitOf of);
double latency_beside(double latency, double service);

// Banks of device memory, and their turns for kernels that copy: reads and writes as such then take what a
// stream of reads takes, and what a copy loses beyond the turns.
template <class T>
void add_banks(SmModel& sm, const Gpu& gpu, MemoryUse use, const auto& per_byte, T& trace) {
  SmUnit& memory = sm.machine.units[sm.dram];
  const double service = value_of(trace.cost(gpu, facts::dram_service)).value;
  const auto banks_of_lines = [&](double cycles) { // of a byte
    memory.piece = 128 * cycles / static_cast<double>(sm.machine.sms);
    memory.servers = static_cast<std::size_t>(std::max(1L, std::lround(service / memory.piece)));
  };
  banks_of_lines(sm.read_cycles);
  if (use != MemoryUse::copy || memory.servers == 1) return;
  const double read = per_byte(read_bandwidth(gpu, trace)), copied = sm.read_cycles;
  if (copied <= read) return trace.say("writes_in_a_row", "any number", "copies are as fast as reads");
  const double turn = value_of(trace.cost(gpu, facts::dram_turn)).value;
  const double writes = std::round(
      value_of(trace.define("writes_in_a_row", "of a bank of device memory, for every pair of its turns",
                            trace.number(writes_in_a_row(service, turn, copied, read)))));
  // In four bursts, after turns a quarter as long: as many cycles are lost, and a read that meets a burst
  // waits less. Chosen: 48 streams with one to eight blocks of an SM, 28 November 2026, an H200, are met with
  // a mean error of 5.1 %, with two bursts of 6.0 and with eight of 7.7.
  constexpr double bursts = 4;
  memory.turns = {.alone = turn,
                  .burst = turn / bursts,
                  .writes = static_cast<std::size_t>(std::max(1.0, std::round(writes / bursts)))};
  sm.turning = std::min(copied - read, read * turn / (service * writes));
  sm.read_cycles = sm.write_cycles = copied - sm.turning;
  banks_of_lines(sm.read_cycles);
}

template <class T>
void add_instruction(SmModel& sm, const Gpu& gpu, const Pipes& pipes, const InstructionClass& c, T& trace) {
  if (sm.instructions.count(c.name) != 0) return;
  InstructionCost cost;
  const PipeUse use = pipes.of(c.name);
  const auto cycles = cycles_per_warp(gpu, c, trace);
  double service = 0;
  if (cycles && use.pipes.count("lsu") != 0) {
    service = value_of(*cycles).value;
    cost.uses.push_back({sm.lsu, service});
  } else if (cycles) {
    const double share = use.together ? 1 : static_cast<double>(use.pipes.size());
    service = value_of(*cycles).value * static_cast<double>(sm.machine.schedulers) * share;
    cost.all = use.together;
    for (const std::string& pipe : use.pipes)
      cost.uses.push_back({unit_named(sm.machine, pipe + " pipe", UnitOf::scheduler), service});
  }
  if (const Key<Cycles>* beside = beside_slot(gpu, c.name, use); beside)
    cost.issue = value_of(trace.cost(gpu, *beside)).value;
  const Key<Cycles>* known = latency_of(c);
  // A class without a latency of its own goes through the pipeline that the FMA goes through.
  if (c.kind != InstructionKind::slot)
    cost.latency = latency_beside(
        value_of(trace.cost(gpu, known != nullptr ? *known : facts::fma_latency)).value, service);
  sm.instructions.emplace(c.name, std::move(cost));
}

} // namespace detail

// `classes`: the instruction classes that programs will use, functions such as umod too. Throws InputError
// where the device's files lack what is needed.
template <class T>
SmModel sm_model(const Gpu& gpu, std::span<const std::string_view> classes, MemoryUse use,
                 const UsedParts& used, T& trace) {
  const auto cycles = [](const auto& term) { return value_of(term).value; };
  const auto if_known = [&](const Key<Cycles>& cost) {
    return gpu.has_cost(cost) ? cycles(trace.cost(gpu, cost)) : 0;
  };
  SmModel sm;
  sm.clock = value_of(trace.fact(gpu, facts::clock));
  sm.machine.schedulers = static_cast<std::size_t>(value_of(trace.fact(gpu, facts::schedulers)));
  constexpr double volta = 7; // of GPUs before it is not known whom their schedulers take
  sm.machine.youngest_first = gpu.capability() >= volta;
  sm.machine.issue_interval = cycles(trace.fact(gpu, facts::issue_interval));
  sm.machine.reissue_gap =
      std::max(sm.machine.issue_interval, cycles(trace.cost(gpu, facts::issue_reissue_gap)));
  if (used.barriers) {
    sm.machine.barrier_per_warp = cycles(trace.cost(gpu, facts::barrier_per_warp));
    sm.machine.barrier =
        detail::latency_beside(cycles(trace.cost(gpu, facts::barrier_latency)), sm.machine.barrier_per_warp);
    sm.machine.fence = cycles(trace.cost(gpu, facts::barrier_pipe));
    sm.machine.lone_fence = std::min(sm.machine.fence, cycles(trace.cost(gpu, facts::barrier_lone_pipe)));
  }
  sm.loop_latency = cycles(trace.cost(gpu, facts::loop_latency));
  sm.machine.launch = cycles(trace.cost(gpu, facts::block_launch));
  sm.machine.launch_interval = cycles(trace.cost(gpu, facts::block_launch_interval));
  const bool tells = used.lets_next_begin && gpu.has_cost(facts::block_dependents_interval);
  const auto& interval = tells ? facts::block_dependents_interval : facts::block_device_interval;
  sm.machine.device_interval = cycles(trace.cost(gpu, interval) * trace.fact(gpu, facts::sm_count));
  sm.machine.warp_interval = cycles(trace.cost(gpu, facts::block_warp_interval));
  sm.port = detail::unit_named(sm.machine, "memory port", UnitOf::scheduler);
  sm.port_cycles = cycles(trace.cost(gpu, facts::issue_memory_interval));
  sm.queued = cycles(trace.cost(gpu, facts::issue_queued_shared));
  sm.queued_global = if_known(facts::issue_queued_global);
  if (used.held_by_global) sm.global_release = if_known(facts::global_operand_release);
  if (used.held_by_shared) sm.shared_release = if_known(facts::shared_operand_release);
  sm.idle_access = sm.port_cycles / static_cast<double>(sm.machine.schedulers);
  sm.predicate_latency = cycles(trace.cost(gpu, facts::latency_predicate));
  sm.constant_latency = cycles(trace.cost(gpu, facts::constant_latency));
  sm.lsu = detail::unit_named(sm.machine, "shared memory and L1", UnitOf::sm);
  sm.l2 = detail::unit_named(sm.machine, "L2", UnitOf::device);
  sm.stores_to_l2 = detail::unit_named(sm.machine, "stores to L2", UnitOf::device);
  sm.dram = detail::unit_named(sm.machine, "device memory", UnitOf::device);
  sm.counter = detail::unit_named(sm.machine, "atomic counter", UnitOf::device);
  sm.wavefront = cycles(trace.fact(gpu, facts::shared_cycles_per_request));
  sm.lone_wavefront = std::max(sm.wavefront, cycles(trace.cost(gpu, facts::shared_lone_wavefront)));
  sm.lone_register = cycles(trace.cost(gpu, facts::shared_lone_register));
  sm.fill_cycles = if_known(facts::l1_fill_interval) / 128;
  sm.machine.queue = static_cast<std::size_t>(std::lround(value_of(trace.cost(gpu, facts::l1_queue))));
  sm.machine.accesses = sm.lsu;
  if (used.shared_memory && gpu.has_cost(facts::issue_access_queue)) // else none is known to be
    sm.machine.access_queue =
        static_cast<std::size_t>(std::lround(value_of(trace.cost(gpu, facts::issue_access_queue))));
  sm.shared_latency = detail::latency_beside(cycles(trace.cost(gpu, facts::shared_latency)), sm.wavefront);

  const Count sms = value_of(trace.fact(gpu, facts::sm_count));
  const auto per_byte = [&](const auto& bandwidth) {
    return sms * sm.clock.value / value_of(bandwidth).value;
  };
  const auto bandwidth = use == MemoryUse::copy          ? copy_bandwidth(gpu, trace)
                         : use == MemoryUse::write_lines ? write_lines_bandwidth(gpu, trace)
                                                         : read_bandwidth(gpu, trace);
  sm.read_cycles = sm.write_cycles = per_byte(bandwidth);
  detail::add_banks(sm, gpu, use, per_byte, trace);
  const bool cached = gpu.has_cost(facts::l2_latency);
  if (cached) {
    sm.l2_cycles = per_byte(trace.cost(gpu, facts::sustained_l2));
    sm.store_cycles = per_byte(trace.cost(gpu, facts::sustained_l2_write));
    if (used.atomics)
      sm.counter_cycles = sms * sm.clock.value / value_of(trace.cost(gpu, facts::l2_counter_rate)).value;
  }
  const double dram_latency = cycles(trace.cost(gpu, facts::dram_latency)),
               service = cycles(trace.cost(gpu, facts::dram_service));
  sm.dram_latency = detail::latency_beside(dram_latency, service);
  sm.l2_latency = dram_latency;
  if (cached) {
    const double near = cycles(trace.cost(gpu, facts::l2_latency));
    sm.spread = std::max(0.0, if_known(facts::l2_latency_far) - near);
    sm.l2_latency = near + sm.spread / 2;
  }
  sm.drain = cycles(trace.cost(gpu, facts::block_store_drain));
  sm.entry = std::max(0.0, cycles(trace.cost(gpu, facts::block_load_latency)) - dram_latency);

  const auto text = gpu.find(facts::pipes);
  const Pipes pipes(text ? std::string_view(text->value) : std::string_view());
  const Functions functions = functions_of(gpu);
  for (const std::string_view name : classes) {
    const InstructionClass& c = instruction_class(name);
    if (c.kind != InstructionKind::function && functions.of(name) == nullptr) {
      detail::add_instruction(sm, gpu, pipes, c, trace);
      continue;
    }
    std::vector<MixPart> parts = functions.expanded("functions", {{&c, 1}});
    for (const MixPart& part : parts) detail::add_instruction(sm, gpu, pipes, *part.instruction, trace);
    sm.functions.emplace(name, std::move(parts));
  }
  return sm;
}

// What bound a run: a unit, the issue slots or the launcher, if that was busy for `nearly` all of the time;
// else "latency".
std::string bound_of(const SmModel& sm, const SmRun& run);

} // namespace perfmodel
