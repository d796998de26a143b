#include "sm_simulation.hpp"

#include "agenda.hpp"
#include "sm_code.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

class Sms {
public:
  Sms(const SmMachine& machine, const BlockProgram& program, const SmCode& code, std::size_t resident,
      std::size_t blocks)
      : machine_(machine), program_(program), code_(code), to_launch_(blocks * machine.sms),
        schedulers_(machine.schedulers * machine.sms), next_scheduler_(machine.sms),
        barriers_free_(machine.sms), issue_free_(schedulers_),
        unit_free_(machine.units.size() * schedulers_), run_{.unit_busy =
                                                                 std::vector<double>(machine.units.size())},
        slots_(std::min(resident, blocks) * machine.sms), warps_(slots_.size() * program.of_warp.size()),
        agenda_(warps_.size()) {
    for (const SmUnit& unit : machine.units) banks_.emplace_back(unit.servers);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) launch(slot, 0);
  }

  // Until the last block has been launched.
  void launch_all() {
    while (to_launch_ > 0) step();
  }
  void add_blocks(std::size_t blocks) { to_launch_ += blocks * machine_.sms; }

  SmRun take() {
    while (!agenda_.empty()) step();
    // What the device's units have still to do keeps the next launch waiting.
    for (std::size_t u = 0; u < machine_.units.size(); ++u) {
      if (machine_.units[u].of != UnitOf::device) continue;
      run_.cycles = std::max(run_.cycles, unit_free_[u * schedulers_]);
      for (const double free : banks_[u]) run_.cycles = std::max(run_.cycles, free);
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
  struct Warp {
    const std::uint32_t* next = nullptr; // step
    std::int64_t repeated = 0;
    std::array<std::size_t, 3> place{}; // by UnitOf: its scheduler, its SM, the device
    std::size_t slot = 0;
    std::array<double, 3> ready{}; // by Wait: when what it may wait for is there
  };
  struct Slot {
    std::size_t running = 0; // warps that have not left
    double end = 0;
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
    const std::size_t count = program_.of_warp.size(), sm = slot % machine_.sms;
    slots_[slot].running = count;
    slots_[slot].end = start;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t warp = slot * count + i;
      const std::size_t scheduler = sm * machine_.schedulers + next_scheduler_[sm]++ % machine_.schedulers;
      warps_[warp] = {.next = code_.programs[program_.of_warp[i]].data(),
                      .place = {scheduler, sm, 0},
                      .slot = slot,
                      .ready = {start, start, start}};
      go_on(warp, start);
    }
  }

  // The warp's next step, at `time` at the earliest.
  void go_on(std::size_t warp, double time) {
    const Warp& w = warps_[warp];
    const Wait wait = code_.steps[*w.next].wait;
    agenda_.set(warp, std::max(time, w.ready[static_cast<std::size_t>(wait)]));
  }

  void step() {
    const auto [time, warp] = agenda_.next();
    Warp& w = warps_[warp];
    const SmStep& s = code_.steps[*w.next];
    if (s.kind == SmStep::Kind::leave) return leave(warp, time);
    double& issue_free = issue_free_[w.place[0]];
    const double issued = std::max(time, issue_free);
    issue_free = issued + machine_.issue_interval + s.issue;
    run_.issue += machine_.issue_interval + s.issue;
    const bool over = ++w.repeated >= s.repeat;
    w.next += over ? 1 : 0;
    w.repeated = over ? 0 : w.repeated;
    if (s.kind == SmStep::Kind::barrier) return arrive(warp, issued, s.fence);
    Served served = serve(s, w, issued);
    if (s.spread[1] > 0) served.ended += s.spread[random() & 1];
    const double result = served.ended + s.latency;
    double& ready = w.ready[s.load ? 2 : 1];
    ready = std::max(ready, result);
    w.ready[2] = std::max(w.ready[2], result);
    const double went_on = s.goes_on ? issued : std::max(issued, served.began);
    go_on(warp, went_on + machine_.reissue_gap + s.pause);
  }

  struct Served {
    double began, ended; // on the last of its units
  };
  Served serve(const SmStep& s, const Warp& w, double time) {
    Served served{time, time};
    if (s.kind == SmStep::Kind::any) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < s.used; ++i)
        if (free_of(s.uses[i], w) < free_of(s.uses[best], w)) best = i;
      served = use(s.uses[best], w, time);
    } else if (s.kind == SmStep::Kind::all) {
      for (std::size_t i = 0; i < s.used; ++i) {
        const Served one = use(s.uses[i], w, served.began);
        served = {one.began, s.uses[i].posted ? served.ended : std::max(served.ended, one.ended)};
      }
    }
    return served;
  }

  double& free_of(const SmUse& use, const Warp& w) {
    return unit_free_[use.first + w.place[static_cast<std::size_t>(use.of)]];
  }
  Served use(const SmUse& use, const Warp& w, double time) {
    run_.unit_busy[use.unit] += use.cycles;
    if (use.pieces > 0) return {time, use_banks(use, time)};
    double& free = free_of(use, w);
    const double began = std::max(time, free);
    free = began + use.cycles;
    return {began, free};
  }

  double use_banks(const SmUse& use, double time) {
    std::vector<double>& banks = banks_[use.unit];
    double served = time;
    for (std::size_t i = 0; i < use.pieces; ++i) {
      double& free = banks[random() % banks.size()];
      free = std::max(time, free) + use.piece_cycles;
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

  // At a barrier.
  void arrive(std::size_t warp, double issued, bool fence) {
    double& free = barriers_free_[warps_[warp].place[1]];
    free = std::max(free, issued) + machine_.barrier_per_warp;
    run_.barriers += machine_.barrier_per_warp;
    Slot& slot = slots_[warps_[warp].slot];
    slot.at_barrier.push_back(warp);
    slot.fence = slot.fence || fence;
    agenda_.clear(warp);
    release(slot, free);
  }
  // Warps that have left count as arrived.
  void release(Slot& slot, double time) {
    if (slot.at_barrier.empty() || slot.at_barrier.size() < slot.running) return;
    if (slot.fence) fence(warps_[slot.at_barrier.front()], time);
    for (const std::size_t warp : slot.at_barrier) go_on(warp, time + machine_.barrier);
    slot.at_barrier.clear();
    slot.fence = false;
  }

  void fence(const Warp& w, double time) {
    double& free = unit_free_[machine_.fenced * schedulers_ + w.place[1]];
    free = std::max(time, free) + machine_.fence;
    run_.unit_busy[machine_.fenced] += machine_.fence;
  }

  void leave(std::size_t warp, double time) {
    const Warp& w = warps_[warp];
    agenda_.clear(warp);
    Slot& slot = slots_[w.slot];
    slot.end = std::max({slot.end, time, w.ready[2]});
    --slot.running;
    if (slot.running > 0) return release(slot, time);
    run_.cycles = std::max(run_.cycles, slot.end);
    launch(w.slot, slot.end + machine_.launch);
  }

  const SmMachine& machine_;
  const BlockProgram& program_;
  const SmCode& code_;
  std::size_t to_launch_, schedulers_;
  std::vector<std::size_t> next_scheduler_; // of each SM
  std::uint64_t random_ = 0;
  std::vector<std::vector<double>> banks_; // of units with several: when each is free
  double launcher_free_ = 0;
  std::vector<double> barriers_free_, issue_free_, unit_free_;
  SmRun run_;
  std::vector<Slot> slots_;
  std::vector<Warp> warps_;
  Agenda agenda_;
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
  const SmCode code = code_of(machine, program);
  if (whole <= rounds * resident) return Sms(machine, program, code, resident, whole).take();
  const std::size_t first = rounds / 2;
  Sms sms(machine, program, code, resident, first * resident);
  sms.launch_all();
  const SmRun half = Sms(sms).take(); // what comes after its last launch differs
  sms.add_blocks((rounds - first) * resident);
  SmRun run = sms.take();
  const double round = (run.cycles - half.cycles) / static_cast<double>(rounds - first);
  run.cycles += round * (blocks / static_cast<double>(resident) - static_cast<double>(rounds));
  return run;
}

} // namespace perfmodel
