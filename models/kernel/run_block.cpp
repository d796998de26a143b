#include "run_block.hpp"

#include "executors.hpp"
#include "memory_step.hpp"
#include "special_numbers.hpp"
#include "value_slice.hpp"
#include "warp_run.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfmodel {

namespace {

// Opcodes that steer a warp, or wait, and change no register.
constexpr std::string_view control_opcodes[] = {"BRA",      "BRX",   "BRXU",  "JMP",  "EXIT",
                                                "BSSY",     "BSYNC", "BREAK", "CALL", "RET",
                                                "WARPSYNC", "BAR",   "BMOV",  "KILL", "BPT"};
// Opcodes that leave registers and paths as they are: fences, hints, waits for counters.
constexpr std::string_view idle_opcodes[] = {
    "NOP",       "MEMBAR",  "FENCE",     "ERRBAR",    "CCTL",          "CCTLL",
    "NANOSLEEP", "YIELD",   "DEPBAR",    "LDGDEPBAR", "ENDCOLLECTIVE", "PREEXIT",
    "CGAERRBAR", "ACQBULK", "WARPGROUP", "PMTRIG",    "UCCTL"};

template <std::size_t n> bool stands_in(const std::string_view (&list)[n], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool jumps(const Instruction& i) { return i.opcode == "BRA" || i.opcode == "JMP"; }

bool reads_constants(const Instruction& i) {
  return i.opcode == "LDC" || i.opcode == "ULDC" || i.opcode == "LDCU";
}

// Whether the way from here goes straight to a call, as those to the slow path of a division or a root do:
// past no other branch, and past no access of memory.
bool leads_to_call(const KernelCode& code, std::size_t from, std::size_t until, bool calls_return) {
  constexpr std::size_t most = 48;
  for (std::size_t n = from; n < std::min({until, from + most, code.instructions.size()}); ++n) {
    const Instruction& i = code.instructions[n];
    if (i.opcode == "CALL") return calls_return;
    if (jumps(i) || i.opcode == "EXIT" || i.opcode == "RET" ||
        (find_memory_opcode(i.opcode) != nullptr && !reads_constants(i)))
      return false;
  }
  return false;
}

std::int64_t target_of(const Instruction& i) {
  std::int64_t last = -1;
  for (const CodeOperand& o : i.operands)
    if (o.kind == OperandKind::integer) last = o.value;
  return last;
}

// Whether nothing but arithmetic stands there, and little of it: divisions with their slow paths, too, and
// what a thread has put aside in local or shared memory.
bool only_computes(const KernelCode& code, std::size_t from, std::size_t until) {
  constexpr std::size_t most = 48;
  if (until <= from || until - from > most) return false;
  for (std::size_t n = from; n < until; ++n) {
    const Instruction& i = code.instructions[n];
    if (!i.unread.empty()) return false;
    if (jumps(i)) {
      const std::int64_t address = target_of(i);
      if (address < 0) return false;
      const std::size_t target = code.at(address, i);
      if (target <= n || target > until) return false;
      continue;
    }
    const bool of_division = i.opcode == "CALL" || i.opcode == "BSSY" || i.opcode == "BSYNC";
    const bool put_aside = i.opcode == "LDL" || i.opcode == "LDS" || reads_constants(i);
    if ((find_memory_opcode(i.opcode) != nullptr && !put_aside) ||
        (stands_in(control_opcodes, i.opcode) && !of_division))
      return false;
  }
  return true;
}

} // namespace

KernelRunner::KernelRunner(const KernelCode& code, const KernelLaunch& launch, bool in_order)
    : code_(code), launch_(launch), in_order_(in_order) {
  calls_return_ = std::any_of(code.instructions.begin(), code.instructions.end(),
                              [](const Instruction& i) { return i.is("RET"); });
  for (std::size_t n = 0; n < code.instructions.size(); ++n) {
    const Instruction& i = code.instructions[n];
    Ready ready{.memory = find_memory_opcode(i.opcode)};
    if (!i.unread.empty()) {
      ready.kind = Kind::unknown;
    } else if (ready.memory != nullptr) {
      ready.kind = Kind::memory;
    } else if (stands_in(control_opcodes, i.opcode)) {
      ready.kind = Kind::control;
      if (jumps(i) || i.opcode == "CALL" || i.opcode == "BSSY") {
        const std::int64_t address = target_of(i);
        if (address >= 0) ready.target = code.at(address, i);
      }
      if (jumps(i) && ready.target != nowhere) {
        ready.slow_if_not = ready.target > n && leads_to_call(code, n + 1, ready.target, calls_return_);
        ready.slow_if_taken =
            !ready.slow_if_not && leads_to_call(code, ready.target, code.instructions.size(), calls_return_);
        if (!ready.slow_if_not && !ready.slow_if_taken) {
          const SpecialWay special = special_way(code, n);
          ready.slow_if_taken = special == SpecialWay::if_taken;
          ready.slow_if_not = special == SpecialWay::if_not;
        }
        ready.guards_little = ready.target > n && only_computes(code, n + 1, ready.target);
      }
    } else if (!stands_in(idle_opcodes, i.opcode)) {
      ready.kind = Kind::arithmetic;
      ready.execute = find_executor(i.opcode);
      ready.change = trip_change(i);
      if (ready.execute == nullptr) ready.kind = Kind::unknown;
    }
    ready_.push_back(ready);
  }
  for (std::size_t n = 0; n < ready_.size(); ++n)
    for (std::size_t in = ready_[n].target; in < n && jumps(code.instructions[n]); ++in)
      if (ready_[in].target < in && jumps(code.instructions[in]) && ready_[in].target >= ready_[n].target)
        ready_[n].loops_inside =
            std::min(Loop::most_inside, std::max(ready_[n].loops_inside, ready_[in].loops_inside + 1));
  std::vector<std::size_t> targets;
  for (const Ready& ready : ready_) targets.push_back(ready.target);
  SliceRules rules{.follows_shared = !launch.arguments.memory.empty(),
                   .follows_global = !launch.arguments.memory.empty(),
                   .in_order = in_order};
  for (std::size_t n = 0; n < ready_.size(); ++n) {
    Ready& ready = ready_[n];
    if (!ready.slow_if_taken && !ready.slow_if_not) continue;
    const std::size_t division = short_division(code, ready.slow_if_taken ? n + 1 : ready.target);
    if (division == code.instructions.size()) continue;
    ready.short_division = division;
    if (products_.empty()) products_ = product_steps(code);
    for (const std::uint16_t place : products_[division].use.reads) rules.also.emplace(n, place);
  }
  const std::vector<bool> matters = instructions_that_matter(code, targets, rules);
  rules.ways_alone = true;
  const std::vector<bool> decides = instructions_that_matter(code, targets, rules);
  const std::vector<CommonWord> common = common_words(code);
  for (std::size_t n = 0; n < ready_.size(); ++n) {
    ready_[n].common = common[n];
    ready_[n].matters = matters[n];
    ready_[n].decides = decides[n];
  }
  settles_ = std::find(common.begin(), common.end(), CommonWord::settling) != common.end();
  const std::vector<WaitingBranch> waiting = waiting_branches(code, targets);
  for (std::size_t n = 0; n < ready_.size(); ++n) ready_[n].waiting = waiting[n];
  for (const auto& [bank, bytes] : code.constants)
    for (std::size_t at = 0; at < bytes.size(); ++at) constants_[bank].write(at, 1, bytes[at]);
  constants_[0] = constant_bank(code, launch);
  if (!launch.arguments.values.empty()) add_constants(constants_[3], code, launch.arguments);
  if (!launch.arguments.variables.empty()) constants_[4] = variable_bank(code, launch.arguments);
}

// Before its first instruction, as what memory held at the launch and nobody else has it.
BlockState KernelRunner::begun(std::int64_t linear, LoadedData data) const {
  BlockState block{
      .constants = &constants_, .linear = static_cast<std::uint64_t>(linear), .indices = data.indices};
  if (!launch_.arguments.memory.empty()) block.global = GlobalBytes(launch_.arguments.memory);
  const auto sides = [](const Shape& s) {
    return std::array{static_cast<std::uint32_t>(s.x), static_cast<std::uint32_t>(s.y),
                      static_cast<std::uint32_t>(s.z)};
  };
  block.block = sides(launch_.block);
  block.grid = sides(launch_.grid);
  block.at = {static_cast<std::uint32_t>(linear % launch_.grid.x),
              static_cast<std::uint32_t>(linear / launch_.grid.x % launch_.grid.y),
              static_cast<std::uint32_t>(linear / launch_.grid.x / launch_.grid.y)};
  return block;
}

BlockRun KernelRunner::run(std::int64_t linear, LoadedData data,
                           const std::function<void(const Executed&)>& see, std::uint64_t most,
                           TripFollower* follower) const {
  BlockState block = begun(linear, data);
  if (data.together > 0 && in_order_) {
    block.in_order = true;
    block.global = GlobalBytes(launch_.arguments.memory, earlier_blocks(data), linear);
  } else if (settles_ && linear > 0 && block.global.holds_any()) {
    for (const auto& [word, value] : left_by_first(data)) block.global.write(4 * word, 4, value);
    BlockRun made = run(block, data, see, most, follower);
    made.settled = left_by_first(data).size();
    return made;
  }
  return run(block, data, see, most, follower);
}

BlockRun KernelRunner::run(BlockState& block, LoadedData data,
                           const std::function<void(const Executed&)>& see, std::uint64_t most,
                           TripFollower* follower) const {
  BlockRun sum{.most = most};
  std::vector<WarpRunner> warps;
  warps.reserve(static_cast<std::size_t>(launch_.warps()));
  for (std::int64_t w = 0; w < launch_.warps(); ++w)
    warps.emplace_back(*this, block, static_cast<std::size_t>(w), launch_.threads() - 32 * w, data.branches,
                       see, sum, follower);
  // Each warp goes on to its next barrier or wait for loads; who waits there goes on when the last has come.
  for (;;) {
    bool moved = false;
    for (WarpRunner& warp : warps) moved = warp.go_on() || moved;
    std::size_t running = 0, waiting[16] = {};
    for (const WarpRunner& warp : warps) {
      if (!warp.ended()) ++running;
      if (warp.barrier() >= 0) ++waiting[warp.barrier() % 16];
    }
    if (running == 0) return sum;
    for (WarpRunner& warp : warps) {
      if (warp.barrier() < 0) continue;
      const std::size_t expected = warp.expected() > 0 ? std::min(warp.expected(), running) : running;
      if (waiting[warp.barrier() % 16] + warp.arrived(warps) < expected) continue;
      const int barrier = warp.barrier();
      if (block.voting.yes + block.voting.no + block.voting.unknown > 0)
        block.voted = std::exchange(block.voting, {});
      block.contended.clear();
      for (WarpRunner& other : warps) {
        other.spend(barrier);
        if (other.barrier() == barrier) other.pass();
      }
      moved = true;
      break;
    }
    if (!moved)
      throw RefusedKernel("the warps of a block wait for one another for ever: some wait at a barrier that "
                          "others never reach");
  }
}

} // namespace perfmodel
