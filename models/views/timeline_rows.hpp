// A watched SM as tables: its first blocks and the warps of one, each a line of letters; and in long form.
#pragma once

#include "models/core/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct KernelTime;

struct TimelineStrip {
  static constexpr std::string_view title = "an SM over time";
  Count number = absent;
  std::string version, what;
  double start = 0, end = 0;
  std::string states;
  static void fields(auto& field) {
    using R = TimelineStrip;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::what, "of", "the SM's issue slots, a block in the order of their launches, a warp of the first",
          Range::any, Role::key);
    field(&R::states, "states",
          "50 slices of the same length: of the SM tenths of its slots that issue; of others the letter of "
          "what warps wait for most, or . where they have ended",
          Range::any, Role::note);
    field(&R::start, "start", "when its place is free: cycles from the first launch on");
    field(&R::end, "end", "when its stores have left");
  }
};

struct TimelineState {
  static constexpr std::string_view title = "states over time";
  Count number = absent;
  std::string version, letter, state;
  double share = 0;
  static void fields(auto& field) {
    using R = TimelineState;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::letter, "letter", "that stands for it", Range::any, Role::key);
    field(&R::state, "state", "why a warp does not issue, by the profiler's names; or that slots issue",
          Range::any, Role::note);
    field(&R::share, "of_time", "of the warps' cycles that are shown; of the slots'", Range::any,
          Role::predicted, "fraction");
  }
};

struct TimelineSlice {
  static constexpr std::string_view title = "slices of time";
  Count number = absent;
  std::string version, what, slice;
  double from = 0, to = 0;
  double warps = 0, issued = 0;
  double wait = 0, long_scoreboard = 0, short_scoreboard = 0, barrier = 0, membar = 0, branch = 0,
         lg_throttle = 0, mio_throttle = 0, math_throttle = 0, not_selected = 0, no_instruction = 0,
         block_start = 0, drain = 0;
  static void fields(auto& field) {
    using R = TimelineSlice;
    const auto share = [&](double R::*member, const char* name) {
      field(member, name, "share of the warps' cycles", Range::any, Role::predicted, "fraction");
    };
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::what, "of", "the SM, a block of it, or a warp of the first", Range::any, Role::key);
    field(&R::slice, "slice", "from 1", Range::any, Role::key);
    field(&R::from, "from", "where it begins", Range::any, Role::predicted, "cycles");
    field(&R::to, "to", "where it ends", Range::any, Role::predicted, "cycles");
    field(&R::warps, "warps", "that are there, in the mean");
    field(&R::issued, "issued", "instructions that they issue in a cycle");
    share(&R::wait, "wait");
    share(&R::long_scoreboard, "long_scoreboard");
    share(&R::short_scoreboard, "short_scoreboard");
    share(&R::barrier, "barrier");
    share(&R::membar, "membar");
    share(&R::branch, "branch_resolving");
    share(&R::lg_throttle, "lg_throttle");
    share(&R::mio_throttle, "mio_throttle");
    share(&R::math_throttle, "math_throttle");
    share(&R::not_selected, "not_selected");
    share(&R::no_instruction, "no_instruction");
    share(&R::block_start, "block_start");
    share(&R::drain, "drain");
  }
};

struct TimelineRows {
  std::vector<TimelineStrip> strips;
  std::vector<TimelineState> states;
  std::vector<TimelineSlice> slices;
};

// Of a launch in which an SM was watched. Of a ladder's `version`, or "".
void add_timeline(TimelineRows& rows, std::string_view version, const KernelTime& launch);

} // namespace perfmodel
