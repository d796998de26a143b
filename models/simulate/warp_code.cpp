#include "warp_code.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace detail {

std::size_t unit_named(SmMachine& machine, std::string_view name, UnitOf of) {
  for (std::size_t i = 0; i < machine.units.size(); ++i)
    if (machine.units[i].name == name) return i;
  machine.units.push_back({std::string(name), of});
  return machine.units.size() - 1;
}

double latency_beside(double latency, double service) { return std::max(0.0, latency - service); }

} // namespace detail

std::string bound_of(const SmModel& sm, const SmRun& run) {
  constexpr double nearly = 0.85;
  std::string bound = "latency";
  double most = nearly;
  const auto hold = [&](double busy, std::string_view name) {
    if (busy > most) most = busy, bound = name;
  };
  hold(run.issue, "issue");
  hold(run.launch, "block launch");
  hold(run.barriers, "barriers");
  for (std::size_t u = 0; u < run.unit_busy.size(); ++u) hold(run.unit_busy[u], sm.machine.units[u].name);
  return bound;
}

WarpStep& WarpCode::push(const InstructionCost& cost, WarpWait wait) {
  WarpStep& step = steps_.emplace_back();
  for (const UnitUse& use : cost.uses)
    if (step.used < WarpStep::most_uses) step.uses[step.used++] = use;
  step.any = !cost.all;
  step.latency = cost.latency;
  step.issue = cost.issue;
  step.wait = wait;
  take_in(step);
  return step;
}

void WarpCode::take_in(WarpStep& step) {
  if (step.wait == WarpWait::load || step.wait == WarpWait::loads) {
    const double loads = step.wait == WarpWait::load ? std::min(unwaited_, 1.0) : unwaited_;
    const double arrived = loads == unwaited_ ? filled_ : filled_ * loads / unwaited_;
    arrived_ += arrived;
    filled_ -= arrived;
    unwaited_ -= loads;
  }
  const bool room = step.used == 0 || (!step.any && step.used < WarpStep::most_own_uses);
  if (arrived_ == 0 || !room) return;
  step.any = false;
  step.uses[step.used++] = {sm_->lsu, arrived_, true};
  arrived_ = 0;
}

WarpCode& WarpCode::run(std::string_view name, std::int64_t count, WarpWait wait) {
  if (count <= 0) return *this;
  if (const auto at = sm_->functions.find(name); at != sm_->functions.end()) {
    for (; count > 0; --count) chain(name, 1, wait);
    return *this;
  }
  const InstructionCost& cost = sm_->instructions.at(std::string(name));
  push(cost, wait);
  if (count > 1) push(cost, WarpWait::nothing).repeat = count - 1;
  return *this;
}

WarpCode& WarpCode::chain(std::string_view name, std::int64_t count, WarpWait wait) {
  if (count <= 0) return *this;
  if (const auto at = sm_->functions.find(name); at != sm_->functions.end()) {
    for (; count > 0; --count)
      for (const MixPart& part : at->second) {
        chain(part.instruction->name, static_cast<std::int64_t>(part.count), wait);
        wait = WarpWait::results;
      }
    return *this;
  }
  const InstructionCost& cost = sm_->instructions.at(std::string(name));
  const bool guards = name == "compare"; // in a chain the next step is what it guards
  for (WarpStep* step = &push(cost, wait); guards;) {
    step->latency = sm_->predicate_latency - step->uses[0].cycles;
    if (--count == 0) return *this;
    step = &push(cost, WarpWait::results);
  }
  if (count > 1) push(cost, wait == WarpWait::loads ? wait : WarpWait::results).repeat = count - 1;
  return *this;
}

namespace {
constexpr double address_registers = 2; // of 64 bits, in global memory
}

UnitUse WarpCode::port_of(double registers) const {
  return {sm_->port, std::max(sm_->port_cycles, registers * sm_->lone_register), true};
}

// Wavefronts of one warp follow one another more slowly than those of several.
std::uint16_t WarpCode::path_of(double wavefronts, const UnitUse& port) const {
  constexpr double most = std::numeric_limits<std::uint16_t>::max();
  const double cycles = std::min(most, wavefronts * sm_->lone_wavefront);
  return static_cast<std::uint16_t>(cycles > port.cycles ? std::lround(cycles) : 0);
}

WarpCode& WarpCode::shared_load(double wavefronts, WarpWait wait, double registers) {
  wavefronts_ += wavefronts;
  const UnitUse port = port_of(registers);
  WarpStep& step = push({{port, {sm_->lsu, wavefronts * sm_->wavefront}},
                         true,
                         sm_->shared_latency + (wavefronts - 1) * (sm_->lone_wavefront - sm_->wavefront),
                         sm_->queued},
                        wait);
  step.queued = true;
  step.path = path_of(wavefronts, port);
  return *this;
}

