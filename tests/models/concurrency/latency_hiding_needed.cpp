// What is needed to reach a share of the peak: threads, and chains.
#include "models/concurrency/latency_hiding.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::latency_hiding_needed_test {

using Input = LatencyHiding::Input;

LatencyHiding::Rate rate(const Gpu& gpu, const Input& in) {
  Plain plain;
  return LatencyHiding::predict(gpu, in, plain);
}

Input input(Count threads, Count ilp, Count unroll = 8, Count operands = 3, Count blocks = 1) {
  Input in;
  in.threads = threads;
  in.blocks = blocks;
  in.ilp = ilp;
  in.unroll = unroll;
  in.operands = operands;
  return in;
}

// Round constants, so that a trip can be worked by hand: L 4, i 1, O 3, E 7, two banks of one operand a
// cycle.
Gpu hopper() {
  return with_facts(gpu_named("h200"), {{"fma.latency", "4"},
                                        {"loop.issue", "3"},
                                        {"loop.latency", "7"},
                                        {"register.reads", "2"},
                                        {"register.banks", "2"}});
}

std::vector<LatencyHiding::Threads> threads_needed(const Gpu& gpu, double target) {
  Plain plain;
  Input in;
  in.target = target;
  return std::get<0>(LatencyHiding::machine(gpu, in, plain));
}
std::vector<LatencyHiding::Chains> chains_needed(const Gpu& gpu, double target) {
  Plain plain;
  Input in;
  in.target = target;
  return std::get<1>(LatencyHiding::machine(gpu, in, plain));
}

// 24 cycles x 8 lanes (NVIDIA's guide: 192 threads); with k chains a k-th.
TEST(LatencyHidingNeeded, what_is_needed_on_cc_1_x_is_what_the_guide_prints) {
  const auto rows = threads_needed(free_of(gpu_named("gtx280"), {"loop.issue", "loop.latency"}), 1);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].threads, 192);
  EXPECT_EQ(rows[1].threads, 96);
  EXPECT_EQ(rows[2].threads, 64) << "48 in whole warps";
  EXPECT_EQ(rows[0].verdict, "yes");
}

TEST(LatencyHidingNeeded, what_is_needed_reaches_the_target_and_a_warp_less_does_not) {
  for (const char* name : {"h200", "m2090", "gtx460", "v100"}) {
    const Gpu gpu = gpu_named(name);
    for (const double target : {0.3, 0.5, 0.9}) {
      for (const LatencyHiding::Threads& row : threads_needed(gpu, target)) {
        if (std::isnan(row.threads)) {
          EXPECT_LT(row.of_peak, target) << name;
          EXPECT_EQ(row.verdict, "out of reach");
          continue;
        }
        EXPECT_GE(row.of_peak, target) << name;
        if (row.threads > 1024) continue;
        EXPECT_DOUBLE_EQ(rate(gpu, input(row.threads, row.ilp)).of_peak, row.of_peak) << name;
        if (row.threads > 32) {
          EXPECT_LT(rate(gpu, input(row.threads - 32, row.ilp)).of_peak, target) << name;
        }
      }
      for (const LatencyHiding::Chains& row : chains_needed(gpu, target)) {
        if (std::isnan(row.ilp) || row.threads > 1024) continue;
        EXPECT_GE(rate(gpu, input(row.threads, row.ilp)).of_peak, target) << name;
        if (row.ilp > 1) {
          EXPECT_LT(rate(gpu, input(row.threads, row.ilp / 2)).of_peak, target) << name;
        }
      }
    }
  }
}

