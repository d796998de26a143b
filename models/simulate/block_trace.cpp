#include "block_trace.hpp"

#include "access_pieces.hpp"
#include "l1_sectors.hpp"
#include "open_lines.hpp"
#include "sm_neighbours.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

namespace perfmodel {

namespace {

std::uint16_t narrow(std::size_t n) { return static_cast<std::uint16_t>(std::min<std::size_t>(n, 0xffff)); }

std::uint64_t hash_of(const TracedStep& s) {
  std::uint64_t h = s.instruction;
  const auto add = [&](std::uint64_t word) { h = (h ^ word) * 0x9E3779B97F4A7C15u; };
  add(std::uint64_t{s.idle} | std::uint64_t{s.taken} << 1 | std::uint64_t{s.fence} << 2 |
      std::uint64_t{s.continued} << 3 | std::uint64_t{s.awaited} << 56 | std::uint64_t{s.opened_back} << 4 |
      std::uint64_t{s.wavefronts} << 8 | std::uint64_t{s.sectors} << 24 | std::uint64_t{s.lines} << 40);
  add(std::uint64_t{s.words} << 16 | std::uint64_t{static_cast<std::uint16_t>(s.allocation)} << 32 |
      std::uint64_t{s.result} << 48);
  for (std::size_t i = 0; i < s.waits; ++i) add(s.waits_for[i]);
  return h ^ h >> 29;
}

} // namespace

struct BlockTracer::State {
  BlockTrace made;
  L1Sectors l1;
  SmNeighbours neighbours;
  std::vector<bool> accessed; // shared memory, by each warp since its last barrier
  // Of each warp: its last stores to other lines, the last one last, with their places in its list of steps.
  struct Opened {
    std::vector<std::uint64_t> lines;
    std::size_t place = 0;
  };
  std::vector<std::vector<Opened>> opened;
  std::unordered_set<std::uint64_t> pieced; // lines
};

void TraceCounts::add(const TraceCounts& o, double times) {
  instructions += times * o.instructions;
  lanes += times * o.lanes;
  load_sectors += times * o.load_sectors;
  store_sectors += times * o.store_sectors;
  load_requests += times * o.load_requests;
  store_requests += times * o.store_requests;
  load_transactions += times * o.load_transactions;
  store_transactions += times * o.store_transactions;
  parts += times * o.parts;
  l2_read_sectors += times * o.l2_read_sectors;
  shared_wavefronts += times * o.shared_wavefronts;
  shared_least += times * o.shared_least;
  branches += times * o.branches;
  divergent += times * o.divergent;
  atomics += times * o.atomics;
}

BlockTracer::BlockTracer(const KernelCode& code, const KernelLaunch& launch, const AccessRules& rules,
                         LoadedData data)
    : code_(code), launch_(launch), rules_(rules), runner_(code, launch), data_(data) {
  if (rules.by_registers) dependences_ = RegisterDependences(code);
}

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

// Brings addresses that go by stand-ins for data back into their array: what leads beyond one of its ends
// comes in at the other. False: they lead into no array.
bool BlockTracer::settle(MemoryAccess& access) const {
  const auto& all = launch_.arguments.allocations;
  const auto wrapped = [&](std::int64_t from, std::int64_t size, std::int64_t address) {
    const std::int64_t places = std::max<std::int64_t>(1, size / access.bytes);
    const std::int64_t place = (address - from) / access.bytes % places;
    return from + (place < 0 ? place + places : place) * access.bytes;
  };
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (((access.mask & ~access.known) >> lane & 1) == 0) continue;
    std::int64_t& address = access.address[lane];
    if (access.space == Space::shared) {
      const std::uint64_t size = code_.shared.value_or(0) + launch_.dynamic_shared;
      address = wrapped(0, static_cast<std::int64_t>(size), address);
      continue;
    }
    constexpr std::int64_t reach = std::int64_t{1} << 43; // half of what lies between two arrays
    const auto array = std::find_if(all.rbegin(), all.rend(), [&](const Allocation& a) {
      return address >= static_cast<std::int64_t>(a.address) - reach;
    });
    if (array == all.rend() || address <= 0) return false;
    address =
        wrapped(static_cast<std::int64_t>(array->address), static_cast<std::int64_t>(array->bytes), address);
  }
  return true;
}

