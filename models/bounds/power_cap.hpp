// What the power cap leaves of the clock: the rate goes with it, and the energy of operations and of bytes on
// their way through the chip with a power of it, about its square (energy.hpp). Numbers in base units.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel {

// How a cap is met: by a lower clock and, where that cannot sink further, by pauses. Shares of the full clock
// and of the time.
struct HeldClock {
  double clock = 1, duty = 1;
};

struct EnergyNumbers {
  double rate, bandwidth, per_flop, per_byte, constant;
  // Where the clock may sink: what of per_byte goes with the voltage, and how that energy goes with the
  // clock.
  double on_chip = 0, exponent = 2;

  // Of the energy of an operation at the full clock.
  double at_clock(double clock) const { return clock == 1 ? 1 : std::pow(clock, exponent); }

  // [flop/s] at this share of the full clock, and [W] at that rate.
  double rate_at(double intensity, double clock) const {
    return std::min(rate * clock, intensity * bandwidth);
  }
  double power_at(double intensity, double clock) const {
    const double flops = rate_at(intensity, clock);
    const double less = at_clock(clock);
    return constant + flops * (per_flop * less + (per_byte - on_chip * (1 - less)) / intensity);
  }
  // [J] of an operation with its bytes; and of one whose bytes cost nothing.
  double joules_at(double intensity, const HeldClock& held) const {
    const double less = at_clock(held.clock);
    return per_flop * less + (per_byte - on_chip * (1 - less)) / intensity +
           constant / (held.duty * rate_at(intensity, held.clock));
  }
  double least_joules(const HeldClock& held) const {
    return per_flop * at_clock(held.clock) + constant / (rate * held.clock * held.duty);
  }
  // The share of the full clock at which the power is the cap's, or what the GPU can at least; 1 where it is
  // less at the full clock.
  double clock_under(double cap, double intensity, double least) const {
    if (power_at(intensity, 1) <= cap) return 1;
    if (power_at(intensity, least) > cap) return least;
    double low = least, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (power_at(intensity, middle) > cap ? high : low) = middle;
    }
    return low;
  }
  // The share of the time in which work goes on, at a clock that cannot sink further.
  double duty_under(double cap, double intensity, double clock) const {
    return std::min((cap - constant) / (power_at(intensity, clock) - constant), 1.0);
  }
};

// [flop/B] where half of the best efficiency is reached; `held_at(intensity)`: how the cap is met there.
// Efficiency rises with the intensity.
template <class HeldAt>
double half_efficiency(const EnergyNumbers& n, const HeldClock& best, HeldAt held_at) {
  const double most = 2 * n.least_joules(best);
  double low = -60, high = 60; // powers of two
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2, intensity = std::exp2(middle);
    (n.joules_at(intensity, held_at(intensity)) > most ? low : high) = middle;
  }
  return std::exp2(low);
}

inline constexpr const char *by_power_cap = "power cap", *by_pauses = "power cap, throttled";

// `given`: the clock was, so no cap decides on it.
inline std::string bound_under_cap(const EnergyNumbers& n, double intensity, const HeldClock& held,
                                   bool given) {
  if (held.duty < 1) return by_pauses;
  if (held.clock < 1 && !given) return by_power_cap;
  return intensity * n.bandwidth < n.rate * held.clock ? "memory" : "arithmetic";
}

} // namespace perfmodel
