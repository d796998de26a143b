#include "launch_growth.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/machine/caches.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfmodel {

namespace {

// Of blocks that touch so many sectors each, in the mean, and share none.
Growth apart_in_each(double sectors, double most) {
  return {.one = 32 * sectors, .x = 1, .y = 1, .z = 1, .most = most};
}

template <class T> Rows rows_of(const Gpu& gpu, T& trace) {
  const double read = value_of(read_bandwidth(gpu, trace)).value;
  const auto row_bytes = [&](const Key<PerSecond>& openings) {
    return gpu.has_cost(openings) ? read / value_of(trace.cost(gpu, openings)).value : 0.0;
  };
  Rows rows{.read_row = row_bytes(facts::dram_segment_rate),
            .written_row = row_bytes(facts::dram_scatter_rate)};
  if (gpu.has_cost(facts::dram_row_reach))
    rows.row_reach = value_of(trace.cost(gpu, facts::dram_row_reach)).value;
  return rows;
}

// Of the blocks that access memory: those of a row, and rows.
GridShape shape_of(const Shape& grid, const BlockSamples& samples, double resident, double sms) {
  const bool one_row = grid.y == 1;
  const double accessing = samples.accessing, of_row = grid.y * grid.z == 1 ? accessing : samples.across,
               rows = std::min(1.0, accessing / of_row);
  return {.x = static_cast<double>(grid.x) * accessing / rows,
          .y = static_cast<double>(one_row ? grid.z : grid.y) * rows,
          .z = static_cast<double>(one_row ? 1 : grid.z),
          .wave = std::min(static_cast<double>(grid.count()), resident),
          .accessing = accessing,
          .sms = sms};
}

// Those at the corners, which show how far what is touched reaches; none where blocks take long to run, or do
// what is not known.
std::vector<const BlockFootprint*> corners(const Shape& grid, double effort, const FootprintAt& at) {
  try {
    return corners_of(grid, static_cast<std::uint64_t>(effort), at);
  } catch (const InputError&) {
    return {};
  }
}

// Bounds what all blocks touch by how far it reaches, where they come back to it; whether they do.
bool bound_by_span(Growth& part, double span, const GridShape& shape) {
  Growth bounded = part;
  bounded.most = std::min(part.most, span);
  if (!bounded.comes_back(shape.x, shape.y, shape.z)) return false;
  part.most = bounded.most;
  return true;
}

double touched_by_block(const LaunchGrowth& growth) {
  double touched = 0;
  for (const auto* parts : {&growth.loads, &growth.stores})
    for (const Growth& part : *parts) touched += part.one;
  return touched;
}

// Of blocks strewn over the grid, since those beside one another may add to the same words; of one, where
// they take long to run.
AddedPlaces added_by(const Shape& grid, const BlockFootprint& block, std::size_t allocation, double most,
                     std::uint64_t effort, const FootprintAt& at) {
  constexpr double some = 9, golden = 0.6180339887498949;
  constexpr std::uint64_t long_run = 200'000; // instructions
  std::vector<const BlockFootprint*> strewn{&block};
  const auto blocks = static_cast<double>(grid.count());
  for (double n = 1; n < std::min(some, blocks) && effort <= long_run && !block.adds[allocation].empty();
       ++n) {
    const double part = n * golden - std::floor(n * golden);
    const auto place = static_cast<std::int64_t>(part * blocks);
    try {
      const BlockFootprint& one = at(place % grid.x, place / grid.x % grid.y, place / grid.x / grid.y);
      if (std::find(strewn.begin(), strewn.end(), &one) == strewn.end()) strewn.push_back(&one);
    } catch (const InputError&) { // it does what is not known
    }
  }
  std::vector<const AddedWords*> all;
  for (const BlockFootprint* one : strewn) all.push_back(&one->adds[allocation]);
  return added_places(all, blocks, most);
}

// Bytes that a byte stands for, of pieces of which those that come alone each open a row.
double per_byte_again(double alone, double all, double row) {
  return all > 0 ? std::lerp(1.0, std::max(1.0, row), alone / all) : 1;
}

} // namespace