BlockTrace BlockTracer::trace(std::int64_t block) {
  const auto warps = static_cast<std::size_t>(launch_.warps());
  const std::size_t allocations = launch_.arguments.allocations.size() + 1; // the last: none of them
  State state{.made = {.warps = std::vector<std::vector<std::uint32_t>>(warps),
                       .footprint = BlockFootprint(allocations),
                       .read_sectors = std::vector<double>(allocations),
                       .stored_sectors = std::vector<double>(allocations),
                       .counts = {},
                       .run = {}},
              .l1 = L1Sectors(rules_.l1_bytes),
              .neighbours = neighbours_.value_or(true)
                                ? neighbours_of({code_, launch_, rules_, runner_, data_}, block)
                                : SmNeighbours(),
              .accessed = std::vector<bool>(warps),
              .opened = std::vector<std::vector<State::Opened>>(warps),
              .pieced = {}};
  if (!neighbours_) neighbours_ = state.neighbours.any();
  if (rules_.by_registers) dependences_.begin_block(warps);
  const BlockRun run = runner_.run(block, data_, [&](const Executed& executed) {
    state.made.warps[executed.warp].push_back(number_of(step_of(executed, state)));
  });
  const BlockRun seen = std::exchange(state.made.run, run);
  state.made.run.indexed = seen.indexed;
  state.made.run.looked_up = seen.looked_up;
  state.made.pieced_lines = static_cast<double>(state.pieced.size());
  return std::move(state.made);
}

std::uint32_t BlockTracer::number_of(const TracedStep& step) {
  const std::uint64_t hash = hash_of(step);
  for (auto [at, end] = numbers_.equal_range(hash); at != end; ++at)
    if (steps_[at->second] == step) return at->second;
  steps_.push_back(step);
  const auto number = static_cast<std::uint32_t>(steps_.size() - 1);
  numbers_.emplace(hash, number);
  return number;
}

TracedStep BlockTracer::step_of(const Executed& executed, State& state) {
  const Instruction& i = code_.instructions[executed.instruction];
  TraceCounts& counts = state.made.counts;
  counts.instructions += 1;
  counts.lanes += std::popcount(executed.mask);
  TracedStep step{.instruction = static_cast<std::uint32_t>(executed.instruction),
                  .idle = !executed.known,
                  .taken = executed.taken};
  if (i.opcode == "BRA") counts.branches += 1;
  if (i.opcode == "BAR") {
    step.fence = state.accessed[executed.warp];
    state.accessed[executed.warp] = false;
  }
  if (rules_.by_registers) dependences_.add(executed, step);
  if (executed.access == nullptr) return step;
  MemoryAccess access = *executed.access;
  step.space = access.space;
  step.loads = access.loads;
  step.stores = access.stores;
  step.atomic = access.atomic;
  if (access.mask == 0) {
    step.idle = true;
    return step;
  }
  const bool by_data = (access.known & access.mask) != access.mask;
  if (by_data && (access.space == Space::constant || access.space == Space::local)) {
    ++state.made.run
          .looked_up; // wherever it leads, it stays in the table: what stands in for data says where
  } else if (by_data) {
    if (data_.indices == LoadedIndex::refuse || !settle(access))
      throw InputError(
          fmt::format("line {}: {}: the address goes by data that is loaded; --index spread or near "
                      "says where it leads",
                      i.line, quoted(i.text)));
    ++state.made.run.indexed;
  }
  if (access.space == Space::global) global(access, executed.warp, step, state);
  if (access.space == Space::shared) shared(access, step, state);
  if (executed.second != nullptr) shared(*executed.second, step, state);
  if (access.space == Space::shared || executed.second != nullptr) state.accessed[executed.warp] = true;
  if (access.space == Space::local) local(access, executed.warp, step, state);
  if (access.space == Space::constant) step.words = narrow(pieces_of(access, 4).size());
  return step;
}

