#include "kernel_time.hpp"

#include "kernel_costs.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"
#include "slowest_sm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel {

namespace {

// The architecture that a GPU's machine code is for: 9.0 -> 90.
int capability_of(const Gpu& gpu) { return static_cast<int>(std::lround(gpu.capability() * 10)); }

// Control fields hold where the code is of the GPU's own generation.
bool goes_by_registers(const KernelCode& code, const Gpu& gpu) {
  const int own = code.capability, asked = capability_of(gpu);
  return !code.has_encoding || own < 70 || (own != 0 && own / 10 != asked / 10);
}

// Bytes in which device memory is read: a whole number of sectors.
template <class T> double atom_of(const Gpu& gpu, T& trace) {
  constexpr double sector = 32;
  if (!gpu.has_cost(facts::dram_atom)) return sector;
  return std::max(sector, std::round(value_of(trace.cost(gpu, facts::dram_atom)).value / sector) * sector);
}

template <class T> double read_bandwidth_of(const Gpu& gpu, T& trace) {
  return value_of(read_bandwidth(gpu, trace)).value;
}

// Places along a side of the grid where blocks are run, and how many blocks each stands for.
std::vector<std::pair<std::int64_t, double>> samples_of(std::int64_t side, bool thorough) {
  if (side <= 3) {
    std::vector<std::pair<std::int64_t, double>> all;
    for (std::int64_t at = 0; at < side; ++at) all.emplace_back(at, 1);
    return all;
  }
  const auto inner = static_cast<double>(side - 2);
  if (!thorough || side < 8) return {{0, 1}, {side / 2, inner}, {side - 1, 1}};
  return {{0, 1}, {side / 4, inner / 3}, {side / 2, inner / 3}, {3 * side / 4, inner / 3}, {side - 1, 1}};
}

// The steps of a trace with a part of what they ask for thought away.
std::vector<TracedStep> changed_steps(std::vector<TracedStep> steps, WhatIf what) {
  for (TracedStep& step : steps) {
    if (what == WhatIf::no_conflicts || what == WhatIf::coalesced) {
      if (step.space == Space::shared ? what == WhatIf::no_conflicts : step.space == Space::global)
        step.wavefronts = step.least_wavefronts;
    }
    if (what == WhatIf::coalesced && step.space == Space::global) {
      step.sectors = step.least_sectors;
      step.lines = static_cast<std::uint16_t>((step.sectors + 3) / 4);
    }
  }
  return steps;
}

// Warps go on at once where they arrive.
void free_barriers(TracedBlocks& blocks) {
  for (WarpStep& step : blocks.steps) step.barrier = step.fence = false;
}

struct BlockKind {
  const BlockTrace* trace;
  double weight;
};

// The kinds of blocks in the order of launches: each as often as its weight says, spread evenly.
std::vector<std::size_t> order_of(const std::vector<BlockKind>& kinds, double blocks) {
  const auto length = static_cast<std::size_t>(std::clamp(blocks, 1.0, 64.0));
  std::vector<double> owed(kinds.size());
  std::vector<std::size_t> order;
  double all = 0;
  for (const BlockKind& kind : kinds) all += kind.weight;
  for (std::size_t n = 0; n < length; ++n) {
    for (std::size_t k = 0; k < kinds.size(); ++k) owed[k] += kinds[k].weight / all;
    const auto next = static_cast<std::size_t>(std::max_element(owed.begin(), owed.end()) - owed.begin());
    owed[next] -= 1;
    order.push_back(next);
  }
  return order;
}

} // namespace