WarpCode& WarpCode::shared_store(double wavefronts, WarpWait wait, double registers) {
  wavefronts_ += wavefronts;
  const UnitUse port = port_of(1 + registers);
  WarpStep& step = push({{port, {sm_->lsu, wavefronts * sm_->wavefront}}, true, 0, sm_->queued}, wait);
  step.queued = true;
  step.path = path_of(wavefronts, port);
  return *this;
}

WarpCode& WarpCode::load(const Traffic& traffic, WarpWait wait) {
  const bool far = traffic.dram_bytes > 0;
  WarpStep& step = push({{port_of(traffic.registers),
                          {sm_->lsu, traffic.wavefronts * sm_->wavefront},
                          {sm_->l2, traffic.l2_bytes * sm_->l2_cycles},
                          {sm_->dram, traffic.dram_bytes * sm_->read_cycles}},
                         true,
                         far ? sm_->dram_latency : sm_->l2_latency,
                         sm_->queued_global},
                        wait);
  step.queued = step.load = true;
  step.spread = sm_->spread;
  unwaited_ += 1;
  filled_ += traffic.l2_bytes * sm_->fill_cycles;
  return *this;
}

WarpCode& WarpCode::store(const Traffic& traffic, WarpWait wait) {
  WarpStep& step = push({{port_of(address_registers + traffic.registers),
                          {sm_->lsu, traffic.wavefronts * sm_->wavefront},
                          {sm_->stores_to_l2, traffic.l2_bytes * sm_->store_cycles},
                          {sm_->dram, traffic.dram_bytes * sm_->write_cycles, true}},
                         true,
                         sm_->drain},
                        wait);
  step.queued = step.store = true;
  return *this;
}

WarpCode& WarpCode::count_up() {
  constexpr double bytes_of_sector = 32;
  WarpStep& step = push({{port_of(address_registers + 1),
                          {sm_->lsu, sm_->wavefront},
                          {sm_->l2, bytes_of_sector * sm_->l2_cycles},
                          {sm_->counter, sm_->counter_cycles}},
                         true,
                         sm_->l2_latency},
                        WarpWait::results);
  step.queued = step.load = true;
  step.spread = sm_->spread;
  unwaited_ += 1;
  return *this;
}

WarpCode& WarpCode::constant_load(WarpWait wait) {
  push({{port_of(0)}, true, sm_->constant_latency}, wait).queued = true;
  return *this;
}

WarpCode& WarpCode::barrier() {
  WarpStep& step = steps_.emplace_back();
  step.barrier = true;
  step.wait = WarpWait::nothing;
  return *this;
}

WarpCode& WarpCode::slots(std::int64_t count, WarpWait wait) { return slots_and_pause(count, 0, wait); }

WarpCode& WarpCode::compare(WarpWait wait) { return chain("compare", 1, wait); }

WarpCode& WarpCode::predicated_off(std::int64_t accesses, WarpWait wait) {
  for (; accesses > 0; --accesses, wait = WarpWait::nothing)
    push({{port_of(0), {sm_->lsu, sm_->idle_access}}, true, 0}, wait).queued = true;
  return *this;
}

WarpCode& WarpCode::loop_end(bool guarded) {
  slots(guarded ? 1 : 2);
  if (guarded) compare(WarpWait::nothing);
  return slots_and_pause(1, sm_->loop_latency, WarpWait::results);
}

WarpCode& WarpCode::enter(std::int64_t count) {
  return slots_and_pause(count, sm_->entry, WarpWait::nothing);
}

WarpCode& WarpCode::slots_and_pause(std::int64_t count, double pause, WarpWait wait) {
  if (count > 1) {
    WarpStep& most = steps_.emplace_back();
    most.repeat = count - 1;
    most.wait = wait;
    if (most.repeat == 1) take_in(most);
  }
  if (count > 0) {
    WarpStep& last = steps_.emplace_back();
    last.pause = pause;
    last.wait = count > 1 && wait == WarpWait::load ? WarpWait::nothing : wait;
    take_in(last);
  }
  return *this;
}

WarpCode& WarpCode::add(const WarpCode& code, std::int64_t times) {
  wavefronts_ += code.wavefronts_ * static_cast<double>(times);
  for (; times > 0; --times) steps_.insert(steps_.end(), code.steps_.begin(), code.steps_.end());
  return *this;
}

WarpCounts WarpCode::counts() const {
  WarpCounts counts{.wavefronts = wavefronts_};
  for (const WarpStep& step : steps_) counts.instructions += static_cast<double>(step.repeat);
  return counts;
}

} // namespace perfmodel
