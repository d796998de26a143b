#include "kernel_time.hpp"

#include "kernel_costs.hpp"
#include "launch_growth.hpp"
#include "launch_phases.hpp"
#include "launch_samples.hpp"
#include "launch_traffic.hpp"
#include "looking_back.hpp"
#include "memory_shares.hpp"
#include "sent_early.hpp"
#include "slowest_sm.hpp"
#include "thought_away.hpp"
#include "traced_run.hpp"

#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// Blocks that an SM may have begun and not ended, while it holds no more warps than of those that are
// resident. Before cc 7.0 assumed: a block keeps the places of all its warps until it ends.
template <class T> std::size_t blocks_begun(const Gpu& gpu, const Occupancy& held, T& trace) {
  constexpr double since = 7.0;
  if (gpu.capability() < since) return 0;
  double most = value_of(trace.fact(gpu, facts::max_blocks_per_sm));
  if (const double shared = held.shared_allocated.value; shared > 0)
    most = std::min(most, std::floor(value_of(trace.fact(gpu, facts::shared_per_sm)).value / shared));
  return static_cast<std::size_t>(std::max(most, held.blocks));
}

UsedBefore used_before(const KernelQuestion& q) {
  if (q.caches == Caches::warm) return {.all = 0};
  UsedBefore before;
  if (q.caches == Caches::left)
    for (const Allocation& one : q.launch.arguments.allocations) {
      before.others_since.push_back(one.others_since ? static_cast<double>(*one.others_since) : before.all);
      before.own += static_cast<double>(one.bytes);
    }
  return before;
}

} // namespace

