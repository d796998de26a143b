#include "code_loops.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <unordered_map>

namespace perfmodel {

namespace {

bool ends_here(const CountedInstruction& i) {
  return !i.conditional && i.group == InstructionGroup::branches &&
         (i.target.has_value() || i.opcode.starts_with("EXIT") || i.opcode.starts_with("RET") ||
          i.opcode.starts_with("ret") || i.opcode.starts_with("exit") || i.opcode.starts_with("trap"));
}

// Whether execution gets from one place to the other: code that stands behind the function's end and goes
// back into its middle is no loop.
bool reaches(const std::vector<CountedInstruction>& code, std::size_t from, std::size_t to) {
  std::vector<bool> seen(code.size());
  std::vector<std::size_t> next{from};
  while (!next.empty()) {
    const std::size_t at = next.back();
    next.pop_back();
    if (at >= code.size() || seen[at]) continue;
    if (at == to) return true;
    seen[at] = true;
    if (code[at].target) next.push_back(*code[at].target);
    if (!ends_here(code[at])) next.push_back(at + 1);
  }
  return false;
}

bool has(const std::vector<std::uint32_t>& all, std::uint32_t one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// How often the loop writes each register.
using Writes = std::unordered_map<std::uint32_t, std::size_t>;

bool is_counter(const CountedInstruction& i, const Writes& writes) {
  if (i.group != InstructionGroup::integers || i.writes.empty() || i.conditional) return false;
  const std::uint32_t counter = i.writes.front();
  if (!has(i.reads, counter) || writes.at(counter) != 1) return false;
  // A counter of 64 bits is two registers; what is added to it stays the same.
  return std::all_of(i.reads.begin(), i.reads.end(),
                     [&](std::uint32_t r) { return has(i.writes, r) || !writes.contains(r); });
}

std::size_t overhead_of(const std::vector<CountedInstruction>& code, const CodeLoop& loop) {
  Writes writes;
  for (std::size_t at = loop.first; at <= loop.last; ++at)
    for (const std::uint32_t r : code[at].writes) ++writes[r];
  std::set<std::size_t> own{loop.last};
  if (code[loop.last].conditional && !code[loop.last].reads.empty())
    for (std::size_t at = loop.last; at-- > loop.first;)
      if (has(code[at].writes, code[loop.last].reads.front())) {
        if (code[at].group == InstructionGroup::compares) own.insert(at);
        break;
      }
  for (std::size_t at = loop.first; at <= loop.last; ++at)
    if (is_counter(code[at], writes)) own.insert(at);
  return own.size();
}

std::size_t count_of(const std::vector<CountedInstruction>& code, std::size_t first, std::size_t size,
                     InstructionGroup group) {
  std::size_t count = 0;
  for (std::size_t at = first; at < first + size; ++at) count += code[at].group == group ? 1 : 0;
  return count;
}

std::size_t accesses_of(const std::vector<CountedInstruction>& code, std::size_t first, std::size_t size) {
  return count_of(code, first, size, InstructionGroup::global) +
         count_of(code, first, size, InstructionGroup::shared);
}

// What repeats itself has the loop's accesses of memory, all but a few of its first time; where it has none,
// most of it. Two loads or sums that follow each other are no body.
std::size_t repeats_of(const std::vector<CountedInstruction>& code, const CodeLoop& loop) {
  const std::size_t size = loop.last + 1 - loop.first, accesses = accesses_of(code, loop.first, size);
  constexpr std::size_t longest_period = 512;
  std::size_t covered = 0, first = 0, length = 0; // all of it; and once
  for (std::size_t period = 1; period <= std::min(size / 2, longest_period); ++period) {
    std::size_t run = 0;
    for (std::size_t at = loop.first; at + period <= loop.last; ++at) {
      run = code[at].opcode == code[at + period].opcode ? run + 1 : 0;
      const std::size_t all = (run / period + 1) * period;
      if (run < period || all <= covered) continue;
      if (accesses > 0 ? 4 * accesses_of(code, at + 1 + period - all, all) < 3 * accesses : 2 * all < size)
        continue;
      covered = all;
      first = at + 1;
      length = period;
    }
  }
  if (covered == 0) return 1;
  // The first time an address may need no sum, so that it is not quite like the others.
  for (const auto group : {InstructionGroup::functions, InstructionGroup::floats, InstructionGroup::global,
                           InstructionGroup::shared})
    if (const std::size_t once = count_of(code, first, length, group); once > 0)
      return count_of(code, loop.first, size, group) / once;
  return covered / length;
}

} // namespace

std::vector<CodeLoop> innermost_loops(const std::vector<CountedInstruction>& code) {
  std::vector<CodeLoop> loops; // by the place of the branch back
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!code[at].target || *code[at].target >= at || !reaches(code, *code[at].target, at)) continue;
    // One that goes on with the same trip from several places ends at the last.
    if (!loops.empty() && loops.back().first == *code[at].target) loops.pop_back();
    if (std::any_of(loops.begin(), loops.end(),
                    [&](const CodeLoop& l) { return l.first >= *code[at].target; }))
      continue;
    loops.push_back({.first = *code[at].target, .last = at});
  }
  for (CodeLoop& loop : loops) {
    loop.instructions = loop.last + 1 - loop.first;
    loop.overhead = overhead_of(code, loop);
    loop.repeats = repeats_of(code, loop);
    for (std::size_t at = loop.first; at <= loop.last; ++at)
      ++loop.groups[static_cast<std::size_t>(code[at].group)];
  }
  return loops;
}

} // namespace perfmodel
