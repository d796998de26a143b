#include "models/concurrency/memory_parallelism.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace perfmodel::memory_parallelism_test {

using Input = MemoryParallelism::Input;

Input input(Count threads, std::optional<Count> blocks, std::optional<Count> ilp = 1, double word = 4) {
  Input in;
  in.threads = threads;
  in.blocks = blocks;
  in.ilp = ilp;
  in.word = Bytes(word);
  return in;
}
MemoryParallelism::Rate rate(const Gpu& gpu, const Input& in) {
  Plain plain;
  return MemoryParallelism::predict(gpu, in, plain);
}
std::vector<MemoryParallelism::Blocks> needed(const Gpu& gpu, const Input& in) {
  Plain plain;
  return std::get<0>(MemoryParallelism::machine(gpu, in, plain));
}
// Cycles of a round: bytes copied / bandwidth x clock.
double round_of(const Gpu& gpu, const Input& in) {
  const MemoryParallelism::Rate r = rate(gpu, in);
  return 2 * r.in_flight.value / r.bandwidth.value * gpu.at(facts::clock).value.value;
}

// Launch 1000, load 900, drain 500, a launch of an SM every 100 cycles, all warps of a block at once; 4.4
// TB/s.
Gpu hopper() {
  return with_facts(free_of(gpu_named("h200"), {"block.device_interval", "block.warp_interval"}),
                    {{"block.launch", "1000"},
                     {"block.load_latency", "900"},
                     {"block.store_drain", "500"},
                     {"block.launch_interval", "100"},
                     {"sustained.dram.read", "4.4 TB/s"},
                     {"sustained.dram.write", "4.4 TB/s"},
                     {"sustained.dram.copy", "4.4 TB/s"}});
}

// The lecture's card, whose blocks cost nothing beside the 800 cycles of a load.
Gpu m2090() {
  return free_of(with_facts(gpu_named("m2090"), {{"block.load_latency", "800 cycle"}}),
                 {"block.launch", "block.store_drain", "block.launch_interval", "block.device_interval",
                  "block.warp_interval"});
}

// 16 SMs x 8 blocks x 32 threads x 4 B = 16 384 B take 170.52 cycles of 1.301 GHz at 125 GB/s, a block's part
// of it 21.31: t(k) = 800 + 191.83 k. Printed: 0.25, 0.41, 0.62, 0.70 (Vuduc 2014, slide 43).
TEST(MemoryParallelism, the_m2090_waits_800_cycles_and_then_for_its_own_bytes) {
  const Gpu gpu = m2090();
  for (const Count k : {1, 2, 4}) {
    EXPECT_NEAR(round_of(gpu, input(32, 8, k)), 800 + (170.5247 + 21.3156) * k, 0.001) << k;
    EXPECT_EQ(rate(gpu, input(32, 8, k)).bound, "latency");
  }
  EXPECT_NEAR(rate(gpu, input(32, 8)).bandwidth.value, 42.98e9, 0.005e9);
  EXPECT_NEAR(rate(gpu, input(32, 8)).of_pin, 0.2423, 0.00005);
}

// Eight words: 800 + 1534.7 cycles, less than the 2 x 131 072 B of the round need at 125 of 177.4 GB/s.
TEST(MemoryParallelism, eight_words_of_each_thread_reach_the_roof_of_the_m2090) {
  const MemoryParallelism::Rate r = rate(m2090(), input(32, 8, 8));
  EXPECT_NEAR(r.of_pin, 125 / 177.4, 1e-12);
  EXPECT_EQ(r.bound, "bandwidth");
}

TEST(MemoryParallelism, without_a_number_an_sm_holds_as_many_blocks_as_fit) {
  EXPECT_EQ(rate(gpu_named("m2090"), input(32, std::nullopt)).blocks, 8);
  EXPECT_EQ(rate(hopper(), input(32, std::nullopt)).blocks, 32);
  EXPECT_EQ(rate(hopper(), input(1024, std::nullopt)).blocks, 2);
}

