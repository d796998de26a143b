// Where the lanes of a warp go: branches, calls, exits, and the places where they wait for one another.
#include "warp_run.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

using Waits = LaneGroup::Waits;

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
  for (auto& of_lanes : warp_.convergence)
    for (std::uint32_t& lanes : of_lanes) lanes &= ~mask;
  group.mask &= ~mask;
  ++group.next;
  std::erase_if(warp_.groups, [](const LaneGroup& g) { return g.mask == 0; });
}

// BRA P1, 0x260; EXIT P1; BREAK P1, B0: predicates beside the guard.
Flags WarpRunner::predicates_of(const Instruction& i) const {
  Flags all = Flags::of(all_lanes);
  for (const CodeOperand& o : i.operands) {
    if (o.kind != OperandKind::predicate && o.kind != OperandKind::uniform_predicate) continue;
    const Flags value =
        o.kind == OperandKind::predicate ? warp_.predicates[o.index] : warp_.uniform_predicates[o.index];
    all = all & (o.negated ? value.inverted() : value);
  }
  return all;
}

// Lanes that have asked once for what other blocks write do not ask again: `taken` and `open`, of which it is
// not known, become as if they had found it.
void WarpRunner::stop_waiting(const LaneGroup& group, const WaitingBranch& at, std::uint32_t& taken,
                              std::uint32_t& open) {
  const std::uint32_t wait = at.way == WaitingWay::if_taken ? taken : group.mask & ~taken & ~open;
  const std::uint32_t leave = open | (at.again ? wait : 0);
  if (leave == 0) return;
  ++sum_.waits_over;
  if (at.way == WaitingWay::if_taken)
    taken &= ~leave;
  else
    taken |= leave;
  open = 0;
}

void WarpRunner::jump(LaneGroup& group, const Instruction& i, const KernelRunner::Ready& ready,
                      std::uint32_t mask, std::uint32_t maybe) {
  if (i.has(mod("DIV"))) { // where lanes have parted from those of a mask: not here, they run together
    ++group.next;
    return;
  }
  if (ready.target == KernelRunner::nowhere) refuse(i, "jumps to an address that is not in the listing");
  const Flags second = predicates_of(i);
  std::uint32_t open = (mask & ~second.known) | (maybe & second.maybe());
  std::uint32_t taken = mask & second.value;
  if (ready.waiting.way != WaitingWay::none && block_.in_order)
    stop_waiting(group, ready.waiting, taken, open);
  else if (ready.waiting.again && open == 0 &&
           (ready.waiting.way == WaitingWay::if_taken ? taken : group.mask & ~taken) != 0)
    refuse(i, "waits for what another block writes");
  if (open != 0 && ready.short_division != KernelRunner::nowhere) divide_products(i, ready, taken, open);
  if (open != 0) {
    if (ready.slow_if_taken || ready.slow_if_not)
      ++sum_.slow_paths;
    else if (unknown_ == Unknown::refuse && ready.guards_little)
      ++sum_.unknown_guards; // executed, as those that have a guard of their own
    else if (unknown_ == Unknown::refuse)
      refuse(i, "goes by data that is loaded: whether it is taken is not known; --unknown taken, skipped or "
                "coin says so");
    else
      ++sum_.assumed;
    if (ready.slow_if_not || (!ready.slow_if_taken && unknown_ == Unknown::taken)) taken |= open;
    if (!ready.slow_if_not && !ready.slow_if_taken && unknown_ == Unknown::coin)
      taken |= open & coins(), ++sum_.tossed;
  }
  branch(group, ready.target, taken);
}

// BRX, RET: lanes that go the same way, one way after the other.
void WarpRunner::jump_to_register(LaneGroup& group, const Instruction& i, std::uint32_t mask) {
  const LaneWords to = LaneStep(i, warp_, block_, mask).raw(0);
  if ((to.known & mask) != mask) refuse(i, "jumps to an address that is not known");
  std::int64_t more = 0;
  for (const CodeOperand& o : i.operands)
    if (o.kind == OperandKind::integer) more = o.value;
  const std::int64_t base = i.is("RET") ? 0 : std::int64_t{i.address} + 16 + more;
  LaneGroup one = group;
  group.mask &= ~mask;
  ++group.next;
  for (std::uint32_t left = mask; left != 0; left &= ~one.mask) {
    const std::uint32_t word = to.at[static_cast<std::size_t>(std::countr_zero(left))];
    one.mask = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((left >> lane & 1) != 0 && to.at[lane] == word) one.mask |= 1U << lane;
    one.next = kernel_.code_.at(base + static_cast<std::int32_t>(word), i);
    warp_.groups.push_back(one);
  }
  std::erase_if(warp_.groups, [](const LaneGroup& g) { return g.mask == 0; });
}

void WarpRunner::wait_for_warp(LaneGroup& group, const Instruction& i, std::uint32_t mask) {
  group.waits = Waits::mask;
  group.meets = warp_.live;
  if (i.has(mod("ALL")) || i.operands.empty()) return;
  const LaneWords lanes = LaneStep(i, warp_, block_, mask).integer(0);
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  group.meets = (lanes.known >> lane & 1) != 0 ? lanes.at[lane] : mask;
}

