#include "models/ladders/memory_parallelism.hpp"

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

// A launch costs 1000, a load 900, a drain 500 cycles; an SM launches a block every 100 cycles.
Gpu hopper() {
  return with_facts(free_of(gpu_named("h200"), {"block.device_interval", "block.warp_interval"}),
                    {{"block.launch", "1000"},
                     {"dram.latency_mean", "900"},
                     {"dram.gather_latency", "900"},
                     {"block.store_drain", "500"},
                     {"block.launch_interval", "100"},
                     {"sustained.dram.read", "4.4 TB/s"},
                     {"sustained.dram.write", "4.4 TB/s"},
                     {"sustained.dram.copy", "4.4 TB/s"}});
}

// One warp, one word: 1000 + 900 + 500 cycles, some 60 for its eight other instructions, and 1 % for the
// launch's beginning and end.
TEST(MemoryParallelism, a_block_alone_takes_launch_load_and_drain) {
  EXPECT_NEAR(round_of(hopper(), input(32, 1)), 2400 + 60, 60);
  EXPECT_EQ(rate(hopper(), input(32, 1)).bound, "latency");
  const Gpu slower = with_facts(hopper(), {{"block.launch", "1500"}});
  EXPECT_NEAR(round_of(slower, input(32, 1)) - round_of(hopper(), input(32, 1)), 500, 25);
}

// 2400 cycles of 1.98 GHz, in which 2 / 4.4 - 1 / 4.4 seconds go by for each TB.
TEST(MemoryParallelism, the_bytes_needed_are_latency_times_bandwidth) {
  const double needed = 2400 / 1.98e9 * 4.4e12;
  EXPECT_NEAR(rate(hopper(), input(32, 1)).needed.value, needed, 1);
  EXPECT_EQ(rate(hopper(), input(1024, 2, 8)).needed, rate(hopper(), input(32, 1)).needed);
  EXPECT_TRUE(
      std::isnan(rate(with_facts(hopper(), {{"sustained.dram.read", "2 TB/s"}}), input(32, 1)).needed.value));
}

// Twice as much in flight as is needed reaches nine tenths of the roof, a quarter of it no more than half.
TEST(MemoryParallelism, far_more_bytes_than_needed_reach_the_roof_and_far_fewer_do_not) {
  for (const Gpu& gpu : {hopper(), gpu_named("h200"), gpu_named("m2090")})
    for (const Count ilp : {1, 2, 4, 8})
      for (const Count blocks : {1, 2, 4, 8}) {
        const MemoryParallelism::Rate r = rate(gpu, input(64, blocks, ilp));
        const double share = r.bandwidth.value / gpu.at(facts::dram_bandwidth).value.value;
        if (r.in_flight.value > 2 * r.needed.value) {
          EXPECT_TRUE(r.bound.starts_with("bandwidth")) << gpu.name << ": " << blocks << ", " << ilp;
        }
        if (r.in_flight.value < r.needed.value / 4) {
          EXPECT_LT(share, 0.5) << gpu.name << ": " << blocks << ", " << ilp;
          EXPECT_FALSE(r.bound.starts_with("bandwidth")) << gpu.name << ": " << blocks << ", " << ilp;
        }
      }
}

// R. Vuduc, CSE 6230, 2014, slide 43: 0.41, 0.62, 0.64 (worst reading) of the pins; and 0.7 to 0.72 by 1024
// threads, which one block cannot reach while its SM waits for it alone. The first point, 0.25, calibrates.
TEST(MemoryParallelism, the_m2090_copies_as_the_lecture_has_it) {
  const Gpu gpu = gpu_named("m2090");
  EXPECT_NEAR(rate(gpu, input(32, 8)).of_pin, 0.25, 0.0025);
  const double words[] = {2, 4, 8}, printed[] = {0.41, 0.62, 0.64};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(rate(gpu, input(32, 8, words[i])).of_pin / printed[i], 1, 0.22) << words[i];
  for (const Count ilp : {1, 2, 4, 8})
    EXPECT_NEAR(rate(gpu, input(1024, 1, ilp)).of_pin / 0.72, 1, 0.1) << ilp;
}

