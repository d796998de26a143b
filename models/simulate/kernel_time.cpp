#include "kernel_time.hpp"

#include "opcode_class.hpp"

#include "models/concurrency/instruction_class.hpp"
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

std::vector<std::string_view> classes_of(const KernelCode& code) {
  std::vector<std::string_view> names;
  for (const Instruction& i : code.instructions) {
    const std::string_view name = class_of(i);
    if (find_instruction_class(name) != nullptr && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  return names;
}

bool stores_globally(const KernelCode& code) {
  return std::any_of(code.instructions.begin(), code.instructions.end(), [](const Instruction& i) {
    return i.opcode == "STG" || i.opcode == "ST" || i.opcode == "RED" || i.opcode == "ATOMG" ||
           i.opcode == "ATOM";
  });
}

template <class T> double bytes_of_request(const Gpu& gpu, const Key<PerSecond>& rate, T& trace) {
  if (!gpu.has_cost(rate) || !has_l2(gpu)) return 0;
  return value_of(trace.cost(gpu, facts::sustained_l2)).value / value_of(trace.cost(gpu, rate)).value;
}

template <class T>
KernelCosts costs_of(const Gpu& gpu, const KernelCode& code, MemoryUse use, double active, T& trace) {
  KernelCosts costs;
  costs.sm = sm_model(gpu, classes_of(code), use, trace);
  // Few SMs share all of L2 and device memory; one alone takes 64 bytes a cycle at most.
  costs.sm.l2_cycles = std::max(costs.sm.l2_cycles * active, std::min(costs.sm.l2_cycles, 1.0 / 64));
  costs.sm.read_cycles *= active;
  costs.sm.write_cycles *= active;
  costs.sm.machine.units[costs.sm.dram].piece *= active;
  costs.l1_latency = gpu.has_cost(facts::l1_latency) ? value_of(trace.cost(gpu, facts::l1_latency)).value
                                                     : costs.sm.shared_latency;
  if (gpu.has_cost(facts::constant_latency_per_word)) {
    costs.constant_latency_per_word = value_of(trace.cost(gpu, facts::constant_latency_per_word)).value;
    costs.constant_per_word = value_of(trace.cost(gpu, facts::constant_cycles_per_word)).value;
  }
  costs.bytes_per_gather = bytes_of_request(gpu, facts::l2_gather_rate, trace);
  costs.bytes_per_scatter = bytes_of_request(gpu, facts::l2_scatter_rate, trace);
  if (gpu.has_cost(facts::dram_atom))
    costs.atom = std::max(32.0, std::round(value_of(trace.cost(gpu, facts::dram_atom)).value / 32) * 32);
  if (gpu.has_cost(facts::register_reads) && gpu.find(facts::register_banks)) {
    costs.register_banks =
        static_cast<unsigned>(std::lround(value_of(trace.fact(gpu, facts::register_banks))));
    costs.register_reads = value_of(trace.cost(gpu, facts::register_reads)).value;
  }
  costs.tensor = detail::unit_named(costs.sm.machine, "tensor units", UnitOf::scheduler);
  if (gpu.find(facts::throughput_fp16_tensor))
    costs.tensor_flops = 2 * value_of(trace.fact(gpu, facts::throughput_fp16_tensor)).value /
                         static_cast<double>(costs.sm.machine.schedulers);
  return costs;
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

  KernelCosts costs =
      costs_of(gpu, code, stores_globally(code) ? MemoryUse::copy : MemoryUse::read, active, trace);
  AccessRules rules{.load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                    .store = coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
                    .banks = banks_of(gpu, std::nullopt, trace),
                    .atom = static_cast<std::int64_t>(costs.atom),
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
  TracedBlocks blocks = costed(costs, code, tracer.steps(), chosen, shares, made.by_registers);
  blocks.order = order_of(kinds, made.blocks);
  made.run = run_blocks(costs.sm.machine, blocks, static_cast<std::size_t>(made.resident),
                        std::max(1.0, made.blocks / sms));
  made.cycles = made.run.cycles;
  made.bound = bound_of(costs.sm, made.run);
  for (const SmUnit& unit : costs.sm.machine.units) made.units.push_back(unit.name);

  const auto clock = trace.fact(gpu, facts::clock);
  const double slowest = 2 * made.blocks >= sms ? slowest_sm(gpu, costs.sm, trace).value : 0;
  const auto cycles = trace.define("cycles", "of the blocks of an SM, simulated warp by warp",
                                   trace.number(Cycles{made.cycles + slowest}));
  made.time = value_of(trace.define("T", "with the turn of launches",
                                    cycles / clock + trace.cost(gpu, facts::kernel_turnover)));
  return made;
}

template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Plain&);
template KernelTime kernel_time(const Gpu&, const KernelQuestion&, Recorder&);

} // namespace perfmodel
