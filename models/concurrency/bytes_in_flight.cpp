#include "bytes_in_flight.hpp"

#include "resident_blocks.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// Of the bandwidth that streams reach: with more of it a kernel is bound by bandwidth.
constexpr double nearly = 0.8;
// Of the bandwidth that the bytes in flight allow: with less of it they are not what holds it back; with more
// than the second, threads have more in flight than was said.
constexpr double far_below = 0.5, above = 1.2;

struct Resident {
  Occupancy of_sm;
  Count threads = 0; // of the device
  bool few_blocks = false;
};

Resident resident_on(const LaunchInFlight& launch, Count sms, const Occupancy& of_sm) {
  const Count room = of_sm.blocks * sms, blocks = launch.blocks ? std::min(*launch.blocks, room) : room;
  return {of_sm, blocks * *launch.threads, launch.blocks && *launch.blocks < room};
}

// Whether threads have less in flight than the launch allows, or all that a stream needs is allowed: then it
// is not for want of threads.
bool waits_otherwise(const InFlight& row) {
  const double allowed_of_stream = row.of_stream * (row.allowed / row.reached);
  return allowed_of_stream >= nearly || row.reached < far_below * row.allowed;
}
bool more_than_said(const InFlight& row) { return row.reached > above * row.allowed; }

// What streams reach where somebody knows it, else what the pins deliver.
template <class T> BytesPerSecond stream_of(const Gpu& gpu, T& trace) {
  const bool known = gpu.has_cost(facts::sustained_dram_read) || gpu.has_own(facts::sustained_dram);
  return value_of(known ? read_bandwidth(gpu, trace) : trace.cost(gpu, facts::dram_bandwidth));
}

std::string bound_of(const InFlight& row, bool few_blocks) {
  if (row.of_stream >= nearly) return "bandwidth";
  if (std::isnan(row.can_be.value) || more_than_said(row)) return "";
  if (waits_otherwise(row)) return "latency";
  return few_blocks ? "grid" : row.occupancy < 1 ? "occupancy" : "latency";
}

} // namespace

template <class T>
std::optional<InFlight> bytes_in_flight(const Gpu& gpu, Bytes bytes, Seconds time,
                                        const LaunchInFlight& launch, T& trace) {
  if (!gpu.has_cost(facts::dram_latency) || !gpu.find(facts::dram_bandwidth) || !gpu.find(facts::clock))
    return std::nullopt;
  const auto latency = trace.define("latency", "of idle device memory",
                                    trace.cost(gpu, facts::dram_latency) / trace.fact(gpu, facts::clock));
  const auto pins = trace.fact(gpu, facts::dram_bandwidth);
  const auto reached =
      trace.define("reached", "bandwidth", trace.input("bytes", bytes) / trace.input("time", time));
  const auto in_flight = trace.define("in_flight", "bytes in flight on the mean", reached * latency);
  const auto needed = trace.define("needed", "for the pin bandwidth", pins * latency);
  InFlight row{.reached = value_of(reached),
               .of_pins = value_of(reached) / value_of(pins),
               .in_flight = value_of(in_flight),
               .needed = value_of(needed),
               .of_stream = value_of(reached) / stream_of(gpu, trace)};
  bool few_blocks = false;
  if (launch.threads) {
    const Occupancy of_sm = explained_occupancy(gpu,
                                                {.threads_per_block = *launch.threads,
                                                 .registers_per_thread = launch.registers.value_or(0),
                                                 .shared_per_block = launch.shared},
                                                trace);
    const Resident resident = resident_on(launch, value_of(trace.fact(gpu, facts::sm_count)), of_sm);
    const auto can_be = trace.define("can_be", "bytes that these threads can have in flight",
                                     trace.number(resident.threads) * trace.input("loads", launch.loads) *
                                         trace.input("word", launch.word));
    few_blocks = resident.few_blocks;
    row.resident = resident.threads;
    row.occupancy = of_sm.occupancy;
    row.limiter = of_sm.binding();
    row.can_be = value_of(can_be);
    row.allowed = value_of(trace.define("allowed", "bandwidth by that", can_be / latency));
  }
  row.binds = bound_of(row, few_blocks);
  return row;
}

std::string in_flight_in_words(const InFlight& row, const LaunchInFlight& launch) {
  const std::string reached =
      fmt::format("{} is {} of the pin bandwidth", in_words(row.reached), in_percent(row.of_pins));
  if (row.of_pins > 1) return reached + ", which nothing can be: check what was counted.";
  if (row.binds == "bandwidth") return fmt::format("Bound by bandwidth: {}.", reached);
  const std::string law = fmt::format("{}. By Little's law that is {} in flight, of {} that all of it needs",
                                      reached, in_words(row.in_flight), in_words(row.needed));
  if (std::isnan(row.can_be.value))
    return fmt::format(
        "Not bound by bandwidth: {}. Whether by latency or by occupancy cannot be told without "
        "the launch: --threads, --registers, --shared and --blocks, with --word and --loads of a "
        "thread. A profile tells it, too (--profile, or 'perfmodel kernel --view stalls').",
        law);
  const std::string can =
      fmt::format("{} with {} each can have {}, enough for {}", in_words(row.resident, "resident threads"),
                  in_words(launch.loads * launch.word), in_words(row.can_be), in_words(row.allowed));
  if (more_than_said(row))
    return fmt::format(
        "Not bound by bandwidth: {}. {}, less than it reached: its threads have more in flight "
        "than --word and --loads say.",
        law, can);
  if (waits_otherwise(row))
    return fmt::format("Bound by latency, not by bandwidth or occupancy: {}; {}. They do not keep that in "
                       "flight: they wait for one another or for loads that need loads, or more bytes move "
                       "than they ask for. A profile tells which (--profile), or 'perfmodel coalescing' and "
                       "'perfmodel kernel --view stalls'.",
                       law, can);
  const std::string why =
      row.binds == "grid"
          ? fmt::format("A grid of {} leaves room on the SMs", in_words(*launch.blocks, "blocks"))
      : row.binds == "occupancy"
          ? fmt::format("Limited by {}, {} of the warps are there", row.limiter, in_percent(row.occupancy))
          : "Every thread that fits is there: more loads at a time would help, or wider ones";
  return fmt::format("Bound by {}: {}; {}. {}.", row.binds == "grid" ? "too few blocks" : row.binds, law, can,
                     why);
}

template std::optional<InFlight> bytes_in_flight(const Gpu&, Bytes, Seconds, const LaunchInFlight&, Plain&);
template std::optional<InFlight> bytes_in_flight(const Gpu&, Bytes, Seconds, const LaunchInFlight&,
                                                 Recorder&);

} // namespace perfmodel
