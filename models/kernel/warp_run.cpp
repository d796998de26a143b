#include "warp_run.hpp"

#include "memory_step.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace perfmodel {

using Waits = LaneGroup::Waits;

WarpRunner::WarpRunner(const KernelRunner& kernel, BlockState& block, std::size_t number,
                       std::int64_t threads, Unknown unknown, const std::function<void(const Executed&)>& see,
                       BlockRun& sum)
    : kernel_(kernel), block_(block), unknown_(unknown), see_(see), sum_(sum) {
  warp_.number = number;
  warp_.live = threads >= 32 ? all_lanes : (1U << threads) - 1;
  warp_.groups.push_back({.next = 0, .mask = warp_.live});
}

void WarpRunner::refuse(const Instruction& i, std::string_view why) const {
  throw InputError(fmt::format("line {}: {} {}", i.line, quoted(i.text), why));
}

Flags WarpRunner::guard_of(const Instruction& i) const {
  if (i.guard.kind == OperandKind::none) return Flags::of(all_lanes);
  const Flags value = i.guard.kind == OperandKind::uniform_predicate ? warp_.uniform_predicates[i.guard.index]
                                                                     : warp_.predicates[i.guard.index];
  return i.guard.negated ? value.inverted() : value;
}

LaneGroup* WarpRunner::next_group() {
  LaneGroup* first = nullptr;
  for (LaneGroup& group : warp_.groups)
    if (group.waits == Waits::no && (first == nullptr || group.next < first->next)) first = &group;
  if (first == nullptr || warp_.groups.size() == 1) return first;
  // LaneWords that are at the same instruction are one group again.
  for (LaneGroup& group : warp_.groups)
    if (&group != first && group.waits == Waits::no && group.next == first->next) {
      first->mask |= group.mask;
      group.mask = 0;
    }
  const std::size_t at = first->next;
  std::erase_if(warp_.groups, [](const LaneGroup& g) { return g.mask == 0; });
  for (LaneGroup& group : warp_.groups)
    if (group.waits == Waits::no && group.next == at) return &group;
  return nullptr;
}

bool WarpRunner::go_on() {
  bool moved = false;
  loaded_ = false;
  while (warp_.live != 0 && warp_.barrier < 0 && !loaded_) {
    LaneGroup* group = next_group();
    if (group == nullptr) {
      for (const LaneGroup& g : warp_.groups)
        if (g.waits != Waits::barrier)
          throw InputError(fmt::format("lanes of a warp wait for one another for ever at line {}",
                                       kernel_.code_.instructions[g.next].line));
      return moved;
    }
    issue(*group);
    moved = true;
  }
  return moved;
}

void WarpRunner::issue(LaneGroup& group) {
  const std::size_t at = group.next;
  if (at >= kernel_.code_.instructions.size()) throw InputError("the code runs past its last instruction");
  if (++sum_.instructions > sum_.most)
    throw InputError(fmt::format("a block runs for more than {} instructions; line {} is one of its loop",
                                 sum_.most, kernel_.code_.instructions[at].line));
  const Instruction& i = kernel_.code_.instructions[at];
  const KernelRunner::Ready& ready = kernel_.ready_[at];
  const Flags guard = guard_of(i);
  const std::uint32_t mask = group.mask & guard.value, maybe = group.mask & ~guard.known;
  Executed executed{.warp = warp_.number, .instruction = at, .mask = mask};
  if (ready.kind == KernelRunner::Kind::control) {
    const std::uint32_t before = group.mask;
    control(group, i, ready, mask, maybe);
    executed.mask = before & guard.maybe();
    executed.taken = (i.opcode == "BRA" || i.opcode == "BRX" || i.opcode == "CALL" || i.opcode == "RET" ||
                      i.opcode == "JMP") &&
                     std::any_of(warp_.groups.begin(), warp_.groups.end(), [&](const LaneGroup& g) {
                       return (g.mask & before) != 0 && g.next != at + 1;
                     });
    see_(executed);
    meet();
    return;
  }
  if (ready.kind == KernelRunner::Kind::unknown) {
    if ((mask | maybe) != 0)
      throw InputError(
          fmt::format("line {}: {}: {}", i.line, quoted(i.text),
                      i.unread.empty() ? fmt::format("what {} does is not known", i.opcode) : i.unread));
    executed.known = false;
    group.next = at + 1;
    see_(executed);
    return;
  }
  // Those whose guard is not known take part, and what they write is not known.
  if (maybe != 0) ++sum_.unknown_guards;
  LaneStep step(i, warp_, block_, mask | maybe);
  step.maybe = maybe;
  executed.mask = step.mask;
  if (ready.kind == KernelRunner::Kind::memory) {
    MemoryAccess first, second;
    const bool both = run_memory(step, first, second);
    executed.access = &first;
    loaded_ = first.space == Space::global && first.loads;
    executed.second = both ? &second : nullptr;
    group.next = at + 1;
    see_(executed);
    return;
  }
  if (ready.execute != nullptr && (step.mask != 0 || i.guard.kind == OperandKind::none)) ready.execute(step);
  group.next = at + 1;
  see_(executed);
}