TEST(MemoryParallelism, without_a_number_an_sm_holds_as_many_blocks_as_fit) {
  EXPECT_EQ(rate(gpu_named("m2090"), input(32, std::nullopt)).blocks, 8);
  EXPECT_EQ(rate(hopper(), input(32, std::nullopt)).blocks, 32);
  EXPECT_EQ(rate(hopper(), input(1024, std::nullopt)).blocks, 2);
}

// 32 blocks of a warp, a launch every 100 cycles.
TEST(MemoryParallelism, many_small_blocks_of_the_h200_wait_to_be_launched) {
  EXPECT_EQ(rate(hopper(), input(32, 32)).bound, "block launch");
  EXPECT_NEAR(round_of(hopper(), input(32, 32)), 3200, 64);
}

// One every 1.2 cycles for 132 SMs: 158.4 cycles for each of theirs, more than the 100 of an SM.
TEST(MemoryParallelism, where_many_sms_launch_the_gpu_is_what_they_wait_for) {
  const Gpu gpu = with_facts(hopper(), {{"block.device_interval", "1.2"}});
  EXPECT_NEAR(round_of(gpu, input(32, 32)), 32 * 158.4, 0.02 * 32 * 158.4);
  EXPECT_EQ(rate(gpu, input(32, 32)).bound, "block launch");
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

// Two simulations of which one has a little more in flight differ by where their warps meet, too.
constexpr double by_chance = 1.03;

template <class Change> void expect_never_falls(const char* what, Change change) {
  ASSERT_GE(gpus().size(), 20u);
  for (const Gpu& gpu : gpus()) {
    double last = 0;
    for (const int step : {1, 2, 8}) {
      const MemoryParallelism::Rate now = rate(gpu, change(step));
      EXPECT_GE(now.bandwidth.value * by_chance, last) << gpu.name << ": " << what << " " << step;
      EXPECT_LE(now.bandwidth.value, roof(gpu)) << gpu.name << ": " << what << " " << step;
      last = now.bandwidth.value;
    }
  }
}

TEST(MemoryParallelism, bandwidth_never_falls_with_words_or_blocks_and_never_exceeds_the_roof) {
  expect_never_falls("words", [](int step) { return input(64, 4, step); });
  expect_never_falls("blocks", [](int step) { return input(64, step); });
}
TEST(MemoryParallelism, bandwidth_never_falls_with_wider_words_or_more_threads) {
  for (const char* name : {"m2090", "h200", "gtx280"}) {
    const Gpu gpu = gpu_named(name);
    for (const auto& change :
         std::initializer_list<Input (*)(int)>{[](int step) {
                                                 return input(64, 2, 2, step < 3 ? 4 : step < 6 ? 8 : 16);
                                               },
                                               [](int step) { return input(32.0 * step, 2, 4); }}) {
      double last = 0;
      for (const int step : {1, 3, 6}) {
        const double now = rate(gpu, change(step)).bandwidth.value;
        EXPECT_GE(now * by_chance, last) << name << " " << step;
        last = now;
      }
    }
  }
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
  EXPECT_EQ(why({{"blocks", "8"}, {"ilp", "1"}}), "no error");
  EXPECT_EQ(why({{"blocks", "9"}}), "--blocks 9: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"blocks", "99"}}),
            "--blocks 99: an SM of h200 holds 8 blocks of 256 threads (limit: warps)");
  EXPECT_EQ(why({{"word", "5"}}), "--word 5 B: a thread loads words of 4, 8 or 16 bytes");
  EXPECT_EQ(why({{"target", "2"}}), "--target 2: a share of the bandwidth is at most 1");
  for (const char* share : {"1", "95%"}) EXPECT_EQ(why({{"target", share}, {"ilp", "1"}}), "no error");
  for (const char* word : {"4", "8", "16"}) EXPECT_EQ(why({{"word", word}, {"ilp", "1"}}), "no error");
}

} // namespace perfmodel::memory_parallelism_test
