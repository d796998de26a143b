// The prices of energy that samples of power tell.
#include "models/bounds/energy_fit.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace perfmodel::energy_fit_test {

std::vector<EnergySample> samples_of(double constant, double per_byte, double fp32, double fp64) {
  std::vector<EnergySample> samples;
  for (const double rate : {1e12, 5e12, 2e13})
    for (const double bytes : {0.0, 1e12, 4e12})
      for (const char* precision : {"fp32", "fp64"}) {
        const double price = precision[2] == '3' ? fp32 : fp64;
        samples.push_back({.precision = precision,
                           .flops = rate,
                           .dram_bytes = bytes,
                           .power = constant + bytes * per_byte + rate * price});
      }
  return samples;
}

TEST(EnergyFit, finds_the_prices_that_made_the_samples) {
  const std::vector<EnergyCost> costs = fit_energy(samples_of(118, 106e-12, 5e-12, 13e-12));
  ASSERT_EQ(costs.size(), 4u) << "nothing came from L2, and no tensor unit ran";
  const double expected[] = {118, 106e-12, 5e-12, 13e-12};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    EXPECT_NEAR(costs[i].value, expected[i], 1e-9 * expected[i]) << costs[i].fact;
    EXPECT_LE(costs[i].low, costs[i].value);
    EXPECT_GE(costs[i].high, costs[i].value);
  }
}

// Leakage: a watt and a half for each degree above 50.
TEST(EnergyFit, tells_constant_power_from_what_the_temperature_adds) {
  std::vector<EnergySample> samples = samples_of(118, 106e-12, 5e-12, 13e-12);
  double degrees = 40;
  for (EnergySample& s : samples) {
    s.temperature = degrees;
    s.power += 1.5 * (degrees - 50);
    degrees = degrees > 60 ? 41 : degrees + 3;
  }
  const std::vector<EnergyCost> costs = fit_energy(samples);
  ASSERT_EQ(costs.size(), 5u);
  EXPECT_NEAR(costs[0].value, 118, 0.2) << costs[0].fact;
  EXPECT_EQ(costs[1].fact, "power.per_degree");
  EXPECT_NEAR(costs[1].value, 1.5, 0.03) << "what is known of leakage has a part in it";
}

// Where the temperature only goes with the power, what is known of leakage decides.
TEST(EnergyFit, takes_leakage_as_it_is_known_where_a_run_does_not_tell) {
  std::vector<EnergySample> samples = samples_of(118, 106e-12, 5e-12, 13e-12);
  double most = 0;
  for (EnergySample& s : samples) {
    s.temperature = 40 + s.power / 25; // as good a fit without any leakage, and other prices
    most = std::max(most, s.power);
  }
  for (const EnergyCost& cost : fit_energy(samples))
    if (cost.fact == "power.per_degree") {
      EXPECT_NEAR(cost.value, 0.0025 * most, 1e-3 * most);
    }
}

// Samples that are off by some 2 %, drawn 400 times: an interval of 95 % holds its price nearly as often.
TEST(EnergyFit, has_intervals_that_hold_the_prices_as_often_as_they_say) {
  std::mt19937 draw(7);
  std::map<std::string, int> held;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<EnergySample> samples = samples_of(118, 106e-12, 5e-12, 13e-12);
    for (EnergySample& s : samples) {
      double sum = -6; // of twelve uniform numbers: about normal, the same everywhere
      for (int i = 0; i < 12; ++i) sum += static_cast<double>(draw()) / 4294967296.0;
      s.power *= 1 + 0.02 * sum;
    }
    for (const EnergyCost& cost : fit_energy(samples)) {
      const double expected = cost.fact == "power.constant" ? 118
                              : cost.fact == "energy.dram"  ? 106e-12
                              : cost.fact == "energy.fp32"  ? 5e-12
                                                            : 13e-12;
      held[cost.fact] += cost.low < expected && expected < cost.high ? 1 : 0;
    }
  }
  ASSERT_EQ(held.size(), 4u);
  for (const auto& [fact, times] : held) {
    EXPECT_GT(times, 360) << fact;
    EXPECT_LT(times, 400) << fact;
  }
}

TEST(EnergyFit, gives_nothing_where_samples_do_not_tell) {
  std::vector<EnergySample> few(
      3, EnergySample{.precision = "fp32", .flops = 1e12, .dram_bytes = 1e12, .power = 200});
  EXPECT_TRUE(fit_energy(few).empty()) << "work and bytes rise together";
  EXPECT_TRUE(fit_energy({}).empty());
}

} // namespace perfmodel::energy_fit_test
