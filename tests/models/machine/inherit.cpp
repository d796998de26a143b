// Estimates of costs that a GPU lacks, by rules worked by hand.
#include "tests/models/ask.hpp"

#include "models/concurrency/mix_bounds.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/machine/inherit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::inherit_test {

Gpu device(const char* name, const char* chip, const char* cc, const Words& facts) {
  Gpu gpu{.name = name, .title = name, .chip = chip, .architecture = cc, .file = std::string(name) + ".yaml"};
  return with_facts(std::move(gpu), facts);
}

// 10 SMs at 1 GHz, 100 GB/s of pins; and what was measured there.
Gpu donor(const char* chip, const char* cc) {
  return device("donor", chip, cc,
                {{"sm_count", "10"},
                 {"clock", "1 GHz"},
                 {"dram.bandwidth", "100 GB/s"},
                 {"dram.type", "HBM3"},
                 {"barrier.latency", "12 cycle"},
                 {"l2.latency", "150 cycle"},
                 {"sustained.l2", "300 GB/s"},
                 {"sustained.dram.copy", "90 GB/s"}});
}

// 20 SMs at 2 GHz, 400 GB/s of pins, nothing measured.
Gpu bare(const char* chip, const char* cc, const char* memory = "HBM3") {
  return device(
      "bare", chip, cc,
      {{"sm_count", "20"}, {"clock", "2 GHz"}, {"dram.bandwidth", "400 GB/s"}, {"dram.type", memory}});
}

TEST(Inherit, carries_cycles_time_rates_and_shares_of_the_pins) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::barrier_latency).value, 12);        // as many cycles
  EXPECT_DOUBLE_EQ(gpu.cost(facts::l2_latency).value, 300);            // 150 ns
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_l2).value, 1.2e12);       // 30 B per SM and cycle
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_dram_copy).value, 360e9); // 90 % of the pins
  EXPECT_EQ(gpu.cost(facts::barrier_latency).grade, Grade::inherited);
  EXPECT_EQ(gpu.cost(facts::sustained_dram_copy).estimate->from,
            "donor: the same share of the pin bandwidth");
}

// As on the GPU itself, whose reads, writes and copies nobody told apart.
TEST(Inherit, a_stream_of_a_neighbour_stands_for_reads_writes_and_copies) {
  const std::vector<Gpu> donors{
      device("stream", "GX100", "9.0", {{"dram.bandwidth", "100 GB/s"}, {"sustained.dram", "80 GB/s"}}),
      device("far", "HX100", "7.0", {{"dram.bandwidth", "100 GB/s"}, {"sustained.dram.read", "95 GB/s"}})};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_dram_read).value, 320e9);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_dram_copy).value, 320e9);
  EXPECT_EQ(gpu.cost(facts::sustained_dram_read).grade, Grade::inherited);
}

TEST(Inherit, an_operation_costs_energy_as_the_process_is_coarse) {
  const std::vector<Gpu> donors{
      with_facts(donor("GX100", "9.0"), {{"chip.process", "4"}, {"energy.fp32", "5 pJ/flop"}})};
  const Gpu gpu = with_estimates(with_facts(bare("FX10", "7.0"), {{"chip.process", "12"}}), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::energy_fp32).value, 15e-12);
  EXPECT_EQ(gpu.cost(facts::energy_fp32).grade, Grade::assumed);
}

// The lecture's GPU has the chip of the GTX 580, to which an energy roofline was fitted first.
TEST(Inherit, an_m2090_takes_the_energies_of_its_chip) {
  const Gpu gpu = measured_gpu("m2090");
  EXPECT_DOUBLE_EQ(gpu.cost(facts::energy_fp32).value, 99.7e-12);
  EXPECT_EQ(gpu.cost(facts::energy_fp32).grade, Grade::inherited);
}

TEST(Inherit, another_architecture_assumes_within_the_range_of_the_fact) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("FX10", "3.5", "GDDR5"), donors);
  const Gpu::Cost barrier = gpu.cost(facts::barrier_latency);
  EXPECT_EQ(barrier.grade, Grade::assumed);
  EXPECT_DOUBLE_EQ(barrier.value, 12);
  EXPECT_LE(barrier.low, barrier.value);
  EXPECT_GE(barrier.high, barrier.value);
  EXPECT_EQ(gpu.cost(facts::sustained_dram_copy).grade, Grade::assumed);
  EXPECT_EQ(with_estimates(bare("FX10", "3.5", "HBM3"), donors).cost(facts::sustained_dram_copy).grade,
            Grade::inherited); // the same kind of memory
}

