// Whose time of a launch is asked for. The work of its blocks is the same to all of them; by what a launch
// takes beside it, from 0.5 to 1.9 us on an H200, they differ.
#pragma once

#include "models/core/facts.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace perfmodel {

enum class TimedBy : std::uint8_t {
  graph,    // many launches in a graph, over their number
  events,   // the same in a stream, by events before and behind them
  trace,    // the GPU's own time stamps of start and end: Nsight Systems, capture
  serial,   // the same of a launch that waits for the one before: capture --serial
  profiler, // Nsight Compute, one launch at a time
};
constexpr auto names(TimedBy) {
  return std::to_array<std::string_view>({"graph", "events", "trace", "serial", "profiler"});
}

// What a launch takes that does nothing.
inline const Key<Seconds>& empty_launch(TimedBy by) {
  switch (by) {
  case TimedBy::graph:
    return facts::kernel_turnover;
  case TimedBy::events:
    return facts::kernel_stream_turn;
  case TimedBy::trace:
    return facts::kernel_empty;
  case TimedBy::serial:
    return facts::kernel_empty_serial;
  case TimedBy::profiler:
    return facts::kernel_empty_profiled;
  }
  return facts::kernel_turnover;
}

} // namespace perfmodel
