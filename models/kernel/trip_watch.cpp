#include "trip_watch.hpp"

#include "trip_ends.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace perfmodel {

namespace {

constexpr std::size_t first_trips = 4;            // until a loop goes as it will go on
constexpr std::size_t shortest = 2, longest = 32; // stretches: of an access that goes on by 4 bytes a trip,
                                                  // 32 trips are a whole line
constexpr std::size_t longest_around = 4;         // of a loop with loops inside
constexpr int most_leaps = 4;

// Opcodes of a loop that is run trip by trip.
constexpr std::string_view once_each[] = {"STL",   "LDL", "RED", "REDG",  "ATOM",  "ATOMG",
                                          "ATOMS", "RET", "BRX", "BREAK", "UBLKCP"};

// Factors of the lanes in a hash: the terms of a sum do not wait for one another.
constexpr std::array<std::uint64_t, 32> lane_factors = [] {
  std::array<std::uint64_t, 32> made{};
  for (std::size_t lane = 0; lane < made.size(); ++lane)
    made[lane] = mixed(0x9E3779B97F4A7C15u * (lane + 1)) | 1;
  return made;
}();

std::uint64_t hash_of_lanes(const LaneWords& words, std::uint64_t seed) {
  std::uint64_t sum = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t known = 0 - (words.known >> lane & 1); // all bits, or none
    sum += std::uint64_t{words.at[lane] & known} * lane_factors[lane];
  }
  const std::uint64_t h = ((seed ^ words.known) * 0x9E3779B97F4A7C15u ^ sum) * 0xBF58476D1CE4E5B9u;
  return h ^ h >> 29;
}

// Whether each known lane has changed by as much from `a` to `b` as from `b` to `c`.
bool evenly(const LaneWords& a, const LaneWords& b, const LaneWords& c) {
  if (a.known != b.known || b.known != c.known) return false;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((a.known >> lane & 1) != 0 && b.at[lane] - a.at[lane] != c.at[lane] - b.at[lane]) return false;
  return true;
}

bool same_flags(const Flags& a, const Flags& b) { return a.value == b.value && a.known == b.known; }

bool may_repeat(const KernelCode& code, std::size_t first, std::size_t last) {
  for (std::size_t n = first; n <= last; ++n) {
    const Instruction& i = code.instructions[n];
    if (std::find(std::begin(once_each), std::end(once_each), i.opcode) != std::end(once_each)) return false;
  }
  return true;
}

} // namespace

void TripWatch::forget() {
  snapshots_.clear();
  stretches_.clear();
}

std::uint64_t TripWatch::arrive(const KernelCode& code, const Loop& loop, std::uint64_t issued,
                                WarpState& warp, const BlockRun& run, TripFollower& follower) {
  const std::uint64_t trip = issued - std::exchange(came_, issued);
  if (loop.edge != edge_) {
    forget();
    edge_ = loop.edge;
    target_ = loop.target;
    may_repeat_ = may_repeat(code, loop.target, loop.edge);
    trips_ = 0;
    length_ = shortest;
    left_out_ = 0;
  }
  if (!may_repeat_) return 0;
  ++trips_;
  if (snapshots_.empty()) {
    if (trips_ >= first_trips && (loop.inside == 0 || trip <= most_around))
      begin(issued, warp, run, follower);
    return 0;
  }
  if (trips_ - begun_ < length_) return 0;
  begin(issued, warp, run, follower);
  constexpr std::size_t ends = 3; // of two stretches
  if (snapshots_.size() < ends) return 0;
  const std::uint64_t times =
      follower.leaves_out(warp.number, alike() ? times_until_it_changes() : std::uint64_t{0});
  const bool goes_on = times > 0;
  const std::uint64_t left_out = goes_on ? times * (issued - snapshots_[1].issued) : 0;
  if (goes_on) leave_out(warp, times);
  forget();
  trips_ = 0;
  const std::size_t most = loop.inside == 0 ? longest : longest_around;
  if (goes_on ? ++left_out_ == most_leaps : length_ == most) may_repeat_ = false;
  if (!goes_on) length_ *= 2;
  return left_out;
}

void TripWatch::begin(std::uint64_t issued, const WarpState& warp, const BlockRun& run,
                      TripFollower& follower) {
  snapshots_.push_back({.registers = warp.registers,
                        .uniform = {warp.uniform.begin(), warp.uniform.end()},
                        .predicates = warp.predicates,
                        .uniform_predicates = warp.uniform_predicates,
                        .live = warp.live,
                        .tossed = run.tossed,
                        .issued = issued});
  stretches_.emplace_back();
  begun_ = trips_;
  follower.begins(warp.number);
}