// 12 and 27 cycles: 18 is as many times the one as the other is of it.
// 12 B per SM and cycle of 20 SMs at 2 GHz are 480 GB/s, which is less than pins that deliver 600.
TEST(Inherit, l2_is_no_slower_than_what_passes_through_it) {
  Gpu wide = bare("FX10", "3.5", "GDDR5");
  wide = with_facts(std::move(wide), {{"dram.bandwidth", "600 GB/s"}});
  const std::vector<Gpu> donors{
      device("slow", "VX1", "7.0", {{"sm_count", "10"}, {"clock", "1 GHz"}, {"sustained.l2", "120 GB/s"}})};
  const Gpu gpu = with_estimates(std::move(wide), donors);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_l2).value, 600e9);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_l2).low, 600e9);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::sustained_l2).high, 75.0 * 20 * 2e9);
  EXPECT_NE(gpu.cost(facts::sustained_l2).estimate->from.find("no less than dram.bandwidth"),
            std::string::npos);
}

TEST(Inherit, from_equally_near_gpus_it_is_their_mean_and_the_range_covers_them) {
  Gpu second = with_facts(donor("GX100", "9.0"), {{"barrier.latency", "27 cycle"}});
  second.name = "second";
  const std::vector<Gpu> donors{donor("GX100", "9.0"), second};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  const Gpu::Cost barrier = gpu.cost(facts::barrier_latency);
  EXPECT_NEAR(barrier.value, 18, 1e-9);
  EXPECT_LE(barrier.low, 12);
  EXPECT_GE(barrier.high, 27);
  EXPECT_EQ(barrier.estimate->from, "donor, second: the same");
}

TEST(Inherit, without_a_donor_it_is_the_middle_of_the_range) {
  const Gpu gpu = with_estimates(bare("FX10", "9.0"), {});
  const KeyInfo& key = info(facts::barrier_latency);
  EXPECT_DOUBLE_EQ(gpu.cost(facts::barrier_latency).value, std::sqrt(key.assumed_low * key.assumed_high));
  EXPECT_FALSE(gpu.has_cost(facts::l2_latency_far)); // nothing is assumed of it
  EXPECT_THROW(gpu.cost(facts::l2_latency_far), InputError);
}

TEST(Inherit, what_the_hardware_does_not_have_is_not_estimated) {
  EXPECT_FALSE(with_estimates(bare("GT200", "1.3"), {}).has_cost(facts::sustained_l2));
  Gpu lacking = bare("FX10", "9.0");
  lacking.lacks.emplace("barrier.latency", "no barriers");
  EXPECT_FALSE(with_estimates(lacking, {}).has_cost(facts::barrier_latency));
}

TEST(Inherit, a_fact_goes_before_an_estimate_and_an_estimate_follows_what_it_scales_with) {
  const std::vector<Gpu> donors{donor("GX100", "9.0")};
  const Gpu gpu = with_estimates(bare("GX200", "9.0"), donors);
  EXPECT_DOUBLE_EQ(with_facts(gpu, {{"clock", "1 GHz"}}).cost(facts::sustained_l2).value, 0.6e12);
  const Gpu set = with_facts(gpu, {{"sustained.l2", "2 TB/s"}});
  EXPECT_DOUBLE_EQ(set.cost(facts::sustained_l2).value, 2e12);
  EXPECT_EQ(set.cost(facts::sustained_l2).grade, Grade::known);
}

TEST(Inherit, what_was_fitted_stays_on_its_own_architecture) {
  Gpu fitted = donor("GX100", "2.0");
  fitted.facts.find("barrier.latency")->second.status = Status::fitted;
  const std::vector<Gpu> donors{fitted};
  EXPECT_EQ(with_estimates(bare("GX200", "2.0"), donors).cost(facts::barrier_latency).value, 12);
  EXPECT_NE(with_estimates(bare("GX200", "3.0"), donors).cost(facts::barrier_latency).value, 12);
}

