#include "timeline_rows.hpp"

#include "models/simulate/kernel_time.hpp"
#include "models/simulate/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel {

namespace {

constexpr std::size_t slices_shown = 50;

constexpr auto letters =
    std::to_array<char>({'w', 'L', 's', 'b', 'f', 'r', 'g', 'i', 'm', 'n', 'o', '^', 'd'}); // by Stall
static_assert(letters.size() == stall_count);

std::string name_of(const TimelineRow& row) {
  if (row.warp) return fmt::format("warp {}", *row.warp);
  return row.block ? fmt::format("block {}", *row.block) : "SM";
}

// Slots in tenths, rounded; all of them "#", few ".", none " ".
char digit_of(double share) {
  const auto tenths = static_cast<int>(std::lround(10 * share));
  return tenths <= 0 ? (share > 0 ? '.' : ' ') : tenths >= 10 ? '#' : static_cast<char>('0' + tenths);
}

std::string states_of(const TimelineRow& row, double schedulers) {
  std::string states;
  for (const TimeSlice& slice : row.slices) {
    if (!row.block)
      states += digit_of(slice.issue_cycles / (schedulers * (slice.to - slice.from)));
    else if (const auto why = slice.mostly())
      states += letters[static_cast<std::size_t>(*why)];
    else
      states += slice.issued > 0 ? '#' : slice.from < row.end && slice.to > row.start ? '.' : ' ';
  }
  return states;
}

TimelineSlice slice_of(const std::string& what, std::size_t number, const TimeSlice& of) {
  const auto share = [&](Stall why) {
    return of.warp_cycles > 0 ? of.stalls[static_cast<std::size_t>(why)] / of.warp_cycles : absent;
  };
  const double cycles = of.to - of.from;
  return {.version = {},
          .what = what,
          .slice = std::to_string(number),
          .from = of.from,
          .to = of.to,
          .warps = of.warp_cycles / cycles,
          .issued = of.issued / cycles,
          .wait = share(Stall::wait),
          .long_scoreboard = share(Stall::long_scoreboard),
          .short_scoreboard = share(Stall::short_scoreboard),
          .barrier = share(Stall::barrier),
          .membar = share(Stall::membar),
          .branch = share(Stall::branch),
          .lg_throttle = share(Stall::lg_throttle),
          .mio_throttle = share(Stall::mio_throttle),
          .math_throttle = share(Stall::math_throttle),
          .not_selected = share(Stall::not_selected),
          .no_instruction = share(Stall::no_instruction),
          .block_start = share(Stall::start),
          .drain = share(Stall::drain)};
}

} // namespace

void add_timeline(TimelineRows& rows, std::string_view version, const KernelTime& launch) {
  const std::string of(version);
  const auto schedulers = static_cast<double>(launch.watched.schedulers);
  const std::vector<TimelineRow> watched =
      timeline(launch.watched, static_cast<std::size_t>(launch.resident), slices_shown);
  for (const TimelineRow& row : watched) {
    rows.strips.push_back({.version = of,
                           .what = name_of(row),
                           .start = std::round(row.start),
                           .end = std::round(row.end),
                           .states = states_of(row, schedulers)});
    for (std::size_t i = 0; i < row.slices.size(); ++i) {
      if (row.block && !(row.slices[i].warp_cycles > 0)) continue;
      rows.slices.push_back(slice_of(name_of(row), i + 1, row.slices[i]));
      rows.slices.back().version = of;
    }
  }
  if (watched.empty()) return;
  const TimeSlice all = watched.front().all();
  rows.states.push_back({.version = of,
                         .letter = "1-9#",
                         .state = "issue slots in use, in tenths",
                         .share = all.issue_cycles / (schedulers * (all.to - all.from))});
  const auto first = static_cast<std::ptrdiff_t>(rows.states.size());
  for (std::size_t i = 0; i < stall_count; ++i)
    if (all.stalls[i] > 0)
      rows.states.push_back({.version = of,
                             .letter = std::string(1, letters[i]),
                             .state = std::string(names(Stall{})[i]),
                             .share = all.stalls[i] / all.warp_cycles});
  std::stable_sort(rows.states.begin() + first, rows.states.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
}

} // namespace perfmodel
