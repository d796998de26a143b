// The clock that a power cap leaves at each intensity, or one that was given.
#pragma once

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "power_cap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace perfmodel {

class ClocksUnderCap {
public:
  // Refers to the GPU and to the numbers. `cap` in W; `given`: a share of the full clock.
  ClocksUnderCap(const Gpu& gpu, Hertz full, const EnergyNumbers& n, std::optional<double> cap,
                 std::optional<double> given)
      : gpu_(gpu), full_(full), n_(n), cap_(cap), given_(given) {}

  Hertz full() const { return full_; }
  bool is_given() const { return given_.has_value(); }
  // Whether it may be lower than the full clock where so much power [W] would flow at that.
  bool may_sink(double power) const { return given_ || (cap_ && power > *cap_); }

  // Throws InputError: a lowest clock above the full one.
  template <class T> HeldClock at(double intensity, T& trace) const {
    if (given_) return {.clock = *given_};
    return cap_ ? held_by(*cap_, intensity, trace) : HeldClock{};
  }

private:
  // The lowest clock is read only where it may matter: an answer that does not rest on it is no estimate.
  template <class T> HeldClock held_by(double cap, double intensity, T& trace) const {
    const double free = n_.clock_under(cap, intensity, 0);
    if (!gpu_.has_cost(facts::clock_least) || free * full_.value >= gpu_.cost(facts::clock_least).high)
      return {.clock = free};
    const Hertz lowest = value_of(trace.cost(gpu_, facts::clock_least));
    if (lowest > full_)
      throw InputError(
          fmt::format("clock.least: {} is above the clock of {}", in_words(lowest), in_words(full_)));
    const double least = lowest / full_, clock = n_.clock_under(cap, intensity, least);
    if (clock > least) return {.clock = clock};
    return {.clock = clock, .duty = n_.duty_under(cap, intensity, clock)};
  }

  const Gpu& gpu_;
  Hertz full_;
  const EnergyNumbers& n_;
  std::optional<double> cap_, given_;
};

} // namespace perfmodel
