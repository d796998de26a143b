#include "models/bounds/energy.hpp"

#include "models/core/facts.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <map>

namespace perfmodel::energy_test {

// A Fermi whose prices Choi et al. (IPDPS 2013) take from Keckler et al. (IEEE Micro 2011): 25 pJ/flop, 360
// pJ/B, 144 GB/s, 515.2 Gflop/s. The constant power is another paper's.
Gpu fermi(const std::string& constant) {
  return with_facts(gpu_named("c2050"),
                    {{"energy.fp64", "25pJ/flop"}, {"energy.dram", "360pJ/B"}, {"power.constant", constant}});
}

double cell(const Result& r, const char* table, const char* column) {
  return table_of(r, table).find(column)->number(0);
}

Result at(const Gpu& gpu, const std::string& intensity) {
  return ask("energy", gpu, {{"precision", "fp64"}, {"intensity", intensity}});
}

// By hand: 360 / 25 = 14.4 flop/B; at the ridge, 3.578 flop/B, (25 + 360 / 3.578) = 125.6 pJ/flop, of which
// the operations are 19.9 %. The 1 W that must be is 0.002 of 25 pJ/flop x 515 Gflop/s.
TEST(Energy, of_fermi_without_constant_power_is_a_fifth_efficient_at_its_ridge) {
  const Result r = at(fermi("1W"), "3.578");
  EXPECT_NEAR(cell(r, "time and energy balance", "energy_balance"), 14.4, 1e-9);
  EXPECT_NEAR(cell(r, "time and energy balance", "time_balance"), 3.578, 1e-3);
  EXPECT_NEAR(cell(r, "kernels", "energy_per_flop"), 125.6e-12 + 1 / 515.2e9, 0.1e-12);
  EXPECT_NEAR(cell(r, "kernels", "of_flops"), 0.199, 0.004);
}

// By hand: 122 W over 515.2 Gflop/s are 236.8 pJ/flop: 362.4 pJ/flop at the ridge, 186.7 W, 72 % of the best.
TEST(Energy, of_fermi_with_constant_power_makes_race_to_halt_right) {
  const Result r = at(fermi("122W"), "3.578");
  EXPECT_NEAR(cell(r, "kernels", "energy_per_flop"), 362.4e-12, 0.3e-12);
  EXPECT_NEAR(cell(r, "kernels", "power"), 186.7, 0.1);
  EXPECT_NEAR(cell(r, "kernels", "arch_line"), 0.722, 0.001);
  EXPECT_LT(cell(r, "time and energy balance", "half_efficiency"), 3.578);
  const Result bare = at(fermi("1W"), "3.578");
  EXPECT_GT(cell(bare, "time and energy balance", "half_efficiency"), 3.578) << "without it, it is not";
}

// What the definition says: there the efficiency is half of the best.
TEST(Energy, half_efficiency_is_where_the_arch_line_is_at_half) {
  for (const char* constant : {"1W", "10W", "40W", "122W"}) {
    const double half = cell(at(fermi(constant), "1"), "time and energy balance", "half_efficiency");
    EXPECT_NEAR(cell(at(fermi(constant), std::to_string(half)), "kernels", "arch_line"), 0.5, 1e-4)
        << constant;
  }
}

// The table says what the rows say, whatever holds the clock down: the cap, or a clock that was given.
TEST(Energy, half_efficiency_and_best_are_those_of_the_rows) {
  for (const Words& more :
       {Words{}, Words{{"cap", "400W"}}, Words{{"at-clock", "1.2GHz"}}, Words{{"sms", "17"}}}) {
    const auto asked = [&](const std::string& intensity) {
      Words words = more;
      words.emplace_back("intensity", intensity);
      return ask("energy", measured_gpu("h200"), words);
    };
    const Result r = asked("1");
    const double half = cell(r, "time and energy balance", "half_efficiency");
    const std::string what = more.empty() ? "" : more.front().first;
    EXPECT_NEAR(cell(asked(std::to_string(half)), "kernels", "arch_line"), 0.5, 1e-4) << what;
    EXPECT_NEAR(cell(asked("1e12"), "kernels", "efficiency") /
                    cell(r, "time and energy balance", "best_efficiency"),
                1, 1e-6)
        << what;
  }
}

TEST(Energy, few_sms_draw_no_more_than_they_get_of_l2) {
  const Gpu gpu = measured_gpu("h200");
  const double share = gpu.cost(facts::sustained_l2).value / gpu.at(facts::sm_count).value;
  for (const char* level : {"dram", "l2"}) {
    const Result r = ask("energy", gpu, {{"sms", "1"}, {"intensity", "0.0625"}, {"level", level}});
    EXPECT_NEAR(cell(r, "kernels", "performance"), 0.0625 * share, 1e-6 * share) << level;
  }
  const auto of_dram = [&](const char* sms) {
    return cell(ask("energy", gpu, {{"sms", sms}, {"intensity", "1/16"}}), "kernels", "performance");
  };
  EXPECT_DOUBLE_EQ(of_dram("99"), of_dram("132")) << "as many SMs fill device memory";
}

TEST(Energy, at_a_clock_that_was_given_no_cap_binds) {
  const auto bound = [](const char* intensity) {
    const Result r = ask("energy", measured_gpu("h200"), {{"at-clock", "1GHz"}, {"intensity", intensity}});
    return table_of(r, "kernels").find("bound")->text(0);
  };
  EXPECT_EQ(bound("1"), "memory");
  EXPECT_EQ(bound("10"), "arithmetic") << "of which a lower clock leaves less";
  EXPECT_EQ(bound("1000"), "arithmetic");
}

TEST(Energy, refuses_clocks_and_caps_that_contradict) {
  const auto refused = [](const Gpu& gpu, const Words& words) {
    return error_of([&] { ask("energy", gpu, words); });
  };
  const Gpu gpu = measured_gpu("h200");
  EXPECT_NE(refused(gpu, {{"at-clock", "1GHz"}, {"cap", "300W"}}).find("give it or --cap"),
            std::string::npos);
  EXPECT_NE(refused(with_facts(gpu, {{"clock.least", "3GHz"}}), {{"cap", "300W"}}).find("is above the clock"),
            std::string::npos);
  EXPECT_NE(
      refused(with_facts(gpu, {{"power.constant", "50W"}}), {{"temperature", "0"}}).find("would be left"),
      std::string::npos);
}

// A lower clock needs less voltage, and less energy for an operation: a cap may raise the most there is.
TEST(Energy, no_kernel_is_above_the_arch_line_whatever_the_cap) {
  for (const char* gpu : {"h200", "rtx4090", "rtx5090", "m2090"})
    for (const char* cap : {"250W", "300W", "1kW"})
      for (const char* intensity : {"1/16", "64", "1e4", "1e18"}) {
        const Result r = ask("energy", gpu_named(gpu), {{"intensity", intensity}, {"cap", cap}});
        EXPECT_LE(cell(r, "kernels", "arch_line"), 1 + 1e-12) << gpu << " " << cap << " " << intensity;
      }
}

// Rate x (25 pJ + 360 pJ / I) + 122 W is 186.7 W at the ridge: a cap of 150 W is met by a lower clock, and
// nothing else changes where it does not bind.
TEST(Energy, under_a_cap_the_power_is_the_caps_and_the_clock_lower) {
  const auto capped = [](const char* cap) {
    return ask("energy", fermi("122W"), {{"precision", "fp64"}, {"intensity", "16"}, {"cap", cap}});
  };
  const Result free = capped("1kW"), held = capped("140W");
  EXPECT_NEAR(cell(held, "kernels", "power"), 140, 1e-6);
  EXPECT_LT(cell(held, "kernels", "clock"), 0.99 * cell(free, "kernels", "clock"));
  EXPECT_NEAR(cell(held, "kernels", "performance") / cell(free, "kernels", "performance"),
              cell(held, "kernels", "clock") / cell(free, "kernels", "clock"), 1e-9)
      << "bound by arithmetic, the rate goes with the clock";
  EXPECT_NE(error_of([&] { capped("100W"); }).find("no more than the constant power"), std::string::npos);
}

TEST(Energy, is_the_power_times_the_time_and_its_shares_are_one) {
  const Result r =
      ask("energy", fermi("122W"), {{"precision", "fp64"}, {"intensity", "1/16:512:*2"}, {"flops", "1e12"}});
  const Table& t = table_of(r, "kernels");
  for (std::size_t row = 0; row < t.rows(); ++row) {
    const auto value = [&](const char* name) { return t.find(name)->number(row); };
    EXPECT_NEAR(value("energy"), value("power") * value("time"), 1e-6 * value("energy")) << "a launch";
    EXPECT_NEAR(value("of_flops") + value("of_bytes") + value("of_constant"), 1, 1e-12);
  }
}

// One operation takes a launch, and the constant power of that time.
TEST(Energy, no_kernel_is_quicker_than_its_launch) {
  const Gpu gpu = fermi("122W");
  const Result r = ask("energy", gpu, {{"precision", "fp64"}, {"intensity", "4"}, {"flops", "1"}});
  const double launch = gpu.cost(facts::kernel_turnover).value;
  EXPECT_NEAR(cell(r, "kernels", "time"), launch, 1e-4 * launch);
  EXPECT_NEAR(cell(r, "kernels", "energy"), 122 * launch, 1e-4 * 122 * launch);
}

// A byte's way through the chip costs less at a lower voltage: what device memory takes itself does not.
TEST(Energy, under_a_cap_bytes_from_l2_cost_less_and_device_memory_itself_does_not) {
  const Gpu gpu = measured_gpu("h200");
  const auto bytes = [&](const char* level, const char* clock) {
    const Result r = ask("energy", gpu, {{"level", level}, {"intensity", "1"}, {"at-clock", clock}});
    return cell(r, "kernels", "of_bytes") * cell(r, "kernels", "energy_per_flop");
  };
  EXPECT_NEAR(bytes("l2", "0.99GHz") / bytes("l2", "1.98GHz"), 0.25, 1e-6);
  const double saved = bytes("dram", "1.98GHz") - bytes("dram", "0.99GHz");
  EXPECT_NEAR(saved, 0.75 * gpu.cost(facts::energy_l2).value, 1e-3 * saved);
}

TEST(Energy, constant_power_rises_with_the_temperature) {
  const Gpu gpu = gpu_named("h100-sxm");
  const auto power = [&](const char* degrees) {
    return cell(ask("energy", gpu, {{"intensity", "1000000"}, {"temperature", degrees}}), "kernels", "power");
  };
  EXPECT_NEAR(power("60") - power("50"), 10 * gpu.cost(facts::power_per_degree).value, 1e-6);
  EXPECT_NEAR(power("50"), cell(ask("energy", gpu, {{"intensity", "1000000"}}), "kernels", "power"), 1e-9);
}

// Bound by arithmetic, the rate goes with the clock, and the energy of an operation with its square.
TEST(Energy, a_clock_that_was_measured_is_taken_instead_of_what_the_cap_would_leave) {
  const auto with = [&](const char* option, const char* value) {
    return ask("energy", fermi("50W"), {{"precision", "fp64"}, {"intensity", "100"}, {option, value}});
  };
  const Result slow = with("at-clock", "0.5GHz"), fast = with("at-clock", "0.75GHz");
  EXPECT_NEAR(cell(slow, "kernels", "clock"), 0.5e9, 1);
  EXPECT_NEAR(cell(fast, "kernels", "performance") / cell(slow, "kernels", "performance"), 1.5, 1e-9);
  const auto of_flops = [](const Result& r) {
    return cell(r, "kernels", "of_flops") * cell(r, "kernels", "energy_per_flop");
  };
  EXPECT_NEAR(of_flops(fast) / of_flops(slow), 2.25, 1e-9);
  EXPECT_EQ(error_of([&] { with("at-clock", "3GHz"); }), "--at-clock 3 GHz: c2050 runs at 1.15 GHz at most");
  EXPECT_NE(with("cap", "55W").verdict.front().find("an estimate"), std::string::npos);
  EXPECT_EQ(fast.verdict.front().find("an estimate"), std::string::npos);
}

// 106.5 pJ/B x 4.8 TB/s and more are above what 200 W leave: no clock is low enough.
TEST(Energy, where_bytes_alone_take_more_than_the_cap_the_gpu_pauses_at_its_lowest_clock) {
  const auto capped = [gpu = gpu_named("h200")](const char* intensity, const char* cap) {
    return ask("energy", gpu, {{"intensity", intensity}, {"cap", cap}});
  };
  const Result low = capped("1", "200W"), lower = capped("1/2", "160W");
  for (const Result* r : {&low, &lower}) EXPECT_EQ(cell(*r, "kernels", "clock"), 345e6);
  EXPECT_NEAR(cell(low, "kernels", "power"), 200, 1e-6);
  EXPECT_NEAR(cell(lower, "kernels", "power"), 160, 1e-6);
  const double duty = cell(low, "kernels", "duty");
  EXPECT_LT(duty, 0.3);
  const double of_all = cell(capped("1", "10kW"), "kernels", "performance");
  EXPECT_NEAR(cell(low, "kernels", "performance"), duty * of_all, 1e-9 * of_all) << "memory slows down";
  EXPECT_NE(low.verdict.front().find("At 345 MHz, its lowest clock"), std::string::npos);
  EXPECT_EQ(text(low, "kernels", "bound"), "power cap, throttled");
}

// Between a clock that meets the cap and pauses at the lowest one, nothing jumps.
TEST(Energy, goes_over_from_a_lower_clock_to_pauses_without_a_jump) {
  const Gpu gpu = gpu_named("h200");
  double before = 0;
  for (double cap = 180; cap < 700; cap *= 1.004) {
    const Result r =
        ask("energy", gpu, {{"precision", "fp64"}, {"intensity", "2"}, {"cap", std::to_string(cap) + "W"}});
    const double rate = cell(r, "kernels", "performance");
    EXPECT_GE(rate, before) << cap;
    if (before > 0) {
      EXPECT_LT(rate, 1.05 * before) << cap;
    }
    before = rate;
  }
}

TEST(Energy, shows_no_clock_below_the_lowest_one_of_any_gpu) {
  for (const Gpu& gpu : every_gpu()) {
    if (!gpu.has_cost(facts::clock_least)) continue;
    const double least = gpu.cost(facts::clock_least).value;
    for (const double above : {0.01, 0.2, 1.0}) {
      const double constant = gpu.has_cost(facts::power_constant) ? gpu.cost(facts::power_constant).value : 0;
      Result r;
      try {
        r = ask("energy", gpu, {{"cap", std::to_string(constant + above * 50) + "W"}});
      } catch (const InputError&) { // lacks other facts
        break;
      }
      const Table& t = table_of(r, "kernels");
      for (std::size_t row = 0; row < t.rows(); ++row)
        EXPECT_GE(t.at("clock").number(row), least * (1 - 1e-12)) << gpu.name;
    }
  }
  EXPECT_EQ(error_of([] {
              ask("energy", gpu_named("h200"), {{"at-clock", "100MHz"}});
            }),
            "--at-clock 100 MHz: h200 runs at 345 MHz at least");
}

} // namespace perfmodel::energy_test
