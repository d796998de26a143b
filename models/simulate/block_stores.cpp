// Stores to lines that an SM keeps open for others: of the same warp, or of warps of the block that make the
// same store at about the same time. Sectors that no store has touched before go to L2 all the same.
#include "traced_block.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace perfmodel {

namespace {

bool holds(const std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

} // namespace

std::size_t sectors_in_part(std::vector<std::pair<std::uint64_t, std::uint32_t>> stored) {
  std::sort(stored.begin(), stored.end());
  std::size_t in_part = 0;
  for (std::size_t i = 0; i < stored.size();) {
    const std::uint64_t sector = stored[i].first;
    std::uint32_t bytes = 0;
    for (; i < stored.size() && stored[i].first == sector; ++i) bytes |= stored[i].second;
    if (bytes != ~std::uint32_t{0}) ++in_part;
  }
  return in_part;
}

void BlockTracer::store(const MemoryAccess& access, const std::vector<std::uint64_t>& sectors,
                        std::size_t warp, std::size_t slot, TracedStep& step, State& state) {
  constexpr std::size_t of_line = line_bytes / sector_bytes;
  const auto all = static_cast<double>(sectors.size());
  if (rules_.stores_take_lines && !access.atomic)
    for (const std::uint64_t sector : sectors) state.l1.store(sector);
  if (!access.atomic) find_open_lines(warp, sectors, step, state);
  if (step.opened_back == 0) state.made.stored_sectors[slot] += all; // others go out with those that opened
  auto& stored = state.made.footprint.stores[slot];
  if (!access.atomic && step.opened_back == 0)
    for (const std::uint64_t sector : sectors)
      if (const auto begun = stored.find(sector);
          begun != stored.end() && begun->second.bytes != ~std::uint32_t{0})
        state.touched.pieced.push_back(sector * sector_bytes / line_bytes);
  state.pieced.insert(state.touched.pieced.begin(), state.touched.pieced.end());
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (access.mask >> lane & 1) state.touched.store(access.address[lane], access.bytes);
  state.touched.merge();
  for (std::size_t lane = 0; access.atomic && lane < 32; ++lane)
    if (access.mask >> lane & 1)
      ++state.made.footprint.adds[slot][static_cast<std::uint64_t>(access.address[lane]) / 4];
  if (access.atomic) // L2 has the rest of the sector, too
    for (auto& [sector, bytes] : state.touched.stored) bytes = ~std::uint32_t{0};
  step.partial = narrow(sectors_in_part(state.touched.stored));
  if (!access.atomic && step.opened_back == 0 && step.lines_between == 0) {
    state.made.counts.store_lines += step.lines;
    if (step.partial > 0 || step.sectors < of_line * step.lines)
      state.made.counts.store_lines_in_part += step.lines;
  }
  if (!access.atomic && (step.partial > 0 || sectors.size() < of_line * larger_pieces(sectors, of_line)))
    state.touched.in_part = static_cast<std::uint32_t>(warp);
  const TouchedLines::Access now = state.lines.now();
  state.filled.next(warp);
  TouchedLines::Access first = now; // that stored to one of them
  double begun = 0;                 // of which a part had come, and the rest is not known
  for (const auto& [sector, bytes] : state.touched.stored) {
    const auto [at, is_new] = stored.try_emplace(sector);
    if (!is_new) {
      first = std::min(first, at->second.access);
      const std::uint64_t atom = sector * sector_bytes / static_cast<std::uint64_t>(rules_.atom);
      if (at->second.bytes != ~std::uint32_t{0} && !state.made.footprint.loads[slot].contains(atom)) {
        ++begun;
        if (at->second.by == warp) state.filled.go_on(at->second, warp);
      }
    }
    at->second.store_of_warp = state.filled.last(warp);
    at->second.store(bytes, state.touched.in_part, now);
  }
  const auto whole = std::count_if(sectors.begin(), sectors.end(), [&](std::uint64_t sector) {
    return stored.at(sector).bytes == ~std::uint32_t{0};
  });
  constexpr std::size_t edges = 2; // whose other bytes belong to others
  if (static_cast<std::size_t>(whole) + edges >= sectors.size()) goes_on(state);
  if (first == now || l2_.holds(state.lines.bytes())) return;
  const double lost = lost_since(state, first);
  state.made.sectors_rewritten[slot] += lost * all;
  state.made.refilled_sectors[slot] += lost * begun;
  if (sectors.size() < of_line * larger_pieces(sectors, of_line))
    state.made.rewritten_alone[slot] += lost * all;
}

void BlockTracer::find_open_lines(std::size_t warp, const std::vector<std::uint64_t>& sectors,
                                  TracedStep& step, State& state) {
  constexpr std::size_t most_lines = 16;
  std::vector<OpeningStore>& last = state.opened[warp];
  if (step.lines > most_lines) return last.clear();
  OpeningStore now{.sectors = sectors,
                   .lines = step.lines,
                   .warp = warp,
                   .place = state.made.warps[warp].size(),
                   .before = state.lines_opened};
  const auto before = std::find_if(last.rbegin(), last.rend(),
                                   [&](const OpeningStore& o) { return holds(o.sectors, sectors); });
  if (before != last.rend()) {
    step.opened_back = static_cast<std::uint8_t>(before - last.rbegin() + 1);
    state.touched.opened_at = {warp, before->place};
  }
  if (opened_beside(now, step, state) || step.opened_back > 0) return;
  state.lines_opened += now.lines;
  if (last.size() == OpenedLines::remembered) last.erase(last.begin());
  last.push_back(std::move(now));
}

// The sectors that a store has opened are whole by what came last.
void BlockTracer::goes_on(State& state) {
  if (!state.touched.opened_at) return;
  const auto [warp, place] = *state.touched.opened_at;
  std::uint32_t& number = state.made.warps[warp][place];
  TracedStep first = steps_[number];
  first.continued = true;
  number = number_of(first);
}

// Own measurements, an H200 of 29 November 2026: where two, four or eight warps of a block each store every
// second, fourth or eighth word of the same lines, a GiB takes as long as where each has lines of its own,
// 318 us; where they are warps of different blocks 318, 556 and 1108 us; where each comes back to its lines
// in a loop they are not stored together. Warps of different schedulers store at the same time, others all
// that they store before the next one does: Nsight Compute counts 5.2 of 8.4 million sectors of a transpose
// whose pairs of warps fill lines in part, four stores each.
bool BlockTracer::opened_beside(const OpeningStore& now, TracedStep& step, State& state) {
  constexpr std::size_t schedulers = 4;
  if (!state.stores_made.insert(std::uint64_t{now.warp} << 32 | step.instruction).second) return false;
  std::vector<OpeningStore>& beside = state.stored_beside[step.instruction];
  std::size_t between = 0; // lines
  for (auto other = beside.rbegin(); step.opened_back == 0 && other != beside.rend(); ++other) {
    between += other->lines;
    if (other->warp == now.warp || !holds(other->sectors, now.sectors)) continue;
    const bool at_once = other->warp / schedulers == now.warp / schedulers;
    step.lines_between = narrow(at_once ? between : state.lines_opened - other->before);
    state.touched.opened_at = {other->warp, other->place};
    return true;
  }
  constexpr std::size_t most_remembered = 32;
  if (beside.size() < most_remembered) beside.push_back(now);
  return false;
}

} // namespace perfmodel