// A bit for each lane, another one at each instruction.
std::uint32_t WarpRunner::coins() const {
  return static_cast<std::uint32_t>(mixed(block_.linear << 32 ^ sum_.instructions));
}

void WarpRunner::branch(LaneGroup& group, std::size_t target, std::uint32_t mask) {
  if (mask == group.mask) {
    group.next = target;
    return;
  }
  ++group.next;
  if (mask == 0) return;
  group.mask &= ~mask;
  warp_.groups.push_back({.next = target, .mask = mask}); // `group` may have moved: it is not used any more
}

void WarpRunner::leave(LaneGroup& group, std::uint32_t mask) {
  warp_.live &= ~mask;
  for (std::uint32_t& lanes : warp_.convergence) lanes &= ~mask;
  group.mask &= ~mask;
  ++group.next;
  std::erase_if(warp_.groups, [](const LaneGroup& g) { return g.mask == 0; });
}

void WarpRunner::control(LaneGroup& group, const Instruction& i, const KernelRunner::Ready& ready,
                         std::uint32_t mask, std::uint32_t maybe) {
  const std::string& opcode = i.opcode;
  const auto operand_flag = [&]() { // BRA P1, 0x260: a second predicate
    Flags both = Flags::of(all_lanes);
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate) {
        const Flags value =
            o.kind == OperandKind::predicate ? warp_.predicates[o.index] : warp_.uniform_predicates[o.index];
        both = both & (o.negated ? value.inverted() : value);
      }
    return both;
  };
  if (opcode == "BRA" || opcode == "JMP") {
    if (i.has(mod("DIV"))) { // where lanes have parted from those of a mask: not here, they run together
      ++group.next;
      return;
    }
    if (ready.target == KernelRunner::nowhere) refuse(i, "jumps to an address that is not in the listing");
    const Flags second = operand_flag();
    std::uint32_t taken = mask & second.value, open = (mask & ~second.known) | (maybe & second.maybe());
    if (open != 0) {
      if (ready.slow_if_taken || ready.slow_if_not)
        ++sum_.slow_paths;
      else if (unknown_ == Unknown::refuse)
        refuse(i,
               "goes by data that is loaded: whether it is taken is not known; --unknown taken, skipped or "
               "coin says so");
      else
        ++sum_.assumed;
      if (ready.slow_if_not || (!ready.slow_if_taken && unknown_ == Unknown::taken)) taken |= open;
      if (!ready.slow_if_not && !ready.slow_if_taken && unknown_ == Unknown::coin)
        taken |= open & coins(), ++sum_.tossed;
    }
    return branch(group, ready.target, taken);
  }
  if (opcode == "EXIT" || opcode == "BREAK") { // EXIT P1, BREAK P1, B0
    const Flags second = operand_flag();
    maybe = (maybe & second.maybe()) | (mask & ~second.known);
    mask &= second.value;
  }
  if (maybe != 0) {
    if (opcode == "EXIT" && unknown_ == Unknown::refuse)
      refuse(i, "goes by data that is loaded: --unknown taken, skipped or coin says whether its lanes leave");
    ++sum_.assumed;
    if (unknown_ == Unknown::taken) mask |= maybe;
    if (unknown_ == Unknown::coin) mask |= maybe & coins(), ++sum_.tossed;
  }
  if (opcode == "EXIT" || opcode == "KILL" || opcode == "BPT")
    return mask == 0 ? static_cast<void>(++group.next) : leave(group, mask);
  if (mask == 0) {
    ++group.next;
    return;
  }
  // LaneWords whose guard is false do not wait.
  if (mask != group.mask && (opcode == "BSYNC" || opcode == "WARPSYNC" || opcode == "BAR")) {
    const auto at = static_cast<std::size_t>(&group - warp_.groups.data());
    LaneGroup rest = group;
    rest.mask &= ~mask;
    ++rest.next;
    group.mask = mask;
    warp_.groups.push_back(rest);
    return control(warp_.groups[at], i, ready, mask, 0);
  }
  if (opcode == "BSSY") {
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::convergence) warp_.convergence[o.index] = group.mask;
    ++group.next;
  } else if (opcode == "BSYNC") {
    group.waits = Waits::convergence;
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::convergence) group.convergence = o.index;
  } else if (opcode == "BREAK") {
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::convergence) warp_.convergence[o.index] &= ~mask;
    ++group.next;
  } else if (opcode == "WARPSYNC") {
    group.waits = Waits::mask;
    group.meets = warp_.live;
    LaneStep step(i, warp_, block_, mask);
    if (!i.has(mod("ALL")) && !i.operands.empty()) {
      const LaneWords lanes = step.integer(0);
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      group.meets = (lanes.known >> lane & 1) != 0 ? lanes.at[lane] : mask;
    }
  } else if (opcode == "BAR") {
    LaneStep step(i, warp_, block_, mask);
    const LaneWords number = i.operands.empty() ? LaneWords::of(0) : step.integer(0);
    const LaneWords count =
        i.operands.size() > 1 && !step.is_predicate(1) ? step.integer(1) : LaneWords::of(0);
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    const auto id = static_cast<int>(number.at[lane] % 16);
    expected_ = count.at[lane] / 32;
    if (i.has(mod("ARV"))) {
      ++arrivals_[static_cast<std::size_t>(id)];
      ++group.next;
      return;
    }
    group.waits = Waits::barrier;
    group.meets = static_cast<std::uint32_t>(id);
  } else if (opcode == "CALL") {
    if (ready.target == KernelRunner::nowhere ||
        (!i.operands.empty() && i.operands[0].kind == OperandKind::reg))
      refuse(i, "calls a function whose address is not in the listing");
    return branch(group, ready.target, mask);
  } else if (opcode == "RET" || opcode == "BRX" || opcode == "BRXU") {
    LaneStep step(i, warp_, block_, mask);
    const LaneWords to = step.raw(0);
    std::int64_t more = 0;
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::integer) more = o.value;
    if ((to.known & mask) != mask) refuse(i, "jumps to an address that is not known");
    const std::int64_t base = opcode == "RET" ? 0 : std::int64_t{i.address} + 16 + more;
    // LaneWords that go the same way, one way after the other.
    std::uint32_t left = mask;
    const std::uint32_t stay = group.mask & ~mask;
    LaneGroup whole = group;
    group.mask = stay;
    ++group.next;
    while (left != 0) {
      const std::uint32_t word = to.at[static_cast<std::size_t>(std::countr_zero(left))];
      std::uint32_t same = 0;
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((left >> lane & 1) != 0 && to.at[lane] == word) same |= 1U << lane;
      left &= ~same;
      whole.mask = same;
      whole.next = kernel_.code_.at(base + static_cast<std::int32_t>(word), i);
      warp_.groups.push_back(whole);
    }
    std::erase_if(warp_.groups, [](const LaneGroup& g) { return g.mask == 0; });
  } else { // BMOV: convergence registers are kept as they are
    ++group.next;
  }
}

