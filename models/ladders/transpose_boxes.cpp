#include "transpose_boxes.hpp"

#include "transpose_launches.hpp"

#include "models/access/banks.hpp"
#include "models/access/dram_bandwidth.hpp"
#include "models/core/facts.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"
#include "models/simulate/warp_code.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = static_cast<std::int64_t>(warp_lanes), vector_bytes = 16;
constexpr std::int64_t box_side = 32, box_words = box_side * box_side, box_threads = 64;

using LaneAddresses = std::array<std::int64_t, warp_lanes>;

struct BoxAccesses {
  std::vector<LaneAddresses> loads, stores; // bytes of shared memory, 16 for each lane
};

// 64 threads for each box of 32 x 32 words, 4 x 4 words each, along diagonals of the box; vector v of row r
// is at v ^ (r mod 8).
BoxAccesses accesses_of(std::int64_t warp) {
  BoxAccesses all;
  const std::int64_t box = warp * lanes / box_threads;
  const auto at = [&](std::int64_t row, std::int64_t vector) {
    return 4 * (box * box_words + row * box_side + (vector ^ row % 8) * 4);
  };
  for (std::int64_t i = 0; i < 4; ++i) {
    LaneAddresses load{}, store{};
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t thread = warp * lanes % box_threads + lane, column = thread % 8,
                         row = column ^ thread / 8;
      load[static_cast<std::size_t>(lane)] = at(row * 4 + i, column);
      store[static_cast<std::size_t>(lane)] = at(column * 4 + i, row);
    }
    all.loads.push_back(load);
    all.stores.push_back(store);
  }
  return all;
}

BankSteps steps_of(const Banks& banks, const LaneAddresses& address, SharedAccess kind) {
  return bank_steps(banks, address, ~std::uint32_t{0}, vector_bytes, kind);
}

// One of two warps has their box fetched and written; all wait for it.
WarpProgram program_of(const SmModel& sm, const Banks& banks, std::int64_t warp, bool in_l2) {
  constexpr std::int64_t address_slots = 12; // as in SASS of sm_90, about
  constexpr double bytes = 4 * box_words, line = 128, registers = 4;
  const Traffic whole{.wavefronts = bytes / line, .l2_bytes = bytes, .dram_bytes = in_l2 ? 0 : bytes};
  const BoxAccesses accesses = accesses_of(warp);
  const auto wavefronts = [&](const LaneAddresses& address, SharedAccess kind) {
    return static_cast<double>(steps_of(banks, address, kind).wavefronts);
  };
  const bool issues = warp % 2 == 0;
  WarpCode code(sm);
  code.enter(address_slots);
  if (issues) code.load(whole, WarpWait::nothing);
  code.slots(1, WarpWait::loads).barrier();
  for (const LaneAddresses& load : accesses.loads)
    code.shared_load(wavefronts(load, SharedAccess::load), WarpWait::nothing, registers);
  code.slots(1, WarpWait::results).barrier();
  for (const LaneAddresses& store : accesses.stores)
    code.shared_store(wavefronts(store, SharedAccess::store), WarpWait::nothing, registers);
  code.slots(1, WarpWait::results).barrier();
  if (issues) code.store(whole, WarpWait::results);
  return code.steps();
}

} // namespace

Launch box_launch() {
  const KernelCode& code = known_kernel("transpose", transpose_kernel(TransposeVersion::tensor_copy, {}),
                                        tensor_memory_capability);
  const KernelLaunch launch = transpose_launch(TransposeVersion::tensor_copy, {.n = 1, .pitch = 1});
  return {.threads_per_block = static_cast<Count>(launch.threads()),
          .registers_per_thread = static_cast<Count>(*code.registers),
          .shared_per_block = Bytes(static_cast<double>(*code.shared))};
}

template <class T> BoxTranspose transpose_by_boxes(const Gpu& gpu, std::int64_t n, T& trace) {
  const Banks banks = banks_of(gpu, std::nullopt, trace);
  const auto sms = trace.fact(gpu, facts::sm_count);
  const double matrix = 4.0 * static_cast<double>(n) * static_cast<double>(n);
  const bool in_l2 = 2 * matrix <= l2_capacity(gpu, trace).value;
  SmModel sm = sm_model(gpu, {}, MemoryUse::copy, {}, trace);
  if (!in_l2) {
    const double device = value_of(sms) * sm.clock.value;     // cycles of all SMs in a second
    const double least = sm.turning > 0 ? sm.read_cycles : 0, // of a stream of reads
        cycles = device / value_of(trace.cost(gpu, facts::sustained_dram_copy_runs)).value;
    sm.read_cycles = sm.write_cycles = std::max(least, cycles - sm.turning);
    sm.machine.units[sm.dram].piece = 128 * sm.read_cycles / static_cast<double>(sm.machine.sms);
  }
  const Occupancy held = occupancy(gpu, box_launch());
  BoxTranspose made{.time = Seconds{0}, .dram_bytes = Bytes{in_l2 ? 0 : 2 * matrix}, .bound = {}};
  made.resident = held.blocks;
  const Shape grid = transpose_launch(TransposeVersion::tensor_copy, {.n = n, .pitch = n}).grid;
  const auto all_blocks = static_cast<double>(grid.count());
  BlockProgram block;
  const std::int64_t warps = static_cast<std::int64_t>(box_launch().threads_per_block) / lanes;
  for (std::int64_t warp = 0; warp < warps; ++warp) {
    for (const auto& [list, kind] : {std::pair(accesses_of(warp).loads, SharedAccess::load),
                                     std::pair(accesses_of(warp).stores, SharedAccess::store)})
      for (const LaneAddresses& address : list) {
        const BankSteps steps = steps_of(banks, address, kind);
        made.wavefronts += all_blocks * static_cast<double>(steps.wavefronts);
        made.least_wavefronts += all_blocks * static_cast<double>(steps.least);
      }
    WarpProgram program = program_of(sm, banks, warp, in_l2);
    const auto same = std::find(block.programs.begin(), block.programs.end(), program);
    block.of_warp.push_back(static_cast<std::size_t>(same - block.programs.begin()));
    if (same == block.programs.end()) block.programs.push_back(std::move(program));
  }
  const double tiles =
      matrix / 4 / std::pow(static_cast<double>(transpose_tile(TransposeVersion::tensor_copy, 0)), 2);
  const SmRun run = run_blocks(sm.machine, block, static_cast<std::size_t>(held.blocks),
                               std::max(1.0, tiles / value_of(sms)));
  made.bound = bound_of(sm, run);
  if (made.bound == "device memory") made.bound = "device memory, written in runs";
  made.time = Cycles{run.cycles} / sm.clock + value_of(trace.cost(gpu, facts::kernel_turnover));
  return made;
}

template BoxTranspose transpose_by_boxes(const Gpu&, std::int64_t, Plain&);
template BoxTranspose transpose_by_boxes(const Gpu&, std::int64_t, Recorder&);

} // namespace perfmodel
