#include "code_comparison.hpp"

#include "code_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace perfmodel {

namespace {

using Group = InstructionGroup;

// What a loop is for, in which PTX and machine code have as many instructions for the same work.
// Functions first: a square root is one instruction of theirs in both, and several multiply-adds in one
// alone.
constexpr Group work[] = {Group::functions, Group::floats,   Group::global,
                          Group::shared,    Group::exchange, Group::barriers};

double of_group(const CodeLoop& loop, Group group) {
  return static_cast<double>(loop.groups[static_cast<std::size_t>(group)]);
}

// The cosine of the angle between what they do: 1 where one does the other's work some times over.
double likeness(const CodeLoop& a, const CodeLoop& b) {
  double product = 0, of_a = 0, of_b = 0;
  for (const Group group : work) {
    product += of_group(a, group) * of_group(b, group);
    of_a += of_group(a, group) * of_group(a, group);
    of_b += of_group(b, group) * of_group(b, group);
  }
  if (of_a == 0 || of_b == 0) return of_a == of_b ? 1 : 0;
  return product / std::sqrt(of_a * of_b);
}

std::size_t times_unrolled(const CodeLoop& ptx, const CodeLoop& sass) {
  for (const Group group : work)
    if (of_group(ptx, group) > 0)
      return static_cast<std::size_t>(
          std::max(1.0, std::round(of_group(sass, group) / of_group(ptx, group))));
  return 1;
}

// The loop of PTX that became this one. Of several that do the same work in other numbers, a main loop and
// what it leaves over, the longest that is not longer: no assembler rolls a loop up.
std::optional<CodeLoop> same_loop(const std::vector<CodeLoop>& loops, const CodeLoop& sass) {
  constexpr double as_like = 1e-3, least_likeness = 0.5;
  const CodeLoop* best = nullptr;
  const auto done = [](const CodeLoop& loop) {
    double sum = 0;
    for (const Group group : work) sum += of_group(loop, group);
    return sum;
  };
  for (const CodeLoop& loop : loops) {
    const double like = likeness(loop, sass);
    if (like < least_likeness) continue;
    const double best_like = best == nullptr ? 0 : likeness(*best, sass);
    const bool fits = done(loop) <= done(sass), best_fits = best != nullptr && done(*best) <= done(sass);
    if (best == nullptr || like > best_like + as_like ||
        (like > best_like - as_like && (fits != best_fits ? fits
                                        : fits            ? done(loop) > done(*best)
                                                          : done(loop) < done(*best))))
      best = &loop;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string largest_differences(const std::vector<GroupDifference>& groups) {
  std::vector<const GroupDifference*> order;
  const auto difference = [](const GroupDifference& g) {
    return static_cast<std::int64_t>(g.sass) - static_cast<std::int64_t>(*g.ptx);
  };
  for (const GroupDifference& g : groups)
    if (g.ptx && difference(g) != 0) order.push_back(&g);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return std::abs(difference(*a)) > std::abs(difference(*b));
  });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i)
    parts.push_back(fmt::format("{:+} {}", difference(*order[i]),
                                names(Group{})[static_cast<std::size_t>(order[i]->group)]));
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

CodeComparison compare_code(const std::optional<PtxCode>& ptx, const KernelCode& code,
                            std::span<const std::uint64_t> executed) {
  const std::vector<CountedInstruction> of_sass = counted(code);
  const std::vector<CountedInstruction> of_ptx = ptx ? counted(*ptx) : std::vector<CountedInstruction>{};
  CodeComparison made{.sass = of_sass.size()};
  if (ptx) made.ptx = of_ptx.size();
  const GroupCounts ptx_counts = group_counts(of_ptx), sass_counts = group_counts(of_sass);
  const CodeReasons reasons(ptx ? &*ptx : nullptr, of_ptx, code, of_sass);
  for (std::size_t g = 0; g < instruction_groups; ++g) {
    if (ptx_counts[g] == 0 && sass_counts[g] == 0) continue;
    GroupDifference one{.group = static_cast<Group>(g), .sass = sass_counts[g]};
    if (ptx) one.ptx = ptx_counts[g];
    one.why = reasons.of(one.group);
    made.groups.push_back(std::move(one));
  }
  made.why = largest_differences(made.groups);

  double all = 0, most = 0;
  for (const std::uint64_t times : executed) all += static_cast<double>(times);
  for (const CodeLoop& loop : innermost_loops(of_sass)) {
    double times = 0;
    for (std::size_t at = loop.first; at <= loop.last && at < executed.size(); ++at)
      times += static_cast<double>(executed[at]);
    if (times <= most) continue;
    most = times;
    made.sass_loop = loop;
    made.in_loop = times / all;
  }
  if (ptx && made.sass_loop) made.ptx_loop = same_loop(innermost_loops(of_ptx), *made.sass_loop);
  if (made.ptx_loop) made.unrolled = made.ptx_loop->repeats * times_unrolled(*made.ptx_loop, *made.sass_loop);
  return made;
}

} // namespace perfmodel
