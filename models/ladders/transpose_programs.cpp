#include "transpose_programs.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

constexpr std::int64_t line = 128, bytes = 4;

double lines_of(const Transactions& t) {
  std::vector<std::int64_t> lines;
  for (const Transaction& piece : t.all()) lines.push_back(piece.address / line);
  std::sort(lines.begin(), lines.end());
  return static_cast<double>(std::unique(lines.begin(), lines.end()) - lines.begin());
}

class Warps {
public:
  Warps(const TransposeMachine& machine, const TransposeKernel& kernel, std::int64_t n)
      : m_(machine), k_(kernel), n_(n), inside_(std::min(n, kernel.side)) {}

  WarpProgram program(std::int64_t warp) const {
    const WarpAccesses accesses = accesses_of(k_, warp, n_, inside_, inside_);
    WarpCode code(m_.sm);
    code.enter(address_slots);
    if (k_.by_boxes)
      boxes(code, accesses, warp);
    else
      words(code, accesses);
    return code.steps();
  }

private:
  static constexpr std::int64_t address_slots = 12, access_slots = 3; // as in SASS of sm_90, about

  void words(WarpCode& code, const WarpAccesses& accesses) const {
    for (const LaneAccess& load : accesses.loads)
      code.slots(access_slots).load(traffic(load, accesses, true), WarpWait::nothing);
    // Each store for its own load, if it has but one.
    WarpWait wait = k_.pitch > 0 && accesses.loads.size() > accesses.shared_stores.size() ? WarpWait::loads
                                                                                          : WarpWait::load;
    for (const LaneAccess& store : accesses.shared_stores) {
      shared_store(code, store, accesses, wait);
      if (wait == WarpWait::loads) wait = WarpWait::nothing;
    }
    if (k_.pitch > 0) {
      code.barrier();
      for (const LaneAccess& load : accesses.shared_loads) shared_load(code, load, accesses);
      wait = WarpWait::results;
    }
    for (const LaneAccess& store : accesses.stores) {
      code.slots(access_slots).store(traffic(store, accesses, false), wait);
      if (k_.pitch > 0) wait = WarpWait::nothing;
    }
  }

  // One of two warps has their box fetched and written; all wait for it.
  void boxes(WarpCode& code, const WarpAccesses& accesses, std::int64_t warp) const {
    constexpr double box = 1024 * bytes; // 32 x 32 words
    const Traffic whole{
        .wavefronts = box / static_cast<double>(line), .l2_bytes = box, .dram_bytes = m_.in_l2 ? 0 : box};
    const bool issues = warp % 2 == 0;
    if (issues) code.load(whole, WarpWait::nothing);
    code.slots(1, WarpWait::loads).barrier();
    for (const LaneAccess& load : accesses.shared_loads) shared_load(code, load, accesses);
    code.slots(1, WarpWait::results).barrier();
    for (const LaneAccess& store : accesses.shared_stores)
      shared_store(code, store, accesses, WarpWait::nothing);
    code.slots(1, WarpWait::results).barrier();
    if (issues) code.store(whole, WarpWait::results);
  }

  void shared_load(WarpCode& code, const LaneAccess& load, const WarpAccesses& accesses) const {
    const std::int64_t word = accesses.shared_load_word;
    code.shared_load(shared(load, word, SharedAccess::load), WarpWait::nothing, registers(word));
  }
  void shared_store(WarpCode& code, const LaneAccess& store, const WarpAccesses& accesses,
                    WarpWait wait) const {
    const std::int64_t word = accesses.shared_store_word;
    code.shared_store(shared(store, word, SharedAccess::store), wait, registers(word));
  }
  static double registers(std::int64_t word) {
    const std::int64_t whole = word / bytes;
    return static_cast<double>(whole);
  }

  double shared(const LaneAccess& access, std::int64_t word, SharedAccess kind) const {
    return static_cast<double>(bank_steps(m_.banks, access.address, access.mask, word, kind).wavefronts);
  }

