#include "waiting_loops.hpp"

#include "memory_step.hpp"
#include "register_use.hpp"

#include <algorithm>
#include <string_view>

namespace perfmodel {

namespace {

struct WaitingLoop {
  std::size_t first = 0, last = 0;
  bool has(std::size_t at) const { return first <= at && at <= last; }
};

bool may_jump(const Instruction& i) { return i.opcode == "BRA" || i.opcode == "JMP"; }

// Places of the registers that an instruction's addresses go by.
std::vector<std::uint16_t> address_places(const Instruction& i) {
  Instruction part = i;
  part.guard = {};
  std::erase_if(part.operands, [](const CodeOperand& o) { return o.kind != OperandKind::address; });
  return register_use(part).reads;
}

// It loads what other SMs may have written, always from the same place, and changes nothing but registers.
bool only_waits(const KernelCode& code, const WaitingLoop& loop) {
  constexpr std::string_view leaving[] = {"BAR", "EXIT", "CALL", "RET", "BRX", "BRXU"};
  std::vector<std::uint16_t> asked, written;
  bool asks = false;
  for (std::size_t n = loop.first; n <= loop.last; ++n) {
    const Instruction& i = code.instructions[n];
    if (std::find(std::begin(leaving), std::end(leaving), i.opcode) != std::end(leaving)) return false;
    const RegisterUse use = register_use(i);
    written.insert(written.end(), use.writes.begin(), use.writes.end());
    const MemoryOpcode* memory = find_memory_opcode(i.opcode);
    if (memory == nullptr || memory->space == Space::constant) continue;
    if (memory->stores || memory->space != Space::global || !i.has(mod("STRONG"))) return false;
    asks = true;
    for (const std::uint16_t place : address_places(i)) asked.push_back(place);
  }
  return asks && std::none_of(asked.begin(), asked.end(), [&](std::uint16_t place) {
           return std::find(written.begin(), written.end(), place) != written.end();
         });
}

std::vector<WaitingLoop> waiting_loops(const KernelCode& code, const std::vector<std::size_t>& targets) {
  std::vector<WaitingLoop> loops;
  for (std::size_t n = 0; n < code.instructions.size(); ++n)
    if (const WaitingLoop loop{targets[n], n};
        may_jump(code.instructions[n]) && targets[n] <= n && only_waits(code, loop))
      loops.push_back(loop);
  return loops;
}

} // namespace

std::vector<WaitingBranch> waiting_branches(const KernelCode& code, const std::vector<std::size_t>& targets) {
  std::vector<WaitingBranch> all(code.instructions.size());
  for (const WaitingLoop& loop : waiting_loops(code, targets))
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (!may_jump(code.instructions[n]) || targets[n] >= all.size()) continue;
      const bool taken = loop.has(targets[n]), not_taken = loop.has(n + 1);
      if (taken != not_taken) all[n] = {taken ? WaitingWay::if_taken : WaitingWay::if_not, loop.has(n)};
    }
  return all;
}

bool waits_for_others(const KernelCode& code) {
  std::vector<std::size_t> targets;
  for (const Instruction& i : code.instructions) {
    std::size_t target = ~std::size_t{0};
    for (const CodeOperand& o : i.operands)
      if (may_jump(i) && o.kind == OperandKind::integer && o.value >= 0) target = code.at(o.value, i);
    targets.push_back(target);
  }
  return !waiting_loops(code, targets).empty();
}

} // namespace perfmodel
