#include "sm_simulation.hpp"

#include "access_queue.hpp"
#include "agenda.hpp"
#include "open_lines.hpp"
#include "remembered_runs.hpp"
#include "sm_code.hpp"
#include "sm_units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

class Sms {
public:
  // `blocks` for all of them.
  Sms(const SmMachine& machine, const SmCode& code, std::size_t resident, std::size_t blocks)
      : machine_(machine), code_(code), block_warps_(code.blocks.front().size()), to_launch_(blocks),
        schedulers_(machine.schedulers * machine.sms), next_scheduler_(machine.sms),
        barriers_free_(machine.sms), issue_free_(schedulers_), banks_free_(schedulers_),
        served_last_(schedulers_, nobody), queues_(machine.sms, AccessQueue(machine.queue)),
        open_lines_(machine.sms, OpenLines(machine.open_lines)), units_(machine),
        turns_(machine.units.size() * schedulers_), slots_(std::min(resident * machine.sms, blocks)),
        warps_(slots_.size() * block_warps_), places_(warps_.size() * code.places),
        blames_(places_.size(), Stall::wait), agenda_(warps_.size()) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) launch(slot, 0);
  }

  // Until the last block has been launched.
  void launch_all() {
    while (to_launch_ > 0) step();
  }
  void add_blocks(std::size_t blocks) { to_launch_ += blocks; }

  // Until a warp is to take the last step that its program has in common with the one that is `others` behind
  // it, `common` of each; all blocks have been launched.
  void run_common(const std::vector<std::size_t>& common) {
    const std::vector<std::size_t>& block = code_.blocks.front();
    for (; !agenda_.empty(); step()) {
      const std::size_t warp = agenda_.next().warp, program = block[warp % block_warps_];
      if (warps_[warp].next + 1 >= code_.programs[program].data() + common[program]) return;
    }
  }
  // Goes on with those programs.
  void change_programs(std::size_t others) {
    const std::vector<std::size_t>& block = code_.blocks.front();
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      const std::size_t program = block[i % block_warps_];
      warps_[i].next =
          code_.programs[program + others].data() + (warps_[i].next - code_.programs[program].data());
    }
  }

  SmRun take() {
    while (!agenda_.empty()) step();
    // What the device's units have still to do keeps the next launch waiting.
    run_.cycles = std::max(run_.cycles, units_.device_done());
    run_.issue /= run_.cycles * static_cast<double>(schedulers_);
    run_.launch /= run_.cycles;
    run_.barriers /= run_.cycles * static_cast<double>(machine_.sms);
    run_.unit_busy = units_.busy(run_.cycles);
    return run_;
  }

