#include "models/core/facts.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hwdb::consistency_test {

// 10 SMs x 50 x 2 x 1 GHz = 1 Tflop/s; 256 bit x 3.125 Gbit/s = 100 GB/s.
Gpu consistent() {
  return with_facts(
      toy(), {{"peak.fp32", "1 Tflop/s"}, {"dram.bus", "256 bit"}, {"dram.data_rate", "3.125 Gbit/s"}});
}

// As a file has it: a peak of the layer `set` would be taken for the product itself.
Gpu with_printed_peak(double peak) {
  Gpu gpu = consistent();
  gpu.facts["peak.fp32"] = {.values = {peak}, .layer = Layer::device, .place = "toy.yaml:9"};
  return gpu;
}

TEST(Consistency, a_sound_gpu_has_no_slips) { EXPECT_TRUE(inconsistencies(consistent()).empty()); }

TEST(Consistency, a_peak_more_than_one_percent_off_its_product_is_a_slip) {
  EXPECT_TRUE(inconsistencies(with_printed_peak(0.991e12)).empty());
  EXPECT_TRUE(inconsistencies(with_printed_peak(1.01e12)).empty());
  ASSERT_EQ(inconsistencies(with_printed_peak(0.98e12)).size(), 1u);
  EXPECT_EQ(inconsistencies(with_printed_peak(1.02e12)).at(0),
            "toy.yaml:9: peak.fp32 is 1.02 Tflop/s, but SMs x throughput x operations x clock is 1 Tflop/s");
}

TEST(Consistency, a_bandwidth_more_than_one_percent_off_bus_times_rate_is_a_slip) {
  EXPECT_TRUE(inconsistencies(with_facts(consistent(), {{"dram.bandwidth", "100.9 GB/s"}})).empty());
  EXPECT_EQ(inconsistencies(with_facts(consistent(), {{"dram.bandwidth", "102 GB/s"}})).at(0),
            "--set: dram.bandwidth is 102 GB/s, but bus x data rate is 100 GB/s");
}

TEST(Consistency, latencies_rise_from_level_to_level) {
  EXPECT_TRUE(
      inconsistencies(with_facts(consistent(), {{"l1.latency", "30"}, {"l2.latency", "300"}})).empty());
  EXPECT_EQ(inconsistencies(with_facts(consistent(), {{"l1.latency", "300"}, {"l2.latency", "300"}})).at(0),
            "--set: l2.latency is not above l1.latency");
  EXPECT_EQ(
      inconsistencies(with_facts(consistent(), {{"l2.latency", "300"}, {"l2.latency_far", "250"}})).at(0),
      "--set: l2.latency_far is not above l2.latency");
  EXPECT_EQ(inconsistencies(with_facts(consistent(), {{"l1.latency", "500"}, {"dram.latency", "400"}})).at(0),
            "--set: dram.latency is not above l1.latency")
      << "a level without a figure is stepped over";
}

TEST(Consistency, what_is_not_known_is_not_judged) { EXPECT_TRUE(inconsistencies({.name = "bare"}).empty()); }

} // namespace perfmodel::hwdb::consistency_test
