#include "models/concurrency/littles_law.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::littles_law_test {

LittlesLaw::Tables law(const Gpu& gpu, const LittlesLaw::Input& in = {}) {
  Plain plain;
  return LittlesLaw::predict(gpu, in, plain);
}
LittlesLaw::Arithmetic arithmetic(const Gpu& gpu, const LittlesLaw::Input& in = {}) {
  return std::get<0>(law(gpu, in)).at(0);
}
LittlesLaw::Memory memory(const Gpu& gpu, const LittlesLaw::Input& in = {}) {
  return std::get<1>(law(gpu, in)).at(0);
}

Gpu lecture() {
  return with_facts(gpu_named("m2090"),
                    {{"clock", "1.3GHz"}, {"dram.bandwidth", "177GB/s"}, {"dram.latency", "800"}});
}

// 20 cycles x 32 FMAs per cycle (Vuduc 2014, slide 29).
TEST(LittlesLaw, an_sm_of_the_m2090_needs_640_operations_in_flight) {
  const LittlesLaw::Arithmetic a = arithmetic(gpu_named("m2090"));
  EXPECT_EQ(a.in_flight, 640);
  EXPECT_EQ(a.threads, 640);
  EXPECT_EQ(a.warps, 20);
  EXPECT_EQ(a.resident, 1536);
  EXPECT_EQ(a.fits, "yes");
}

// 24 x 8 and 24 x 32 (Filipovic 2010; NVIDIA's guide).
TEST(LittlesLaw, read_after_write_needs_192_threads_on_cc_1_x_and_768_on_cc_2_x) {
  EXPECT_EQ(arithmetic(gpu_named("gtx280")).threads, 192);
  EXPECT_EQ(arithmetic(gpu_named("gtx480")).threads, 768);
}