template <class T>
LaunchGrowth launch_growth(const Gpu& gpu, const KernelLaunch& launch, const AccessRules& rules,
                           const BlockSamples& samples, const BlockRun& middle, double resident,
                           const FootprintAt& footprint_at, T& trace) {
  const Shape& grid = launch.grid;
  const std::array<std::int64_t, 3>& typical = samples.typical.place;
  const auto blocks = static_cast<double>(grid.count()), atom = static_cast<double>(rules.atom);
  const std::size_t allocations = launch.arguments.allocations.size() + 1;
  const Neighbours near = neighbours_of(grid, typical, middle.instructions, footprint_at);
  const Rows rows = rows_of(gpu, trace);
  LaunchGrowth made;
  made.rows = rows;
  for (std::size_t i = 0; i < allocations; ++i) {
    const double most =
        i + 1 < allocations ? static_cast<double>(launch.arguments.allocations[i].bytes) : 1e18;
    Growth& loads = made.loads.emplace_back(growth_of_loads(near, i, atom, rows, most));
    if (loads.one > 0 && loads.x == 0 && !near.right.empty())
      set_growth_from_afar(loads, *near.block, i,
                           further_of(grid, typical, i, middle.instructions, footprint_at));
    loads.by_data = middle.from_memory > 0 || middle.indexed > 0;
    const double accessing = std::max(1.0, blocks * samples.accessing);
    loads.lost = 32 * samples.lost_sectors[i] / accessing;
    loads.per_byte_lost =
        per_byte_again(samples.lost_alone[i], samples.lost_sectors[i], rows.read_row / atom);
    Growth& stores = made.stores.emplace_back(growth_of_stores(near, i, atom, rows, most));
    stores.added = added_by(grid, *near.block, i, most, middle.instructions, footprint_at);
    stores.lost = 32 * samples.rewritten_sectors[i] / accessing;
    stores.refilled = 32 * samples.refilled_sectors[i] / accessing;
    stores.per_byte_lost =
        per_byte_again(samples.rewritten_alone[i], samples.rewritten_sectors[i], rows.written_row / 32);
    if (stores.lost > 0)
      stores.per_byte_lost += stores.refilled / stores.lost * std::max(1.0, rows.read_row / 32);
  }
  made.shape = shape_of(grid, samples, resident, value_of(trace.fact(gpu, facts::sm_count)));
  // Where each block has arrays of its own, those that the typical one does not touch are read, and written,
  // as often as the blocks do it.
  const double all_blocks = made.shape.x * made.shape.y * made.shape.z;
  for (std::size_t i = 0; i < allocations; ++i) {
    Growth &loads = made.loads[i], &stores = made.stores[i];
    const bool reads_its_own = samples.typical.trace->read_sectors[i] > 0; // that it has stored before
    if (!(loads.one > 0) && !reads_its_own)
      loads = apart_in_each(samples.read_sectors[i] / all_blocks, loads.most);
    if (!(stores.one > 0)) stores = apart_in_each(samples.stored_sectors[i] / all_blocks, stores.most);
  }
  double loaded = 0, stored = 0;
  for (std::size_t i = 0; i < allocations; ++i) {
    loaded += made.loads[i].of(made.shape.x, made.shape.y, made.shape.z);
    stored += made.stores[i].of(made.shape.x, made.shape.y, made.shape.z);
  }
  constexpr double next_to_nothing = 0.25;
  if (loaded < next_to_nothing * stored)
    for (Growth& stores : made.stores) stores.per_byte = stores.per_byte_alone;
  made.l2 = l2_room(gpu, trace);
  const double effort =
      std::max(static_cast<double>(middle.instructions), samples.typical.trace->counts.instructions);
  const std::vector<const BlockFootprint*> at_corners = corners(grid, effort, footprint_at);
  for (std::size_t i = 0; i < allocations; ++i) {
    Growth& loads = made.loads[i];
    const auto recurs = [&](Touch touch) {
      return recurrence_of(grid, typical, i, touch, middle.instructions, blocks, footprint_at);
    };
    const double reach = loads.by_data ? loads.most : span_of_loads(at_corners, i, atom);
    if (bound_by_span(loads, reach, made.shape) && loads.most > made.l2.shared)
      set_recurrence_of_loads(loads, *near.block, i, recurs(Touch::loads));
    Growth& stores = made.stores[i];
    const double all = stores.most, span = span_of_stores(at_corners, i);
    if (!bound_by_span(stores, span, made.shape)) continue;
    // Sectors that blocks come back to before L2 has to write them are written once, and are whole then.
    bool stay = span <= made.l2.shared;
    if (!stay) {
      const Recurrence back = recurs(Touch::stores);
      stay = back.period > 0 && back.period * touched_by_block(made) <= made.l2.shared;
      if (stay) set_recurrence_of_stores(stores, *near.block, i, back);
    }
    if (stay)
      stores.complete();
    else
      stores.most = all;
  }
  return made;
}

Stretches stretches_of(const LaunchGrowth& growth) {
  const GridShape& shape = growth.shape;
  Stretches made;
  double short_ones = 0, long_ones = 0, in_place = 0, short_loads = 0;
  for (const Growth& stores : growth.stores) {
    const double bytes = stores.of(shape.x, shape.y, shape.z);
    made.stored += bytes;
    if (stores.per_byte > 1) continue; // whatever of rows is written in part costs more in any order
    short_ones += bytes * stores.short_stretches;
    long_ones += bytes * stores.long_stretches;
    in_place += bytes * stores.changed_beside;
  }
  for (const Growth& loads : growth.loads) {
    made.loaded += loads.of(shape.x, shape.y, shape.z);
    short_loads += loads.of(shape.x, shape.y, shape.z) * loads.short_stretches;
  }
  if (made.stored > 0) {
    made.short_stores = short_ones / made.stored;
    made.long_stores = long_ones / made.stored;
    made.changed_beside = in_place / made.stored;
  }
  if (made.loaded > 0) made.short_loads = short_loads / made.loaded;
  return made;
}

template LaunchGrowth launch_growth(const Gpu&, const KernelLaunch&, const AccessRules&, const BlockSamples&,
                                    const BlockRun&, double, const FootprintAt&, Plain&);
template LaunchGrowth launch_growth(const Gpu&, const KernelLaunch&, const AccessRules&, const BlockSamples&,
                                    const BlockRun&, double, const FootprintAt&, Recorder&);

} // namespace perfmodel
