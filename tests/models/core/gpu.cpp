#include "models/core/gpu.hpp"

#include "models/core/facts.hpp"
#include "models/core/model.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <set>

#include <gtest/gtest.h>

namespace perfmodel::gpu_test {

Gpu one_fact() {
  Gpu gpu{.name = "card", .file = "hwdb/gpus/card.yaml"};
  gpu.facts["dram.bandwidth"] = {.values = {177.4e9},
                                 .status = Status::secondary,
                                 .source = "a list",
                                 .note = "pins",
                                 .place = "card.yaml:3",
                                 .rivals = {{177e9, 177e9, Status::published, "a lecture", ""}}};
  return gpu;
}

TEST(Gpu, a_missing_fact_is_named_with_its_meaning_file_and_remedy) {
  EXPECT_EQ(
      error_of([] { one_fact().at(facts::dram_latency); }),
      "card has no fact 'dram.latency' (load latency from device memory, one warp on an idle GPU): add it to "
      "hwdb/gpus/card.yaml, or give --set dram.latency=VALUE");
  EXPECT_FALSE(one_fact().find(facts::dram_latency));
}

TEST(Gpu, what_the_hardware_lacks_is_no_gap_of_the_database) {
  Gpu gpu = one_fact();
  gpu.lacks["dram.latency"] = "no memory on this card";
  EXPECT_EQ(
      error_of([&] { gpu.at(facts::dram_latency); }),
      "card has no units for 'dram.latency' (load latency from device memory, one warp on an idle GPU): no "
      "memory on this card");
  EXPECT_EQ(with_fact(gpu, "dram.latency", 400).at(facts::dram_latency).value, Cycles(400)) << "--set may";
}

TEST(Gpu, a_fact_is_read_with_its_type_and_its_record) {
  Gpu gpu = one_fact();
  gpu.facts["dram.type"] = {.text = "GDDR5"};
  gpu.facts["coalescing.transactions"] = {.values = {32, 128}};
  EXPECT_EQ(gpu.at(facts::dram_bandwidth).value, BytesPerSecond(177.4e9));
  EXPECT_EQ(gpu.at(facts::dram_bandwidth).record->source, "a list");
  EXPECT_EQ(gpu.at(facts::dram_type).value, "GDDR5");
  EXPECT_EQ(gpu.at(facts::coalescing_transactions).value, (std::vector<Bytes>{Bytes(32), Bytes(128)}));
}

TEST(Gpu, set_overrides_a_fact_and_keeps_what_was_there_as_a_rival) {
  const Gpu gpu = with_fact(one_fact(), "dram.bandwidth", std::string_view("125 GB/s"));
  const FactRecord& r = *gpu.record("dram.bandwidth");
  EXPECT_EQ(r.values, std::vector<double>{125e9});
  EXPECT_EQ(r.layer, Layer::set);
  EXPECT_EQ(r.source, "--set");
  ASSERT_EQ(r.rivals.size(), 2u);
  EXPECT_EQ(r.rivals[0].source, "a lecture");
  EXPECT_EQ(r.rivals[1].source, "a list");
  EXPECT_EQ(r.rivals[1].low, 177.4e9);
  EXPECT_EQ(r.rivals[1].note, "pins");
}

TEST(Gpu, a_bare_number_is_in_base_units) {
  EXPECT_EQ(with_fact(one_fact(), "dram.latency", std::string_view("800")).at(facts::dram_latency).value,
            Cycles(800));
  EXPECT_EQ(with_fact(one_fact(), "sm_count", 16).at(facts::sm_count).value, 16);
}

TEST(Gpu, a_word_is_set_as_a_word) {
  EXPECT_EQ(with_fact(one_fact(), "dram.type", std::string_view("HBM3")).at(facts::dram_type).value, "HBM3");
  EXPECT_EQ(error_of([] { with_fact(one_fact(), "dram.type", 3); }),
            "the fact 'dram.type' is a word, not a number");
}

TEST(Gpu, what_cannot_be_set_is_refused_in_a_sentence) {
  const auto why = [](std::string_view path, std::string_view text) {
    return error_of([&] { with_fact(one_fact(), path, text); });
  };
  EXPECT_EQ(why("dram.bandwith", "1"),
            "unknown fact 'dram.bandwith' (did you mean 'dram.bandwidth'?); 'perfmodel hw keys' lists them");
  EXPECT_EQ(why("dram.bandwidth", "0"), "--set dram.bandwidth: the value must be above zero");
  EXPECT_EQ(why("dram.bandwidth", "-1GB/s"), "--set dram.bandwidth: the value must be above zero");
  EXPECT_NE(why("dram.bandwidth", "3 s").find("'3 s' is in s; a bandwidth such as 177GB/s is expected"),
            std::string::npos);
  for (const char* text : {"", "nan", "inf", "fast", "1e999"})
    EXPECT_NE(why("dram.bandwidth", text), "no error") << text;
}

TEST(Gpu, a_fact_that_may_be_zero_can_be_set_to_zero) {
  EXPECT_EQ(with_fact(one_fact(), "shared.reserved", std::string_view("0")).at(facts::shared_reserved).value,
            Bytes(0));
  EXPECT_EQ(error_of([] { with_fact(one_fact(), "shared.reserved", std::string_view("-1")); }),
            "--set shared.reserved: the value must be zero or more");
}

// As it is printed: "0 B, 8 KiB, 16 KiB".
TEST(Gpu, a_list_is_set_as_it_is_printed) {
  const Gpu gpu = with_fact(one_fact(), "shared.carveouts", std::string_view("0 B, 8 KiB, 16 KiB"));
  EXPECT_EQ(gpu.at(facts::shared_carveouts).value, (std::vector<Bytes>{Bytes(0), Bytes(8192), Bytes(16384)}));
  for (const char* text : {"8 KiB, x", "-1 B", "1e30 B", "3 s"})
    EXPECT_NE(error_of([&] {
                with_fact(one_fact(), "shared.carveouts", std::string_view(text));
              }).find("--set shared.carveouts: "),
              std::string::npos)
        << text;
}

TEST(Gpu, measurements_fill_gaps_and_override_only_where_asked) {
  const Constant constants[] = {
      {.path = "dram.bandwidth", .value = 4.6e12, .probe = "dram", .source = "ours", .place = "run.json"},
      {.path = "dram.latency", .value = 700, .probe = "chase", .source = "ours", .place = "run.json"}};
  const Gpu filled = with_constants(one_fact(), constants, Over::readings),
            replaced = with_constants(one_fact(), constants, Over::everything);
  EXPECT_EQ(filled.at(facts::dram_bandwidth).value, BytesPerSecond(177.4e9));
  EXPECT_EQ(filled.at(facts::dram_latency).value, Cycles(700));
  EXPECT_EQ(filled.record("dram.latency")->layer, Layer::measured);
  EXPECT_EQ(filled.record("dram.latency")->probe, "chase");
  EXPECT_EQ(replaced.at(facts::dram_bandwidth).value, BytesPerSecond(4.6e12));
  EXPECT_EQ(replaced.record("dram.bandwidth")->rivals.back().source, "a list");
}

TEST(Gpu, a_reading_of_ours_goes_over_somebody_elses_where_they_differ) {
  Gpu gpu = one_fact();
  gpu.facts["fma.latency"] = {.values = {4}, .status = Status::measured, .source = "a paper"};
  gpu.facts["dram.latency"] = {.values = {656}, .status = Status::measured, .source = "a paper"};
  const Constant found[] = {{.path = "fma.latency", .value = 4.02, .low = 4.01, .high = 4.03},
                            {.path = "dram.latency", .value = 690}};
  const Gpu both = with_constants(gpu, found, Over::readings);
  EXPECT_EQ(both.at(facts::fma_latency).value, Cycles(4));
  EXPECT_EQ(both.record("fma.latency")->rivals.back().low, 4.01) << "ours is shown beside it";
  EXPECT_EQ(both.at(facts::dram_latency).value, Cycles(690));
  EXPECT_EQ(both.record("dram.latency")->rivals.back().source, "a paper");
}

TEST(Gpu, set_wins_over_measurements) {
  const Constant c{.path = "dram.bandwidth", .value = 1e12};
  const Gpu gpu = with_fact(with_constants(one_fact(), {&c, 1}, Over::everything), "dram.bandwidth", 2e12);
  EXPECT_EQ(gpu.at(facts::dram_bandwidth).value, BytesPerSecond(2e12));
}

// The device's file over its architecture's: GeForce boards with Fermi chips hold fp64 at 4 per clock, GF110
// has 16.
TEST(Gpu, the_device_file_wins_over_the_architecture_file) {
  EXPECT_EQ(gpu_named("gtx480").at(facts::throughput_fp64_fma).value, PerCycle(4));
  EXPECT_EQ(gpu_named("gtx480").record("throughput.fp64_fma")->layer, Layer::device);
  EXPECT_EQ(gpu_named("m2090").at(facts::throughput_fp64_fma).value, PerCycle(16));
  EXPECT_EQ(gpu_named("m2090").record("throughput.fp64_fma")->layer, Layer::architecture);
}

TEST(Facts, every_key_has_a_name_of_its_own_a_meaning_and_bounds) {
  std::set<std::string_view> seen;
  for (const KeyInfo& key : all_keys()) {
    EXPECT_TRUE(seen.insert(key.path).second) << key.path << " is listed twice";
    EXPECT_FALSE(key.meaning.empty()) << key.path;
    EXPECT_EQ(find_key(key.path), &key);
    if (key.kind != FactKind::text) {
      EXPECT_LE(key.least, key.most) << key.path;
      EXPECT_GT(key.most, 0) << key.path;
    }
  }
  EXPECT_EQ(find_key("no.such.key"), nullptr);
}

// Generated together; the type is the unit of the file.
TEST(Facts, a_typed_key_is_the_key_of_its_index) {
  const auto listed = [](const auto& key, FactKind kind, Dimension dimension) {
    EXPECT_EQ(&info(key), find_key(key.path)) << key.path;
    EXPECT_EQ(info(key).meaning, key.meaning) << key.path;
    EXPECT_EQ(info(key).kind, kind) << key.path;
    EXPECT_EQ(info(key).dimension, dimension) << key.path;
  };
  listed(facts::sm_count, FactKind::number, {});
  listed(facts::clock, FactKind::number, dimension_of<Hertz>);
  listed(facts::kernel_turnover, FactKind::number, dimension_of<Seconds>);
  listed(facts::throughput_fp4_tensor, FactKind::number, dimension_of<PerCycle>);
  listed(facts::shared_carveouts, FactKind::list, dimension_of<Bytes>);
  listed(facts::coalescing_class, FactKind::text, {});
  listed(facts::shared_extra_steps_16B, FactKind::number, {});
}

// What `hw show` and `hw costs` print of a GPU, --set takes: a mean of several measurements is no whole
// number.
TEST(WithFact, takes_the_costs_that_are_printed) {
  const auto set = [](const char* path, const char* text) {
    return error_of([&] { with_fact(Gpu{}, path, std::string_view(text)); });
  };
  EXPECT_EQ(set("l1.queue", "61.36"), "no error");
  EXPECT_EQ(set("issue.queued_special", "0"), "no error");
  EXPECT_NE(set("sm_count", "1.5").find("a whole number is expected"), std::string::npos);
  EXPECT_NE(set("sm_count", "0").find("above zero"), std::string::npos);
}

} // namespace perfmodel::gpu_test
