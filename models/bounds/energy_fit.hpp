// What a flop, a byte and a second cost, from measured power: P = sum of (rate x cost) + constant power, by
// least squares of the relative errors. One constant power, and one cost of a byte, for all precisions. What
// leaks through transistors that do not switch rises with their temperature: constant power is that at
// 50 degrees Celsius, and each degree more adds to it. As the temperature goes with the power, a run says
// little of what a degree adds; so what is known of leakage counts as one measurement more: it is a tenth to
// a third of the power and rises by one or two per cent with a degree, 0.25 +- 0.15 % of the power.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace perfmodel {

constexpr double reference_temperature = 50; // degrees Celsius

// A kernel that ran for seconds, below the power cap.
struct EnergySample {
  std::string precision;                          // "fp32", "fp64", "bf16"
  double flops = 0, dram_bytes = 0, l2_bytes = 0; // a second
  double power = 0;                               // W
  double temperature = reference_temperature;     // degrees Celsius
};

struct EnergyCost {
  std::string fact;                    // "energy.fp32" [J/flop], "energy.dram" [J/B], "power.constant" [W]
  double value = 0, low = 0, high = 0; // with its 95 % confidence interval
};

// The costs that the samples determine; none where there are not more samples than costs.
std::vector<EnergyCost> fit_energy(std::span<const EnergySample> samples);

} // namespace perfmodel
