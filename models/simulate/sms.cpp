#include "sms.hpp"
#include "by_chance.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

Sms::Progress Sms::launch_all() {
  double time = 0;
  while (to_launch_ > 0) {
    const WarpTurns::Turn turn = turns_.next();
    time = turn.due;
    step(turn);
  }
  return {std::max(time, units_.device_done()), run_.issued};
}
void Sms::run_common(const std::vector<std::size_t>& common) {
  const std::vector<std::size_t>& block = code_.blocks.front();
  for (WarpTurns::Turn turn{}; !turns_.empty(); step(turn)) {
    turn = turns_.next();
    const std::size_t warp = warp_of(turn), program = block[warp % block_warps_];
    if (warps_[warp].next + 1 >= code_.programs[program].data() + common[program]) return;
  }
}
void Sms::change_programs(std::size_t others) {
  const std::vector<std::size_t>& block = code_.blocks.front();
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const std::size_t program = block[i % block_warps_];
    warps_[i].next =
        code_.programs[program + others].data() + (warps_[i].next - code_.programs[program].data());
  }
}

SmRun Sms::take() {
  while (!turns_.empty()) step(turns_.next());
  // What the device's units have still to do keeps the next launch waiting.
  run_.cycles = std::max(run_.cycles, units_.device_done());
  run_.issue /= run_.cycles * static_cast<double>(schedulers_);
  run_.held /= run_.cycles * static_cast<double>(schedulers_);
  run_.launch /= run_.cycles;
  run_.barriers /= run_.cycles * static_cast<double>(machine_.sms);
  run_.unit_busy = units_.busy(run_.cycles);
  return run_;
}

void Sms::step(const WarpTurns::Turn& turn) {
  double time = turn.due;
  const std::size_t warp = warp_of(turn);
  Warp& w = warps_[warp];
  if (w.plain) return plain_step(turn, warp);
  const SmStep& s = step_of(w);
  if (s.kind == SmStep::Kind::leave) return leave(warp, time);
  if (!fetches_.empty())
    if (const double there = fetched(w, time); there > time) {
      blame(Stall::no_instruction, there - time, warp, there);
      return turns_.set(turn.scheduler, turn.warp, there);
    }
  if (s.leaves) {
    std::size_t& last = served_last_[w.place[0]];
    if (const double open = queues_[w.place[1]].open(); open > time) {
      blame(Stall::lg_throttle, open - time, warp, open);
      return last == warp ? turns_.set_first(turn.scheduler, turn.warp, open)
                          : turns_.set(turn.scheduler, turn.warp, open);
    }
    last = warp;
  }
  if (s.path > 0 && w.path_free > time) {
    blame(Stall::mio_throttle, w.path_free - time, warp, w.path_free);
    return turns_.set(turn.scheduler, turn.warp, w.path_free);
  }
  if (s.accesses)
    if (const double open = access_queues_[w.place[0]].open(); open > time) {
      if (open > turns_.free(turn.scheduler) && open > turn.now)
        return turns_.hold(turn.scheduler, turn.warp, open);
      blame(Stall::mio_throttle, open - time, warp, open);
      time = open;
    }
  if (const double later = turn_at_unit(s, w, time); later > time) {
    blame(Stall::math_throttle, later - time, warp, later);
    return turns_.set(turn.scheduler, turn.warp, later);
  }
  const double issued = issue(turn, warp, s, time);
  const bool over = ++w.repeated >= s.repeat;
  w.next += over ? 1 : 0;
  w.repeated = over ? 0 : w.repeated;
  if (s.kind == SmStep::Kind::barrier) return arrive(warp, issued);
  if (s.kind >= SmStep::Kind::block_fence) return pass_fence(warp, s, issued);
  std::uint32_t& opened = opened_[w.place[1]];
  const bool merges = w.opened.has(s.opened_back, machine_.open_lines, issued, opened);
  Served served = merges ? units_.serve(s.uses[0], w.place, issued) : serve(s, w, issued);
  if (s.lines > 0 && !merges) {
    w.opened.open(opened, served.ended);
    opened += s.lines;
  }
  if (s.path > 0) w.path_free = served.began + s.path;
  if (s.accesses) {
    access_queues_[w.place[0]].leave(served.began);
    turns_.move_gate(turn.scheduler, access_queues_[w.place[0]].open());
  }
  if (s.store) {
    Slot& slot = slots_[w.slot];
    slot.first_store = std::min(slot.first_store, served.began);
    slot.last_store = std::max(slot.last_store, served.began);
    w.stored = std::max(w.stored, served.began);
    w.has_stored = true;
  }
  if (s.load && s.leaves) {
    if (w.fenced > 0) served.ended = std::max(served.ended, w.fenced + machine_.load_behind_fence);
    w.has_loaded = true;
  }
  if (s.spread > 0) served.ended += units_.chance(s.far) ? s.spread : -s.spread;
  w.by_chance += s.tail > 0 && !s.in_row ? 1 : 0;
  if (s.tail > 0)
    served.ended += s.tail * by_chance(slots_[w.slot].block, w.by_chance, warp % block_warps_ / s.alike);
  if (w.step->found > 0) meet(w, s, served);
  take_results(warp, s, served);
  go_on_after(warp, s, issued, served.began);
}

