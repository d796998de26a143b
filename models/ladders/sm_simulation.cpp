#include "sm_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace perfmodel {

namespace {

class Sms {
public:
  Sms(const SmMachine& machine, const BlockProgram& program, std::size_t resident, std::size_t blocks)
      : machine_(machine), program_(program), to_launch_(blocks * machine.sms),
        schedulers_(machine.schedulers * machine.sms), next_scheduler_(machine.sms),
        barriers_free_(machine.sms), issue_free_(schedulers_),
        unit_free_(machine.units.size() * schedulers_), run_{.unit_busy =
                                                                 std::vector<double>(machine.units.size())},
        slots_(std::min(resident, blocks) * machine.sms), warps_(slots_.size() * program.of_warp.size()) {
    for (const SmUnit& unit : machine.units) banks_.emplace_back(unit.servers);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) launch(slot, 0);
  }

  SmRun take() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      step(event.warp, event.time);
    }
    const auto sms = static_cast<double>(machine_.sms), schedulers = static_cast<double>(schedulers_);
    run_.issue /= run_.cycles * schedulers;
    run_.launch /= run_.cycles;
    run_.barriers /= run_.cycles * sms;
    for (std::size_t u = 0; u < run_.unit_busy.size(); ++u) {
      const UnitOf of = machine_.units[u].of;
      run_.unit_busy[u] /= run_.cycles * (of == UnitOf::scheduler ? schedulers : of == UnitOf::sm ? sms : 1);
    }
    return run_;
  }

private:
  struct Event {
    double time;
    std::uint64_t order; // of two at one time the one that was there first
    std::size_t warp;
    bool operator<(const Event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  struct Warp {
    const WarpProgram* program = nullptr;
    std::size_t slot = 0, sm = 0, scheduler = 0, at = 0; // scheduler: of all SMs
    std::int64_t repeated = 0;
    double results = 0, loads = 0; // when they are there
    double done = 0;               // when all that it asked for is
  };
  struct Slot {
    std::size_t running = 0; // warps that have not left
    double end = 0;
    std::vector<std::size_t> at_barrier;
  };

  void launch(std::size_t slot, double earliest) {
    if (to_launch_ == 0) return;
    --to_launch_;
    const double start = std::max(earliest, launcher_free_);
    const double interval = machine_.launch_interval / static_cast<double>(machine_.sms);
    launcher_free_ = start + interval;
    run_.launch += interval;
    const std::size_t count = program_.of_warp.size(), sm = slot % machine_.sms;
    slots_[slot].running = count;
    slots_[slot].end = start;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t warp = slot * count + i;
      warps_[warp] = {.program = &program_.programs[program_.of_warp[i]],
                      .slot = slot,
                      .sm = sm,
                      .scheduler = sm * machine_.schedulers + next_scheduler_[sm]++ % machine_.schedulers,
                      .results = start,
                      .loads = start,
                      .done = start};
      push(warp, start);
    }
  }

  // The warp's next step, at `time` at the earliest.
  void push(std::size_t warp, double time) {
    const Warp& w = warps_[warp];
    if (w.at < w.program->size()) {
      const WarpStep& next = (*w.program)[w.at];
      if (next.wait != Wait::nothing) time = std::max(time, w.results);
      if (next.wait == Wait::loads) time = std::max(time, w.loads);
    }
    events_.push({time, order_++, warp});
  }

  double& free_of(std::size_t unit, const Warp& w) {
    const UnitOf of = machine_.units[unit].of;
    return unit_free_[unit * schedulers_ + (of == UnitOf::scheduler ? w.scheduler
                                            : of == UnitOf::sm      ? w.sm
                                                                    : 0)];
  }

  void step(std::size_t warp, double time) {
    Warp& w = warps_[warp];
    if (w.at == w.program->size()) return leave(w, time);
    const WarpStep& s = (*w.program)[w.at];
    double& issue_free = issue_free_[w.scheduler];
    const double issued = std::max(time, issue_free);
    issue_free = issued + machine_.issue_interval;
    run_.issue += machine_.issue_interval;
    if (++w.repeated >= s.repeat) ++w.at, w.repeated = 0;
    if (s.barrier) {
      double& free = barriers_free_[w.sm];
      free = std::max(free, issued) + machine_.barrier_per_warp;
      run_.barriers += machine_.barrier_per_warp;
      return wait_at_barrier(warp, free);
    }
    double served = serve(s, w, issued);
    if (s.spread > 0) served += (random() & 1) != 0 ? s.spread / 2 : -s.spread / 2;
    double& result = s.load ? w.loads : w.results;
    result = std::max(result, served + s.latency);
    w.done = std::max(w.done, result);
    const double went_on = s.queued || s.used == 0 ? issued : std::max(issued, begun_);
    push(warp, went_on + machine_.reissue_gap + s.pause);
  }

  // When the last unit has served it. begun_: when the last one began.
  double serve(const WarpStep& s, const Warp& w, double time) {
    begun_ = time;
    if (s.any) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < s.used; ++i)
        if (free_of(s.uses[i].unit, w) < free_of(s.uses[best].unit, w)) best = i;
      return use(s.uses[best], w, time);
    }
    double served = time;
    for (std::size_t i = 0; i < s.used; ++i) {
      const double end = use(s.uses[i], w, begun_);
      if (!s.uses[i].posted) served = std::max(served, end);
    }
    return served;
  }
  double use(const UnitUse& use, const Warp& w, double time) {
    const SmUnit& unit = machine_.units[use.unit];
    const double cycles =
        unit.of == UnitOf::device ? use.cycles / static_cast<double>(machine_.sms) : use.cycles;
    run_.unit_busy[use.unit] += cycles;
    begun_ = time;
    if (unit.servers > 1) return use_banks(use.unit, unit, cycles, time);
    double& free = free_of(use.unit, w);
    begun_ = std::max(time, free);
    free = begun_ + cycles;
    return free;
  }

  double use_banks(std::size_t index, const SmUnit& unit, double cycles, double time) {
    std::vector<double>& banks = banks_[index];
    double served = time;
    const auto pieces = std::max(1.0, std::round(cycles / unit.piece));
    for (double i = 0; i < pieces; ++i) {
      double& free = banks[random() % banks.size()];
      free = std::max(time, free) + cycles / pieces * static_cast<double>(unit.servers);
      served = std::max(served, free);
    }
    return served;
  }
  // Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014: the same in every run.
  std::uint64_t random() {
    std::uint64_t z = random_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  void wait_at_barrier(std::size_t warp, double time) {
    Slot& slot = slots_[warps_[warp].slot];
    slot.at_barrier.push_back(warp);
    release(slot, time);
  }
  // Warps that have left count as arrived.
  void release(Slot& slot, double time) {
    if (slot.at_barrier.empty() || slot.at_barrier.size() < slot.running) return;
    for (const std::size_t warp : slot.at_barrier) push(warp, time + machine_.barrier);
    slot.at_barrier.clear();
  }

  void leave(const Warp& w, double time) {
    Slot& slot = slots_[w.slot];
    slot.end = std::max({slot.end, time, w.done});
    --slot.running;
    if (slot.running > 0) return release(slot, time);
    run_.cycles = std::max(run_.cycles, slot.end);
    launch(w.slot, slot.end + machine_.launch);
  }

  const SmMachine& machine_;
  const BlockProgram& program_;
  std::size_t to_launch_, schedulers_;
  std::vector<std::size_t> next_scheduler_; // of each SM
  std::uint64_t order_ = 0, random_ = 0;
  std::vector<std::vector<double>> banks_; // of units with several: when each is free
  double launcher_free_ = 0, begun_ = 0;
  std::vector<double> barriers_free_, issue_free_, unit_free_;
  SmRun run_;
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  std::priority_queue<Event> events_;
};