private:
  struct Warp {
    const SmStep* step = nullptr;        // that is next
    const std::uint32_t* next = nullptr; // its number
    std::int64_t repeated = 0;
    SmUnits::Place place{};
    std::size_t slot = 0;
    std::array<double, 3> ready{};                  // by WarpWait: when what it may wait for is there
    std::array<double, SmCode::most_loads> loads{}; // when each is there, the last of them
    std::uint32_t loaded = 0, waited = 0;
    double arrived = 0;  // at a barrier
    bool queued = false; // at a unit of its scheduler
    OpenedLines opened;
  };
  struct Slot {
    std::size_t running = 0; // warps that have not left
    double start = 0, end = 0;
    double first_store = std::numeric_limits<double>::infinity(), last_store = 0; // that reaches L2
    bool fence = false; // before the next step of all
    std::vector<std::size_t> at_barrier;
  };

  void launch(std::size_t slot, double earliest) {
    if (to_launch_ == 0) return;
    --to_launch_;
    const double start = std::max(earliest, launcher_free_);
    const double interval = machine_.launch_interval / static_cast<double>(machine_.sms);
    launcher_free_ = start + interval;
    run_.launch += interval;
    const std::size_t count = block_warps_, sm = slot % machine_.sms;
    const std::vector<std::size_t>& block = code_.blocks[code_.order[launched_++ % code_.order.size()]];
    run_.stalls[static_cast<std::size_t>(Stall::start)] +=
        static_cast<double>(count) * (start - earliest + machine_.launch);
    slots_[slot].start = earliest;
    slots_[slot].running = count;
    slots_[slot].end = start;
    slots_[slot].first_store = std::numeric_limits<double>::infinity();
    slots_[slot].last_store = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t warp = slot * count + i;
      const std::size_t scheduler = sm * machine_.schedulers + next_scheduler_[sm]++ % machine_.schedulers;
      warps_[warp] = {.next = code_.programs[block[i]].data(),
                      .place = {scheduler, sm, 0},
                      .slot = slot,
                      .ready = {start, start, start}};
      std::fill_n(places_.begin() + static_cast<std::ptrdiff_t>(warp * code_.places), code_.places, start);
      go_on(warp, start);
    }
  }

  // The warp's next step, at `time` at the earliest.
  void go_on(std::size_t warp, double time) {
    Warp& w = warps_[warp];
    w.step = code_.steps.data() + *w.next;
    const SmStep& s = *w.step;
    const WarpWait wait = s.wait;
    if (s.waits > 0) { // for places
      const double* const places = places_.data() + warp * code_.places;
      double ready = time;
      Stall blame = Stall::wait;
      for (std::size_t i = 0; i < s.waits; ++i)
        if (places[s.waits_for[i]] > ready) {
          ready = places[s.waits_for[i]];
          blame = blames_[warp * code_.places + s.waits_for[i]];
        }
      run_.stalls[static_cast<std::size_t>(blame)] += ready - time;
      time = ready;
    }
    if (wait != WarpWait::load)
      agenda_.set(warp, std::max(time, w.ready[static_cast<std::size_t>(wait)]));
    else
      agenda_.set(warp, w.waited < w.loaded ? std::max(time, w.loads[w.waited % w.loads.size()]) : time);
  }

  void step() {
    const auto [time, warp] = agenda_.next();
    Warp& w = warps_[warp];
    const SmStep& s = *w.step;
    if (s.kind == SmStep::Kind::leave) return leave(warp, time);
    if (s.leaves) {
      std::size_t& last = served_last_[w.place[0]];
      if (const double open = queues_[w.place[1]].open(); open > time) {
        run_.stalls[static_cast<std::size_t>(Stall::lg_throttle)] += open - time;
        return last == warp ? agenda_.set_first(warp, open) : agenda_.set(warp, open);
      }
      last = warp;
    }
    if (const double turn = turn_at_unit(s, w, time); turn > time) {
      run_.stalls[static_cast<std::size_t>(Stall::math_throttle)] += turn - time;
      return agenda_.set(warp, turn);
    }
    double& issue_free = issue_free_[w.place[0]];
    const double free = std::max(time, issue_free);
    const double issued = s.reads_registers ? read_registers(s, w.place[0], free) : free;
    issue_free = issued + machine_.issue_interval + s.issue;
    run_.issue += issue_free - free;
    run_.issued += 1;
    run_.stalls[static_cast<std::size_t>(Stall::not_selected)] += issued - time;
    const bool over = ++w.repeated >= s.repeat;
    w.next += over ? 1 : 0;
    w.repeated = over ? 0 : w.repeated;
    if (s.kind == SmStep::Kind::barrier) return arrive(warp, issued, s.fence);
    const bool merges = s.lines > 0 && open_lines_[w.place[1]].take(w.opened, s.lines, s.opened_back);
    Served served = merges ? units_.serve(s.uses[0], w.place, issued) : serve(s, w, issued);
    if (s.store) {
      Slot& slot = slots_[w.slot];
      slot.first_store = std::min(slot.first_store, served.began);
      slot.last_store = std::max(slot.last_store, served.began);
    }
    if (s.spread[1] > 0) served.ended += s.spread[units_.chance(s.far) ? 1 : 0];
    const double result = served.ended + s.latency;
    if (s.wait == WarpWait::loads) w.waited = w.loaded;
    if (s.wait == WarpWait::load && w.waited < w.loaded) ++w.waited;
    if (s.load) w.loads[w.loaded++ % w.loads.size()] = result;
    double& ready = w.ready[s.load ? 2 : 1];
    ready = std::max(ready, result);
    w.ready[2] = std::max(w.ready[2], result);
    const std::size_t places = warp * code_.places;
    if (s.result != WarpStep::no_place && result > places_[places + s.result]) {
      places_[places + s.result] = result;
      blames_[places + s.result] = s.blames;
    }
    // Its operands are read when its units have taken it.
    if (s.operands_read != WarpStep::no_place && served.began > places_[places + s.operands_read]) {
      places_[places + s.operands_read] = served.began;
      blames_[places + s.operands_read] = s.blames;
    }
    const double went_on = s.goes_on ? issued : std::max(issued, served.began);
    const double next = std::max(went_on + machine_.reissue_gap + s.pause, issued + s.stall);
    run_.stalls[static_cast<std::size_t>(Stall::math_throttle)] += went_on - issued;
    run_.stalls[static_cast<std::size_t>(s.branches ? Stall::branch : Stall::wait)] +=
        next - went_on - machine_.reissue_gap;
    go_on(warp, next);
  }

  // When the scheduler's unit takes the warp's instruction, which is not issued before. The first time that
  // it is asked the warp queues up; it may then find the unit late, since others had the scheduler's slot.
  double turn_at_unit(const SmStep& s, Warp& w, double time) {
    if (!s.waits_for_unit) return time;
    std::size_t best = 0;
    for (std::size_t i = 1; i < s.used && s.kind == SmStep::Kind::any; ++i)
      if (units_.free_at(s.uses[i], w.place) < units_.free_at(s.uses[best], w.place)) best = i;
    const SmUse& use = s.uses[best];
    const double free = units_.free_at(use, w.place);
    if (free <= time || w.queued) {
      w.queued = free > time;
      return std::max(time, free);
    }
    double& turn = turns_[use.first + w.place[0]];
    turn = std::max(turn, free);
    w.queued = true;
    const double mine = turn;
    turn += use.cycles;
    return mine;
  }
  // When it is issued, so that its operands come in time.
  double read_registers(const SmStep& s, std::size_t scheduler, double time) {
    const double after = machine_.operands_after * (s.wide ? 2 : 1);
    double issued = time;
    for (std::size_t b = 0; b < most_banks; ++b)
      if (s.reads[b] > 0) {
        double& free = banks_free_[scheduler][b];
        free = std::max(free, time) + s.reads[b] * machine_.register_read;
        issued = std::max(issued, free - after);
      }
    return issued;
  }

  Served serve(const SmStep& s, const Warp& w, double time) {
    Served served{time, time};
    if (s.kind == SmStep::Kind::any) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < s.used; ++i)
        if (units_.free_at(s.uses[i], w.place) < units_.free_at(s.uses[best], w.place)) best = i;
      return units_.serve(s.uses[best], w.place, time);
    }
    if (s.kind != SmStep::Kind::all) return served;
    bool left = !s.leaves;
    for (std::size_t i = 0; i < s.used; ++i) {
      const SmUse& use = s.uses[i];
      if (use.of == UnitOf::device &&
          use.posted) { // is done some time, and keeps nothing waiting that is before
        units_.serve(use, w.place, time);
        continue;
      }
      const bool leaves = use.of == UnitOf::device && !left;
      const Served one =
          leaves ? leave_sm(s, use, w, served.began) : units_.serve(use, w.place, served.began);
      served = {one.began, use.posted ? served.ended : std::max(served.ended, one.ended)};
      left = left || leaves;
    }
    return served;
  }
  // To the first unit beyond the SM.
  Served leave_sm(const SmStep& s, const SmUse& use, const Warp& w, double time) {
    AccessQueue& queue = queues_[w.place[1]];
    const double first = std::max(time, queue.last());
    const Served served = units_.serve(use, w.place, first);
    queue.leave(s.store ? served.began : first);
    return served;
  }

  // At a barrier.
  void arrive(std::size_t warp, double issued, bool fence) {
    double& free = barriers_free_[warps_[warp].place[1]];
    free = std::max(free, issued) + machine_.barrier_per_warp;
    run_.barriers += machine_.barrier_per_warp;
    warps_[warp].arrived = issued;
    Slot& slot = slots_[warps_[warp].slot];
    slot.at_barrier.push_back(warp);
    slot.fence = slot.fence || fence;
    agenda_.clear(warp);
    release(slot, free);
  }
  // Warps that have left count as arrived.
  void release(Slot& slot, double time) {
    if (slot.at_barrier.empty() || slot.at_barrier.size() < slot.running) return;
    if (slot.fence)
      units_.occupy_sm(machine_.fenced, warps_[slot.at_barrier.front()].place, time, machine_.fence);
    for (const std::size_t warp : slot.at_barrier) {
      run_.stalls[static_cast<std::size_t>(Stall::barrier)] += time + machine_.barrier - warps_[warp].arrived;
      go_on(warp, time + machine_.barrier);
    }
    slot.at_barrier.clear();
    slot.fence = false;
  }

  void leave(std::size_t warp, double time) {
    const Warp& w = warps_[warp];
    agenda_.clear(warp);
    if (served_last_[w.place[0]] == warp) served_last_[w.place[0]] = nobody;
    Slot& slot = slots_[w.slot];
    slot.end = std::max({slot.end, time, w.ready[2]});
    run_.warp_cycles += time - slot.start + machine_.launch;
    --slot.running;
    if (slot.running > 0) return release(slot, time);
    run_.cycles = std::max(run_.cycles, slot.end);
    run_.stalls[static_cast<std::size_t>(Stall::drain)] +=
        (slot.end - time) * static_cast<double>(block_warps_);
    run_.warp_cycles += (slot.end - time) * static_cast<double>(block_warps_);
    if (slot.last_store > 0) run_.writing.push_back(slot.last_store - slot.first_store);
    launch(w.slot, slot.end + machine_.launch);
  }

  const SmMachine& machine_;
  const SmCode& code_;
  std::size_t block_warps_, to_launch_, schedulers_;
  std::size_t launched_ = 0;
  std::vector<std::size_t> next_scheduler_; // of each SM
  double launcher_free_ = 0;
  std::vector<double> barriers_free_, issue_free_;
  std::vector<std::array<double, most_banks>> banks_free_; // of each scheduler's registers
  static constexpr std::size_t nobody = ~std::size_t{0};
  std::vector<std::size_t> served_last_; // of each scheduler: the warp whose access left the SM last
  std::vector<AccessQueue> queues_;      // of each SM
  std::vector<OpenLines> open_lines_;
  SmUnits units_;
  std::vector<double> turns_; // of each unit of each scheduler: when the last of its queue is through
  SmRun run_;
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  std::vector<double> places_; // of each warp: when the result that goes there is there
  std::vector<Stall> blames_;  // of each place
  Agenda agenda_;
};