// 768 threads of 10 + 16 registers would take 19 968 of the 8192 of a G80; 256 threads take 6656.
TEST(LatencyHidingNeeded, what_the_registers_do_not_hold_is_not_offered) {
  const Gpu slow =
      free_of(with_facts(gpu_named("8800gtx"), {{"fma.latency", "1000"}}), {"loop.issue", "loop.latency"});
  const auto rows = threads_needed(slow, 0.99);
  EXPECT_TRUE(std::isnan(rows[4].threads));
  EXPECT_EQ(rows[4].ilp, 16);
  EXPECT_LT(rows[4].of_peak, 0.52) << "at most 312 threads x 16 of the 8000 that are needed";
  EXPECT_EQ(rows[4].verdict, "out of reach");
  const LatencyHiding::Chains most = chains_needed(slow, 0.99).back();
  EXPECT_EQ(most.threads, 512);
  EXPECT_DOUBLE_EQ(most.of_peak, rate(slow, input(512, 4)).of_peak)
      << "512 x 14 registers fit, 512 x 18 do not";
}

TEST(LatencyHidingNeeded, what_is_needed_is_answered_for_the_chains_that_were_asked_for) {
  const Gpu gpu = hopper();
  const Result all = ask("latency-hiding", gpu, {{"target", "0.9"}});
  const Result asked = ask("latency-hiding", gpu, {{"target", "0.9"}, {"ilp", "4"}});
  const std::string threads(LatencyHiding::Threads::title);
  EXPECT_EQ(table_of(all, threads).rows(), 5u);
  ASSERT_EQ(table_of(asked, threads).rows(), 1u);
  EXPECT_EQ(number(asked, threads, "ilp"), 4);
  EXPECT_EQ(number(asked, threads, "threads_needed"), number(all, threads, "threads_needed", 2));
  EXPECT_EQ(number(ask("latency-hiding", gpu, {{"target", "90%"}, {"ilp", "6"}}), threads, "ilp"), 6)
      << "none of those that are shown unasked";
  for (const Table& table : asked.tables)
    EXPECT_NE(table.title, LatencyHiding::Chains::title) << "how many chains is settled";
  const Result sweep =
      ask("latency-hiding", gpu, {{"target", "0.9"}, {"ilp", "2,4"}, {"threads", "64:512:64"}});
  EXPECT_EQ(table_of(sweep, threads).rows(), 2u) << "one for each, whatever the points";
}

// Two blocks of few warps leave each other behind: what one block needs is too little.
TEST(LatencyHidingNeeded, what_is_needed_is_answered_for_the_blocks_that_were_asked_for) {
  const std::string threads(LatencyHiding::Threads::title), chains(LatencyHiding::Chains::title);
  for (const char* name : {"h200", "m2090", "v100"})
    for (const Count blocks : {1.0, 2.0, 3.0}) {
      const Gpu gpu = gpu_named(name);
      const Result r =
          ask("latency-hiding", gpu, {{"target", "0.8"}, {"blocks", std::to_string(int(blocks))}});
      const Table& needed = table_of(r, threads);
      EXPECT_EQ(needed.at("blocks").number(0), blocks);
      for (std::size_t row = 0; row < needed.rows(); ++row) {
        const Count all = needed.at("threads_needed").number(row), ilp = needed.at("ilp").number(row);
        if (std::isnan(all)) continue;
        const auto share = [&](Count t) { return rate(gpu, input(t / blocks, ilp, 8, 3, blocks)).of_peak; };
        EXPECT_GE(share(all), 0.8) << name << ", " << blocks << " blocks";
        EXPECT_DOUBLE_EQ(share(all), needed.at("reached").number(row)) << name;
        if (all > 32 * blocks) {
          EXPECT_LT(share(all - 32 * blocks), 0.8) << name;
        }
      }
      const Table& of_block = table_of(r, chains);
      for (std::size_t row = 0; row < of_block.rows(); ++row) {
        const Count t = of_block.at("threads").number(row), ilp = of_block.at("ilp_needed").number(row);
        if (std::isnan(ilp)) continue;
        EXPECT_DOUBLE_EQ(rate(gpu, input(t, ilp, 8, 3, blocks)).of_peak, of_block.at("reached").number(row));
      }
    }
}

} // namespace perfmodel::latency_hiding_needed_test
