#include "step_cost.hpp"

#include "matrix_cost.hpp"
#include "memory_cost.hpp"
#include "opcode_class.hpp"
#include "register_banks.hpp"
#include "warp_code.hpp"
#include "warp_programs.hpp"

#include "models/concurrency/instruction_class.hpp"
#include "models/core/error.hpp"
#include "models/kernel/register_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::uint16_t counters = 6;

class StepCosts {
public:
  StepCosts(const KernelCosts& costs, const KernelCode& code, const MemoryShares& shares, bool by_registers)
      : c_(costs), code_(code), shares_(shares), by_registers_(by_registers),
        bank_reads_(bank_reads(code, costs.register_banks)) {
    for (std::size_t n = 0; n < code.instructions.size(); ++n)
      classes_.push_back(class_of(code.instructions[n], costs.older[n]));
  }

  WarpStep of(const TracedStep& t, bool far) const {
    const Instruction& i = code_.instructions[t.instruction];
    const std::string_view name = classes_[t.instruction];
    if (name.empty() && !t.idle)
      throw RefusedKernel(fmt::format("line {}: {}: no cost of {} is known (hwdb/opcodes)", i.line,
                                      quoted(i.text), i.opcode));
    WarpStep step = name == "barrier"  ? barrier()
                    : name == "fence"  ? fence(i)
                    : name == "commit" ? commit()
                    : name == "memory" ? memory(t, far)
                                       : arithmetic(i, name);
    step.wait = WarpWait::nothing;
    step.blames = blame(t, name);
    if (c_.sm.machine.fetch.lines > 0)
      step.line = t.instruction / static_cast<std::uint32_t>(instructions_of_line);
    groups(i, step);
    dependences(i, t, step);
    if (i.opcode == "NANOSLEEP" && !t.idle) step.stall = std::max(step.stall, sleep_of(i));
    if (name == "branch" && t.taken) {
      step.stall = std::max(step.stall, c_.sm.loop_latency + c_.sm.machine.reissue_gap);
      step.branches = true;
    }
    return step;
  }

private:
  // NANOSLEEP 0x1c2: cycles of so many nanoseconds, of which PTX promises no more than twice as many (PTX
  // ISA, nanosleep). By a register it is not known how many.
  double sleep_of(const Instruction& i) const {
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::integer) return 1e-9 * static_cast<double>(o.value) * c_.sm.clock.value;
    return 0;
  }

  static WarpStep barrier() {
    WarpStep step;
    step.barrier = true;
    return step;
  }

  WarpStep fence(const Instruction& i) const {
    const bool block = i.has(mod("CTA"));
    const KernelCosts::OfFence& cost = block               ? c_.block_fence
                                       : i.has(mod("SYS")) ? c_.system_fence
                                                           : c_.gpu_fence;
    WarpStep step;
    step.fence = block ? Fence::block : Fence::device;
    step.uses[step.used++] = {c_.fences, cost.interval, false};
    step.latency = cost.latency - cost.interval;
    return step;
  }

  // It comes back when the copies before it have come, and no sooner than from the SM's path to memory.
  WarpStep commit() const {
    WarpStep step;
    step.uses[step.used++] = {c_.sm.lsu, c_.commit_interval, false};
    step.latency = c_.commit_latency - c_.commit_interval;
    return step;
  }

  WarpStep memory(const TracedStep& t, bool far) const {
    WarpStep step = memory_cost(c_, code_.instructions[t.instruction], t, shares_, far);
    const OlderInstruction& older = c_.older[t.instruction];
    const auto pipe = c_.sm.instructions.find(class_of_moves);
    if (older.words == 0 || t.idle || pipe == c_.sm.instructions.end() ||
        step.used >= WarpStep::most_own_uses)
      return step;
    // What meets in a bank goes through the pipe again.
    constexpr int requests = 2; // of a warp: each of its halves
    UnitUse moves = pipe->second.uses.front();
    moves.cycles =
        older.moved * moves.cycles + std::max(0, t.wavefronts - requests * older.words) * c_.sm.wavefront;
    if (moves.cycles > 0) step.uses[step.used++] = moves;
    return step;
  }

  WarpStep arithmetic(const Instruction& i, std::string_view name) const {
    if (name == "special" || name == "uniform_load") { // as long as a constant
      WarpStep step;
      step.latency = c_.sm.constant_latency;
      if (name == "special" && c_.special_interval > 0) {
        step.uses[step.used++] = {c_.special_registers, c_.special_interval, false};
        step.queued = true;
      }
      return step;
    }
    if (name == "tensor") return matrix_cost(c_, i);
    const auto at = c_.sm.instructions.find(name);
    if (c_.sm.functions.contains(name)) return one_after_the_other(name);
    if (at == c_.sm.instructions.end()) return {}; // an issue slot
    WarpCode code(c_.sm);
    WarpStep step = code.run(name, 1, WarpWait::nothing).steps().front();
    step.repeat = c_.older[static_cast<std::size_t>(&i - code_.instructions.data())].times;
    step.reads = bank_reads_[static_cast<std::size_t>(&i - code_.instructions.data())];
    step.wide = i.opcode.size() == 4 && i.opcode[0] == 'D'; // DADD, DMUL, DFMA
    return step;
  }

  // What is several instructions on this GPU, as one step.
  WarpStep one_after_the_other(std::string_view name) const {
    WarpStep made;
    double slots = 0;
    WarpCode code(c_.sm);
    code.chain(name, 1, WarpWait::nothing);
    for (const WarpStep& part : code.steps()) {
      const auto times = static_cast<double>(part.repeat);
      slots += times;
      made.latency += times * part.latency;
      made.issue += times * part.issue;
      if (part.used == 0) continue;
      auto* const end = made.uses.begin() + made.used;
      auto* const same = std::find_if(made.uses.begin(), end,
                                      [&](const UnitUse& use) { return use.unit == part.uses[0].unit; });
      if (same != end)
        same->cycles += times * part.uses[0].cycles;
      else if (made.used < WarpStep::most_own_uses)
        (made.uses[made.used++] = part.uses[0]).cycles *= times;
    }
    made.issue += (slots - 1) * c_.sm.machine.issue_interval;
    return made;
  }

  static void groups(const Instruction& i, WarpStep& step) {
    const auto left = [&] {
      const bool says = !i.operands.empty() && i.operands.back().kind == OperandKind::integer;
      return static_cast<std::uint8_t>(says ? std::clamp<std::int64_t>(i.operands.back().value, 0, 255) : 0);
    };
    if (i.opcode == "LDGSTS") step.group = AsyncGroup::copies;
    if (i.opcode == "LDGDEPBAR") step.group = AsyncGroup::copies, step.ends_group = true;
    if (i.opcode == "DEPBAR" && i.has(mod("LE"))) step.awaits = AsyncGroup::copies, step.groups_left = left();
    if (i.columns > 0) {
      step.group = AsyncGroup::products;
      step.ends_group = !i.operands.empty() && i.operands.back().name.starts_with("gsb");
    }
    if (i.opcode == "WARPGROUP" && i.has(mod("DEPBAR")))
      step.awaits = AsyncGroup::products, step.groups_left = left();
  }

  Stall blame(const TracedStep& t, std::string_view name) const {
    if (t.space == Space::global || t.space == Space::local) return Stall::long_scoreboard;
    if (t.space != Space::none || name == "special" || name == "uniform_load") return Stall::short_scoreboard;
    const auto at = c_.sm.instructions.find(name);
    return at != c_.sm.instructions.end() && at->second.latency > 12 ? Stall::short_scoreboard : Stall::wait;
  }

  void dependences(const Instruction& i, const TracedStep& t, WarpStep& step) const {
    if (by_registers_) {
      step.waits = t.waits;
      step.waits_for = t.waits_for;
      if (t.result != 0xffff) step.result = t.result;
      if (is_predicate(t.result)) // what it guards waits longer than for a register
        step.latency =
            std::max(step.latency, c_.sm.predicate_latency - (step.used > 0 ? step.uses[0].cycles : 0));
      return;
    }
    const Control& control = i.control;
    for (std::uint16_t counter = 0; counter < counters; ++counter)
      if ((control.wait_mask >> counter & 1) != 0) step.waits_for[step.waits++] = counter;
    if (control.write_counter < counters) step.result = control.write_counter;
    if (control.read_counter < counters) step.operands_read = control.read_counter;
    step.stall = control.stall;
    if (t.stores && control.read_counter < counters) step.reads_for = reads_for(t);
  }

  // Of a store, which needs its registers for so long beyond the cycle in which the next instruction could be
  // issued.
  std::uint8_t reads_for(const TracedStep& t) const {
    const double later = t.space == Space::shared ? c_.sm.shared_release : c_.sm.global_release;
    return later > 0 ? static_cast<std::uint8_t>(std::lround(later + c_.sm.machine.reissue_gap))
                     : std::uint8_t{0};
  }

  const KernelCosts& c_;
  const KernelCode& code_;
  const MemoryShares& shares_;
  bool by_registers_;
  std::vector<BankReads> bank_reads_;
  std::vector<std::string_view> classes_; // of each instruction
};

} // namespace

TracedBlocks costed(const KernelCosts& costs, const KernelCode& code, const std::vector<TracedStep>& steps,
                    const std::vector<const BlockTrace*>& kinds, const MemoryShares& shares,
                    bool by_registers, double share) {
  const StepCosts prices(costs, code, shares, by_registers);
  TracedBlocks made{.places = by_registers ? register_places : counters};
  for (const TracedStep& step : steps)
    for (const bool far : {false, true}) made.steps.push_back(prices.of(step, far));
  WarpPrograms programs(shares, steps, made);
  for (const BlockTrace* kind : kinds) {
    WarpSteps warps;
    for (std::size_t w = 0; w < kind->warps.size(); ++w) warps.push_back(kind->steps_with(w, share));
    programs.add(std::move(warps));
  }
  return made;
}

} // namespace perfmodel
