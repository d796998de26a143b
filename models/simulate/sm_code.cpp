#include "sm_code.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace perfmodel {

namespace {

SmUse use_of(const SmMachine& machine, const UnitUse& use) {
  const SmUnit& unit = machine.units[use.unit];
  SmUse made{.cycles = use.cycles,
             .first = static_cast<std::uint32_t>(use.unit * machine.schedulers * machine.sms),
             .unit = static_cast<std::uint16_t>(use.unit),
             .of = unit.of,
             .posted = use.posted,
             .in_turn = use.in_turn};
  if (unit.of == UnitOf::device) made.cycles /= static_cast<double>(machine.sms);
  if (unit.servers > 1 && made.cycles > 0) {
    const double pieces = std::max(1.0, std::round(made.cycles / unit.piece));
    made.pieces = static_cast<std::uint32_t>(pieces);
    made.piece_cycles = made.cycles / pieces * static_cast<double>(unit.servers);
  }
  return made;
}

std::uint8_t banks_of(const BankReads& reads) {
  std::size_t banks = reads.size();
  while (banks > 0 && reads[banks - 1] == 0) --banks;
  return static_cast<std::uint8_t>(banks);
}

bool is_plain(const SmStep& step) {
  const bool of_memory = step.leaves || step.accesses || step.load || step.store || step.path > 0 ||
                         step.lines > 0 || step.opened_back > 0 || step.found > 0;
  const bool by_chance = step.spread > 0 || step.tail > 0;
  const bool in_group = step.group != AsyncGroup::none || step.awaits != AsyncGroup::none;
  const bool beyond_sm = std::any_of(step.uses.begin(), step.uses.begin() + step.used, [](const SmUse& use) {
    return use.of == UnitOf::device || use.pieces > 0;
  });
  const bool fits =
      step.kind == SmStep::Kind::slot || step.kind == SmStep::Kind::any || step.kind == SmStep::Kind::all;
  return fits && step.repeat == 1 && !of_memory && !by_chance && !in_group && !beyond_sm;
}

SmStep step_of(const SmMachine& machine, const WarpStep& step) {
  using Kind = SmStep::Kind;
  SmStep made{.kind = step.barrier                  ? Kind::barrier
                      : step.fence == Fence::block  ? Kind::block_fence
                      : step.fence == Fence::device ? Kind::device_fence
                      : step.used == 0              ? Kind::slot
                      : step.any                    ? Kind::any
                                                    : Kind::all,
              .wait = step.wait,
              .waits = step.waits,
              .used = step.used,
              .banks = machine.register_read > 0 ? banks_of(step.reads) : std::uint8_t{0},
              .wide = step.wide,
              .load = step.load,
              .store = step.store,
              .goes_on = step.queued || step.used == 0,
              .branches = step.branches,
              .blames = step.blames,
              .group = step.group,
              .awaits = step.awaits,
              .ends_group = step.ends_group,
              .groups_left = step.groups_left,
              .reads_for = step.reads_for,
              .result = step.result,
              .operands_read = step.operands_read,
              .lines = step.lines,
              .opened_back = step.opened_back,
              .in_row = step.in_row,
              .group_of_warps = step.group_of_warps,
              .alike = step.alike,
              .path = step.path,
              .waits_for = step.waits_for,
              .latency = step.latency,
              .stall = step.stall,
              .pause = step.pause,
              .issue = step.issue,
              .reads = step.reads,
              .repeat = step.repeat,
              .spread = step.spread / 2,
              .found = step.found,
              .far = static_cast<float>(step.far),
              .tail = step.tail};
  for (std::size_t i = 0; i < step.used; ++i) {
    made.uses[i] = use_of(machine, step.uses[i]);
    made.accesses = made.accesses || (step.queued && !step.cached && made.uses[i].unit == machine.accesses);
    made.leaves = made.leaves || ((step.load || step.store) && made.uses[i].of == UnitOf::device);
  }
  made.accesses = made.accesses && !made.leaves;
  made.plain = is_plain(made);
  return made;
}

// An instruction of fixed latency, that no counter of the code waits for, is issued when a unit of the
// scheduler takes it; others queue.
bool issued_to_unit(const SmMachine& machine, const WarpStep& step) {
  return step.result == WarpStep::no_place && step.group == AsyncGroup::none && step.used > 0 &&
         !step.queued && !step.barrier &&
         std::all_of(step.uses.begin(), step.uses.begin() + step.used,
                     [&](const UnitUse& use) { return machine.units[use.unit].of == UnitOf::scheduler; });
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
    if (step.wait == WarpWait::load && unwaited-- > SmCode::most_loads)
      throw std::logic_error("a step waits for one of more loads than a warp remembers");
    if (step.wait == WarpWait::loads) unwaited = 0;
    unwaited = std::max<std::int64_t>(0, unwaited) + (step.load ? step.repeat : 0);
  }
}

// Whether it queues for one of several banks, or these collect what it posts, or it takes longer where the
// other half of L2 has its data, or device memory is slow.
bool met_by_chance(const SmMachine& machine, const WarpStep& step) {
  return step.spread > 0 || step.tail > 0 ||
         std::any_of(step.uses.begin(), step.uses.begin() + step.used, [&](const UnitUse& use) {
           return machine.units[use.unit].servers > 1 && use.cycles > 0;
         });
}

void finish(const SmMachine& machine, std::span<const WarpStep> steps, SmCode& code) {
  for (const WarpStep& step : steps) {
    code.steps.push_back(step_of(machine, step));
    if (machine.fetch.lines > 0) code.lines.push_back(step.line);
    code.by_chance = code.by_chance || met_by_chance(machine, step);
    code.groups_of_warps = std::max<std::size_t>(code.groups_of_warps, step.group_of_warps + 1U);
  }
  for (std::vector<std::uint32_t>& list : code.programs)
    list.push_back(static_cast<std::uint32_t>(code.steps.size()));
  code.steps.emplace_back();
}

// Of the places of a warp's results only those that some step waits for, numbered anew: of 255 registers and
// more a warp waits for a few dozen, and those of all warps are to stay in the nearest cache.
void keep_places_waited_for(SmCode& code) {
  std::vector<std::uint16_t> kept(code.places, WarpStep::no_place);
  code.places = 0;
  for (SmStep& step : code.steps)
    for (std::size_t i = 0; i < step.waits; ++i) {
      std::uint16_t& place = kept[step.waits_for[i]];
      if (place == WarpStep::no_place) place = static_cast<std::uint16_t>(code.places++);
      step.waits_for[i] = place;
    }
  // The rest of the list says the first again, so that several can be looked at side by side.
  for (SmStep& step : code.steps)
    if (step.waits > 0)
      std::fill(step.waits_for.begin() + step.waits, step.waits_for.end(), step.waits_for.front());
  for (SmStep& step : code.steps)
    for (std::uint16_t* const place : {&step.result, &step.operands_read})
      if (*place != WarpStep::no_place) *place = kept[*place];
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
  finish(machine, numbers.different(), code);
  code.blocks = {block.of_warp};
  code.order = {0};
  return code;
}

SmCode code_of(const SmMachine& machine, const TracedBlocks& traced) {
  SmCode code{.steps = {},
              .programs = traced.programs,
              .blocks = traced.blocks,
              .order = traced.order,
              .places = traced.places};
  finish(machine, traced.steps, code);
  for (std::size_t i = 0; i < traced.steps.size(); ++i)
    code.steps[i].waits_for_unit = issued_to_unit(machine, traced.steps[i]);
  keep_places_waited_for(code);
  return code;
}

} // namespace perfmodel