// Groups whose lanes have all come go on, together.
void WarpRunner::meet() {
  for (bool again = true; again;) {
    again = false;
    for (const LaneGroup& one : warp_.groups) {
      if (one.waits == Waits::no) continue;
      std::uint32_t there = 0;
      const auto alike = [&](const LaneGroup& g) { return g.waits == one.waits && g.next == one.next; };
      for (const LaneGroup& g : warp_.groups)
        if (alike(g)) there |= g.mask;
      const std::uint32_t needed = one.waits == Waits::convergence ? warp_.convergence[one.convergence]
                                   : one.waits == Waits::mask      ? one.meets & warp_.live
                                                                   : warp_.live;
      if ((needed & ~there) != 0) continue;
      const LaneGroup met{.next = one.next + 1, .mask = there};
      if (one.waits == Waits::barrier) {
        warp_.barrier = static_cast<int>(one.meets);
        return;
      }
      std::erase_if(warp_.groups, [&, first = LaneGroup(one)](const LaneGroup& g) {
        return g.waits == first.waits && g.next == first.next;
      });
      warp_.groups.push_back(met);
      again = true;
      break;
    }
  }
}

void WarpRunner::pass() {
  warp_.barrier = -1;
  for (LaneGroup& group : warp_.groups)
    if (group.waits == Waits::barrier) {
      group.waits = Waits::no;
      ++group.next;
    }
}

void WarpRunner::spend(int barrier) {
  std::uint8_t& arrivals = arrivals_[static_cast<std::size_t>(barrier)];
  if (arrivals > 0) --arrivals;
}

std::size_t WarpRunner::arrived(const std::vector<WarpRunner>& warps) const {
  const auto at = static_cast<std::size_t>(warp_.barrier);
  return static_cast<std::size_t>(
      std::count_if(warps.begin(), warps.end(), [&](const WarpRunner& w) { return w.arrivals_[at] > 0; }));
}

} // namespace perfmodel