// Whether steps queue for one of several banks, or take longer where the other half of L2 has their data.
bool left_to_chance(const SmMachine& machine, const BlockProgram& program) {
  for (const WarpProgram& warp : program.programs)
    for (const WarpStep& step : warp) {
      if (step.spread > 0) return true;
      for (std::size_t i = 0; i < step.used; ++i)
        if (machine.units[step.uses[i].unit].servers > 1 && step.uses[i].cycles > 0) return true;
    }
  return false;
}

// Of resident blocks, simulated; the rest goes on as the second half went. Few blocks take longer to come
// apart, and where banks are met by chance 6 rounds err by 10 %, 24 by 3 %.
std::size_t rounds_of(std::size_t resident, bool by_chance) {
  return by_chance ? std::max<std::size_t>(24, 96 / resident) : std::max<std::size_t>(6, 24 / resident);
}

} // namespace

SmRun run_blocks(const SmMachine& machine, const BlockProgram& program, std::size_t resident, double blocks) {
  const auto whole = static_cast<std::size_t>(std::ceil(blocks));
  const std::size_t rounds = rounds_of(resident, left_to_chance(machine, program));
  if (whole <= rounds * resident) return Sms(machine, program, resident, whole).take();
  const std::size_t first = rounds / 2;
  const SmRun half = Sms(machine, program, resident, first * resident).take();
  SmRun run = Sms(machine, program, resident, rounds * resident).take();
  const double round = (run.cycles - half.cycles) / static_cast<double>(rounds - first);
  run.cycles += round * (blocks / static_cast<double>(resident) - static_cast<double>(rounds));
  return run;
}

} // namespace perfmodel