double Sms::fetched(Warp& w, double time) {
  const std::uint32_t of_code = code_.lines[static_cast<std::size_t>(w.step - code_.steps.data())];
  if (of_code == w.line) return time;
  const bool follows = of_code > 0 && of_code == w.line + 1;
  w.line = of_code;
  return fetches_[w.place[1]].line(of_code, follows, time);
}

void Sms::take_results(std::size_t warp, const SmStep& s, const Served& served) {
  Warp& w = warps_[warp];
  const double result = served.ended + s.latency;
  count_waited(w, s);
  if (s.load) w.loads[w.loaded++ % w.loads.size()] = result;
  double& ready = w.ready[s.load ? 2 : 1];
  ready = std::max(ready, result);
  w.ready[2] = std::max(w.ready[2], result);
  if (s.group != AsyncGroup::none) {
    AsyncGroups& groups = w.groups[group_place(s.group)];
    if (s.used > 0) groups.add(result);
    if (s.ends_group) groups.end();
  }
  take_places(warp, s, result, served.began);
}

double Sms::turn_at_unit(const SmStep& s, Warp& w, double time) {
  if (!s.waits_for_unit) return time;
  return turn_at(s.kind == SmStep::Kind::any ? units_.first_free(s, w.place) : s.uses[0], w, time);
}

Served Sms::serve(const SmStep& s, const Warp& w, double time) {
  Served served{time, time};
  if (s.kind == SmStep::Kind::any) return units_.serve(units_.first_free(s, w.place), w.place, time);
  if (s.kind != SmStep::Kind::all) return served;
  bool left = !s.leaves;
  for (std::size_t i = 0; i < s.used; ++i) {
    const SmUse& use = s.uses[i];
    if (use.of == UnitOf::device && use.posted) { // done some time; keeps nothing before it waiting
      units_.serve(use, w.place, time);
      continue;
    }
    const bool leaves = use.of == UnitOf::device && !left;
    const Served one = leaves ? leave_sm(s, use, w, served.began) : units_.serve(use, w.place, served.began);
    served = {one.began, use.posted ? served.ended : std::max(served.ended, one.ended)};
    left = left || leaves;
  }
  return served;
}

Served Sms::leave_sm(const SmStep& s, const SmUse& use, const Warp& w, double time) {
  AccessQueue& queue = queues_[w.place[1]];
  const double first = std::max(time, queue.last());
  const Served served = units_.serve(use, w.place, first);
  queue.leave(s.store ? served.began : first);
  return served;
}

} // namespace perfmodel
