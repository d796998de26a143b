// What an access asks of memory, by its space.
#include "access_pieces.hpp"
#include "traced_block.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace perfmodel {

namespace {

// A warp of a block, and the instruction by which it has fetched.
std::uint64_t fetcher(std::uint64_t warp, std::uint64_t instruction) {
  return (warp + 1) << 32 | instruction;
}

// The one other warp that has fetched these sectors by this instruction, plus one; 0: there is none.
std::uint8_t other_fetcher(const L1Sectors& l1, const std::vector<std::uint64_t>& sectors, std::size_t warp,
                           std::uint32_t instruction) {
  const std::uint64_t first = l1.fetched_by(sectors.front()), other = first >> 32;
  if (other == 0 || other == warp + 1 || first != fetcher(other - 1, instruction)) return 0;
  const bool alone = std::all_of(sectors.begin(), sectors.end(),
                                 [&](std::uint64_t sector) { return l1.fetched_by(sector) == first; });
  return alone ? static_cast<std::uint8_t>(other) : 0;
}

// Pieces, ascending, of which no other lies in the same larger one, of `of_larger` of them.
std::size_t alone(const std::vector<std::uint64_t>& pieces, std::uint64_t of_larger) {
  std::size_t count = 0;
  for (std::size_t from = 0; from < pieces.size();) {
    std::size_t to = from + 1;
    bool others = false;
    for (; to < pieces.size() && pieces[to] / of_larger == pieces[from] / of_larger; ++to)
      others = others || pieces[to] != pieces[from];
    count += others ? 0U : 1U;
    from = to;
  }
  return count;
}

bool knows_all(const MemoryAccess& a) { return (a.known & a.mask) == a.mask; }

} // namespace

std::int16_t BlockTracer::allocation_of(std::int64_t address) const {
  const auto& all = launch_.arguments.allocations;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<std::uint64_t>(address);
    // A little before and behind belongs to it, too: halos that are read and not used.
    if (at + (1U << 20) >= all[i].address && at < all[i].address + all[i].bytes + (1U << 20))
      return static_cast<std::int16_t>(i);
  }
  return -1;
}

bool BlockTracer::lies_apart(const MemoryAccess& access, std::size_t warp, LastLoads& last) {
  constexpr std::int64_t reach = 256; // of a row of device memory
  if (last.of_warp.size() <= warp) last.of_warp.resize(warp + 1);
  LastLoads::Load& now = last.of_warp[warp];
  now = {.count = now.count + 1,
         .first = std::numeric_limits<std::int64_t>::max(),
         .last = std::numeric_limits<std::int64_t>::min()};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    now.first = std::min(now.first, access.address[lane]);
    now.last = std::max(now.last, access.address[lane] + access.bytes);
  }
  if (warp == 0) return last.apart; // as of those behind it in the trip before
  const LastLoads::Load& before = last.of_warp[warp - 1];
  if (before.count == now.count)
    last.apart = now.first - before.last > reach || before.first - now.last > reach;
  return last.apart;
}

bool BlockTracer::lies_in_row(std::int64_t address, std::uint32_t instruction, OpenedRow& row) {
  // Addresses may lie anywhere, so far apart that their distance has no sign.
  const std::uint64_t behind = static_cast<std::uint64_t>(address) - static_cast<std::uint64_t>(row.first);
  constexpr auto bytes = static_cast<std::uint64_t>(row_bytes);
  const bool inside = row.instruction != instruction && (behind < bytes || ~behind < bytes - 1);
  if (!inside) row = {.instruction = instruction, .first = address};
  return inside;
}

