// What a step that is issued has in common with all others, and the steps that need no more than that.
#include "sms.hpp"

#include <algorithm>
#include <cstddef>

namespace perfmodel {

double Sms::issue(const WarpTurns::Turn& turn, std::size_t warp, const SmStep& s, double time) {
  const double free = std::max(time, turns_.free(turn.scheduler));
  const double issued = s.banks > 0 ? registers_.read(s, turn.scheduler, free) : free;
  const double busy = machine_.issue_interval + s.issue;
  turns_.issue(turn.scheduler, turn.warp, issued + busy);
  run_.issue += issued + busy - free;
  run_.held += s.issue;
  run_.issued += 1;
  blame(Stall::not_selected, issued - time, warp, issued);
  if (watch_ != nullptr) tell_issue(warp, issued, machine_.issue_interval);
  return issued;
}

double Sms::turn_at(const SmUse& use, Warp& w, double time) {
  const double free = units_.free_at(use, w.place);
  if (free <= time || w.queued) {
    w.queued = free > time;
    return std::max(time, free);
  }
  w.queued = true;
  return units_.queue_up(use, w.place);
}

void Sms::take_places(std::size_t warp, const SmStep& s, double result, double began) {
  const std::size_t places = warp * code_.places;
  if (s.result != WarpStep::no_place && result > places_[places + s.result]) {
    places_[places + s.result] = result;
    blames_[places + s.result] = s.blames;
  }
  // Its operands are read when its units have taken it, or some cycles later.
  if (const double read = began + s.reads_for;
      s.operands_read != WarpStep::no_place && read > places_[places + s.operands_read]) {
    places_[places + s.operands_read] = read;
    blames_[places + s.operands_read] = s.blames;
  }
}

void Sms::go_on_after(std::size_t warp, const SmStep& s, double issued, double began) {
  const double went_on = s.goes_on ? issued : std::max(issued, began);
  const double next = std::max(went_on + machine_.reissue_gap + s.pause, issued + s.stall);
  blame(Stall::math_throttle, went_on - issued, warp, went_on);
  blame(s.branches ? Stall::branch : Stall::wait, next - went_on - machine_.reissue_gap, warp, next);
  go_on(warp, next);
}

double Sms::results_there(std::size_t warp, const SmStep& s, double time) {
  const double* const places = places_.data() + warp * code_.places;
  const auto there = [&](std::size_t i) { return places[s.waits_for[i]]; };
  // Four at a time without a branch: which of them is the last is as good as random.
  std::size_t last = 0;
  double ready = time;
  for (std::size_t i = 0; i < s.waits; i += 4) {
    const double a = there(i), b = there(i + 1), c = there(i + 2), d = there(i + 3);
    const double latest = std::max(std::max(a, b), std::max(c, d));
    if (latest <= ready) continue;
    ready = latest;
    const unsigned later = a < latest ? 1 : 0, than_b = later & (b < latest ? 1U : 0U);
    last = i + later + than_b + (than_b & (c < latest ? 1U : 0U));
  }
  const Stall why = ready > time ? blames_[warp * code_.places + s.waits_for[last]] : Stall::wait;
  blame(why, ready - time, warp, ready);
  return ready;
}

void Sms::go_on(std::size_t warp, double time) {
  Warp& w = warps_[warp];
  w.step = code_.steps.data() + *w.next;
  const SmStep& s = *w.step;
  w.plain = s.plain && fetches_.empty();
  // Steps come from a farther cache; of this one all that is needed when it is issued, and the next.
  __builtin_prefetch(s.uses.data());
  if (s.kind != SmStep::Kind::leave) __builtin_prefetch(code_.steps.data() + w.next[1]);
  const WarpWait wait = s.wait;
  if (s.waits > 0) time = results_there(warp, s, time);
  if (s.awaits != AsyncGroup::none) {
    const double done = w.groups[group_place(s.awaits)].done_but(s.groups_left);
    blame(s.awaits == AsyncGroup::copies ? Stall::long_scoreboard : Stall::wait, done - time, warp, done);
    time = std::max(time, done);
  }
  if (wait != WarpWait::load)
    time = std::max(time, w.ready[static_cast<std::size_t>(wait)]);
  else if (w.waited < w.loaded)
    time = std::max(time, w.loads[w.waited % w.loads.size()]);
  turns_.set(w.place[0], w.number, time);
}

[[gnu::flatten]] void Sms::plain_step(const WarpTurns::Turn& turn, std::size_t warp) {
  Warp& w = warps_[warp];
  const SmStep& s = *w.step;
  const SmUse& use = s.kind == SmStep::Kind::any ? units_.first_free(s, w.place) : s.uses[0];
  const double time = turn.due, later = s.waits_for_unit ? turn_at(use, w, time) : time;
  if (later > time) {
    blame(Stall::math_throttle, later - time, warp, later);
    return turns_.set(turn.scheduler, turn.warp, later);
  }
  const double issued = issue(turn, warp, s, time);
  ++w.next;
  Served served{issued, issued};
  if (s.used > 0) served = units_.serve_alone(use, w.place, issued);
  if (s.kind == SmStep::Kind::all && use.posted) served.ended = issued;
  for (std::size_t i = 1; s.kind == SmStep::Kind::all && i < s.used; ++i) {
    const Served one = units_.serve_alone(s.uses[i], w.place, served.began);
    served = {one.began, s.uses[i].posted ? served.ended : std::max(served.ended, one.ended)};
  }
  const double result = served.ended + s.latency;
  count_waited(w, s);
  w.ready[1] = std::max(w.ready[1], result);
  w.ready[2] = std::max(w.ready[2], result);
  take_places(warp, s, result, served.began);
  go_on_after(warp, s, issued, served.began);
}

} // namespace perfmodel