// 32 blocks x 128 B x 132 SMs = 540 672 B: 243.3 cycles of 1.98 GHz at 4.4 TB/s, a block's part 7.6. Latency
// 2400 + 250.9; to launch 32 blocks takes 3200. Of 26 blocks: 2400 + 197.7 + 7.6 against 2600; of 27, 2700.
TEST(MemoryParallelism, many_small_blocks_of_the_h200_wait_to_be_launched) {
  const MemoryParallelism::Rate r = rate(hopper(), input(32, 32));
  EXPECT_EQ(r.bound, "block launch");
  EXPECT_NEAR(round_of(hopper(), input(32, 32)), 3200, 1e-9);
  EXPECT_NEAR(r.bandwidth.value, 2 * 540'672 / 3200.0 * 1.98e9, 1);
  EXPECT_EQ(rate(hopper(), input(32, 27)).bound, "block launch");
  EXPECT_EQ(rate(hopper(), input(32, 26)).bound, "latency");
  EXPECT_NEAR(round_of(hopper(), input(32, 26)), 2400 + 197.6832 + 7.6032, 1e-6);
}

// One every 1.2 cycles for 132 SMs: 158.4 cycles for each of theirs, more than the 100 of an SM.
TEST(MemoryParallelism, where_many_sms_launch_the_gpu_is_what_they_wait_for) {
  const Gpu gpu = with_facts(hopper(), {{"block.device_interval", "1.2"}});
  EXPECT_NEAR(round_of(gpu, input(32, 32)), 32 * 158.4, 1e-9);
  EXPECT_EQ(rate(gpu, input(32, 32)).bound, "block launch");
}

// 32 warps, 2 cycles from one to the next: 62 cycles until the last has begun; of 8 warps 14.
TEST(MemoryParallelism, the_warps_of_a_block_begin_one_after_the_other) {
  const Gpu gpu = with_facts(hopper(), {{"block.warp_interval", "2"}});
  EXPECT_NEAR(round_of(gpu, input(1024, 1)) - round_of(hopper(), input(1024, 1)), 62, 1e-9);
  EXPECT_NEAR(round_of(gpu, input(256, 4)) - round_of(hopper(), input(256, 4)), 14, 1e-9);
}

// Loads 3 TB/s, stores 2 TB/s, copies 4 TB/s: Q / 3 + q / 2 per SM, at least 2 Q / 4. 132 x 8192 B loaded in
// two blocks: 713.7 cycles, 267.6 x 2 of them for one block's stores; 2400 + 713.7 + 535.3.
TEST(MemoryParallelism, loads_and_stores_have_bandwidths_of_their_own) {
  const Gpu gpu = with_facts(hopper(), {{"sustained.dram.read", "3 TB/s"},
                                        {"sustained.dram.write", "2 TB/s"},
                                        {"sustained.dram.copy", "4 TB/s"}});
  EXPECT_NEAR(round_of(gpu, input(1024, 2)), 2400 + 713.6871 + 535.2653, 0.001);
}

// What blocks cost was not measured: the answer says that it is assumed, and in which range.
TEST(MemoryParallelism, what_was_not_measured_is_assumed_and_said) {
  Recorder recorder;
  MemoryParallelism::predict(gpu_named("m2090"), input(32, 8), recorder);
  const auto& steps = recorder.derivation.steps;
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const Step& s) {
    return s.symbol == "block.launch" && s.grade == Grade::assumed && s.low < s.value && s.value < s.high;
  }));
  EXPECT_EQ(recorder.grades.worst(), Grade::assumed);
  EXPECT_EQ(MemoryParallelism::tolerance(gpu_named("m2090"), {}), 0.35);
  EXPECT_EQ(MemoryParallelism::tolerance(hopper(), {}), 0.20);
}

