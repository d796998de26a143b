#include "block_trace.hpp"

#include "access_pieces.hpp"
#include "trip_stretches.hpp"

#include "models/core/error.hpp"
#include "models/kernel/stack_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

namespace {

std::uint64_t hash_of(const TracedStep& s) {
  std::uint64_t h = s.instruction;
  const auto add = [&](std::uint64_t word) { h = (h ^ word) * 0x9E3779B97F4A7C15u; };
  add(std::uint64_t{s.idle} | std::uint64_t{s.taken} << 1 | std::uint64_t{s.continued} << 3 |
      std::uint64_t{s.awaited} << 56 | std::uint64_t{s.apart} << 57 | std::uint64_t{s.in_row} << 58 |
      std::uint64_t{s.in_loop} << 59 | std::uint64_t{s.opened_back} << 4 | std::uint64_t{s.wavefronts} << 8 |
      std::uint64_t{s.sectors} << 24 | std::uint64_t{s.lines} << 40);
  add(std::uint64_t{s.turns} | std::uint64_t{s.one_word} << 15 | std::uint64_t{s.words} << 16 |
      std::uint64_t{static_cast<std::uint16_t>(s.allocation)} << 32 | std::uint64_t{s.result} << 48);
  add(std::uint64_t{s.partial} | std::uint64_t{s.changed} << 16 | std::uint64_t{s.lines_between} << 32 |
      std::uint64_t{s.meeting} << 48);
  for (std::size_t i = 0; i < s.waits; ++i) add(s.waits_for[i]);
  return h ^ h >> 29;
}

} // namespace

std::vector<std::uint32_t> BlockTrace::steps_with(std::size_t warp, double share) const {
  std::vector<std::uint32_t> list;
  const auto take = [&](std::size_t from, std::size_t to) {
    list.insert(list.end(), warps[warp].begin() + static_cast<std::ptrdiff_t>(from),
                warps[warp].begin() + static_cast<std::ptrdiff_t>(to));
  };
  std::size_t place = 0;
  for (const LeftOut& one : left_out[warp]) {
    take(place, one.from);
    for (std::uint64_t n = 0; n < one.stretches(share); ++n) take(one.from, one.from + one.length);
    place = one.from + 2 * one.length;
  }
  take(place, warps[warp].size());
  return list;
}

double BlockTrace::listed_steps() const {
  double steps = 0;
  for (const std::vector<std::uint32_t>& warp : warps) steps += static_cast<double>(warp.size());
  return steps;
}

double BlockTrace::steps_left_out(double share) const {
  double steps = 0;
  for (const std::vector<LeftOut>& warp : left_out)
    for (const LeftOut& one : warp)
      steps += static_cast<double>(one.length) * static_cast<double>(one.stretches(share) - 2);
  return steps;
}

BlockTracer::BlockTracer(const KernelCode& code, const KernelLaunch& launch, const AccessRules& rules,
                         LoadedData data, std::shared_ptr<LaunchReads> reads)
    : code_(code), launch_(launch), rules_(rules), in_loops_(in_loops(code)),
      older_(as_older(code, rules.capability)), runner_(code, launch, data.together > 0), data_(data),
      reads_(std::move(reads)), meeting_(rules.line_banks), l1_(rules.l1_bytes * rules.l1_spread.first),
      all_l1_(rules.l1_bytes * rules.l1_spread.last), l2_(rules.l2_bytes),
      plain_(code.instructions.size(), {no_step, no_step, no_step, no_step}), frame_(stack_frame(code)) {
  if (rules.by_registers) dependences_ = RegisterDependences(code);
}

// Brings addresses that go by stand-ins for data back into their array: what leads beyond one of its ends
// comes in at the other. Local arrays: into the kernel's frame. False: they lead into no array.
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
    if (access.space == Space::local) {
      if (frame_ > 0) address = wrapped(stack_top - frame_, frame_, address);
      continue;
    }
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

