#include "trip_stretches.hpp"

#include "access_pieces.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

void BlockTracer::Stretches::begins(std::size_t warp) {
  Warp& last = warps_[warp];
  constexpr std::size_t kept = 3; // two, and the one that begins
  if (last.size() < kept)
    last.emplace_back();
  else // the memory of the first is used again
    std::rotate(last.begin(), last.begin() + 1, last.end());
  Stretch& now = last.back();
  now.place = made_.warps[warp].size();
  now.by_data = false;
  now.counts = {};
  now.sectors.assign(made_.read_sectors.size(), {});
  now.accesses.clear();
}

bool BlockTracer::Stretches::moves_sectors(const Executed& executed) {
  return executed.access != nullptr && executed.access->space != Space::shared &&
         executed.access->space != Space::constant;
}

BlockTracer::Stretches::Before BlockTracer::Stretches::before(const Executed& executed) const {
  Before made;
  if (warps_[executed.warp].empty()) return made;
  made.counts = made_.counts;
  if (!moves_sectors(executed)) return made;
  for (std::size_t slot = 0; slot < made_.read_sectors.size(); ++slot)
    for (std::size_t n = 0; n < made.sectors.size(); ++n) made.sectors[n] += sectors_of(slot)[n];
  return made;
}

void BlockTracer::Stretches::add(const Executed& executed, const TracedStep& step, const Before& before) {
  if (warps_[executed.warp].empty()) return;
  Stretch& now = warps_[executed.warp].back();
  now.counts.add(made_.counts, 1);
  now.counts.add(before.counts, -1);
  if (moves_sectors(executed)) {
    Counted all{};
    for (std::size_t slot = 0; slot < made_.read_sectors.size(); ++slot)
      for (std::size_t n = 0; n < all.size(); ++n) all[n] += sectors_of(slot)[n];
    for (std::size_t n = 0; n < all.size(); ++n)
      now.sectors[slot_of(step)][n] += all[n] - before.sectors[n]; // a step accesses one allocation
  }
  for (const MemoryAccess* access : {executed.access, executed.second}) {
    if (access == nullptr || access->mask == 0 || access->space == Space::constant) continue;
    if ((access->known & access->mask) != access->mask) now.by_data = true;
    const std::int64_t first = access->address[static_cast<std::size_t>(std::countr_zero(access->mask))];
    const bool is_global = access == executed.access && access->space == Space::global;
    const auto instruction = static_cast<std::uint32_t>(executed.instruction);
    const bool found = is_global && state_.touched.fetched.empty() && !state_.touched.looked_for.empty();
    now.accesses.push_back({.instruction = instruction,
                            .fetched_by = found ? static_cast<std::uint32_t>(
                                                      state_.l1.fetched_by(state_.touched.looked_for.front()))
                                                : instruction,
                            .slot = slot_of(step),
                            .space = access->space,
                            .address = first,
                            .lanes = lanes_beside(*access, first),
                            .touched = is_global ? std::exchange(state_.touched, {}) : State::Touched{}});
  }
}

void BlockTracer::Stretches::add_plain(const Executed& executed, bool branches) {
  if (warps_[executed.warp].empty()) return;
  TraceCounts& counts = warps_[executed.warp].back().counts;
  counts.instructions += 1;
  counts.lanes += std::popcount(executed.mask);
  counts.branches += branches ? 1 : 0;
}

// Whether a store goes on with another's line shows only when that has come; of blocks that share what they
// read each fetches in its turn, which need not come round in a stretch.
bool BlockTracer::Stretches::same_step(std::uint32_t a, std::uint32_t b, bool& in_turn) const {
  if (a == b) return true;
  TracedStep first = steps_[a];
  const TracedStep& second = steps_[b];
  first.continued = second.continued;
  if (state_.neighbours.any() && first.loads && first.space == Space::global) {
    in_turn = true;
    first.sectors = second.sectors;
    first.least_sectors = second.least_sectors;
    first.lines = second.lines;
    first.awaited = second.awaited;
    first.fetched_by = second.fetched_by;
    first.again = second.again;
  }
  return first == second;
}

bool BlockTracer::Stretches::alike(std::size_t warp, const Stretch& first, const Stretch& second,
                                   std::size_t end) const {
  const std::vector<std::uint32_t>& steps = made_.warps[warp];
  const std::size_t length = second.place - first.place;
  if (first.by_data || second.by_data || end - second.place != length ||
      first.accesses.size() != second.accesses.size())
    return false;
  const auto at = [&](std::size_t place) { return steps.begin() + static_cast<std::ptrdiff_t>(place); };
  bool in_turn = false;
  if (!std::equal(at(first.place), at(second.place), at(second.place),
                  [&](std::uint32_t a, std::uint32_t b) { return same_step(a, b, in_turn); }))
    return false;
  constexpr std::size_t come_in_turn = 24; // of which so many come in turn as in the mean
  if (in_turn && second.accesses.size() < come_in_turn) return false;
  return std::equal(first.accesses.begin(), first.accesses.end(), second.accesses.begin(),
                    [&](const Access& a, const Access& b) {
                      const std::int64_t on = b.address - a.address;
                      return a.space == b.space && a.lanes == b.lanes && a.slot == b.slot &&
                             (a.space != Space::global || on % static_cast<std::int64_t>(atom_) == 0);
                    });
}

