// What the power cap leaves of the clock: the rate goes with it, and the energy of operations and of bytes on
// their way through the chip with its square (energy.hpp). Numbers in base units.
#pragma once

#include <algorithm>
#include <string>

namespace perfmodel {

struct EnergyNumbers {
  double rate, bandwidth, per_flop, per_byte, constant;
  double on_chip = 0; // of per_byte, where the clock may sink

  // [flop/s] at this share of the full clock, and [W] at that rate.
  double rate_at(double intensity, double clock) const {
    return std::min(rate * clock, intensity * bandwidth);
  }
  double power_at(double intensity, double clock) const {
    const double flops = rate_at(intensity, clock);
    const double voltage = clock * clock; // its square
    return constant + flops * (per_flop * voltage + (per_byte - on_chip * (1 - voltage)) / intensity);
  }
  // [J] of an operation whose bytes cost nothing, at this share of the full clock and of the time.
  double least_joules(double clock, double duty) const {
    return per_flop * clock * clock + constant / (rate * clock * duty);
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

// Where the best of all efficiencies is halved. Right of the ridge time is arithmetic's, left of it memory's.
inline double half_efficiency(const EnergyNumbers& n) {
  const double best = n.per_flop + n.constant / n.rate;
  const double right = n.per_byte / best;
  if (right >= n.rate / n.bandwidth) return right;
  return (n.constant / n.bandwidth + n.per_byte) / (2 * best - n.per_flop);
}

// How a cap is met: by a lower clock and, where that cannot sink further, by pauses. Shares of the full clock
// and of the time.
struct HeldClock {
  double clock = 1, duty = 1;
};

inline constexpr const char *by_power_cap = "power cap", *by_pauses = "power cap, throttled";

inline std::string bound_under_cap(const EnergyNumbers& n, double intensity, const HeldClock& held) {
  if (held.duty < 1) return by_pauses;
  if (held.clock < 1) return by_power_cap;
  return intensity * n.bandwidth < n.rate ? "memory" : "arithmetic";
}

} // namespace perfmodel
