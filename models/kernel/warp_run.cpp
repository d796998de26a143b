#include "warp_run.hpp"

#include "memory_step.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

namespace perfmodel {

using Waits = LaneGroup::Waits;

namespace {

// Whether some lane, of those whose address is known, reaches beyond all arrays. Most accesses lie in one.
bool reaches_outside(const MemoryAccess& access, std::span<const Allocation> all) {
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  const std::uint32_t lanes = access.mask & access.known;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    first = std::min(first, static_cast<std::uint64_t>(access.address[lane]));
    last = std::max(last, static_cast<std::uint64_t>(access.address[lane]));
  }
  if (lanes == 0 || !lies_outside(all, first, last - first + access.bytes)) return false;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((lanes >> lane & 1) != 0 &&
        lies_outside(all, static_cast<std::uint64_t>(access.address[lane]), access.bytes))
      return true;
  return false;
}

} // namespace

WarpRunner::WarpRunner(const KernelRunner& kernel, BlockState& block, std::size_t number,
                       std::int64_t threads, Unknown unknown, const std::function<void(const Executed&)>& see,
                       BlockRun& sum, TripFollower* follower)
    : kernel_(kernel), block_(block), unknown_(unknown), see_(see), sum_(sum), follower_(follower) {
  warp_.number = number;
  warp_.live = threads >= 32 ? all_lanes : (1U << threads) - 1;
  warp_.groups.push_back({.next = 0, .mask = warp_.live});
  // No right program depends on what a register held before, and compilers keep several predicates in one.
  for (LaneWords& one : warp_.registers)
    if (block.in_order) one = LaneWords::of(0);
}

void WarpRunner::refuse(const Instruction& i, std::string_view why) const {
  throw RefusedKernel(fmt::format("line {}: {} {}", i.line, quoted(i.text), why));
}

Flags WarpRunner::guard_of(const Instruction& i) const {
  if (i.guard.kind == OperandKind::none) return Flags::of(all_lanes);
  const Flags value = i.guard.kind == OperandKind::uniform_predicate ? warp_.uniform_predicates[i.guard.index]
                                                                     : warp_.predicates[i.guard.index];
  return i.guard.negated ? value.inverted() : value;
}

// Lanes that have parted go on apart, even at the same instruction, until they meet where the code says so
// (BSYNC).
LaneGroup* WarpRunner::next_group() {
  LaneGroup* first = nullptr;
  for (LaneGroup& group : warp_.groups)
    if (group.waits == Waits::no && (first == nullptr || group.next < first->next)) first = &group;
  return first;
}

bool WarpRunner::go_on() {
  bool moved = false;
  loaded_ = false;
  while (warp_.live != 0 && warp_.barrier < 0) {
    LaneGroup* group = next_group();
    if (loaded_ && (group == nullptr || waits(*group))) return moved;
    if (group == nullptr) {
      for (const LaneGroup& g : warp_.groups)
        if (g.waits != Waits::barrier)
          throw RefusedKernel(fmt::format("lanes of a warp wait for one another for ever at line {}",
                                          kernel_.code_.instructions[g.next].line));
      return moved;
    }
    issue(*group);
    moved = true;
  }
  return moved;
}

// Whether it has to wait before its next instruction; code that does not say so waits behind each load.
bool WarpRunner::waits(const LaneGroup& group) const {
  const KernelCode& code = kernel_.code_;
  return !code.has_encoding || group.next >= code.instructions.size() ||
         code.instructions[group.next].control.wait_mask != 0;
}

