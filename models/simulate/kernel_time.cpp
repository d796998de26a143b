#include "kernel_time.hpp"

#include "kernel_costs.hpp"
#include "launch_neighbours.hpp"
#include "launch_samples.hpp"
#include "models/kernel/register_use.hpp"
#include "slowest_sm.hpp"
#include "thought_away.hpp"
#include "traced_run.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

template <class T> double read_bandwidth_of(const Gpu& gpu, T& trace) {
  return value_of(read_bandwidth(gpu, trace)).value;
}

// Of blocks that touch so many sectors each, in the mean, and share none.
Growth apart_in_each(double sectors, double most) {
  return {.one = 32 * sectors, .x = 1, .y = 1, .z = 1, .most = most};
}

// How many of the blocks launched next to one another, which run on neighbouring SMs, read what one of them
// does, in the mean: their requests for a line meet where the SMs' requests are joined, up to four.
double read_together(const Growth& loads, const Shape& grid) {
  constexpr double most = 4;
  const double x = std::min(most, static_cast<double>(grid.x)),
               y = std::min(most / x, static_cast<double>(grid.y));
  const double different = loads.without_end(x, y);
  return different > 0 ? std::clamp(x * y * loads.one / different, 1.0, most) : 1;
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
  const Count sms = value_of(trace.fact(gpu, facts::sm_count));
  made.waves = made.blocks / (sms * made.resident);
  const double active = std::min(1.0, made.blocks / sms);

  const AccessRules rules = access_rules(gpu, code, launch, trace);
  const auto traces_of = [&](LoadedData data) {
    return q.code_stays ? remembered_traces(code, launch, rules, data)
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

  const std::size_t allocations = launch.arguments.allocations.size() + 1;
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
  const Neighbours near = neighbours_of(grid, samples.typical.place, middle.run.instructions, footprint_at);
  const double read = read_bandwidth_of(gpu, trace);
  const auto row_bytes = [&](const Key<PerSecond>& openings) {
    return gpu.has_cost(openings) ? read / value_of(trace.cost(gpu, openings)).value : 0.0;
  };
  Rows rows{.read_row = row_bytes(facts::dram_segment_rate),
            .written_row = row_bytes(facts::dram_scatter_rate)};
  if (gpu.has_cost(facts::dram_row_reach))
    rows.row_reach = value_of(trace.cost(gpu, facts::dram_row_reach)).value;
  std::vector<Growth> loads, stores;
  for (std::size_t i = 0; i < allocations; ++i) {
    const double most =
        i + 1 < allocations ? static_cast<double>(launch.arguments.allocations[i].bytes) : 1e18;
    loads.push_back(growth_of_loads(near, i, static_cast<double>(rules.atom), rows, most));
    if (loads.back().one > 0 && loads.back().x == 0 && !near.right.empty())
      set_growth_from_afar(loads.back(), *near.block, i,
                           further_of(grid, samples.typical.place, i, middle.run.instructions, footprint_at));
    loads.back().by_data = middle.run.from_memory > 0 || middle.run.indexed > 0;
    loads.back().lost = 32 * samples.lost_sectors[i] / std::max(1.0, made.blocks * samples.accessing);
    stores.push_back(growth_of_stores(near, i, static_cast<double>(rules.atom), rows, most));
  }
  const bool one_row = grid.y == 1;
  const GridShape shape{.x = static_cast<double>(grid.x) * (grid.y * grid.z == 1 ? samples.accessing : 1),
                        .y = static_cast<double>(one_row ? grid.z : grid.y) *
                             (grid.y * grid.z == 1 ? 1 : samples.accessing),
                        .z = static_cast<double>(one_row ? 1 : grid.z),
                        .wave = std::min(made.blocks, sms * made.resident)};
  // Where each block has arrays of its own, those that the typical one does not touch are read, and written,
  // as often as the blocks do it.
  const double all_blocks = shape.x * shape.y * shape.z;
  for (std::size_t i = 0; i < allocations; ++i) {
    if (!(loads[i].one > 0)) loads[i] = apart_in_each(samples.read_sectors[i] / all_blocks, loads[i].most);
    if (!(stores[i].one > 0))
      stores[i] = apart_in_each(samples.stored_sectors[i] / all_blocks, stores[i].most);
  }
  const double kept = l2_capacity(gpu, trace).value;
  const double size =
      has_l2(gpu) && gpu.has_cost(facts::l2_size) ? value_of(trace.cost(gpu, facts::l2_size)).value : 0;
  for (std::size_t i = 0; i < allocations; ++i)
    if (loads[i].most > kept && loads[i].comes_back(shape.x, shape.y, shape.z))
      set_recurrence(
          loads[i], *near.block, i,
          recurrence_of(grid, samples.typical.place, i, middle.run.instructions, made.blocks, footprint_at));
  const DeviceTraffic traffic =
      device_traffic(loads, stores, shape, {kept, std::max(kept, size)}, q.caches == Caches::warm);
  MemoryShares shares{.missing = std::vector<double>(allocations),
                      .fetched = std::vector<double>(allocations),
                      .far = std::vector<double>(allocations, 0.5),
                      .load_bytes = {},
                      .store_bytes = {},
                      .stored_lines = {},
                      .together = std::vector<double>(allocations, 1.0),
                      .writes = traffic.written > 0};
  for (std::size_t i = 0; i < allocations; ++i) {
    const double asked = 32 * samples.read_sectors[i];
    // Bytes read that were not asked for, of whole atoms, count with those that were.
    const double share = asked > 0 ? traffic.read[i] / asked : 0;
    shares.missing[i] = has_l2(gpu) ? std::min(1.0, share) : 1;
    shares.fetched[i] = has_l2(gpu) ? share : 1;
    if (const double different = loads[i].of(shape.x, shape.y, shape.z); different > 0)
      shares.far[i] = far_chance(asked / different, traffic.read[i] > 0);
    shares.load_bytes.push_back(loads[i].per_byte * std::max(1.0, share));
    if (gpu.has_cost(facts::sustained_l2_together)) shares.together[i] = read_together(loads[i], grid);
    // L2 writes once what several stores of a block put into a sector. Those that come to a line that is open
    // are not counted; up to four sectors of it are written with the first.
    constexpr double of_line = 4;
    const double put = 32 * samples.stored_sectors[i], kept_of_it = stores[i].of(shape.x, shape.y, shape.z);
    shares.store_bytes.push_back(stores[i].per_byte *
                                 (has_l2(gpu) && put > 0 ? std::min(of_line, kept_of_it / put) : 1.0));
    shares.stored_lines.push_back(stores[i].of(shape.x, shape.y, shape.z) / 128);
    made.dram_read = made.dram_read + Bytes(traffic.read[i]);
  }
  made.dram_read = made.dram_read + Bytes(traffic.filled);
  made.dram_written = Bytes(traffic.written);
  made.dram_left = Bytes(traffic.left);
  made.pieced_lines = samples.typical.trace->pieced_lines;
  made.l2_read = Bytes(32 * made.counts.l2_read_sectors);

  double stored = 0, short_ones = 0, long_ones = 0, in_place = 0, loaded = 0, short_loads = 0;
  for (const Growth& growth : stores) {
    const double bytes = growth.of(shape.x, shape.y, shape.z);
    stored += bytes;
    if (growth.per_byte > 1) continue; // whatever of rows is written in part costs more in any order
    short_ones += bytes * growth.short_stretches;
    long_ones += bytes * growth.long_stretches;
    in_place += bytes * growth.changed_beside;
  }
  for (const Growth& growth : loads) {
    loaded += growth.of(shape.x, shape.y, shape.z);
    short_loads += growth.of(shape.x, shape.y, shape.z) * growth.short_stretches;
  }
  if (stored > 0) {
    made.short_stores = short_ones / stored;
    made.long_stores = long_ones / stored;
    made.changed_beside = in_place / stored;
  }
  if (loaded > 0) made.short_loads = short_loads / loaded;

  std::vector<const BlockTrace*> chosen;
  for (const BlockKind& kind : kinds) chosen.push_back(kind.trace);
  // Banks turn between reads and writes where a kernel does much of both.
  constexpr double few = 0.05;
  const double least = std::min(made.dram_read.value, made.dram_written.value);
  const MemoryUse use = least > few * std::max(made.dram_read.value, made.dram_written.value)
                            ? MemoryUse::copy
                            : MemoryUse::read;
  // What is stored goes out as it came where it is stored once; words that complete a sector one after the
  // other are written in L2 again and again before.
  const bool streams_out = traffic.written > stored / 2 && 32 * made.counts.store_sectors < 2 * stored;
  const LaunchTraffic as_it_is{.use = use,
                               .active = active,
                               .streams_out = streams_out,
                               .short_stretches = made.short_stores,
                               .long_stretches = made.long_stores,
                               .loads_too = made.short_loads > 0.5,
                               .together = std::any_of(shares.together.begin(), shares.together.end(),
                                                       [](double readers) { return readers > 1; }),
                               .changed_beside = made.changed_beside,
                               .stored_to_loaded = loaded > 0 ? stored / loaded : 1};
  const KernelCosts costs = costs_of(gpu, code, as_it_is, trace);
  const auto simulated = [&](WhatIf what) {
    KernelCosts side_by_side;
    if (what == WhatIf::coalesced) side_by_side = costs_of(gpu, code, side_by_side_traffic(as_it_is), trace);
    const KernelCosts& charged = what == WhatIf::coalesced ? side_by_side : costs;
    const std::vector<TracedStep> steps = changed_steps(traces->steps(), middle, what);
    const MemoryShares changed = changed_shares(shares, middle, what);
    const Count resident = made.resident * (what == WhatIf::twice_the_warps ? 2 : 1);
    return run_traced({.costs = charged,
                       .code = code,
                       .steps = steps,
                       .kinds = chosen,
                       .shares = changed,
                       .by_registers = made.by_registers,
                       .order = launch_order(kinds, made.blocks),
                       .most_steps = q.most_steps,
                       .free_barriers = what == WhatIf::free_barriers,
                       .watch = q.watch && what == WhatIf::as_it_is ? &made.watched : nullptr},
                      static_cast<std::size_t>(resident), std::max(1.0, made.blocks / sms));
  };
  made.run = simulated(WhatIf::as_it_is);
  made.cycles = made.run.cycles;
  made.bound = bound_of(costs.sm, made.run);
  const auto cycles_alone = [&](const LaunchTraces& from, const BlockTrace& block) {
    const std::vector<const BlockTrace*> one{&block};
    return run_traced({.costs = costs,
                       .code = code,
                       .steps = from.steps(),
                       .kinds = one,
                       .shares = shares,
                       .by_registers = made.by_registers,
                       .order = {0}},
                      1, 1)
        .cycles;
  };
  // No launch is over before its longest block is: one that does as much as the blocks of half a launch do on
  // the place of an SM that holds it.
  const double on_one_place =
      made.counts.instructions / made.blocks * std::max(1.0, made.blocks / (sms * made.resident));
  for (std::size_t k = 0; k < kinds.size() && kinds.size() > 1; ++k) {
    if (kinds[k].trace->counts.instructions < on_one_place / 2) continue;
    const double cycles = cycles_alone(*traces, *kinds[k].trace);
    if (cycles > made.cycles) made.cycles = cycles, made.bound = "latency";
  }
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
  for (const SmUnit& unit : costs.sm.machine.units) made.units.push_back(unit.name);

  const auto clock = trace.fact(gpu, facts::clock);
  const double slowest = 2 * made.blocks >= sms ? slowest_sm(gpu, costs.sm, trace).value : 0;
  const auto beside = trace.cost(gpu, empty_launch(q.timed));
  const auto cycles = trace.define(
      "cycles", "of the blocks of an SM, simulated warp by warp, and what the slowest SM takes longer",
      trace.number(Cycles{made.cycles + slowest}));
  made.time =
      value_of(trace.define("T", "with what a launch takes that does nothing", cycles / clock + beside));
  if (q.what_if)
    for (std::size_t i = 1; i < names(WhatIf{}).size(); ++i) {
      const auto what = static_cast<WhatIf>(i);
      const Cycles changed{simulated(what).cycles * longer + at_end + slowest};
      made.instead.push_back({what, changed / value_of(clock) + value_of(beside)});
    }
  return made;
}

template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Plain&);
template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Recorder&);

} // namespace perfmodel