void BlockTracer::global(const MemoryAccess& access, std::size_t warp, TracedStep& step, State& state) {
  TraceCounts& counts = state.made.counts;
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
    std::erase_if(beyond, [&](std::uint64_t sector) { return state.l1.load(sector); });
    step.awaited = state.neighbours.take_away(warp, beyond);
  }
  if (access.atomic) {
    counts.atomics += 1;
    step.words = narrow(most_alike(access));
  }
  // What the banks of L1 hand over: they are those of shared memory, so words of different lines meet in
  // them. Stores pass them by, 128 bytes at a time.
  const auto asked = static_cast<std::int64_t>(pieces_of(access, 4).size() * 4);
  std::int64_t wavefronts = std::max<std::int64_t>(1, (asked + line_bytes - 1) / line_bytes);
  if (access.loads && !access.atomic && rule.l1 && !side_by_side(access))
    wavefronts = std::max(
        wavefronts,
        bank_steps(rules_.banks, access.address, access.mask, access.bytes, SharedAccess::load).wavefronts);
  step.wavefronts = narrow(static_cast<std::size_t>(wavefronts));
  step.least_wavefronts =
      narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, (asked + line_bytes - 1) / line_bytes)));
  step.sectors = narrow(beyond.size());
  // Side by side the bytes would lie in as few sectors as they fill, and L1 would lack the same share of
  // them.
  const auto whole = static_cast<std::size_t>((asked + sector_bytes - 1) / sector_bytes);
  step.least_sectors = narrow(std::min(
      beyond.size(), std::max<std::size_t>(beyond.empty() ? 0 : 1, whole * beyond.size() / sectors.size())));
  step.lines = narrow(larger_pieces(beyond, line_bytes / sector_bytes));
  const std::size_t looked_up = larger_pieces(sectors, line_bytes / sector_bytes);
  step.wavefronts = narrow(std::max<std::size_t>(step.wavefronts, (looked_up + 3) / 4));
  if (access.loads) {
    state.made.read_sectors[slot] += static_cast<double>(beyond.size());
    counts.l2_read_sectors += static_cast<double>(beyond.size());
    for (const std::uint64_t sector : beyond)
      state.made.footprint.loads[slot].insert(sector * sector_bytes /
                                              static_cast<std::uint64_t>(rules_.atom));
  }
  if (!access.stores) return;
  if (!access.atomic) opened_by(warp, sectors, step, state);
  if (step.opened_back == 0) state.made.stored_sectors[slot] += all; // others go out with those that opened
  auto& stored = state.made.footprint.stores[slot];
  if (!access.atomic && step.opened_back == 0)
    for (const std::uint64_t sector : sectors)
      if (const auto begun = stored.find(sector); begun != stored.end() && begun->second != ~std::uint32_t{0})
        state.pieced.insert(sector * sector_bytes / line_bytes);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    for (std::int64_t byte = access.address[lane]; byte < access.address[lane] + access.bytes; ++byte)
      stored[static_cast<std::uint64_t>(byte / sector_bytes)] |= 1U << (byte % sector_bytes);
  }
}

// Sectors are what most rules split accesses into.
void BlockTracer::split(const MemoryAccess& access, const CoalescingRule& rule, double sectors,
                        TraceCounts& counts) {
  double parts = 1, pieces = sectors;
  if (rule.kind != CoalescingRule::Kind::distinct || rule.most != sector_bytes ||
      !rule.takes_whole_warps(access.bytes)) {
    const Transactions made = transactions(rule, access.address, access.mask, access.bytes);
    parts = static_cast<double>(made.requests);
    pieces = static_cast<double>(made.count);
  }
  counts.parts += parts;
  (access.loads ? counts.load_transactions : counts.store_transactions) += pieces;
}

