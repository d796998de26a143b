#include "sm_simulation.hpp"

#include "remembered_runs.hpp"
#include "sm_code.hpp"
#include "sms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

// Of resident blocks, simulated; the rest goes on at their pace. Few blocks take longer to come apart; where
// banks are met by chance 24 rounds err by up to 3 %, sums by strided indices, and 48 by 0.4 % (held against
// 400, 5509 rows of an H100).
std::size_t rounds_of(std::size_t resident, bool by_chance) {
  const std::size_t least = by_chance ? 48 : 6;
  return std::max(least, 4 * least / resident);
}

std::size_t blocks_of(const SmMachine& machine, double blocks) {
  return static_cast<std::size_t>(std::ceil(blocks * static_cast<double>(machine.sms)));
}

// Cycles that the busiest unit, or the issue slots, work in a run.
double busiest(const SmRun& run) {
  double share = run.issue;
  for (const double busy : run.unit_busy) share = std::max(share, busy);
  return share * run.cycles;
}

// A round takes what it issues by the pace between the last launches of the first half and of all: the last
// blocks of either half end early or late by a part of a block, which says nothing of the pace. But no round
// takes less than its busiest unit.
// Of few rounds all are simulated, since the last one may be nearly empty and takes its time all the same.
SimulatedRun simulated(const SmMachine& machine, const SmCode& code, std::size_t resident, std::size_t blocks,
                       std::size_t most_rounds) {
  constexpr std::size_t few = 8;
  const std::size_t rounds = std::min(rounds_of(resident, code.by_chance), most_rounds),
                    round = resident * machine.sms, most = std::max(few, rounds) * round;
  if (blocks <= most)
    return {.blocks = blocks, .most = most, .run = Sms(machine, code, resident, blocks).take()};
  const std::size_t first = rounds / 2;
  Sms sms(machine, code, resident, first * round);
  const Sms::Progress from = sms.launch_all();
  sms.add_blocks((rounds - first) * round);
  const Sms::Progress to = sms.launch_all();
  SimulatedRun all{
      .blocks = most + 1, .most = most, .run = sms.take(), .rounds = static_cast<double>(rounds)};
  const double issued = to.issued - from.issued; // none where blocks do nothing
  const double cycles = issued > 0 ? all.run.issued * (to.time - from.time) / issued : all.run.cycles;
  all.round_cycles = std::max(cycles, busiest(all.run)) / static_cast<double>(rounds);
  return all;
}

// Of so many blocks for each SM.
SmRun continued(const SimulatedRun& all, std::size_t resident, double blocks) {
  SmRun run = all.run;
  if (all.blocks <= all.most) return run;
  const double further = all.round_cycles * (blocks / static_cast<double>(resident) - all.rounds);
  run.cycles += further;
  run.launched += further;
  return run;
}

// Of each program the steps with which both begin; empty where their warps do not begin alike.
std::vector<std::size_t> common_steps(const BlockProgram& shorter, const BlockProgram& longer) {
  std::vector<std::size_t> common;
  if (shorter.of_warp != longer.of_warp || shorter.programs.size() != longer.programs.size()) return common;
  for (std::size_t i = 0; i < longer.programs.size(); ++i) {
    const WarpProgram &a = shorter.programs[i], &b = longer.programs[i];
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    common.push_back(static_cast<std::size_t>(differ.first - a.begin()));
    if (common.back() == 0) return {};
  }
  return common;
}

} // namespace

SmRun run_blocks(const SmMachine& machine, const BlockProgram& program, std::size_t resident, double blocks) {
  const std::size_t count = blocks_of(machine, blocks);
  RememberedRuns<BlockProgram>& remembered = remembered_runs<BlockProgram>();
  if (const SimulatedRun* known = remembered.find(machine, program, resident, count))
    return continued(*known, resident, blocks);
  const SimulatedRun& all =
      remembered.keep(machine, program, resident,
                      simulated(machine, code_of(machine, program), resident, count, ~std::size_t{0}));
  return continued(all, resident, blocks);
}

std::array<SmRun, 2> run_both(const SmMachine& machine, const BlockProgram& shorter,
                              const BlockProgram& longer, std::size_t resident) {
  const auto blocks = static_cast<double>(resident);
  const std::size_t count = resident * machine.sms, programs = longer.programs.size();
  const std::vector<std::size_t> common = common_steps(shorter, longer);
  RememberedRuns<BlockProgram>& remembered = remembered_runs<BlockProgram>();
  if (common.empty() || remembered.find(machine, shorter, resident, count) != nullptr ||
      remembered.find(machine, longer, resident, count) != nullptr)
    return {run_blocks(machine, shorter, resident, blocks), run_blocks(machine, longer, resident, blocks)};
  BlockProgram both = longer;
  both.programs.insert(both.programs.end(), shorter.programs.begin(), shorter.programs.end());
  const SmCode code = code_of(machine, both);
  Sms sms(machine, code, resident, count);
  sms.run_common(common);
  Sms early(sms);
  early.change_programs(programs);
  const auto keep = [&](const BlockProgram& program, Sms& of) {
    const std::size_t most = rounds_of(resident, code.by_chance) * count;
    return remembered.keep(machine, program, resident, {.blocks = count, .most = most, .run = of.take()}).run;
  };
  SmRun first = keep(shorter, early);
  return {std::move(first), keep(longer, sms)};
}

SmRun run_blocks(const SmMachine& machine, const TracedBlocks& traced, std::size_t resident, double blocks) {
  const std::size_t count = blocks_of(machine, blocks);
  RememberedRuns<TracedBlocks>& remembered = remembered_runs<TracedBlocks>();
  if (const SimulatedRun* known = remembered.find(machine, traced, resident, count))
    return continued(*known, resident, blocks);
  const SmCode code = code_of(machine, traced);
  double steps = 0; // of a block, in the mean
  for (const std::size_t kind : code.order)
    for (const std::size_t program : code.blocks[kind])
      steps += static_cast<double>(code.programs[program].size());
  steps /= static_cast<double>(code.order.size());
  const double round = steps * static_cast<double>(resident * machine.sms);
  constexpr std::size_t fewest = 4;
  const auto rounds = static_cast<std::size_t>(static_cast<double>(traced.most_steps) / round);
  SimulatedRun all = simulated(machine, code, resident, count, std::max(fewest, rounds));
  constexpr std::size_t most_kept = std::size_t{1} << 16; // numbers of steps, 256 KiB
  std::size_t numbers = 0;
  for (const auto& program : traced.programs) numbers += program.size();
  if (numbers > most_kept) return continued(all, resident, blocks);
  return continued(remembered.keep(machine, traced, resident, std::move(all)), resident, blocks);
}

} // namespace perfmodel