template <class T> KernelTime kernel_time(const Gpu& gpu, const KernelQuestion& q, T& trace) {
  const KernelCode& code = q.code;
  const KernelLaunch& launch = q.launch;
  KernelTime made;
  made.by_registers = goes_by_registers(code, gpu);
  made.blocks = static_cast<Count>(launch.grid.count());
  made.occupancy = launch_occupancy(gpu, code, launch);
  made.resident = made.occupancy.blocks;
  const bool kept = q.most_resident > 0 && q.most_resident < made.resident;
  if (kept) made.resident = q.most_resident;
  const Count sms = value_of(trace.fact(gpu, facts::sm_count));
  made.waves = made.blocks / (sms * made.resident);

  const AccessRules rules = access_rules(gpu, code, launch, trace);
  const auto traces_of = [&](LoadedData data) {
    return q.code_stays ? remembered_traces(code, launch, rules, data, q.owner)
                        : std::make_shared<LaunchTraces>(code, launch, rules, data);
  };
  const std::shared_ptr<LaunchTraces> traces = traces_of(q.data);
  const Shape& grid = launch.grid;
  const auto traced = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> const BlockTrace& {
    return traces->of(block_at(grid, x, y, z));
  };
  const std::int64_t mx = grid.x / 2, my = grid.y / 2, mz = grid.z / 2;
  const BlockTrace& middle = traced(mx, my, mz);
  made.middle = middle.run;
  made.executed.resize(code.instructions.size());
  middle.for_each_step([&](std::uint32_t number, std::uint64_t times) {
    made.executed[traces->steps()[number].instruction] += times;
  });

  BlockSamples samples = launch_samples(launch, *traces);
  std::vector<BlockKind>& kinds = samples.kinds;
  made.counts = samples.counts;
  made.kinds = kinds.size();
  constexpr std::size_t most_kinds = 8;
  kinds = fewer_kinds(std::move(kinds), most_kinds);

  // From L2 and device memory, by allocation, as a typical block and its neighbours show.
  const auto footprint_at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> const BlockFootprint& {
    return traced(x, y, z).footprint;
  };
  const LaunchGrowth growth =
      launch_growth(gpu, launch, rules, samples, middle.run, sms * made.resident, footprint_at, trace);
  made.pieced_lines = samples.typical.trace->pieced_lines;
  made.l2_read = Bytes(32 * made.counts.l2_read_sectors);

  made.stretches = stretches_of(growth);

  std::vector<const BlockTrace*> chosen;
  for (const BlockKind& kind : kinds) chosen.push_back(kind.trace);

  const LocalMissing local = local_missing(grid, samples, growth);
  const auto traffic_of = [&](BlockPace pace) {
    DeviceTraffic traffic =
        device_traffic(growth.loads, growth.stores, growth.shape, growth.l2, used_before(q), pace);
    traffic.repeats = traffic.is_there() && q.caches == Caches::warm && q.timed == TimedBy::serial;
    return traffic;
  };
  struct Memory {
    MemoryShares shares;
    LaunchTraffic launch;
    KernelCosts costs;
  } memory;
  const BlockTrace& typical = *samples.typical.trace;
  double early = 0; // share of the sectors that blocks fill which L2 sends away before they are whole
  const double filled_once = filled_and_kept(typical);
  const auto serve = [&](DeviceTraffic traffic) {
    const double refilled = early * 32 * filled_once * made.blocks * samples.accessing;
    traffic.written += refilled, traffic.filled += refilled;
    set_device_bytes(made, traffic, has_l2(gpu) ? local : LocalMissing{});
    memory.shares = memory_shares(gpu, grid, samples, growth, traffic);
    memory.launch = launch_traffic(code, made, traffic, memory.shares,
                                   {.active_sms = std::min(1.0, made.blocks / sms),
                                    .warps = std::ceil(static_cast<double>(launch.threads()) / 32)});
    memory.launch.more_in_part = more_for_parts(typical, early);
    memory.costs = costs_of(gpu, code, memory.launch, trace);
    memory.costs.sm.machine.most_blocks =
        kept ? static_cast<std::size_t>(made.resident) : blocks_begun(gpu, made.occupancy, trace);
  };
  const std::vector<LaunchPhase> phases = launch_phases(grid, kinds, sms);
  const auto simulated = [&](WhatIf what) {
    KernelCosts side_by_side;
    if (what == WhatIf::coalesced)
      side_by_side = costs_of(gpu, code, side_by_side_traffic(memory.launch), trace);
    const KernelCosts& charged = what == WhatIf::coalesced ? side_by_side : memory.costs;
    const std::vector<TracedStep> steps = changed_steps(traces->steps(), middle, what);
    const MemoryShares changed = changed_shares(memory.shares, middle, what);
    const Count resident = made.resident * (what == WhatIf::twice_the_warps ? 2 : 1);
    SmRun all;
    for (const LaunchPhase& phase : phases) {
      const bool is_first = &phase == &phases.front();
      const SmRun run =
          run_traced({.costs = charged,
                      .code = code,
                      .steps = steps,
                      .kinds = chosen,
                      .shares = changed,
                      .by_registers = made.by_registers,
                      .order = phase.order,
                      .most_steps = q.most_steps,
                      .free_barriers = what == WhatIf::free_barriers,
                      .watch = q.watch && is_first && what == WhatIf::as_it_is ? &made.watched : nullptr},
                     static_cast<std::size_t>(resident), std::max(1.0, phase.blocks / sms));
      all = is_first ? run : followed_by(all, run);
    }
    return all;
  };
  const auto run_it = [&] {
    made.watched = {};
    made.run = simulated(WhatIf::as_it_is);
    made.bound = bound_of(memory.costs.sm, made.run);
  };
  // Blocks that what all SMs share does not bind come out of step; what they ask for may show that already.
  const DeviceTraffic in_step = traffic_of(BlockPace::in_step), apart = traffic_of(BlockPace::out_of_step);
  serve(in_step);
  const bool may_part = apart.read != in_step.read;
  const bool part =
      may_part && std::none_of(phases.begin(), phases.end(), [&](const LaunchPhase& phase) {
        return shared_may_bind({.costs = memory.costs,
                                .code = code,
                                .steps = traces->steps(),
                                .kinds = chosen,
                                .shares = memory.shares,
                                .by_registers = made.by_registers,
                                .order = phase.order,
                                .most_steps = q.most_steps},
                               static_cast<std::size_t>(made.resident), std::max(1.0, phase.blocks / sms));
      });
  if (!part) run_it();
  const bool came_apart = part || (may_part && !waits_for_the_device(memory.costs.sm.machine, made.run));
  const auto serve_anew = [&] { serve(came_apart ? apart : in_step), run_it(); };
  if (came_apart) serve_anew();
  constexpr double least = 0.02; // that shows
  early = share_filled_early(gpu, made, samples.accessing * typical.open_sectors, trace);
  if (early > least) serve_anew();
  made.cycles = made.run.cycles;
  const auto cycles_alone = [&](const LaunchTraces& from, const BlockTrace& block) {
    const std::vector<const BlockTrace*> one{&block};
    return run_traced({.costs = memory.costs,
                       .code = code,
                       .steps = from.steps(),
                       .kinds = one,
                       .shares = memory.shares,
                       .by_registers = made.by_registers,
                       .order = {0}},
                      1, 1)
        .cycles;
  };
  // No launch is over before its longest block is: one that does as much as the blocks of half a launch do on
  // the place of an SM that holds it, or much more than most, or one at an end of the grid that does other
  // work.
  constexpr double much_more = 4;
  const double mean = made.counts.instructions / made.blocks,
               places = std::max(1.0, made.blocks / (sms * made.resident));
  const auto not_before = [&](const BlockTrace& block) {
    if (block.counts.instructions < mean * std::min(places / 2, much_more)) return;
    const double cycles = cycles_alone(*traces, block);
    if (cycles > made.cycles) made.cycles = cycles, made.bound = "latency";
  };
  for (std::size_t k = 0; k < kinds.size() && kinds.size() > 1; ++k) not_before(*kinds[k].trace);
  for (const BlockTrace* end : samples.ends)
    if (!as_much(*end, *samples.typical.trace)) not_before(*end);
  const double longer = made.cycles / made.run.cycles; // as the longest block is
  double at_end = 0;                                   // of the last block
  if (q.last_block) {
    const std::shared_ptr<LaunchTraces> other = traces_of(*q.last_block);
    const BlockTrace& last = other->of(block_at(grid, mx, my, mz));
    at_end = std::max(0.0, cycles_alone(*other, last) - cycles_alone(*traces, middle));
    made.cycles += at_end;
    made.counts.add(last.counts, 1);
    made.counts.add(middle.counts, -1);
  }
  const auto looking_back = [&](double waves) {
    return made.middle.from_blocks > 0 ? cycles_of_looking_back(gpu, waves, trace) : 0;
  };
  made.cycles += looking_back(made.waves);
  for (const SmUnit& unit : memory.costs.sm.machine.units) made.units.push_back(unit.name);

  const auto clock = trace.fact(gpu, facts::clock);
  const double slowest = 2 * made.blocks >= sms ? slowest_sm(gpu, memory.costs.sm, trace).value : 0;
  const auto beside = trace.cost(gpu, empty_launch(q.timed));
  const auto cycles = trace.define(
      "cycles",
      "of the blocks of an SM, simulated warp by warp, with what the slowest SM and looking back take longer",
      trace.number(Cycles{made.cycles + slowest}));
  made.time =
      value_of(trace.define("T", "with what a launch takes that does nothing", cycles / clock + beside));
  if (q.what_if)
    for (std::size_t i = 1; i < names(WhatIf{}).size(); ++i) {
      const auto what = static_cast<WhatIf>(i);
      const double waves = made.waves / (what == WhatIf::twice_the_warps ? 2 : 1);
      const Cycles changed{simulated(what).cycles * longer + at_end + looking_back(waves) + slowest};
      made.instead.push_back({what, changed / value_of(clock) + value_of(beside)});
    }
  return made;
}

template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Plain&);
template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Recorder&);

} // namespace perfmodel
