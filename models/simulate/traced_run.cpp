#include "traced_run.hpp"

#include "sm_code.hpp"
#include "sms.hpp"
#include "thought_away.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace perfmodel {

namespace {

// Goes on as from `without` to `with`, so many times.
SmRun continued(const SmRun& without, const SmRun& with, double times) {
  SmRun run = with;
  const auto onward = [&](double from, double to) { return to + times * std::max(0.0, to - from); };
  run.cycles = onward(without.cycles, with.cycles);
  run.launched = onward(without.launched, with.launched);
  run.issued = onward(without.issued, with.issued);
  run.warp_cycles = onward(without.warp_cycles, with.warp_cycles);
  for (std::size_t n = 0; n < stall_count; ++n) run.stalls[n] = onward(without.stalls[n], with.stalls[n]);
  const auto share = [&](double before, double now) {
    return onward(before * without.cycles, now * with.cycles) / run.cycles;
  };
  run.issue = share(without.issue, with.issue);
  run.held = share(without.held, with.held);
  run.launch = share(without.launch, with.launch);
  run.barriers = share(without.barriers, with.barriers);
  for (std::size_t n = 0; n < run.unit_busy.size(); ++n)
    run.unit_busy[n] = share(without.unit_busy[n], with.unit_busy[n]);
  return run;
}

TracedBlocks blocks_to_run(const TracedRun& t, double share) {
  TracedBlocks made = costed(t.costs, t.code, t.steps, t.kinds, t.shares, t.by_registers, share);
  if (t.free_barriers) free_barriers(made);
  made.order = t.order;
  made.most_steps = t.most_steps;
  return made;
}

SmRun simulated(const TracedRun& t, double share, std::size_t resident, double blocks) {
  return run_blocks(t.costs.sm.machine, blocks_to_run(t, share), resident, blocks);
}

// Until the blocks that are launched when the first ones have ended have come far enough to be seen.
void run_watched(const TracedRun& t, double share, std::size_t resident, double blocks) {
  constexpr double rounds = 4;
  const SmMachine& machine = t.costs.sm.machine;
  t.watch->schedulers = machine.schedulers;
  const double each = std::min(std::ceil(blocks), rounds * static_cast<double>(resident));
  Sms(machine, code_of(machine, blocks_to_run(t, share)), resident,
      static_cast<std::size_t>(each) * machine.sms, t.watch)
      .take();
}

// Of a block, in the mean over the kinds as they are launched.
template <class F> double mean_of(const TracedRun& t, F of_block) {
  double sum = 0;
  for (const std::size_t kind : t.order) sum += of_block(*t.kinds[kind]);
  return sum / static_cast<double>(t.order.size());
}

// The least number of stretches that a loop left out, of the loops that matter: those that leave out fewer
// have together less than a twentieth of all steps that were left out. A loop in a loop counts each time.
double fewest_left_out(const TracedRun& t) {
  constexpr double matters = 0.05;
  std::map<std::uint64_t, double> steps; // by the number of stretches
  double all = 0;
  for (const std::size_t kind : t.order)
    for (const std::vector<LeftOut>& warp : t.kinds[kind]->left_out)
      for (const LeftOut& one : warp) {
        const double left_out = static_cast<double>(one.length) * static_cast<double>(one.times);
        steps[one.times] += left_out;
        all += left_out;
      }
  double fewer = 0;
  for (const auto& [times, left_out] : steps)
    if ((fewer += left_out) >= matters * all) return static_cast<double>(times);
  return 1;
}

// Of the trips that were left out, as large a share as is worth its time, the same of every loop, so that all
// warps come as far as they would beside each other; but so much that of each loop that matters some are run,
// of which half of the share runs half. What a trip takes settles late: half as many left a register-tiled
// product of 4096 x 4096 4 % off.
double share_to_run(const TracedRun& t, std::size_t resident, double blocks) {
  constexpr double rounds = 4, worth = 4, least_stretches = 4;
  const double at_once = static_cast<double>(resident * t.costs.sm.machine.sms);
  const double steps = worth * static_cast<double>(t.most_steps) /
                       (at_once * std::min(rounds, std::ceil(blocks / static_cast<double>(resident))));
  const double listed = mean_of(t, [](const BlockTrace&b) { return b.listed_steps(); }),
               left_out = mean_of(t, [](const BlockTrace&b) { return b.steps_left_out(1); });
  const double least = std::min(1.0, least_stretches / fewest_left_out(t));
  return std::clamp((steps - listed) / left_out, least, 1.0);
}

// What blocks ask for, each in the mean over the order in which they are launched: cycles of each unit of the
// machine, for one of its kind, and of the issue slots of a scheduler. No run takes less time than the
// busiest of them.
struct BlockWork {
  std::vector<double> units;
  double issue = 0;
};

BlockWork work_of(const SmMachine& machine, const TracedBlocks& blocks) {
  std::vector<double> times(blocks.steps.size()); // that a block takes each step
  for (const std::size_t kind : blocks.order)
    for (const std::size_t program : blocks.blocks[kind])
      for (const std::uint32_t step : blocks.programs[program])
        times[step] += 1 / static_cast<double>(blocks.order.size());
  const auto schedulers = static_cast<double>(machine.schedulers);
  BlockWork work{.units = std::vector<double>(machine.units.size())};
  for (std::size_t n = 0; n < times.size(); ++n) {
    const WarpStep& step = blocks.steps[n];
    const double repeated = times[n] * static_cast<double>(step.repeat);
    work.issue += repeated * (machine.issue_interval + step.issue) / schedulers;
    const double share = step.any ? 1.0 / step.used : 1.0;
    for (std::size_t u = 0; u < step.used; ++u) {
      const UnitUse& use = step.uses[u];
      const double of_kind = machine.units[use.unit].of == UnitOf::scheduler ? schedulers : 1;
      work.units[use.unit] += repeated * share * use.cycles / of_kind;
    }
  }
  return work;
}

double steps_left_out(const TracedRun& t, double share) {
  return mean_of(t, [&](const BlockTrace& b) { return b.steps_left_out(share); });
}

// With all trips that were left out.
BlockWork work_of(const TracedRun& traced, std::size_t resident, double blocks) {
  const SmMachine& machine = traced.costs.sm.machine;
  const double all = steps_left_out(traced, 1), share = all == 0 ? 1 : share_to_run(traced, resident, blocks);
  BlockWork work = work_of(machine, blocks_to_run(traced, share));
  const double run = steps_left_out(traced, share), half = steps_left_out(traced, share / 2);
  if (run == all || run == half) return work;
  const BlockWork without = work_of(machine, blocks_to_run(traced, share / 2));
  const double times = (all - run) / (run - half);
  for (std::size_t u = 0; u < work.units.size(); ++u)
    work.units[u] += times * (work.units[u] - without.units[u]);
  work.issue += times * (work.issue - without.issue);
  return work;
}

} // namespace

