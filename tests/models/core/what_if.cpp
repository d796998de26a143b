// --set: what was measured goes along with the fact that it is a share of.
#include "models/core/what_if.hpp"

#include "models/core/facts.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel {

const Gpu& measured_h200() {
  static const Gpu gpu = measured_gpu("h200");
  return gpu;
}

double cost(const Gpu& gpu, std::string_view path) { return gpu.cost_of(path)->value; }

TEST(WhatIf, streams_stay_the_same_share_of_the_pins) {
  const Gpu half = with_fact(measured_h200(), "dram.bandwidth", cost(measured_h200(), "dram.bandwidth") / 2);
  for (const char* stream :
       {"sustained.dram.read", "sustained.dram.copy", "sustained.dram.copy_runs", "dram.segment_rate"}) {
    EXPECT_DOUBLE_EQ(cost(half, stream), cost(measured_h200(), stream) / 2) << stream;
    EXPECT_EQ(half.cost_of(stream)->grade, Grade::inherited) << "nobody measured it there";
  }
  EXPECT_EQ(cost(half, "dram.latency"), cost(measured_h200(), "dram.latency"));
  EXPECT_EQ(cost(half, "sustained.l2"), cost(measured_h200(), "sustained.l2"));
}

// A latency of device memory is a time: half the clock, half the cycles. That of a unit is so many cycles.
TEST(WhatIf, times_stay_times_and_cycles_cycles_at_another_clock) {
  const Gpu slow = with_fact(measured_h200(), "clock", std::string_view("990 MHz"));
  EXPECT_DOUBLE_EQ(cost(slow, "dram.latency"), cost(measured_h200(), "dram.latency") / 2);
  EXPECT_DOUBLE_EQ(cost(slow, "dram.latency_mean"), cost(measured_h200(), "dram.latency_mean") / 2);
  EXPECT_DOUBLE_EQ(cost(slow, "sustained.l2"), cost(measured_h200(), "sustained.l2") / 2);
  EXPECT_EQ(cost(slow, "fma.latency"), cost(measured_h200(), "fma.latency"));
  EXPECT_EQ(cost(slow, "sustained.dram.read"), cost(measured_h200(), "sustained.dram.read"));
}

TEST(WhatIf, an_analogy_carries_a_cost_to_other_gpus_and_does_not_follow) {
  const Gpu slow = with_fact(measured_h200(), "fma.latency", std::string_view("8 cycle"));
  EXPECT_EQ(cost(slow, "latency.int_mad"), cost(measured_h200(), "latency.int_mad"));
}

TEST(WhatIf, what_is_given_stays_as_given) {
  for (const bool pins_first : {true, false}) {
    Gpu gpu = measured_h200();
    for (const bool pins : {pins_first, !pins_first})
      gpu = pins ? with_fact(std::move(gpu), "dram.bandwidth", std::string_view("2.4 TB/s"))
                 : with_fact(std::move(gpu), "sustained.dram.copy", std::string_view("2 TB/s"));
    EXPECT_EQ(cost(gpu, "sustained.dram.copy"), 2e12);
    EXPECT_EQ(gpu.cost_of("sustained.dram.copy")->grade, Grade::known);
    EXPECT_DOUBLE_EQ(cost(gpu, "sustained.dram.copy_runs") / 2e12,
                     cost(measured_h200(), "sustained.dram.copy_runs") /
                         cost(measured_h200(), "sustained.dram.copy"));
  }
}

// Every fact of every GPU: to its own value.
TEST(WhatIf, a_fact_set_to_what_it_is_changes_no_cost) {
  std::size_t compared = 0;
  for (const Gpu& gpu : every_gpu())
    for (const KeyInfo& key : all_keys()) {
      const FactRecord* fact = gpu.record(key.path);
      if (fact == nullptr || key.kind != FactKind::number) continue;
      const Gpu same = with_fact(gpu, key.path, fact->values.front());
      for (const KeyInfo& other : all_keys()) {
        const auto before = gpu.cost_of(other.path), after = same.cost_of(other.path);
        ASSERT_EQ(before.has_value(), after.has_value()) << gpu.name << " " << key.path << " " << other.path;
        if (!before) continue;
        EXPECT_NEAR(after->value, before->value, 1e-12 * before->value)
            << gpu.name << " " << key.path << " " << other.path;
        EXPECT_EQ(after->grade, before->grade) << gpu.name << " " << key.path << " " << other.path;
        ++compared;
      }
    }
  EXPECT_GT(compared, 10000u);
}