TEST(Inherit, every_rule_scales_with_facts_and_every_range_has_its_reason) {
  for (const KeyInfo& key : all_keys()) {
    if (!std::isnan(key.assumed_low)) {
      EXPECT_LT(key.assumed_low, key.assumed_high) << key.path;
      EXPECT_GT(key.why.size(), 10u) << key.path;
      EXPECT_FALSE(key.scale.empty()) << key.path;
    }
    for (const std::string& gpu : database().names())
      EXPECT_EQ(key.why.find(gpu), std::string_view::npos) << key.path << ": a rule names no GPU";
  }
}

// An Apple M1 gets no cost of a GPU that it has nothing in common with, and gives none.
TEST(Inherit, an_architecture_without_a_compute_capability_neither_takes_nor_gives) {
  EXPECT_TRUE(gpu_named("apple-m1").estimates.empty());
  for (const Gpu& gpu : every_gpu())
    for (const auto& [path, estimate] : gpu.estimates)
      EXPECT_EQ(estimate.from.find("apple"), std::string::npos) << gpu.name << " " << path;
}

// The costs that a model reads, known or not, are there on every GPU or stand for hardware it lacks.
TEST(Inherit, no_gpu_lacks_a_cost_that_has_a_range) {
  for (const Gpu& gpu : every_gpu())
    for (const KeyInfo& key : all_keys()) {
      const bool has_none = gpu.capability() == 0 || std::isnan(key.assumed_low) ||
                            gpu.capability() < key.since || gpu.lacks.find(key.path) != gpu.lacks.end();
      const bool of_another = key.scale.find('.') != std::string_view::npos; // "register.banks"
      if (has_none || (of_another && !gpu.cost_of(key.scale))) continue;
      EXPECT_TRUE(gpu.cost_of(key.path).has_value()) << gpu.name << " " << key.path;
    }
}

// Of some architectures no table prints the rate: a vote of a warp every other cycle of each scheduler, as on
// the GPU that was measured. Before compute capability 1.2 there is none.
TEST(Inherit, a_vote_of_a_warp_has_a_rate_wherever_there_is_one) {
  Plain plain;
  const InstructionClass& vote = instruction_class("vote");
  EXPECT_NEAR(value_of(*throughput(measured_gpu("a100-80"), vote, plain)).value, 64, 0.5);
  EXPECT_NEAR(value_of(*throughput(measured_gpu("p100"), vote, plain)).value, 32, 0.5);
  EXPECT_FALSE(throughput(measured_gpu("8800gtx"), vote, plain).has_value());
}

// Two schedulers of an SM that takes an access a cycle hand one over every other cycle, four every fourth.
TEST(Inherit, the_schedulers_of_an_sm_share_its_way_to_memory) {
  const auto interval = [](const char* name) {
    return measured_gpu(name).cost(facts::issue_memory_interval).value;
  };
  EXPECT_NEAR(interval("h200"), 4, 0.05);
  EXPECT_NEAR(interval("v100"), 4, 0.05);
  EXPECT_NEAR(interval("p100"), 2, 0.05);
  EXPECT_NEAR(interval("m2090"), 4, 0.05) << "two, and two cycles for an access";
}

// Of two rates that no rule carries over, the data sheet prints one.
TEST(Hiding, what_no_rule_carries_over_is_what_the_files_say_or_missing) {
  const Gpu files = with_facts(donor("GX100", "9.0"), {{"throughput.int_add", "64"}});
  const Constant found[] = {{.path = "throughput.int_add", .value = 63, .probe = "instruction-rate"},
                            {.path = "throughput.rcp", .value = 15, .probe = "instruction-rate"}};
  const std::vector<std::string> rates{"instruction-rate"};
  const Gpu hidden = without_probes(with_constants(files, found, Over::everything), rates, files);
  EXPECT_EQ(hidden.at(facts::throughput_int_add).value.value, 64);
  EXPECT_EQ(hidden.record("throughput.rcp"), nullptr);
  EXPECT_EQ(without_probes(files, rates, files).at(facts::throughput_int_add).value.value, 64);
}

} // namespace perfmodel::inherit_test