TEST(MemoryParallelism, bytes_in_flight_are_threads_times_words_times_word) {
  EXPECT_EQ(rate(hopper(), input(96, 5, 3, 8)).in_flight.value, 132.0 * 5 * 96 * 3 * 8);
}

// Every GPU that the model answers for, and the H200 with blocks that cost something.
std::vector<Gpu> gpus() {
  std::vector<Gpu> all{hopper()};
  for (const Gpu& gpu : every_gpu())
    if (error_of([&] { rate(gpu, input(32, 1)); }) == "no error") all.push_back(gpu);
  return all;
}
double roof(const Gpu& gpu) {
  for (const auto& key : {facts::sustained_dram_copy, facts::sustained_dram})
    if (const auto found = gpu.find(key)) return found->value.value;
  return gpu.cost(facts::sustained_dram_copy).value;
}

constexpr double rounding = 1 + 1e-12;

template <class Change> void expect_never_falls(const char* what, Change change) {
  ASSERT_GE(gpus().size(), 20u);
  for (const Gpu& gpu : gpus()) {
    double last = 0;
    for (int step = 1; step <= 8; ++step) {
      const MemoryParallelism::Rate now = rate(gpu, change(step));
      EXPECT_GE(now.bandwidth.value * rounding, last) << gpu.name << ": " << what << " " << step;
      EXPECT_LE(now.bandwidth.value, roof(gpu) * rounding) << gpu.name << ": " << what << " " << step;
      last = now.bandwidth.value;
    }
  }
}

TEST(MemoryParallelism, bandwidth_never_falls_with_words_blocks_or_threads_and_never_exceeds_the_roof) {
  expect_never_falls("words", [](int step) { return input(64, 4, step); });
  expect_never_falls("word", [](int step) { return input(64, 2, 2, step < 3 ? 4 : step < 6 ? 8 : 16); });
  expect_never_falls("blocks", [](int step) { return input(64, step); });
  expect_never_falls("threads", [](int step) { return input(32.0 * step, 2, 4); });
}

// Both sides: where nothing waits for launches, the roof is reached exactly when so many bytes are in flight.
TEST(MemoryParallelism, the_bytes_needed_are_those_that_reach_the_roof) {
  for (const Gpu& gpu : gpus())
    for (const Count blocks : {1, 2, 4, 8})
      for (const Count ilp : {1, 2, 4, 8}) {
        if (blocks > rate(gpu, input(64, {}, ilp)).blocks) continue;
        const MemoryParallelism::Rate r = rate(gpu, input(64, blocks, ilp));
        if (r.bound == "block launch") continue;
        EXPECT_EQ(r.bound.starts_with("bandwidth"), r.in_flight >= r.needed)
            << gpu.name << ": " << blocks << ", " << ilp;
      }
}

TEST(MemoryParallelism, loads_slower_than_half_a_copy_need_more_than_any_number_of_bytes) {
  const Gpu gpu = with_facts(hopper(), {{"sustained.dram.read", "2 TB/s"}});
  EXPECT_TRUE(std::isnan(rate(gpu, input(1024, 2, 8)).needed.value));
  EXPECT_EQ(rate(gpu, input(1024, 2, 8)).bound, "latency");
}

TEST(MemoryParallelism, the_blocks_needed_reach_the_target_and_one_less_does_not) {
  for (const char* name : {"m2090", "h200", "gtx280"}) {
    const Gpu gpu = gpu_named(name);
    for (const MemoryParallelism::Blocks& row : needed(gpu, input(64, {}, std::nullopt))) {
      const auto share = [&](Count blocks) {
        return rate(gpu, input(64, blocks, row.ilp)).bandwidth.value / roof(gpu);
      };
      if (std::isnan(row.blocks)) {
        EXPECT_LT(row.reached, row.target) << name;
        EXPECT_DOUBLE_EQ(share(rate(gpu, input(64, {}, row.ilp)).blocks), row.reached)
            << name << ": all that fit";
        continue;
      }
      EXPECT_GE(share(row.blocks), row.target) << name;
      EXPECT_DOUBLE_EQ(share(row.blocks), row.reached) << name;
      if (row.blocks > 1) {
        EXPECT_LT(share(row.blocks - 1), row.target) << name;
      }
    }
  }
}