bool shared_may_bind(const TracedRun& traced, std::size_t resident, double blocks) {
  constexpr double clearly = 1.5; // banks of device memory turn between reads and writes, besides
  const std::vector<SmUnit>& units = traced.costs.sm.machine.units;
  const BlockWork work = work_of(traced, resident, blocks);
  double shared = 0, other = work.issue;
  for (std::size_t u = 0; u < units.size(); ++u) {
    double& most = units[u].of == UnitOf::device ? shared : other;
    most = std::max(most, work.units[u]);
  }
  return clearly * shared >= other;
}

bool waits_for_the_device(const SmMachine& machine, const SmRun& run) {
  constexpr double most = 0.5;
  double shared = 0, own = run.issue;
  for (std::size_t u = 0; u < machine.units.size(); ++u) {
    double& busy = machine.units[u].of == UnitOf::device ? shared : own;
    busy = std::max(busy, run.unit_busy[u]);
  }
  return shared > std::max(most, own);
}

SmRun run_traced(const TracedRun& traced, std::size_t resident, double blocks) {
  const double all = steps_left_out(traced, 1), share = all == 0 ? 1 : share_to_run(traced, resident, blocks);
  if (traced.watch != nullptr) run_watched(traced, share, resident, blocks);
  const SmRun longer = simulated(traced, share, resident, blocks);
  const double run = steps_left_out(traced, share), half = steps_left_out(traced, share / 2);
  if (run == all || run == half) return longer;
  const SmRun shorter = simulated(traced, share / 2, resident, blocks);
  return continued(shorter, longer, (all - run) / (run - half));
}

} // namespace perfmodel
