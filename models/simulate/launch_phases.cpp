#include "launch_phases.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace perfmodel {

namespace {

double work_of(const BlockKind& kind) { return kind.trace->counts.instructions; }

// With the order of these kinds alone.
LaunchPhase phase_of(const std::vector<BlockKind>& kinds, const std::vector<std::size_t>& chosen) {
  LaunchPhase phase;
  std::vector<BlockKind> some;
  for (const std::size_t k : chosen) {
    some.push_back(kinds[k]);
    phase.blocks += kinds[k].weight;
  }
  for (const std::size_t n : launch_order(some, phase.blocks)) phase.order.push_back(chosen[n]);
  return phase;
}

} // namespace

std::vector<LaunchPhase> launch_phases(const Shape& grid, const std::vector<BlockKind>& kinds, double sms) {
  constexpr double much_more = 4;
  std::vector<std::size_t> by_number(kinds.size());
  std::iota(by_number.begin(), by_number.end(), std::size_t{0});
  const bool in_rows =
      grid.y * grid.z == 1 && std::all_of(kinds.begin(), kinds.end(), [](const BlockKind& k) {
        return static_cast<double>(k.to - k.from) == k.weight;
      });
  if (!in_rows) return {phase_of(kinds, by_number)};
  std::stable_sort(by_number.begin(), by_number.end(),
                   [&](std::size_t a, std::size_t b) { return kinds[a].from < kinds[b].from; });
  // Kinds of few blocks, as the last one of an array, go with those before them, or behind them.
  std::vector<std::vector<std::size_t>> parts(1);
  const BlockKind* last_long = nullptr;
  for (const std::size_t k : by_number) {
    const BlockKind& kind = kinds[k];
    if (kind.weight >= sms) {
      if (last_long != nullptr && std::max(work_of(kind), work_of(*last_long)) >=
                                      much_more * std::min(work_of(kind), work_of(*last_long)))
        parts.emplace_back();
      last_long = &kind;
    }
    parts.back().push_back(k);
  }
  if (parts.size() == 1)
    std::iota(parts[0].begin(), parts[0].end(), std::size_t{0}); // the most frequent first
  std::vector<LaunchPhase> phases;
  for (const std::vector<std::size_t>& part : parts) phases.push_back(phase_of(kinds, part));
  return phases;
}

SmRun followed_by(const SmRun& first, const SmRun& then) {
  SmRun both = then;
  both.cycles = std::max(first.cycles, first.launched + then.cycles);
  both.launched = first.launched + then.launched;
  both.issued += first.issued;
  both.warp_cycles += first.warp_cycles;
  for (std::size_t n = 0; n < stall_count; ++n) both.stalls[n] += first.stalls[n];
  const auto share = [&](double before, double now) {
    return std::min(1.0, (before * first.cycles + now * then.cycles) / both.cycles);
  };
  both.issue = share(first.issue, then.issue);
  both.held = share(first.held, then.held);
  both.launch = share(first.launch, then.launch);
  both.barriers = share(first.barriers, then.barriers);
  for (std::size_t n = 0; n < both.unit_busy.size(); ++n)
    both.unit_busy[n] = share(first.unit_busy[n], then.unit_busy[n]);
  return both;
}

} // namespace perfmodel
