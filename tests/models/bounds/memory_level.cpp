#include "models/bounds/memory_level.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::memory_level_test {

double bandwidth_of(const Gpu& gpu, Level level, Basis basis) {
  Plain plain;
  return base_value(bandwidth(gpu, level, basis, plain));
}

TEST(Bandwidth, of_dram_is_the_pins_on_the_spec_and_what_was_seen_on_the_measured_basis) {
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu_named("m2090"), Level::dram, Basis::spec), 177.4e9);
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu_named("m2090"), Level::dram, Basis::measured), 125e9);
}

TEST(Bandwidth, that_nobody_measured_falls_back_to_the_pins) {
  EXPECT_DOUBLE_EQ(bandwidth_of(toy(), Level::dram, Basis::measured), 100e9);
}

TEST(Bandwidth, the_one_measured_figure_comes_before_the_read_stream) {
  const Gpu read = with_facts(toy(), {{"sustained.dram.read", "90GB/s"}, {"sustained.dram.copy", "80GB/s"}});
  EXPECT_DOUBLE_EQ(bandwidth_of(read, Level::dram, Basis::measured), 90e9);
  EXPECT_DOUBLE_EQ(
      bandwidth_of(with_facts(read, {{"sustained.dram", "85GB/s"}}), Level::dram, Basis::measured), 85e9);
}

// cc 2.0: 32 banks x 4 B every 2 cycles, 16 SMs, 1.301 GHz = 1.332 TB/s, worked by hand.
TEST(Bandwidth, of_shared_memory_is_what_the_banks_deliver) {
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu_named("m2090"), Level::shared, Basis::spec), 16 * 32 * 4 / 2.0 * 1.301e9);
}

TEST(Bandwidth, of_shared_memory_may_be_measured) {
  const Gpu gpu = with_facts(gpu_named("m2090"), {{"sustained.shared", "1 TB/s"}});
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu, Level::shared, Basis::measured), 1e12);
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu, Level::shared, Basis::spec), 16 * 32 * 4 / 2.0 * 1.301e9);
}

// The M2090: 177.4 GB/s at the pins, 125 GB/s measured, 0.7046 of it.
TEST(Bandwidth, that_was_measured_stays_the_same_share_of_the_pins) {
  const auto measured = [](const char* pins) {
    return bandwidth_of(with_facts(gpu_named("m2090"), {{"dram.bandwidth", pins}}), Level::dram,
                        Basis::measured);
  };
  EXPECT_DOUBLE_EQ(measured("177.4 GB/s"), 125e9);
  EXPECT_DOUBLE_EQ(measured("88.7 GB/s"), 62.5e9);
  EXPECT_DOUBLE_EQ(measured("354.8 GB/s"), 250e9);
  const Gpu both =
      with_facts(gpu_named("m2090"), {{"dram.bandwidth", "100GB/s"}, {"sustained.dram", "90GB/s"}});
  EXPECT_DOUBLE_EQ(bandwidth_of(both, Level::dram, Basis::measured), 90e9) << "asked for by name";
}

TEST(Bandwidth, of_shared_memory_that_was_measured_goes_with_the_clock_but_is_no_ceiling_of_fewer_banks) {
  Gpu gpu = gpu_named("m2090"); // banks: 1.332 TB/s at 1.301 GHz
  gpu.facts["sustained.shared"] = {.values = {1e12}, .layer = Layer::measured};
  EXPECT_DOUBLE_EQ(bandwidth_of(gpu, Level::shared, Basis::measured), 1e12);
  EXPECT_DOUBLE_EQ(bandwidth_of(with_facts(gpu, {{"clock", "2.602GHz"}}), Level::shared, Basis::measured),
                   2e12);
  EXPECT_DOUBLE_EQ(bandwidth_of(with_facts(gpu, {{"shared.banks", "16"}}), Level::shared, Basis::measured),
                   16 * 16 * 4 / 2.0 * 1.301e9);
}

TEST(Bandwidth, of_a_level_that_is_unknown_names_the_fact) {
  EXPECT_EQ(error_of([] { bandwidth_of(toy(), Level::l2, Basis::spec); }),
            "toy has no fact 'sustained.l2' (sustained L2 read bandwidth, all SMs): add it to toy.yaml, or "
            "give --set "
            "sustained.l2=VALUE");
}

} // namespace perfmodel::memory_level_test