// 800 / 1.3e9 x 177e9 = 108 923 B = 106.37 KiB; / 4 = 27 230.8; 16 x 1536 = 24 576. Worked by hand; slide 40
// ff.
TEST(LittlesLaw, the_lecture_needs_106_kib_in_flight_and_more_threads_than_the_device_holds) {
  const LittlesLaw::Memory m = memory(lecture());
  EXPECT_NEAR(m.in_flight.value, 108'923, 0.5);
  EXPECT_NEAR(m.in_flight.value / 1024, 106.4, 0.05);
  EXPECT_EQ(m.threads, 27'231);
  EXPECT_EQ(m.resident, 24'576);
  EXPECT_EQ(m.fits, "no: more than the 24576 threads the device can hold; raise --loads or --word");
}

// 27 231 / 16 / 32 = 53.2, and an SM holds 48. Of words of 16 B: 6808 / 16 / 32 = 13.3.
TEST(LittlesLaw, warps_per_sm_are_told_of_memory_as_of_arithmetic) {
  EXPECT_EQ(memory(lecture()).warps, 54);
  EXPECT_EQ(memory(lecture(), {.word = Bytes(16)}).warps, 14);
  const Gpu gpu = lecture();
  Plain plain;
  EXPECT_EQ(
      LittlesLaw::verdict(gpu, {}, LittlesLaw::predict(gpu, {}, plain)),
      "Full DRAM bandwidth needs 108.9 kB in flight, 27 231 threads or 54 warps per SM; 24 576 threads fit, "
      "enough for 90.3 % of it. Full rate of FMAs needs 640 threads per SM, 20 warps; 1536 fit.");
}

// 800 / 1.301e9 x 177.4e9 = 109 085 B, worked by hand.
TEST(LittlesLaw, the_data_sheet_needs_109_085_bytes) {
  EXPECT_NEAR(memory(gpu_named("m2090")).in_flight.value, 109'085, 0.5);
}

// 800 / 1.3e9 x 125e9 = 76 923 B = 75.1 KiB.
TEST(LittlesLaw, at_the_measured_bandwidth_75_kib_are_enough) {
  LittlesLaw::Input in;
  in.basis = Basis::measured;
  EXPECT_NEAR(memory(with_facts(lecture(), {{"sustained.dram", "125GB/s"}}), in).in_flight.value / 1024, 75.1,
              0.05);
  EXPECT_NEAR(memory(with_facts(lecture(), {{"dram.bandwidth", "125GB/s"}})).in_flight.value / 1024, 75.1,
              0.05);
}

// 108 923 / 1024 = 106.4 B in the one block; / (16 x 1024) = 6.65 B; / (16 x 1536) = 4.43 B: R. Vuduc,
// GPU tuning, part 1, slide 41, for the one block.
TEST(LittlesLaw, the_bytes_of_a_thread_depend_on_the_scope_and_the_scope_is_said) {
  const Gpu gpu = lecture();
  const std::vector<LittlesLaw::Share> s = std::get<2>(law(gpu));
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].scope, "one block of 1024 threads, alone on the device");
  EXPECT_EQ(s[0].threads, 1024);
  EXPECT_NEAR(s[0].per_thread.value, 106.4, 0.05);
  EXPECT_EQ(s[1].scope, "one such block on each of 16 SMs");
  EXPECT_NEAR(s[1].per_thread.value, 6.65, 0.005);
  EXPECT_EQ(s[2].scope, "every SM full, 1536 threads");
  EXPECT_NEAR(s[2].per_thread.value, 4.43, 0.005);
}

// The toy: 1000 cycles at 1 GHz x 100 GB/s = 100 000 B; 10 SMs x 2048 threads = 20 480.
TEST(LittlesLaw, the_last_thread_that_fits_and_the_first_that_does_not) {
  EXPECT_EQ(memory(toy()).threads, 25'000);
  EXPECT_NE(memory(toy()).fits, "yes");
  const auto in_flight = [](const char* cycles) {
    return memory(with_facts(toy(), {{"dram.latency", cycles}})); // 100 B a cycle, 4 B a thread
  };
  EXPECT_EQ(in_flight("819.2").threads, 20'480);
  EXPECT_EQ(in_flight("819.2").fits, "yes");
  EXPECT_EQ(in_flight("819.22").threads, 20'481);
  EXPECT_EQ(in_flight("819.22").fits,
            "no: more than the 20480 threads the device can hold; raise --loads or --word");
}

TEST(LittlesLaw, a_load_is_of_as_many_bytes_as_an_instruction_moves) {
  LittlesLaw::Input in;
  for (const double bytes : {1, 2, 4, 8, 16}) {
    in.word = Bytes(bytes);
    EXPECT_EQ(error_of([&] { law(toy(), in); }), "no error") << bytes;
  }
  in.word = Bytes(3);
  EXPECT_EQ(error_of([&] { law(toy(), in); }), "--word: a load is of 1, 2, 4, 8 or 16 B, not of 3 B");
  in.word = Bytes(1e9);
  EXPECT_EQ(error_of([&] { law(toy(), in); }), "--word: a load is of 1, 2, 4, 8 or 16 B, not of 1 GB");
}

TEST(LittlesLaw, loads_and_words_share_the_work_of_threads) {
  LittlesLaw::Input loads, word, both;
  loads.loads = 4;
  word.word = Bytes(16);
  both.loads = 3;
  both.word = Bytes(16);
  EXPECT_EQ(memory(toy(), loads).threads, 6250);
  EXPECT_EQ(memory(toy(), word).threads, 6250);
  EXPECT_EQ(memory(toy(), both).threads, 2084) << "100 000 / 48 = 2083.3, rounded up";
}

TEST(LittlesLaw, independent_operations_share_the_work_of_threads) {
  LittlesLaw::Input in;
  in.ilp = 3;
  const LittlesLaw::Arithmetic a = arithmetic(toy(), in); // 20 x 50 = 1000 in flight
  EXPECT_EQ(a.in_flight, 1000);
  EXPECT_EQ(a.threads, 334);
  EXPECT_EQ(a.warps, 11) << "334 / 32 = 10.4";
}

TEST(LittlesLaw, halving_latency_halves_concurrency_on_every_gpu) {
  for (const Gpu& gpu : every_gpu()) {
    if (!gpu.find(facts::dram_latency)) continue;
    const Gpu half = with_fact(gpu, "dram.latency", gpu.at(facts::dram_latency).value.value / 2);
    EXPECT_DOUBLE_EQ(memory(half).in_flight.value, memory(gpu).in_flight.value / 2) << gpu.name;
    EXPECT_DOUBLE_EQ(memory(gpu).in_flight_per_sm.value * gpu.at(facts::sm_count).value,
                     memory(gpu).in_flight.value)
        << gpu.name;
    if (!gpu.find(facts::fma_latency)) continue;
    const Gpu quick = with_fact(gpu, "fma.latency", gpu.at(facts::fma_latency).value.value / 2);
    EXPECT_DOUBLE_EQ(arithmetic(quick).in_flight, arithmetic(gpu).in_flight / 2) << gpu.name;
  }
}

TEST(LittlesLaw, doubling_bandwidth_doubles_bytes_in_flight_and_leaves_arithmetic) {
  const Gpu twice = with_facts(toy(), {{"dram.bandwidth", "200GB/s"}});
  EXPECT_DOUBLE_EQ(memory(twice).in_flight.value, 200'000);
  EXPECT_EQ(arithmetic(twice).in_flight, 1000);
}

TEST(LittlesLaw, double_precision_has_latency_and_rate_of_its_own) {
  LittlesLaw::Input in;
  in.precision = FmaPrecision::fp64;
  const Gpu gpu = with_facts(toy(), {{"fp64.latency", "40"}, {"throughput.fp64_fma", "25"}});
  EXPECT_EQ(arithmetic(gpu, in).in_flight, 1000);
  EXPECT_EQ(error_of([&] { law(toy(), in); }), "toy has no rate for fp64; it has fp32");
}

TEST(LittlesLaw, without_an_arithmetic_latency_the_memory_side_still_answers) {
  Gpu gpu = toy();
  gpu.facts.erase("fma.latency");
  EXPECT_TRUE(std::get<0>(law(gpu)).empty());
  EXPECT_DOUBLE_EQ(memory(gpu).in_flight.value, 100'000);
}

} // namespace perfmodel::littles_law_test