// Of resident blocks, simulated; the rest goes on as the second half went. Few blocks take longer to come
// apart; where banks are met by chance 24 rounds err by 3 %, sums by strided indices by 10 %, and 192 by 1 %
// and 3 %.
std::size_t rounds_of(std::size_t resident, bool by_chance) {
  const std::size_t least = by_chance ? 192 : 6;
  return std::max(least, 4 * least / resident);
}

std::size_t blocks_of(const SmMachine& machine, double blocks) {
  return static_cast<std::size_t>(std::ceil(blocks * static_cast<double>(machine.sms)));
}

SimulatedRun simulated(const SmMachine& machine, const SmCode& code, std::size_t resident, std::size_t blocks,
                       std::size_t most_rounds) {
  const std::size_t rounds = std::min(rounds_of(resident, code.by_chance), most_rounds),
                    round = resident * machine.sms, most = rounds * round;
  if (blocks <= most)
    return {.blocks = blocks, .most = most, .run = Sms(machine, code, resident, blocks).take()};
  const std::size_t first = rounds / 2;
  Sms sms(machine, code, resident, first * round);
  sms.launch_all();
  const SmRun half = Sms(sms).take(); // what comes after its last launch differs
  sms.add_blocks((rounds - first) * round);
  SimulatedRun all{
      .blocks = most + 1, .most = most, .run = sms.take(), .rounds = static_cast<double>(rounds)};
  all.round_cycles = (all.run.cycles - half.cycles) / static_cast<double>(rounds - first);
  return all;
}

// Of so many blocks for each SM.
SmRun continued(const SimulatedRun& all, std::size_t resident, double blocks) {
  SmRun run = all.run;
  if (all.blocks > all.most)
    run.cycles += all.round_cycles * (blocks / static_cast<double>(resident) - all.rounds);
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