BlockTrace BlockTracer::traced(std::int64_t block, bool leaves_out) {
  const auto warps = static_cast<std::size_t>(launch_.warps());
  const std::size_t allocations = launch_.arguments.allocations.size() + 1; // the last: none of them
  State state{.made = {.warps = std::vector<std::vector<std::uint32_t>>(warps),
                       .left_out = std::vector<std::vector<LeftOut>>(warps),
                       .footprint = BlockFootprint(allocations),
                       .read_sectors = std::vector<double>(allocations),
                       .sectors_again = std::vector<double>(allocations),
                       .sectors_lost = std::vector<double>(allocations),
                       .lost_alone = std::vector<double>(allocations),
                       .least_read_sectors = std::vector<double>(allocations),
                       .stored_sectors = std::vector<double>(allocations),
                       .sectors_rewritten = std::vector<double>(allocations),
                       .rewritten_alone = std::vector<double>(allocations),
                       .refilled_sectors = std::vector<double>(allocations),
                       .counts = {},
                       .run = {}},
              .l1 = L1Sectors(rules_.l1_bytes, rules_.l1_spread),
              .neighbours = neighbours_.value_or(true)
                                ? neighbours_of({code_, launch_, rules_, runner_, data_}, *reads_, block, l1_)
                                : SmNeighbours(),
              .lines = {},
              .filled = FilledSectors(warps),
              .opened = std::vector<std::vector<OpeningStore>>(warps),
              .pieced = {},
              .local = {},
              .last_loads = std::vector<LastLoads>(code_.instructions.size()),
              .rows = {},
              .touched = {}};
  if (rules_.by_registers) dependences_.begin_block(warps);
  Stretches stretches(state, steps_, static_cast<std::uint64_t>(rules_.atom));
  const auto see = [&](const Executed& executed) {
    if (older_[executed.instruction].times == 0) return dependences_.forget(executed);
    if (is_plain(executed)) {
      state.made.warps[executed.warp].push_back(number_of_plain(executed, state.made.counts));
      return stretches.add_plain(executed, is_branch(executed));
    }
    state.touched.clear();
    const Stretches::Before before = stretches.before(executed);
    const TracedStep step = step_of(executed, state);
    state.made.warps[executed.warp].push_back(number_of(step));
    stretches.add(executed, step, before);
  };
  BlockRun run;
  try {
    run = runner_.run(block, data_, see, KernelRunner::most_instructions, leaves_out ? &stretches : nullptr);
  } catch (const InputError&) { // warps that left out different trips may wait for one another for ever
    if (!stretches.any()) throw;
    return traced(block, false);
  }
  if (state.l1.lost() || !l1_.holds(state.l1.needed())) l1_.matters(), all_l1_.matters();
  if (!neighbours_ && state.made.counts.load_sectors > 0) neighbours_ = state.neighbours.any();
  // Where L1 is too small, what is left there goes for the block that has its place next.
  if (const std::size_t written = state.l1.written_back(); written > 0)
    state.made.local.written = static_cast<double>(written + state.l1.changed());
  const BlockRun seen = std::exchange(state.made.run, run);
  state.made.run.indexed = seen.indexed;
  state.made.run.looked_up = seen.looked_up;
  state.made.pieced_lines = static_cast<double>(state.pieced.size());
  state.made.filled_sectors = state.filled.sectors();
  state.made.pieces_of_sector = state.filled.pieces();
  state.made.open_sectors = state.filled.open();
  return std::move(state.made);
}

bool BlockTracer::is_plain(const Executed& executed) const {
  const Instruction& i = code_.instructions[executed.instruction];
  return executed.access == nullptr && !i.is("BAR") && !i.is("CCTL");
}

std::uint32_t BlockTracer::number_of_plain(const Executed& executed, TraceCounts& counts) {
  counts.instructions += older_[executed.instruction].times;
  counts.lanes += std::popcount(executed.mask);
  counts.branches += is_branch(executed) ? 1 : 0;
  TracedStep step{.instruction = static_cast<std::uint32_t>(executed.instruction),
                  .idle = !executed.known,
                  .taken = executed.taken};
  if (rules_.by_registers) {
    dependences_.add(executed, step);
    return number_of(step);
  }
  std::uint32_t& number = plain_[executed.instruction][(step.idle ? 2U : 0U) + (step.taken ? 1U : 0U)];
  if (number == no_step) number = number_of(step);
  return number;
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
  counts.instructions += older_[executed.instruction].times;
  counts.lanes += std::popcount(executed.mask);
  TracedStep step{.instruction = static_cast<std::uint32_t>(executed.instruction),
                  .idle = !executed.known,
                  .taken = executed.taken};
  if (i.is("BRA")) counts.branches += 1;
  if (rules_.by_registers) dependences_.add(executed, step);
  if (i.is("CCTL") && i.has(mod("IVALL"))) state.l1.empty();
  if (executed.access == nullptr) return step;
  MemoryAccess access = *executed.access;
  step.space = access.space;
  step.loads = access.loads;
  step.stores = access.stores;
  step.atomic = access.atomic;
  step.idle = access.mask == 0;
  if (step.idle) return step;
  const bool by_data = (access.known & access.mask) != access.mask;
  if (by_data && (access.space == Space::constant || access.space == Space::local)) {
    ++state.made.run.looked_up; // it stays in the table: what stands in for data says where
    if (access.space == Space::local) settle(access);
  } else if (by_data) {
    if (data_.indices == LoadedIndex::refuse || !settle(access))
      throw RefusedKernel(
          fmt::format("line {}: {}: the address goes by data that is loaded; --index spread or near "
                      "says where it leads",
                      i.line, quoted(i.text)));
    ++state.made.run.indexed;
  }
  if (access.space == Space::global) global(access, executed.second, executed.warp, step, state);
  if (access.space == Space::shared) shared(access, step, state);
  if (executed.second != nullptr) shared(*executed.second, step, state);
  if (access.space == Space::local) local(access, executed.warp, step, state);
  if (access.space == Space::constant) // a turn for each different address, of 32 or 64 bits
    step.words = narrow(count_pieces(access, access.bytes));
  return step;
}

} // namespace perfmodel