// Nor its grade, but where another value of the sweep is none of the GPU's own.
TEST(WhatIf, a_sweep_through_the_own_value_follows_at_all_values) {
  const double own = cost(measured_h200(), "dram.bandwidth");
  const auto grades = [&](std::vector<Value> values) {
    Request request;
    request.inputs = {{"basis", {{.text = "measured"}}}, {"precision", {{.text = "fp32"}}}};
    request.facts = {{"dram.bandwidth", std::move(values)}};
    const Result r = predict(model("balance"), std::span(&measured_h200(), 1), request);
    std::string text;
    const Table& t = r.tables.front();
    for (std::size_t row = 0; row < t.rows(); ++row)
      text += fmt::format("{:.4g} {}, ", t.at("bandwidth").number(row) / own, t.at("grade").text(row));
    return text;
  };
  EXPECT_EQ(grades({{.number = own}}), "0.9595 known, ");
  EXPECT_EQ(grades({{.number = own}, {.number = own / 2}}), "0.9595 inherited, 0.4797 inherited, ");
}

// copy_runs goes with copy, which is an estimate here, and copy with the pins.
TEST(WhatIf, what_goes_with_an_estimate_follows_as_well) {
  Gpu gpu = measured_h200();
  const double copy = cost(gpu, "sustained.dram.copy"), runs = cost(gpu, "sustained.dram.copy_runs");
  const double pins = cost(gpu, "dram.bandwidth");
  gpu.facts.erase(gpu.facts.find("sustained.dram.copy"));
  gpu.estimates["sustained.dram.copy"] = {.value = copy / pins, .low = 0.5, .high = 1};
  EXPECT_DOUBLE_EQ(cost(with_fact(gpu, "dram.bandwidth", pins / 2), "sustained.dram.copy_runs"), runs / 2);
}

TEST(WhatIf, a_fact_goes_with_what_its_rule_names_and_with_what_that_goes_with) {
  EXPECT_TRUE(goes_with("sustained.dram.copy", "dram.bandwidth"));
  EXPECT_TRUE(goes_with("sustained.dram.copy_runs", "dram.bandwidth"));
  EXPECT_FALSE(goes_with("sustained.dram.copy", "clock"));
  EXPECT_FALSE(goes_with("latency.int_mad", "fma.latency")) << "an analogy";
  EXPECT_FALSE(goes_with("barrier.latency", "same"));
}

// 98.8 % of the peak at 1.98 GHz and at 1 GHz.
TEST(WhatIf, what_arithmetic_sustains_goes_with_the_clock) {
  const Gpu slow = with_fact(measured_h200(), "clock", std::string_view("990 MHz"));
  EXPECT_DOUBLE_EQ(cost(slow, "sustained.fp32"), cost(measured_h200(), "sustained.fp32") / 2);
}

TEST(WhatIf, no_stream_is_faster_than_the_pins) {
  const auto ask_with = [](std::vector<Axis> facts) {
    Request request;
    request.facts = std::move(facts);
    return predict(model("balance"), std::span(&measured_h200(), 1), request);
  };
  const Axis fast{"sustained.dram.read", {{.number = 4.7e12}, {.number = 6e12}}};
  EXPECT_EQ(error_of([&] { ask_with({fast}); }),
            "--set sustained.dram.read: 6 TB/s is more than the pins of h200 carry, 4.814 TB/s; set "
            "dram.bandwidth as well");
  EXPECT_NO_THROW(ask_with({fast, {"dram.bandwidth", {{.number = 7e12}}}}));
}

} // namespace perfmodel