void BlockTracer::global(const MemoryAccess& access, const MemoryAccess* copied_to, std::size_t warp,
                         TracedStep& step, State& state) {
  TraceCounts& counts = state.made.counts;
  const TouchedLines::Access now = state.lines.begin();
  const auto first = static_cast<std::size_t>(std::countr_zero(access.mask));
  step.allocation = allocation_of(access.address[first]);
  const std::size_t slot =
      step.allocation < 0 ? launch_.arguments.allocations.size() : static_cast<std::size_t>(step.allocation);
  const std::vector<std::uint64_t> sectors = pieces_of(access, sector_bytes);
  const auto all = static_cast<double>(sectors.size());
  (access.loads ? counts.load_sectors : counts.store_sectors) += all;
  (access.loads ? counts.load_requests : counts.store_requests) += 1;
  const CoalescingRule& rule = access.loads ? rules_.load : rules_.store;
  split(access, rule, all, counts);
  std::vector<std::uint64_t> beyond = sectors;
  const Instruction& i = code_.instructions[step.instruction];
  if (stays_in_l1(rules_, i, access)) {
    state.touched.looked_for = sectors;
    const std::uint64_t by = fetcher(warp, step.instruction);
    std::erase_if(beyond, [&](std::uint64_t sector) { return state.l1.load(sector, by); });
    if (beyond.empty()) step.fetched_by = other_fetcher(state.l1, sectors, warp, step.instruction);
    step.awaited = state.neighbours.take_away(warp, beyond);
  }
  if (access.atomic) {
    counts.atomics += 1;
    step.words = narrow(most_alike(access));
    step.turns = narrow(sector_turns(access));
    step.added = static_cast<std::uint8_t>(std::popcount(access.mask));
    step.one_word = pieces_of(access, access.bytes).size() == 1;
  }
  // What the banks of L1 hand over: they are those of shared memory, so words of different lines meet in
  // them. Stores pass them by, 128 bytes at a time.
  const auto asked = static_cast<std::int64_t>(count_pieces(access, 4) * 4);
  std::int64_t wavefronts = std::max<std::int64_t>(1, (asked + line_bytes - 1) / line_bytes);
  if (access.loads && !access.atomic && rule.l1 && !side_by_side(access))
    wavefronts = std::max(wavefronts, bank_steps_.of(access, SharedAccess::load).wavefronts);
  step.wavefronts = narrow(static_cast<std::size_t>(wavefronts));
  step.least_wavefronts =
      narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, (asked + line_bytes - 1) / line_bytes)));
  const bool past_l1 = copied_to != nullptr && i.has(mod("BYPASS"));
  CopiedPieces came{beyond.size(), larger_pieces(beyond, line_bytes / sector_bytes)};
  if (past_l1 && knows_all(*copied_to)) came = copied_pieces(access, *copied_to);
  const std::size_t fetched = came.sectors;
  step.sectors = narrow(fetched);
  if (access.loads) state.opened[warp].clear(); // until it is there, others have stored
  // Side by side the bytes would lie in as few sectors as they fill, which no other access would have
  // fetched.
  const auto whole = static_cast<std::size_t>((asked + sector_bytes - 1) / sector_bytes);
  step.least_sectors = narrow(whole < sectors.size() ? whole : beyond.size());
  step.lines = narrow(came.lines);
  const bool reads = access.loads || access.atomic;
  const Had had = reads && !beyond.empty() ? had_before(state, slot, beyond) : Had{};
  step.again = had.kept;
  step.wavefronts = narrow(std::max<std::size_t>(step.wavefronts, line_turns(sectors, rules_.line_banks)));
  if (access.loads && !access.atomic) {
    if (rule.l1) step.meeting = meeting_.beyond(step.wavefronts, sectors);
    step.apart = lies_apart(access, warp, state.last_loads[step.instruction]);
    step.in_loop = in_loops_[step.instruction];
    if (state.rows.size() <= warp) state.rows.resize(warp + 1);
    step.in_row = lies_in_row(access.address[first], step.instruction, state.rows[warp]);
  }
  if (reads) { // L2 changes what it has, or gets
    const auto sent = static_cast<double>(fetched);
    state.made.read_sectors[slot] += sent;
    if (had.kept) state.made.sectors_again[slot] += sent;
    state.made.least_read_sectors[slot] += static_cast<double>(step.least_sectors);
    if (access.loads) counts.l2_read_sectors += sent;
    const auto atom_bytes = static_cast<std::uint64_t>(rules_.atom);
    for (const std::uint64_t sector : beyond)
      state.touched.fetched.push_back(sector * sector_bytes / atom_bytes);
    if (had.lost > 0) {                  // atoms of it come once more
      constexpr std::uint64_t row = 256; // bytes of device memory that are read together
      const double sectors_of_atom = had.lost * static_cast<double>(atom_bytes) / sector_bytes;
      state.made.sectors_lost[slot] +=
          sectors_of_atom * static_cast<double>(larger_pieces(state.touched.fetched, 1));
      state.made.lost_alone[slot] +=
          sectors_of_atom *
          static_cast<double>(alone(state.touched.fetched, std::max<std::uint64_t>(1, row / atom_bytes)));
    }
    for (const std::uint64_t atom : state.touched.fetched) {
      if (stored_whole(state, slot, atom)) continue;
      state.made.footprint.loads[slot][atom] = now;
      state.touched.read.push_back(atom);
    }
  }
  state.lines.touch(access.loads ? beyond : sectors, line_bytes / sector_bytes);
  if (access.stores) store(access, sectors, warp, slot, step, state);
}

// Sectors are what most rules split accesses into.
void BlockTracer::split(const MemoryAccess& access, const CoalescingRule& rule, double sectors,
                        TraceCounts& counts) {
  double parts = 1, pieces = sectors, moved = sectors * sector_bytes;
  if (rule.kind != CoalescingRule::Kind::distinct || rule.most != sector_bytes ||
      !rule.takes_whole_warps(access.bytes)) {
    const Transactions made = transactions(rule, access.address, access.mask, access.bytes);
    parts = static_cast<double>(made.requests);
    pieces = static_cast<double>(made.count);
    moved = static_cast<double>(made.moved);
  }
  counts.parts += parts;
  (access.loads ? counts.load_transactions : counts.store_transactions) += pieces;
  if (access.loads) counts.load_moved += moved;
}

void BlockTracer::shared(const MemoryAccess& access, TracedStep& step, State& state) const {
  const SharedAccess kind = access.loads ? SharedAccess::load : SharedAccess::store;
  const BankSteps banks = bank_steps_.of(access, kind);
  std::int64_t wavefronts = banks.wavefronts;
  const bool compared = access.atomic && code_.instructions[step.instruction].has(mod("CAST"));
  if (access.atomic && !compared) { // lanes of one bank take turns, but where those of a word are counted and
                                    // the count is added
    const bool counted = code_.instructions[step.instruction].has(mod("POPC"));
    step.words = counted ? std::uint16_t{1} : narrow(most_alike(access));
    if (!counted) wavefronts = std::max(wavefronts, lanes_of_a_bank(access, rules_.banks));
  }
  step.wavefronts = narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, wavefronts)));
  step.least_wavefronts = narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, banks.least)));
  state.made.counts.shared_wavefronts += static_cast<double>(wavefronts);
  state.made.counts.shared_least += static_cast<double>(banks.least);
}

} // namespace perfmodel
