#include "value_slice.hpp"

#include "memory_step.hpp"
#include "register_use.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

namespace perfmodel {

namespace {

using Places = std::bitset<register_places + 2>;
constexpr std::size_t shared_memory = register_places, global_memory = register_places + 1; // one place each

bool one_of(std::span<const std::string_view> list, std::string_view opcode) {
  return std::find(list.begin(), list.end(), opcode) != list.end();
}

constexpr std::string_view not_followed[] = {"BRX", "BRXU", "JMX"}; // their way goes by a register
constexpr std::string_view steering[] = {"BRA",  "JMP",  "EXIT", "BSSY",     "BSYNC", "BREAK", "BAR",
                                         "BMOV", "KILL", "BPT",  "WARPSYNC", "CALL",  "RET"};
// What they store is not read again as a value, but where that is followed.
constexpr std::string_view stores_away[] = {"STG", "ST"};
constexpr std::string_view loads_global[] = {"LDG", "LD", "LDGSTS", "ATOM", "ATOMG"};
constexpr std::string_view stores_shared[] = {"STS", "STSM", "LDGSTS"},
                           loads_shared[] = {"LDS", "LDSM", "LDS_LDU", "ATOMS"};

struct Use {
  Places reads, writes; // guard and addresses among what it reads
  Places always;        // of what it reads: needed whatever becomes of its result
  Places replaces;      // of what it writes: whatever was there before is gone
};

void add(Places& to, const std::vector<std::uint16_t>& places, bool pairs) {
  for (const std::uint16_t place : places) {
    to.set(place);
    if (pairs && place + 1U < register_places) to.set(place + 1U);
  }
}

Use use_of(const Instruction& i, const SliceRules& rules) {
  const RegisterUse all = register_use(i);
  const bool pairs = i.has(mod("64"));
  Use use;
  add(use.reads, all.reads, pairs);
  // Of others than loads it is not known whether a second register is read alone or written, too.
  const bool loads = i.opcode.starts_with("LD") || i.opcode.starts_with("ULD");
  add(use.writes, all.writes, pairs && !loads);
  if (i.guard.kind == OperandKind::none && (!pairs || loads)) add(use.replaces, all.writes, false);
  Instruction part = i; // its guard alone, or with addresses
  part.operands.clear();
  const bool stores = (one_of(stores_away, i.opcode) && !(rules.in_order && i.has(mod("STRONG")))) ||
                      (rules.follows_shared && one_of(stores_shared, i.opcode));
  if (stores)
    std::copy_if(i.operands.begin(), i.operands.end(), std::back_inserter(part.operands),
                 [](const CodeOperand& o) { return o.kind == OperandKind::address; });
  const bool keeps_all = find_memory_opcode(i.opcode) != nullptr || one_of(steering, i.opcode);
  if (keeps_all || !rules.ways_alone) add(use.always, register_use(part).reads, pairs);
  if (keeps_all && !stores) use.always |= use.reads;
  if (rules.follows_shared && (one_of(stores_shared, i.opcode) || i.is("ATOMS")))
    use.writes.set(shared_memory); // other words of it stay
  if (rules.follows_shared && one_of(loads_shared, i.opcode)) use.reads.set(shared_memory);
  if (rules.follows_global && one_of(stores_away, i.opcode)) use.writes.set(global_memory);
  if (rules.follows_global && one_of(loads_global, i.opcode)) use.reads.set(global_memory);
  return use;
}

} // namespace

std::vector<bool> instructions_that_matter(const KernelCode& code, const std::vector<std::size_t>& targets,
                                           const SliceRules& rules) {
  const std::size_t count = code.instructions.size();
  std::vector<bool> matters(count, true);
  std::vector<std::size_t> calls;
  for (std::size_t n = 0; n < count; ++n) {
    const Instruction& i = code.instructions[n];
    if (one_of(not_followed, i.opcode) || (i.is("CALL") && targets[n] >= count)) return matters;
    if (i.is("CALL")) calls.push_back(n);
  }
  std::vector<Use> uses;
  uses.reserve(count);
  for (const Instruction& i : code.instructions) uses.push_back(use_of(i, rules));
  for (const auto& [n, place] : rules.also) uses[n].always.set(place);
  std::vector<Places> needed(count + 1); // before each
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = count; n-- > 0;) {
      Places after = needed[n + 1];
      if (targets[n] < count) after |= needed[targets[n]];
      if (code.instructions[n].is("RET"))
        for (const std::size_t call : calls) after |= needed[call + 1];
      const Use& use = uses[n];
      matters[n] = (use.writes & after).any();
      after &= ~use.replaces;
      if (matters[n]) after |= use.reads;
      after |= use.always;
      if (after == needed[n]) continue;
      needed[n] = after;
      changed = true;
    }
  }
  return matters;
}

} // namespace perfmodel