template <class T> KernelTime kernel_time(const Gpu& gpu, const KernelQuestion& q, T& trace) {
  const KernelCode& code = q.code;
  const KernelLaunch& launch = q.launch;
  KernelTime made;
  made.by_registers = goes_by_registers(code, gpu);
  made.blocks = static_cast<Count>(launch.grid.count());
  made.occupancy = occupancy(
      gpu, {.threads_per_block = static_cast<Count>(launch.threads()),
            .registers_per_thread = static_cast<Count>(code.registers.value_or(0)),
            .shared_per_block = Bytes(static_cast<double>(code.shared.value_or(0) + launch.dynamic_shared))});
  made.resident = made.occupancy.blocks;
  const Count sms = value_of(trace.fact(gpu, facts::sm_count));
  made.waves = made.blocks / (sms * made.resident);
  const double active = std::min(1.0, made.blocks / sms);

  AccessRules rules{.load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                    .store = coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
                    .banks = banks_of(gpu, std::nullopt, trace),
                    .atom = static_cast<std::int64_t>(atom_of(gpu, trace)),
                    .by_registers = made.by_registers};
  if (rules.load.l1 && gpu.find(facts::l1_size)) {
    const double shared = made.resident * made.occupancy.shared_allocated.value;
    rules.l1_bytes = std::max(16384.0, gpu.find(facts::l1_size)->value.value - shared) / made.resident;
  }

  BlockTracer tracer(code, launch, rules, q.unknown);
  const Shape& grid = launch.grid;
  const auto linear = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return x + grid.x * (y + grid.y * z);
  };
  const std::int64_t mx = grid.x / 2, my = grid.y / 2, mz = grid.z / 2;
  std::map<std::int64_t, BlockTrace> traces;
  const auto traced = [&](std::int64_t block) -> const BlockTrace& {
    const auto at = traces.find(block);
    return at != traces.end() ? at->second : traces.emplace(block, tracer.trace(block)).first->second;
  };
  const BlockTrace& middle = traced(linear(mx, my, mz));
  made.middle = middle.run;
  made.executed.resize(code.instructions.size());
  for (const auto& warp : middle.warps)
    for (const std::uint32_t number : warp) ++made.executed[tracer.steps()[number].instruction];

  // Blocks that stand for the grid; fewer where each takes long to run.
  const bool brief = middle.run.instructions<60'000, long_ones = middle.run.instructions> 1'000'000;
  std::vector<BlockKind> kinds;
  const auto add = [&](const BlockTrace& one, double weight) {
    made.counts.add(one.counts, weight);
    for (BlockKind& kind : kinds)
      if (same_work(*kind.trace, one)) {
        kind.weight += weight;
        return;
      }
    kinds.push_back({&one, weight});
  };
  if (long_ones)
    add(middle, made.blocks);
  else
    for (const auto& [x, wx] : samples_of(grid.x, brief))
      for (const auto& [y, wy] : samples_of(grid.y, brief))
        for (const auto& [z, wz] : samples_of(grid.z, false)) add(traced(linear(x, y, z)), wx * wy * wz);
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const BlockKind& a, const BlockKind& b) { return a.weight > b.weight; });
  made.kinds = kinds.size();
  constexpr std::size_t most_kinds = 8;
  if (kinds.size() > most_kinds) kinds.resize(most_kinds);

  // From L2 and device memory, by allocation. Neighbours often share what is read at once, so it takes
  // several to see what each adds.
  const std::size_t allocations = launch.arguments.allocations.size() + 1;
  const std::int64_t followers = brief ? 4 : middle.run.instructions < 400'000 ? 2 : 1;
  Neighbours near{.block = &middle.footprint, .right = {}, .below = {}};
  for (std::int64_t n = 1; n <= followers; ++n) {
    if (mx + n < grid.x) near.right.push_back(&traced(linear(mx + n, my, mz)).footprint);
    if (my + n < grid.y)
      near.below.push_back(&traced(linear(mx, my + n, mz)).footprint);
    else if (grid.y == 1 && mz + n < grid.z)
      near.below.push_back(&traced(linear(mx, my, mz + n)).footprint);
  }
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
    stores.push_back(growth_of_stores(near, i, rows, most));
  }
  const GridShape shape{.x = static_cast<double>(grid.x),
                        .y = static_cast<double>(grid.y * grid.z),
                        .wave = std::min(made.blocks, sms * made.resident)};
  const DeviceTraffic traffic =
      device_traffic(loads, stores, shape, l2_capacity(gpu).value, q.caches == Caches::warm);
  MemoryShares shares{.missing = std::vector<double>(allocations),
                      .load_bytes = {},
                      .store_bytes = {},
                      .writes = traffic.written > 0};
  for (std::size_t i = 0; i < allocations; ++i) {
    const double asked = middle.read_sectors[i] * 32 * made.blocks;
    // Bytes read that were not asked for, of whole atoms, count with those that were.
    const double share = asked > 0 ? traffic.read[i] / asked : 0;
    shares.missing[i] = has_l2(gpu) ? std::min(1.0, share) : 1;
    shares.load_bytes.push_back(loads[i].per_byte * std::max(1.0, share));
    shares.store_bytes.push_back(stores[i].per_byte);
    made.dram_read = made.dram_read + Bytes(traffic.read[i]);
  }
  made.dram_read = made.dram_read + Bytes(traffic.filled);
  made.dram_written = Bytes(traffic.written);
  made.l2_read = Bytes(32 * made.counts.l2_read_sectors);

  std::vector<const BlockTrace*> chosen;
  for (const BlockKind& kind : kinds) chosen.push_back(kind.trace);
  // Banks turn between reads and writes where a kernel does much of both.
  constexpr double few = 0.05;
  const double least = std::min(made.dram_read.value, made.dram_written.value);
  const MemoryUse use = least > few * std::max(made.dram_read.value, made.dram_written.value)
                            ? MemoryUse::copy
                            : MemoryUse::read;
  const KernelCosts costs = costs_of(gpu, code, use, active, trace);
  const auto simulated = [&](WhatIf what) {
    MemoryShares changed = shares;
    if (what == WhatIf::all_in_l2) std::fill(changed.missing.begin(), changed.missing.end(), 0.0);
    if (what == WhatIf::coalesced)
      for (std::vector<double>* list : {&changed.load_bytes, &changed.store_bytes})
        std::fill(list->begin(), list->end(), 1.0);
    TracedBlocks blocks =
        costed(costs, code, changed_steps(tracer.steps(), what), chosen, changed, made.by_registers);
    if (what == WhatIf::free_barriers) free_barriers(blocks);
    blocks.order = order_of(kinds, made.blocks);
    const Count resident = made.resident * (what == WhatIf::twice_the_warps ? 2 : 1);
    return run_blocks(costs.sm.machine, blocks, static_cast<std::size_t>(resident),
                      std::max(1.0, made.blocks / sms));
  };
  made.run = simulated(WhatIf::as_it_is);
  made.cycles = made.run.cycles;
  made.bound = bound_of(costs.sm, made.run);
  for (const SmUnit& unit : costs.sm.machine.units) made.units.push_back(unit.name);

  const auto clock = trace.fact(gpu, facts::clock);
  const double slowest = 2 * made.blocks >= sms ? slowest_sm(gpu, costs.sm, trace).value : 0;
  const auto turnover = trace.cost(gpu, facts::kernel_turnover);
  const auto cycles = trace.define(
      "cycles", "of the blocks of an SM, simulated warp by warp, and what the slowest SM takes longer",
      trace.number(Cycles{made.cycles + slowest}));
  made.time = value_of(trace.define("T", "with the turn of launches", cycles / clock + turnover));
  if (q.what_if)
    for (std::size_t i = 1; i < names(WhatIf{}).size(); ++i) {
      const auto what = static_cast<WhatIf>(i);
      made.instead.push_back(
          {what, Cycles{simulated(what).cycles + slowest} / value_of(clock) + value_of(turnover)});
    }
  return made;
}

template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Plain&);
template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Recorder&);

} // namespace perfmodel
