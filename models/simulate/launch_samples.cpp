#include "launch_samples.hpp"
#include "l1_room.hpp"

#include "models/kernel/in_loops.hpp"
#include "models/kernel/register_use.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/concurrency/sm_resources.hpp"
#include "models/core/facts.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// What a listing that does not say how many registers a thread has shows of them: up to the highest that is
// named.
std::uint32_t registers_named(const KernelCode& code) {
  std::uint32_t most = 0;
  for (const Instruction& i : code.instructions)
    for (const std::uint16_t place : register_use(i).writes)
      if (place < predicate_places) most = std::max<std::uint32_t>(most, place + 1U);
  return most;
}

// Bytes in which device memory is read: a whole number of sectors.
template <class T> double atom_of(const Gpu& gpu, T& trace) {
  constexpr double sector = 32;
  if (!gpu.has_cost(facts::dram_atom)) return sector;
  return std::max(sector, std::round(value_of(trace.cost(gpu, facts::dram_atom)).value / sector) * sector);
}

} // namespace

int capability_of(const Gpu& gpu) { return static_cast<int>(std::lround(gpu.capability() * 10)); }

bool goes_by_registers(const KernelCode& code, const Gpu& gpu) {
  const int own = code.capability, asked = capability_of(gpu);
  return !code.has_encoding || own < 70 || (own != 0 && own / 10 != asked / 10);
}

Occupancy launch_occupancy(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch) {
  Launch block{.threads_per_block = static_cast<Count>(launch.threads()),
               .registers_per_thread = static_cast<Count>(code.registers.value_or(registers_named(code))),
               .shared_per_block =
                   Bytes(static_cast<double>(code.shared.value_or(0) + launch.dynamic_shared))};
  const bool foreign = code.capability != 0 && code.capability / 10 != capability_of(gpu) / 10;
  // With addresses of 32 bits and without loops unrolled far, nvcc took 8 to 32 registers.
  constexpr Count narrow_registers = 16;
  if (foreign && capability_of(gpu) < 20)
    block.registers_per_thread = std::min(block.registers_per_thread, narrow_registers);
  // Compiled for this GPU, the kernel would have been given no more registers than let its block launch.
  constexpr Count fewest = 8;
  for (const SmResources<Plain> sm = sm_resources(gpu);
       foreign && block.registers_per_thread > fewest && occupancy(sm, block).blocks == 0;)
    block.registers_per_thread -= 1;
  return occupancy(gpu, block);
}

template <class T>
AccessRules access_rules(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch, T& trace) {
  AccessRules rules{.load = coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard),
                    .store = coalescing_rule(gpu, GlobalAccess::store, LoadCache::standard),
                    .banks = banks_of(gpu, std::nullopt, trace),
                    .atom = static_cast<std::int64_t>(atom_of(gpu, trace)),
                    .by_registers = goes_by_registers(code, gpu),
                    .capability = capability_of(gpu)};
  if (const auto banks = gpu.find(facts::l1_line_banks)) {
    for (const Count bits : banks->value) rules.line_banks.push_back(static_cast<std::uint64_t>(bits));
    trace.say(facts::l1_line_banks.path, facts::l1_line_banks.meaning,
              fmt::format("{}", fmt::join(rules.line_banks, ", ")));
  }
  const bool l1 = rules.load.l1 && gpu.find(facts::l1_size);
  if (!l1 && !has_l2(gpu)) return rules;
  // Blocks that share an SM: as many as it holds, or as there are.
  const Occupancy held = launch_occupancy(gpu, code, launch);
  const double sms = value_of(trace.fact(gpu, facts::sm_count));
  const double there = std::ceil(static_cast<Count>(launch.grid.count()) / sms);
  const double together = std::min(held.blocks, std::max(1.0, there));
  if (l1) {
    rules.sharers = std::lround(together);
    rules.apart = std::lround(sms);
    const L1Room room = l1_room(gpu, held, trace);
    const double warps = std::ceil(static_cast<double>(launch.threads()) / 32);
    // Barriers keep the warps of a block in step.
    const std::vector<bool> in = in_loops(code);
    bool own = false, barriers = false;
    for (std::size_t n = 0; n < in.size(); ++n) {
      const Instruction& i = code.instructions[n];
      own = own || (in[n] && (i.is("LDL") || i.is("STL")));
      barriers = barriers || i.is("BAR");
    }
    rules.l1_bytes = room.bytes / together;
    rules.l1_spread = own ? room.own : spread_of(room, barriers ? together : together * warps);
    rules.stores_take_lines = room.stores_take_lines;
  }
  if (has_l2(gpu))
    rules.l2_bytes =
        l2_room(gpu, trace).alone() / std::min(sms * together, static_cast<Count>(launch.grid.count()));
  return rules;
}

std::int64_t block_at(const Shape& grid, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x + grid.x * (y + grid.y * z);
}

BlockSamples launch_samples(const KernelLaunch& launch, LaunchTraces& traces) {
  const Shape& grid = launch.grid;
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> const BlockTrace& {
    return traces.of(block_at(grid, x, y, z));
  };
  // Trips that were left out took none, and tell that a block has much to do.
  const BlockTrace& middle = at(grid.x / 2, grid.y / 2, grid.z / 2);
  constexpr double sectors_of_step = 4; // that take as long to follow as an instruction takes to run
  const auto all =
      static_cast<std::uint64_t>(middle.counts.instructions + middle.counts.load_sectors / sectors_of_step);
  const std::uint64_t effort = std::max(middle.run.instructions, std::min(all, lasting_block));
  return sample_blocks(grid, effort, launch.arguments.allocations.size() + 1, at);
}

template <class T>
TraceCounts launch_counts(const Gpu& gpu, const KernelCode& code, const KernelLaunch& launch, T& trace) {
  AccessRules rules = access_rules(gpu, code, launch, trace);
  rules.by_registers = false; // nothing waits
  return launch_samples(launch, *remembered_traces(code, launch, rules, {})).counts;
}

template AccessRules access_rules(const Gpu&, const KernelCode&, const KernelLaunch&, Plain&);
template AccessRules access_rules(const Gpu&, const KernelCode&, const KernelLaunch&, Recorder&);
template TraceCounts launch_counts(const Gpu&, const KernelCode&, const KernelLaunch&, Plain&);
template TraceCounts launch_counts(const Gpu&, const KernelCode&, const KernelLaunch&, Recorder&);

} // namespace perfmodel
