#include "sm_code.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perfmodel {

namespace {

SmUse use_of(const SmMachine& machine, const UnitUse& use) {
  const SmUnit& unit = machine.units[use.unit];
  SmUse made{.cycles = use.cycles,
             .unit = use.unit,
             .first = use.unit * machine.schedulers * machine.sms,
             .of = unit.of,
             .posted = use.posted};
  if (unit.of == UnitOf::device) made.cycles /= static_cast<double>(machine.sms);
  if (unit.servers > 1 && made.cycles > 0) {
    const double pieces = std::max(1.0, std::round(made.cycles / unit.piece));
    made.pieces = static_cast<std::size_t>(pieces);
    made.piece_cycles = made.cycles / pieces * static_cast<double>(unit.servers);
  }
  return made;
}

SmStep step_of(const SmMachine& machine, const WarpStep& step) {
  using Kind = SmStep::Kind;
  SmStep made{.kind = step.barrier     ? Kind::barrier
                      : step.used == 0 ? Kind::slot
                      : step.any       ? Kind::any
                                       : Kind::all,
              .wait = step.wait,
              .load = step.load,
              .store = step.store,
              .fence = step.fence,
              .goes_on = step.queued || step.used == 0,
              .used = step.used,
              .repeat = step.repeat,
              .latency = step.latency,
              .pause = step.pause,
              .issue = step.issue,
              .spread = {-step.spread / 2, step.spread / 2}};
  for (std::size_t i = 0; i < step.used; ++i) {
    made.uses[i] = use_of(machine, step.uses[i]);
    made.leaves = made.leaves || ((step.load || step.store) && made.uses[i].of == UnitOf::device);
  }
  return made;
}

// The numbers of steps, of which equal ones have the same.
class Numbers {
public:
  // In a loop the step that follows is the one that followed the last time.
  std::size_t of(const WarpStep& step) {
    ++last_;
    if (last_ >= different_.size() || different_[last_] != step) {
      const auto at = std::find(different_.begin(), different_.end(), step);
      last_ = static_cast<std::size_t>(at - different_.begin());
      if (at == different_.end()) different_.push_back(step);
    }
    return last_;
  }
  const std::vector<WarpStep>& different() const { return different_; }

private:
  std::vector<WarpStep> different_;
  std::size_t last_ = 0;
};

void check_waits(const WarpProgram& program) {
  std::int64_t unwaited = 0;
  for (const WarpStep& step : program) {
    if (step.wait == Wait::load && unwaited-- > SmCode::most_loads)
      throw std::logic_error("a step waits for one of more loads than a warp remembers");
    if (step.wait == Wait::loads) unwaited = 0;
    unwaited = std::max<std::int64_t>(0, unwaited) + (step.load ? step.repeat : 0);
  }
}

} // namespace

SmCode code_of(const SmMachine& machine, const BlockProgram& block) {
  SmCode code;
  for (const WarpProgram& program : block.programs) check_waits(program);
  Numbers numbers;
  for (const WarpProgram& program : block.programs) {
    std::vector<std::uint32_t>& list = code.programs.emplace_back();
    list.reserve(program.size() + 1);
    for (const WarpStep& step : program) list.push_back(static_cast<std::uint32_t>(numbers.of(step)));
  }
  for (const WarpStep& step : numbers.different()) code.steps.push_back(step_of(machine, step));
  for (std::vector<std::uint32_t>& list : code.programs)
    list.push_back(static_cast<std::uint32_t>(code.steps.size()));
  code.steps.emplace_back();
  return code;
}

} // namespace perfmodel