// What the access touches, so many bytes further on.
void BlockTracer::Stretches::touch(const Access& access, std::size_t warp, std::int64_t onward) {
  const auto further = [&](std::uint64_t place, std::int64_t unit) {
    return place + static_cast<std::uint64_t>(onward / unit);
  };
  const TouchedLines::Access now = state_.lines.begin();
  auto& read = made_.footprint.loads[access.slot];
  for (const std::uint64_t atom : access.touched.read)
    read[further(atom, static_cast<std::int64_t>(atom_))] = now;
  for (const std::uint64_t atom : access.touched.fetched)
    state_.lines.touch(further(atom, static_cast<std::int64_t>(atom_)) * atom_ / line_bytes);
  auto& stored = made_.footprint.stores[access.slot];
  if (!access.touched.stored.empty()) state_.filled.next(warp);
  for (const auto& [sector, bytes] : access.touched.stored) {
    const std::uint64_t place = further(sector, sector_bytes);
    StoredSector& one = stored[place];
    if (one.pieces > 0 && one.by == warp && one.bytes != ~std::uint32_t{0} &&
        !read.contains(place * sector_bytes / atom_))
      state_.filled.go_on(one, warp);
    one.store_of_warp = state_.filled.last(warp);
    one.store(bytes, access.touched.in_part, now);
    state_.lines.touch(place * sector_bytes / line_bytes);
  }
  for (const std::uint64_t place : access.touched.pieced) state_.pieced.insert(further(place, line_bytes));
}

void BlockTracer::Stretches::leap(Leap one) {
  if (std::any_of(leaps_.begin(), leaps_.end(), [&](const Leap& l) { return l.warp == one.warp; })) fill_l1();
  leaps_.push_back(std::move(one));
  if (leaps_.size() == warps_.size()) fill_l1();
}

void BlockTracer::Stretches::fill_l1() {
  std::uint64_t most = 0;
  for (const Leap& one : leaps_)
    if (!one.sectors.empty()) most = std::max(most, one.times);
  for (std::uint64_t time = 1; time <= most; ++time)
    for (const Leap& one : leaps_)
      if (time <= one.times)
        for (const auto& [place, onward] : one.sectors)
          if (const std::uint64_t further = place + time * static_cast<std::uint64_t>(onward);
              !state_.l1.load(further))
            state_.neighbours.note(further);
  leaps_.clear();
}

std::uint64_t BlockTracer::Stretches::still_in_l1(const Stretch& first, const Stretch& second,
                                                  std::uint64_t times) const {
  for (std::size_t n = 0; n < second.accesses.size(); ++n) {
    const Access& access = second.accesses[n];
    const bool of_stretch =
        std::any_of(second.accesses.begin(), second.accesses.end(),
                    [&](const Access& one) { return one.instruction == access.fetched_by; });
    const std::int64_t onward = (access.address - first.accesses[n].address) / std::int64_t{sector_bytes};
    if (of_stretch || onward == 0) continue;
    const auto found = [&](std::uint64_t time) {
      return std::all_of(access.touched.looked_for.begin(), access.touched.looked_for.end(),
                         [&](std::uint64_t place) {
                           return state_.l1.has(place + time * static_cast<std::uint64_t>(onward));
                         });
    };
    std::uint64_t more = 0;
    while (more < times && found(more + 1)) ++more;
    times = more;
  }
  return times;
}

std::uint64_t BlockTracer::Stretches::leaves_out(std::size_t warp, std::uint64_t times) {
  Warp last;
  last.swap(warps_[warp]);
  constexpr std::size_t needed = 3;
  if (times == 0 || last.size() < needed) return 0;
  const Stretch &first = last[0], &second = last[1];
  const std::size_t end = last[2].place;
  if (!alike(warp, first, second, end)) return 0;
  times = still_in_l1(first, second, times);
  if (times == 0) return 0;
  constexpr double most_places = 2e7; // of a block, that are worth their time and memory
  const auto more = static_cast<double>(times);
  double places = places_;
  for (const Access& access : second.accesses)
    places += more * static_cast<double>(access.touched.looked_for.size() + access.touched.fetched.size() +
                                         access.touched.stored_bytes);
  if (places > most_places) return 0;
  places_ = places;
  made_.counts.add(second.counts, more);
  for (std::size_t slot = 0; slot < second.sectors.size(); ++slot) {
    made_.read_sectors[slot] += more * second.sectors[slot][0];
    made_.least_read_sectors[slot] += more * second.sectors[slot][1];
    made_.stored_sectors[slot] += more * second.sectors[slot][2];
    made_.sectors_again[slot] += more * second.sectors[slot][3];
    made_.sectors_lost[slot] += more * second.sectors[slot][4];
    made_.sectors_rewritten[slot] += more * second.sectors[slot][5];
    made_.lost_alone[slot] += more * second.sectors[slot][6];
    made_.rewritten_alone[slot] += more * second.sectors[slot][7];
    made_.refilled_sectors[slot] += more * second.sectors[slot][8];
  }
  for (std::uint64_t time = 1; time <= times; ++time)
    for (std::size_t n = 0; n < second.accesses.size(); ++n) {
      const Access& access = second.accesses[n];
      if (access.touched.fetched.empty() && access.touched.stored.empty()) continue;
      touch(access, warp, static_cast<std::int64_t>(time) * (access.address - first.accesses[n].address));
    }
  Leap one{.warp = warp, .times = times, .sectors = {}};
  for (std::size_t n = 0; n < second.accesses.size(); ++n)
    for (const std::uint64_t place : second.accesses[n].touched.looked_for)
      one.sectors.emplace_back(place, (second.accesses[n].address - first.accesses[n].address) /
                                          std::int64_t{sector_bytes});
  leap(std::move(one));
  any_ = true;
  made_.left_out[warp].push_back({.from = first.place, .length = second.place - first.place, .times = times});
  return times;
}

} // namespace perfmodel
