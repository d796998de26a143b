#include "models/concurrency/bytes_in_flight.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::bytes_in_flight_test {

// 800 cycles at 1.3 GHz and 177 GB/s: 108 923 B in flight (littles_law.cpp). 16 SMs hold 1536 threads each.
Gpu lecture() {
  return with_facts(gpu_named("m2090"), {{"clock", "1.3GHz"},
                                         {"dram.bandwidth", "177GB/s"},
                                         {"dram.latency", "800"},
                                         {"sustained.dram", "150GB/s"},
                                         {"sustained.dram.read", "150GB/s"}});
}

// So many bytes in a second.
InFlight at(double bytes, const LaunchInFlight& launch = {}) {
  Plain plain;
  return *bytes_in_flight(lecture(), Bytes(bytes), Seconds(1), launch, plain);
}
std::string told(double bytes, const LaunchInFlight& launch = {}) {
  return in_flight_in_words(at(bytes, launch), launch);
}
bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(BytesInFlight, are_the_bandwidth_reached_times_latency) {
  const InFlight half = at(88.5e9);
  EXPECT_DOUBLE_EQ(half.of_pins, 0.5);
  EXPECT_NEAR(half.in_flight.value, 54'461.5, 0.1);
  EXPECT_NEAR(half.needed.value, 108'923.1, 0.1);
}

TEST(BytesInFlight, without_the_launch_it_says_that_it_cannot_tell_and_what_would) {
  EXPECT_EQ(at(88.5e9).binds, "");
  const std::string text = told(88.5e9);
  EXPECT_TRUE(says(text, "Not bound by bandwidth")) << text;
  EXPECT_TRUE(says(text, "cannot be told")) << text;
  for (const char* way : {"--threads", "--registers", "--blocks", "--loads", "--profile"})
    EXPECT_TRUE(says(text, way)) << way << ": " << text;
}

// 0.8 of the 150 GB/s that streams reach: 120 GB/s, and a little less.
TEST(BytesInFlight, four_fifths_of_a_stream_are_bound_by_bandwidth) {
  EXPECT_EQ(at(120e9).binds, "bandwidth");
  EXPECT_EQ(at(119e9).binds, "");
  EXPECT_TRUE(says(told(120e9), "Bound by bandwidth"));
}

// 256 threads of 32 registers fill an SM: 24 576 threads x 4 B = 98 304 B, / 615.4 ns = 159.7 GB/s. With 63
// registers two blocks fit, 8192 threads in all, 32 768 B: 53.25 GB/s. One block on each of 16 SMs: 26.6
// GB/s.
TEST(BytesInFlight, few_threads_are_told_from_few_bytes_of_each) {
  const LaunchInFlight wide{.threads = 256, .registers = 63};
  EXPECT_EQ(at(50e9, wide).resident, 8192);
  EXPECT_NEAR(at(50e9, wide).allowed.value, 53.25e9, 1e7);
  EXPECT_EQ(at(50e9, wide).binds, "occupancy");
  EXPECT_TRUE(says(told(50e9, wide), "Limited by registers, 33.3 % of the warps")) << told(50e9, wide);
  EXPECT_EQ(at(25e9, {.threads = 256, .registers = 20, .blocks = 16}).binds, "grid");
  const LaunchInFlight bytes{.threads = 256, .registers = 20, .word = Bytes(2)};
  EXPECT_NEAR(at(75e9, bytes).allowed.value, 79.87e9, 1e7);
  EXPECT_EQ(at(75e9, bytes).binds, "latency");
  EXPECT_TRUE(says(told(75e9, bytes), "more loads at a time would help, or wider ones")) << told(75e9, bytes);
}

TEST(BytesInFlight, what_the_launch_does_not_explain_is_latency_of_something_else) {
  const LaunchInFlight full{.threads = 256, .registers = 20, .loads = 4};
  EXPECT_EQ(at(50e9, full).binds, "latency");
  EXPECT_TRUE(says(told(50e9, full), "Bound by latency, not by bandwidth or occupancy")) << told(50e9, full);
  EXPECT_TRUE(says(told(50e9, full), "kernel --view stalls"));
  // More than 26.6 GB/s: more was in flight than one word a thread.
  const LaunchInFlight few{.threads = 256, .registers = 20, .blocks = 16};
  EXPECT_TRUE(says(told(60e9, few), "more in flight than --word and --loads say")) << told(60e9, few);
}

TEST(BytesInFlight, more_than_the_pins_deliver_was_counted_wrongly) {
  EXPECT_TRUE(says(told(178e9), "which nothing can be"));
}

TEST(Roofline, asks_for_bytes_and_time_where_a_launch_is_given) {
  const Gpu gpu = lecture();
  const auto told_of = [&](const Words& options) { return ask("roofline", gpu, options).verdict.at(0); };
  EXPECT_TRUE(says(told_of({{"bytes", "88.5GB"}, {"time", "1s"}}), "50 % of the pin bandwidth"));
  EXPECT_TRUE(says(told_of({{"flops", "1Gflop"}, {"bytes", "44GB"}, {"time", "1s"}}), "cannot be told"));
  const std::string compute = told_of({{"flops", "1000Tflop"}, {"bytes", "88.5GB"}, {"time", "1000s"}});
  EXPECT_FALSE(says(compute, "in flight")) << compute;
  EXPECT_TRUE(says(error_of([&] { told_of({{"threads", "256"}}); }), "--bytes of device memory and --time"));
  EXPECT_TRUE(says(error_of([&] {
                     told_of({{"bytes", "1GB"}, {"time", "1s"}, {"blocks", "4"}});
                   }),
                   "need --threads beside them"));
}

} // namespace perfmodel::bytes_in_flight_test