// Whether one of the warp's last stores to other lines went to the lines of this one, which may then find
// them open.
void BlockTracer::opened_by(std::size_t warp, const std::vector<std::uint64_t>& sectors, TracedStep& step,
                            State& state) {
  constexpr std::size_t most_lines = 16;
  std::vector<State::Opened>& last = state.opened[warp];
  if (step.lines > most_lines) return last.clear();
  State::Opened now{.lines = sectors, .place = state.made.warps[warp].size()};
  for (std::uint64_t& at : now.lines) at /= line_bytes / sector_bytes;
  now.lines.erase(std::unique(now.lines.begin(), now.lines.end()), now.lines.end());
  const auto before = std::find_if(last.rbegin(), last.rend(), [&](const State::Opened& o) {
    return std::includes(o.lines.begin(), o.lines.end(), now.lines.begin(), now.lines.end());
  });
  if (before == last.rend()) {
    if (last.size() == OpenedLines::remembered) last.erase(last.begin());
    return last.push_back(std::move(now));
  }
  step.opened_back = static_cast<std::uint8_t>(before - last.rbegin() + 1);
  std::uint32_t& number = state.made.warps[warp][before->place];
  TracedStep first = steps_[number];
  first.continued = true;
  number = number_of(first);
}

// Words of local memory at one address lie side by side for the lanes of a warp: where each lane takes
// another address, each takes another line. What is written stays in L1.
void BlockTracer::local(MemoryAccess access, std::size_t warp, TracedStep& step, State& state) {
  constexpr std::int64_t of_warp = std::int64_t{1} << 24, frame = 1 << 14;
  const auto base = std::int64_t{1} << 62 | static_cast<std::int64_t>(warp) * of_warp;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::int64_t at = access.address[lane] & (frame - 1);
    access.address[lane] = base + at / 4 * line_bytes + static_cast<std::int64_t>(lane) * 4 + at % 4;
  }
  const std::int64_t words = std::max(1, access.bytes / 4);
  access.bytes = std::min<std::uint8_t>(access.bytes, 4);
  std::size_t lines = 0, beyond = 0;
  for (std::int64_t word = 0; word < words; ++word) { // the next word of each lane lies a line further on
    const std::vector<std::uint64_t> sectors = pieces_of(access, sector_bytes);
    lines += larger_pieces(sectors, line_bytes / sector_bytes);
    for (const std::uint64_t sector : sectors) beyond += state.l1.load(sector) || !access.loads ? 0U : 1U;
    for (std::int64_t& address : access.address) address += line_bytes;
  }
  step.wavefronts = narrow(std::max<std::size_t>(static_cast<std::size_t>(words), (lines + 3) / 4));
  step.sectors = narrow(beyond);
  step.lines = narrow(std::min(lines, beyond));
  state.made.counts.l2_read_sectors += static_cast<double>(beyond);
}

void BlockTracer::shared(const MemoryAccess& access, TracedStep& step, State& state) const {
  const SharedAccess kind = access.loads ? SharedAccess::load : SharedAccess::store;
  const BankSteps banks = bank_steps(rules_.banks, access.address, access.mask, access.bytes, kind);
  std::int64_t wavefronts = banks.wavefronts;
  if (access.atomic) {
    step.words = narrow(most_alike(access));
    wavefronts = std::max<std::int64_t>(wavefronts, step.words);
  }
  step.wavefronts = narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, wavefronts)));
  step.least_wavefronts = narrow(static_cast<std::size_t>(std::max<std::int64_t>(1, banks.least)));
  state.made.counts.shared_wavefronts += static_cast<double>(wavefronts);
  state.made.counts.shared_least += static_cast<double>(banks.least);
}

} // namespace perfmodel