void TripWatch::record(const LaneStep& step, TripChange change) {
  const Instruction& i = step.i;
  if (change == TripChange::adds) return;
  if (change == TripChange::compares) {
    stretches_.back().compared.push_back({.instruction_line = i.line,
                                          .is_unsigned = i.has(mod("U32")),
                                          .a = step.integer(2),
                                          .b = step.integer(3)});
    return;
  }
  if (change == TripChange::multiplies || change == TripChange::shifts) {
    const auto input = [&](std::size_t n) {
      const bool is_register = step.is(n, OperandKind::reg) || step.is(n, OperandKind::uniform);
      return is_register ? hash_of_lanes(step.raw(n), i.line) : 0; // others do not change
    };
    // Of a shift, by how much has to stay.
    const std::uint64_t second = input(2);
    stretches_.back().factors.push_back({change == TripChange::multiplies ? input(1) : second, second});
    return;
  }
  std::uint64_t inputs = i.line;
  bool result = true; // the first register is what it writes
  for (std::size_t n = 0; n < step.operands(); ++n) {
    if (!step.is(n, OperandKind::reg) && !step.is(n, OperandKind::uniform)) continue;
    if (!result) inputs = hash_of_lanes(step.raw(n), inputs);
    result = false;
  }
  stretches_.back().inputs.push_back(inputs);
}

void TripWatch::record(const MemoryAccess& access) {
  std::uint64_t h = access.mask;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((access.known & access.mask) >> lane & 1)
      h = (h ^ static_cast<std::uint64_t>(access.address[lane])) * 0x9E3779B97F4A7C15u;
  stretches_.back().inputs.push_back(h);
}

void TripWatch::record(const LaneWords& loaded) {
  stretches_.back().inputs.push_back(hash_of_lanes(loaded, 0));
}

bool TripWatch::alike() const {
  const Snapshot &a = snapshots_[0], &b = snapshots_[1], &c = snapshots_[2];
  if (a.live != c.live || a.tossed != c.tossed) return false;
  const Stretch &first = stretches_[0], &second = stretches_[1];
  const auto one_stays = [](const std::array<std::uint64_t, 2>& x, const std::array<std::uint64_t, 2>& y) {
    return x[0] == y[0] || x[1] == y[1];
  };
  if (!std::equal(first.factors.begin(), first.factors.end(), second.factors.begin(), second.factors.end(),
                  one_stays))
    return false;
  if (first.inputs != second.inputs || first.compared.size() != second.compared.size()) return false;
  for (std::size_t n = 0; n < first.compared.size(); ++n) {
    const Compared &x = first.compared[n], &y = second.compared[n];
    if (x.instruction_line != y.instruction_line || x.a.known != y.a.known || x.b.known != y.b.known)
      return false;
  }
  for (std::size_t n = 0; n < a.predicates.size(); ++n)
    if (!same_flags(a.predicates[n], b.predicates[n]) || !same_flags(b.predicates[n], c.predicates[n]) ||
        !same_flags(a.uniform_predicates[n], b.uniform_predicates[n]) ||
        !same_flags(b.uniform_predicates[n], c.uniform_predicates[n]))
      return false;
  for (std::size_t n = 0; n < a.registers.size(); ++n)
    if (!evenly(a.registers[n], b.registers[n], c.registers[n])) return false;
  for (std::size_t n = 0; n < a.uniform.size(); ++n)
    if (!evenly(a.uniform[n], b.uniform[n], c.uniform[n])) return false;
  return true;
}

std::uint64_t TripWatch::times_until_it_changes() const {
  std::uint64_t times = for_ever;
  const auto registers = [&](const std::vector<LaneWords>& before, const std::vector<LaneWords>& now) {
    for (std::size_t n = 0; n < now.size(); ++n)
      for (std::size_t lane = 0; lane < 32; ++lane)
        if ((now[n].known >> lane & 1) != 0)
          times = std::min(times, until_overflow(now[n].at[lane], static_cast<std::int32_t>(
                                                                      now[n].at[lane] - before[n].at[lane])));
  };
  registers(snapshots_[1].registers, snapshots_[2].registers);
  registers(snapshots_[1].uniform, snapshots_[2].uniform);
  for (std::size_t n = 0; n < stretches_[1].compared.size(); ++n) {
    const Compared &before = stretches_[0].compared[n], &now = stretches_[1].compared[n];
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (((now.a.known & now.b.known) >> lane & 1) == 0) continue;
      const auto difference = [&](const Compared& c) {
        return lane_value(c.a, lane, c.is_unsigned) - lane_value(c.b, lane, c.is_unsigned);
      };
      times = std::min({times, until_sign_changes(difference(now), difference(now) - difference(before)),
                        until_wrapped(before.a, now.a, lane, now.is_unsigned),
                        until_wrapped(before.b, now.b, lane, now.is_unsigned)});
    }
  }
  return times == for_ever ? 0 : times; // nothing ends the loop
}

void TripWatch::leave_out(WarpState& warp, std::uint64_t times) const {
  const auto onward = [&](LaneWords& word, const LaneWords& before, const LaneWords& now) {
    for (std::size_t lane = 0; lane < 32; ++lane)
      if ((now.known >> lane & 1) != 0)
        word.at[lane] += static_cast<std::uint32_t>(times) * (now.at[lane] - before.at[lane]);
  };
  for (std::size_t n = 0; n < warp.registers.size(); ++n)
    onward(warp.registers[n], snapshots_[1].registers[n], snapshots_[2].registers[n]);
  for (std::size_t n = 0; n < warp.uniform.size(); ++n)
    onward(warp.uniform[n], snapshots_[1].uniform[n], snapshots_[2].uniform[n]);
}

} // namespace perfmodel