// BAR.RED.OR 0x0, P0: lanes say yes or no.
void WarpRunner::vote(const Instruction& i, std::uint32_t mask) {
  const Flags said = predicates_of(i);
  BlockState::Votes& votes = block_.voting;
  const auto count = [&](std::uint32_t lanes) { return static_cast<std::uint32_t>(std::popcount(lanes)); };
  votes.yes += count(mask & said.value);
  votes.no += count(mask & said.known & ~said.value);
  votes.unknown += count(mask & ~said.known);
  votes.all = i.has(mod("AND"));
}

void WarpRunner::wait_for_block(LaneGroup& group, const Instruction& i, std::uint32_t mask) {
  LaneStep step(i, warp_, block_, mask);
  const LaneWords number = i.operands.empty() ? LaneWords::of(0) : step.integer(0);
  const LaneWords count = i.operands.size() > 1 && !step.is_predicate(1) ? step.integer(1) : LaneWords::of(0);
  const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
  const std::uint32_t barrier = number.at[lane] % 16;
  if (i.has(mod("RED"))) vote(i, mask);
  expected_ = count.at[lane] / 32;
  if (i.has(mod("ARV"))) {
    ++arrivals_[barrier];
    ++group.next;
    return;
  }
  group.waits = Waits::barrier;
  group.meets = barrier;
}

void WarpRunner::control(LaneGroup& group, const Instruction& i, const KernelRunner::Ready& ready,
                         std::uint32_t mask, std::uint32_t maybe) {
  const std::string_view opcode = i.opcode; // whose length is compared first
  if (opcode == "BRA" || opcode == "JMP") return jump(group, i, ready, mask, maybe);
  if (opcode == "EXIT" || opcode == "BREAK") {
    const Flags second = predicates_of(i);
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
  if (mask == 0) {
    ++group.next;
    return;
  }
  if (opcode == "EXIT" || opcode == "KILL" || opcode == "BPT") return leave(group, mask);
  // Lanes whose guard is false do not wait.
  if (mask != group.mask && (opcode == "BSYNC" || opcode == "WARPSYNC" || opcode == "BAR")) {
    const auto at = static_cast<std::size_t>(&group - warp_.groups.data());
    LaneGroup rest = group;
    rest.mask &= ~mask;
    ++rest.next;
    group.mask = mask;
    warp_.groups.push_back(rest);
    return control(warp_.groups[at], i, ready, mask, 0);
  }
  const auto convergence = std::find_if(i.operands.begin(), i.operands.end(), [](const CodeOperand& o) {
    return o.kind == OperandKind::convergence;
  });
  const bool converges = convergence != i.operands.end();
  if (opcode == "BSSY") {
    for (std::size_t lane = 0; converges && lane < 32; ++lane)
      if (group.mask >> lane & 1) warp_.convergence[convergence->index][lane] = group.mask;
    ++group.next;
  } else if (opcode == "BREAK") {
    if (converges)
      for (std::uint32_t& lanes : warp_.convergence[convergence->index]) lanes &= ~mask;
    ++group.next;
  } else if (opcode == "BSYNC") {
    group.waits = Waits::convergence;
    if (converges) group.convergence = convergence->index;
  } else if (opcode == "WARPSYNC") {
    wait_for_warp(group, i, mask);
  } else if (opcode == "BAR") {
    wait_for_block(group, i, mask);
  } else if (opcode == "CALL") {
    if (ready.target == KernelRunner::nowhere ||
        (!i.operands.empty() && i.operands[0].kind == OperandKind::reg))
      refuse(i, "calls a function whose address is not in the listing");
    branch(group, ready.target, mask);
  } else if (opcode == "RET" || opcode == "BRX" || opcode == "BRXU") {
    jump_to_register(group, i, mask);
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
      const auto lane = static_cast<std::size_t>(std::countr_zero(one.mask));
      const std::uint32_t needed = one.waits == Waits::convergence ? warp_.convergence[one.convergence][lane]
                                   : one.waits == Waits::mask      ? one.meets & warp_.live
                                                                   : warp_.live;
      // Lanes that wait at the same place for others come from elsewhere.
      const auto alike = [needed, first = LaneGroup(one)](const LaneGroup& g) {
        return g.waits == first.waits && g.next == first.next && (g.mask & (needed | first.mask)) != 0;
      };
      std::uint32_t there = 0;
      for (const LaneGroup& g : warp_.groups)
        if (alike(g)) there |= g.mask;
      if ((needed & ~there) != 0) continue;
      const LaneGroup met{.next = one.next + 1, .mask = there};
      if (one.waits == Waits::barrier) {
        warp_.barrier = static_cast<int>(one.meets);
        return;
      }
      std::erase_if(warp_.groups, alike);
      warp_.groups.push_back(met);
      again = true;
      break;
    }
  }
}

} // namespace perfmodel