// Eight words of 16 B are 32 registers and ten: 1024 such threads do not fit into the 32 768 of cc 2.0.
TEST(MemoryParallelism, words_that_the_registers_do_not_hold_are_left_empty_and_the_others_answered) {
  const auto rows = needed(gpu_named("m2090"), input(1024, {}, std::nullopt, 16));
  ASSERT_EQ(rows.size(), 12u);
  for (const MemoryParallelism::Blocks& row : rows)
    EXPECT_EQ(std::isnan(row.reached), row.ilp == 8) << row.ilp;
}

TEST(MemoryParallelism, what_is_needed_is_answered_for_the_words_that_were_asked_for) {
  const Gpu gpu = gpu_named("h200");
  const auto all = needed(gpu, input(256, {}, std::nullopt));
  const auto asked = needed(gpu, input(256, {}, 4)), other = needed(gpu, input(256, {}, 3));
  ASSERT_EQ(asked.size(), 3u) << "a row for each target";
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(asked[i].ilp, 4);
    EXPECT_EQ(asked[i].blocks, all[4 * i + 2].blocks) << "of 1, 2, 4, 8 the third";
    EXPECT_EQ(other[i].ilp, 3) << "none of those that are shown unasked";
  }
}

TEST(MemoryParallelism, a_sweep_goes_on_without_the_blocks_that_an_sm_does_not_hold) {
  const Result r = ask("memory-parallelism", gpu_named("h200"), {{"blocks", "7:10"}});
  EXPECT_EQ(table_of(r, "copy bandwidth").rows(), 2u);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(
      r.notes[0],
      "The kernel cannot run at 2 of 4 points, which are left out; the first: --blocks 9: an SM of h200 "
      "holds 8 blocks of 256 threads (limit: warps).");
}

TEST(MemoryParallelism, errors_are_sentences) {
  const Gpu gpu = gpu_named("h200");
  const auto why = [&](const Words& options) {
    return error_of([&] { ask("memory-parallelism", gpu, options); });
  };
  EXPECT_EQ(why({{"threads", "0"}}), "--threads: 0 given, a whole number from 1 is expected");
  EXPECT_EQ(why({{"threads", "2000"}}),
            "a block of 2000 threads cannot launch on h200: a block has at most 1024 threads");
  EXPECT_EQ(why({{"ilp", "0"}}), "--ilp: 0 given, a whole number from 1 to 65536 is expected");
  EXPECT_EQ(why({{"ilp", "300"}}),
            "--ilp 300 words of 4 B need about 310 registers of a thread; h200 allows 255");
  EXPECT_EQ(why({{"ilp", "245"}, {"threads", "32"}}), "no error") << "the last that fits, 255 registers";
  EXPECT_EQ(why({{"ilp", "246"}, {"threads", "32"}}),
            "--ilp 246 words of 4 B need about 256 registers of a thread; h200 allows 255");
  EXPECT_EQ(why({{"blocks", "8"}}), "no error");
  EXPECT_EQ(why({{"blocks", "9"}}), "--blocks 9: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"blocks", "99"}}),
            "--blocks 99: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"word", "5"}}), "--word 5 B: a thread loads words of 4, 8 or 16 bytes");
  EXPECT_EQ(why({{"target", "2"}}), "--target 2: a share of the bandwidth is at most 1");
  for (const char* share : {"1", "95%"}) EXPECT_EQ(why({{"target", share}}), "no error");
  for (const char* word : {"4", "8", "16"}) EXPECT_EQ(why({{"word", word}}), "no error");
}

} // namespace perfmodel::memory_parallelism_test