  Traffic traffic(const LaneAccess& access, const WarpAccesses& accesses, bool loads) const {
    const CoalescingRule& rule = loads ? m_.load : m_.store;
    const Transactions t = transactions(rule, access.address, access.mask, accesses.word);
    const auto asked = static_cast<double>(t.unique);
    const double lines = lines_of(t);
    Traffic traffic{.wavefronts = std::max(1.0, asked / m_.sm.l1_bytes),
                    .l2_bytes = asked,
                    .dram_bytes = m_.in_l2 ? 0 : asked,
                    .registers = registers(accesses.word)};
    if (m_.line_rate > 0) traffic.wavefronts = std::max(traffic.wavefronts, lines / m_.line_rate);
    if (!rule.cached) {
      traffic.wavefronts = static_cast<double>(t.requests);
      traffic.l2_bytes = 0;
    } else if (t.unique != t.moved) {
      const bool single = lines == static_cast<double>(t.count); // sectors
      const bool shared_in_l1 = loads && rule.l1; // the other parts of its sectors are other warps'
      const double requests = shared_in_l1 && single ? asked / static_cast<double>(rule.least) : lines;
      traffic.l2_bytes = std::max(shared_in_l1 ? asked : static_cast<double>(t.moved),
                                  requests * (loads ? m_.bytes_per_gather : m_.bytes_per_scatter));
    }
    return traffic;
  }

  const TransposeMachine& m_;
  const TransposeKernel& k_;
  std::int64_t n_, inside_;
};

} // namespace

TransposeCounts transpose_counts(const TransposeMachine& m, const TransposeKernel& kernel, std::int64_t n) {
  TransposeCounts all;
  const std::int64_t whole = n / kernel.side, rest = n % kernel.side;
  const auto add_tiles = [&](std::int64_t columns, std::int64_t rows, std::int64_t tiles) {
    if (tiles == 0) return;
    for (std::int64_t warp = 0; warp < kernel.threads / static_cast<std::int64_t>(warp_lanes); ++warp) {
      const WarpAccesses accesses = accesses_of(kernel, warp, n, columns, rows);
      const auto count = [&](const CoalescingRule& rule, const LaneAccess& a) {
        return tiles * static_cast<std::int64_t>(transactions(rule, a.address, a.mask, accesses.word).count);
      };
      for (const LaneAccess& a : accesses.loads) all.load_transactions += count(m.load, a);
      for (const LaneAccess& a : accesses.stores) all.store_transactions += count(m.store, a);
      const auto add_shared = [&](const LaneAccess& a, std::int64_t word, SharedAccess kind) {
        const BankSteps steps = bank_steps(m.banks, a.address, a.mask, word, kind);
        all.wavefronts += tiles * steps.wavefronts;
        all.least_wavefronts += tiles * steps.least;
      };
      for (const LaneAccess& a : accesses.shared_stores)
        add_shared(a, accesses.shared_store_word, SharedAccess::store);
      for (const LaneAccess& a : accesses.shared_loads)
        add_shared(a, accesses.shared_load_word, SharedAccess::load);
    }
  };
  add_tiles(kernel.side, kernel.side, whole * whole);
  const std::int64_t edge = rest > 0 ? whole : 0;
  add_tiles(rest, kernel.side, edge);
  add_tiles(kernel.side, rest, edge);
  add_tiles(rest, rest, rest > 0 ? 1 : 0);
  return all;
}

BlockProgram transpose_program(const TransposeMachine& machine, const TransposeKernel& kernel,
                               std::int64_t n) {
  const Warps warps(machine, kernel, n);
  BlockProgram program;
  for (std::int64_t warp = 0; warp < kernel.threads / static_cast<std::int64_t>(warp_lanes); ++warp) {
    WarpProgram steps = warps.program(warp);
    const auto same = std::find(program.programs.begin(), program.programs.end(), steps);
    program.of_warp.push_back(static_cast<std::size_t>(same - program.programs.begin()));
    if (same == program.programs.end()) program.programs.push_back(std::move(steps));
  }
  return program;
}

} // namespace perfmodel
