// --view of a ladder: what each version's first launch spends its time on, and what it would gain with one
// cost gone. As 'kernel' shows it of any launch.
#pragma once

#include "ladder_question.hpp"

#include "models/core/model.hpp"
#include "models/core/units.hpp"
#include "models/views/code_rows.hpp"
#include "models/views/timeline_rows.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace perfmodel {

struct KernelTime;

enum class RungView : std::uint8_t { summary, stalls, pipes, code, timeline, what_if, all };
constexpr auto names(RungView) {
  return std::to_array<std::string_view>(
      {"summary", "stalls", "pipes", "code", "timeline", "what-if", "all"});
}
inline constexpr std::string_view rung_view_help =
    "what is shown of each version's first launch; all: but the timeline";

struct RungStall {
  static constexpr std::string_view title = "why warps do not issue";
  std::string version, stall;
  double share = 0, cycles = 0;
  static void fields(auto& field) {
    using R = RungStall;
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::stall, "stall", "the reason, by the profiler's names", Range::any, Role::key);
    field(&R::share, "share", "of the cycles of resident warps", Range::any, Role::predicted, "fraction");
    field(&R::cycles, "per_instruction", "cycles for each instruction that is issued", Range::any,
          Role::predicted, "cycles");
  }
};

struct RungPipe {
  static constexpr std::string_view title = "what is busy";
  std::string version, unit;
  double busy = 0;
  static void fields(auto& field) {
    using R = RungPipe;
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::unit, "unit", "of a scheduler, an SM or the device", Range::any, Role::key);
    field(&R::busy, "busy", "share of the time", Range::any, Role::predicted, "fraction");
  }
};

struct RungInstead {
  static constexpr std::string_view title = "what if";
  std::string version, change;
  Seconds time;
  double gain = 1;
  static void fields(auto& field) {
    using R = RungInstead;
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::change, "change", "what is thought away", Range::any, Role::key);
    field(&R::time, "changed_time", "of the same launch, simulated again");
    field(&R::gain, "launch_gain", "over it as it is", Range::any, Role::predicted, "times");
  }
};

// The tables of a ladder: its own, and behind them those of its views.
template <class... Own>
using LadderTables =
    std::tuple<std::vector<Own>..., std::vector<RungStall>, std::vector<RungPipe>, std::vector<RungInstead>,
               std::vector<CodeCount>, std::vector<CodeGroup>, std::vector<TimelineStrip>,
               std::vector<TimelineState>, std::vector<TimelineSlice>>;

// The verdict's second sentence: that the view lacks these versions, whose time is not simulated. "" where
// there are none, or no view.
std::string not_viewed(RungView view, const std::vector<std::string>& versions);

// The rows of a ladder's views.
struct RungViews {
  RungView view = RungView::summary;
  std::vector<RungStall> stalls;
  std::vector<RungPipe> pipes;
  std::vector<RungInstead> instead;
  CodeRows code;
  TimelineRows timeline;

  // A timeline has many rows.
  bool shows(RungView one) const {
    return view == one || (view == RungView::all && one != RungView::timeline);
  }
  SimulatedViews simulated() const { return {shows(RungView::what_if), shows(RungView::timeline)}; }
  // Of a launch that was asked about with what is simulated for them.
  void add(std::string_view version, const KernelCode& kernel, const KernelTime& launch);
  // Throws LaunchError, where one is asked for: no launch was simulated, for this reason.
  void check_any(std::string_view why) const;
  // Its rows go behind those of a ladder's own tables.
  template <class... Own> LadderTables<Own...> take_behind(std::vector<Own>... own) {
    return {std::move(own)...,          std::move(stalls),          std::move(pipes),
            std::move(instead),         std::move(code.counts),     std::move(code.groups),
            std::move(timeline.strips), std::move(timeline.states), std::move(timeline.slices)};
  }
};

} // namespace perfmodel
