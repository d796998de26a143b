// What holds a kernel back that device memory gives less than its bandwidth: by Little's law
//   bytes in flight = bandwidth reached x latency,   bandwidth allowed = bytes that can be in flight /
//   latency
// and the most that can be in flight are the resident threads times what each has, word x loads.
// J. D. C. Little, Operations Research 9(3), 1961; V. Volkov, Better Performance at Lower Occupancy, GTC
// 2010. Assumes the latency of idle memory: a loaded one is longer, and keeps more in flight.
#pragma once

#include "models/bounds/peak.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>

namespace perfmodel {

// What is known of the launch; nothing of it need be.
struct LaunchInFlight {
  std::optional<Count> threads;   // of a block
  std::optional<Count> registers; // of a thread; none: they limit nothing
  Bytes shared{0};                // of a block
  std::optional<Count> blocks;    // of the grid; none: as many as the device holds
  Bytes word{4};                  // bytes of a load
  double loads = 1;               // in flight in one thread
};

struct InFlight {
  static constexpr std::string_view title = "bytes in flight";
  BytesPerSecond reached;
  double of_pins = 0;
  Bytes in_flight, needed;
  Count resident = absent;
  double occupancy = absent;
  std::string limiter;
  Bytes can_be{absent};
  BytesPerSecond allowed{absent};
  std::string binds;
  double of_stream = 0; // share of what streams reach
  static void fields(auto& field) {
    using R = InFlight;
    field(&R::reached, "reached", "bytes over time");
    field(&R::of_pins, "of_pins", "share of the pin bandwidth", Range::any, Role::predicted, "fraction");
    field(&R::in_flight, "in_flight", "bytes in flight on the mean, at this bandwidth");
    field(&R::needed, "needed", "bytes in flight that the pin bandwidth needs");
    field(&R::resident, "resident_threads", "threads of the device at a time", Range::any, Role::predicted,
          "threads");
    field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
          "fraction");
    field(&R::limiter, "limiter", "what limits the occupancy: all limits that tie", Range::any, Role::note);
    field(&R::can_be, "can_be", "bytes that these threads can have in flight");
    field(&R::allowed, "allowed", "bandwidth that this allows");
    field(&R::binds, "binds", "bandwidth, latency, occupancy or grid; empty: the launch does not tell",
          Range::any, Role::note);
  }
};

// Empty where the GPU's latency or bandwidth of device memory is not known. Throws LaunchError: a block that
// cannot launch.
template <class T>
std::optional<InFlight> bytes_in_flight(const Gpu& gpu, Bytes bytes, Seconds time,
                                        const LaunchInFlight& launch, T& trace);

// What binds, why, and what tells it where the launch does not: two or three sentences.
std::string in_flight_in_words(const InFlight& row, const LaunchInFlight& launch);

} // namespace perfmodel