void WarpRunner::issue(LaneGroup& group) {
  const std::size_t at = group.next;
  if (at >= kernel_.code_.instructions.size())
    throw RefusedKernel(
        fmt::format("the code runs past its last instruction, in line {}: is the listing cut off?",
                    kernel_.code_.instructions.back().line));
  if (++sum_.instructions > sum_.most)
    throw RefusedKernel(fmt::format("a block runs for more than {} instructions; line {} is one of its loop",
                                    sum_.most, kernel_.code_.instructions[at].line));
  loops_.issued();
  const Instruction& i = kernel_.code_.instructions[at];
  const KernelRunner::Ready& ready = kernel_.ready_[at];
  const Flags guard = guard_of(i);
  const std::uint32_t mask = group.mask & guard.value, maybe = group.mask & ~guard.known;
  Executed executed{.warp = warp_.number, .instruction = at, .mask = mask};
  if (ready.kind == KernelRunner::Kind::control) {
    const std::uint32_t before = group.mask;
    control(group, i, ready, mask, maybe);
    executed.mask = before & guard.maybe();
    executed.taken = (i.is("BRA") || i.is("BRX") || i.is("CALL") || i.is("RET") || i.is("JMP")) &&
                     std::any_of(warp_.groups.begin(), warp_.groups.end(), [&](const LaneGroup& g) {
                       return (g.mask & before) != 0 && g.next != at + 1;
                     });
    see_(executed);
    if (i.is("CALL") && executed.taken && kernel_.calls_return_) loops_.give_up();
    if (follower_ != nullptr && executed.taken && ready.target <= at)
      went_back({.edge = at, .target = ready.target, .inside = ready.loops_inside});
    meet();
    return;
  }
  if (ready.kind == KernelRunner::Kind::unknown) {
    if ((mask | maybe) != 0)
      throw RefusedKernel(
          fmt::format("line {}: {}: {}", i.line, quoted(i.text),
                      i.unread.empty() ? fmt::format("what {} does is not known", i.opcode) : i.unread));
    executed.known = false;
    group.next = at + 1;
    see_(executed);
    return;
  }
  // Those whose guard is not known take part, and what they write is not known.
  if (maybe != 0) ++sum_.unknown_guards;
  if (maybe != 0 && ready.kind == KernelRunner::Kind::memory) ++sum_.guarded_accesses;
  LaneStep step(i, warp_, block_, mask | maybe);
  step.maybe = maybe;
  step.common = ready.common;
  if (!kernel_.products_.empty()) products_.follow(kernel_.products_[at], step);
  executed.mask = step.mask;
  if (ready.kind == KernelRunner::Kind::memory) {
    MemoryAccess first, second;
    const bool both = run_memory(step, *ready.memory, ready.matters, first, second);
    if (step.from_memory) ++sum_.from_memory;
    if (step.repeated) ++sum_.repeated;
    if (step.from_blocks) ++sum_.from_blocks;
    if (ready.common == CommonWord::counter && !block_.in_order && block_.global.holds_any()) ++sum_.drawn;
    // What a trip stores is there only if it is run.
    const bool stores_what_matters = first.space == Space::global && first.stores && !first.atomic &&
                                     ready.matters && block_.global.holds_any();
    if (step.from_memory || step.from_own || step.from_blocks || stores_what_matters) loops_.give_up();
    // Another place in shared memory may hold something else.
    const bool decides = first.space == Space::shared && first.loads && ready.decides;
    if (loops_.watches() && (first.space == Space::constant || decides)) loops_.record(first);
    const bool to_register = i.operands[0].kind == OperandKind::reg;
    for (std::size_t word = 0; loops_.watches() && decides && to_register && 4 * word < first.bytes; ++word)
      if (const std::size_t place = i.operands[0].index + word; place < warp_.registers.size())
        loops_.record(warp_.registers[place]);
    if (first.space == Space::global && reaches_outside(first, kernel_.launch_.arguments.allocations))
      ++sum_.outside;
    executed.access = &first;
    loaded_ = loaded_ || (first.loads && (first.space == Space::global || first.space == Space::local));
    executed.second = both ? &second : nullptr;
    group.next = at + 1;
    see_(executed);
    return;
  }
  if (ready.matters && loops_.watches()) loops_.record(step, ready.change);
  if (ready.matters && ready.execute != nullptr && (step.mask != 0 || i.guard.kind == OperandKind::none))
    ready.execute(step);
  group.next = at + 1;
  see_(executed);
}

// A division of 64 bits that does not know its numbers is taken to be a short one, but for products that are
// divided by more than 16 bits: two remainders of such a division have a product of more than 32.
void WarpRunner::divide_products(const Instruction& i, const KernelRunner::Ready& ready, std::uint32_t& taken,
                                 std::uint32_t& open) {
  if (i.guard.kind != OperandKind::predicate) return;
  const LaneWords divisor =
      LaneStep(kernel_.code_.instructions[ready.short_division], warp_, block_, open).raw(1);
  constexpr std::uint32_t longest_short = 0xffff;
  std::uint32_t too_long = open & products_.decide(i.guard.index) & divisor.known;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (divisor.at[lane] <= longest_short) too_long &= ~(1U << lane);
  if (too_long == 0) return;
  ++sum_.long_divisions;
  if (ready.slow_if_taken) taken |= too_long;
  open &= ~too_long;
}

// Only where all lanes have gone back together.
void WarpRunner::went_back(const Loop& loop) {
  if (warp_.groups.size() != 1) return;
  const LaneGroup& all = warp_.groups.front();
  if (all.next == loop.target && all.waits == Waits::no && all.mask == warp_.live)
    loops_.arrive(kernel_.code_, loop, warp_, sum_, *follower_);
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
