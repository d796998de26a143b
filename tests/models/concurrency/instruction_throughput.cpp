#include "models/concurrency/instruction_throughput.hpp"

#include "models/concurrency/instruction_class.hpp"
#include "tests/models/concurrency/throughput_questions.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::instruction_throughput_test {

double busy(const Gpu& gpu, const std::string& text, const std::string& pipe) {
  const std::vector<InstructionThroughput::Pipe> pipes = std::get<1>(tables(gpu, input(text)));
  for (const InstructionThroughput::Pipe& p : pipes)
    if (p.pipe == pipe) return p.cycles.value;
  return absent;
}

// 32 / results per clock: 8, 2, 1.23, 1.6, 2, 8 (Filipovic 2010).
TEST(InstructionThroughput, cc_1_x_takes_the_cycles_that_the_lecture_prints) {
  const Gpu gpu = gpu_named("gtx280");
  EXPECT_EQ(row(gpu, "ffma").cycles.value, 4);
  EXPECT_EQ(row(gpu, "rcp").cycles.value, 16);
  EXPECT_NEAR(row(gpu, "fdiv").cycles.value, 26.0, 0.05);
  EXPECT_NEAR(row(gpu, "fdividef").cycles.value, 20, 1e-9);
  EXPECT_EQ(row(gpu, "imul").cycles.value, 16);
  EXPECT_EQ(row(gpu, "mul24").cycles.value, 4);
}

// Filipovic 2010: a + s[i] 4, a + a * s[i] 5, a + b * s[i] 6.
TEST(InstructionThroughput, an_operand_in_shared_memory_costs_a_mad_of_cc_1_x_up_to_two_cycles) {
  const Gpu gpu = gpu_named("gtx280");
  EXPECT_EQ(row(gpu, "fadd_s").cycles.value, 4);
  EXPECT_EQ(row(gpu, "ffma_s").cycles.value, 5);
  EXPECT_NEAR(row(gpu, "ffma_bs").cycles.value, 6, 0.001);
}

// Table of the guide: 32 / 32, 32 / 16, 32 / 4 (GF100); 32 / 48 and 32 / 4 (GF104).
TEST(InstructionThroughput, fermi_by_its_table) {
  EXPECT_EQ(row(gpu_named("m2090"), "ffma").cycles.value, 1);
  EXPECT_EQ(row(gpu_named("m2090"), "dfma").cycles.value, 2);
  EXPECT_EQ(row(gpu_named("m2090"), "imul").cycles.value, 2);
  EXPECT_EQ(row(gpu_named("m2090"), "rcp").cycles.value, 8);
  EXPECT_NEAR(row(gpu_named("gtx460"), "ffma").cycles.value, 2.0 / 3, 1e-12);
  EXPECT_EQ(row(gpu_named("gtx460"), "rcp").cycles.value, 4);
}

// 8 MADs and 8 MULs in 8 x 4 cycles: 24 flop x 32 threads / (32 cycles x 8 lanes) = 3 a lane and cycle.
TEST(InstructionThroughput, on_gt200_a_mul_beside_each_mad_is_free) {
  const Gpu gpu = gpu_named("gtx280");
  EXPECT_EQ(cycles(gpu, "ffma:8"), 32);
  EXPECT_EQ(cycles(gpu, "ffma:8,fmul_sfu:8"), 32);
  EXPECT_EQ(cycles(gpu, "ffma:8,fmul:8"), 64);
  EXPECT_EQ(cycles(gpu, "ffma:4,rcp:1"), 16) << "scalar processors and special function units overlap";
  EXPECT_EQ(cycles(gpu, "fmul_sfu:4,rcp:1"), 32) << "both on the special function units";
}

// GF104: 2 schedulers, 2 instructions each in 2 cycles; 12 FFMAs on 48 lanes take 12 x 32 / 48 = 8. One
// instruction each: 12 cycles. GK110: 12 on 192 lanes take 2, of 4 schedulers singly 3.
TEST(InstructionThroughput, without_dual_issue_cc_2_1_and_3_x_fall_short_of_peak) {
  const InstructionThroughput::Mix gf104 = mix(gpu_named("gtx460"), input("ffma:12"));
  EXPECT_NEAR(gf104.cycles.value, 8, 1e-12);
  EXPECT_EQ(gf104.single_issue.value, 12);
  const InstructionThroughput::Mix gk110 = mix(gpu_named("k40"), input("ffma:12"));
  EXPECT_NEAR(gk110.cycles.value, 2, 1e-12);
  EXPECT_EQ(gk110.single_issue.value, 3);
  EXPECT_TRUE(std::isnan(mix(gpu_named("m2090"), input("ffma:12")).single_issue.value));
}

// FMAheavy takes multiplications at 64 lanes, both pipes together FFMAs at 128: 4 x 0.5 on the one, 8 x 0.25
// + 4 x 0.25 on both, 12 / 4 issues. Half2 occupies both pipes: 8 x 0.25 + 4 x 0.5 on FMAheavy.
TEST(InstructionThroughput, hopper_deals_ffmas_to_two_pipes_of_which_one_multiplies_integers) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_EQ(busy(gpu, "ffma:8,imad:4", "fmaheavy"), 2);
  EXPECT_EQ(busy(gpu, "ffma:8,imad:4", "fmaheavy+fmalite"), 3);
  EXPECT_EQ(cycles(gpu, "ffma:8,imad:4"), 3);
  EXPECT_EQ(cycles(gpu, "ffma:4,imad:8"), 4);
  EXPECT_EQ(busy(gpu, "hfma2:8,imad:4", "fmaheavy"), 4);
  EXPECT_EQ(cycles(gpu, "hfma2:8,imad:4"), 4);
  EXPECT_EQ(mix(gpu, input("hfma2:8,imad:4")).binds, "fmaheavy");
}

TEST(InstructionThroughput, classes_of_one_pipe_add_up_and_those_of_two_overlap) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_EQ(cycles(gpu, "rcp:1,f2i:1"), 4);
  EXPECT_EQ(cycles(gpu, "rcp:1,lds:2"), 2);
  EXPECT_EQ(cycles(gpu, "lds:2,shuffle:2"), 4);
  EXPECT_EQ(cycles(gpu, "dfma:4,iadd3:4"), 2);
}

// (8 + 3 / unroll) / 4 issues a cycle.
TEST(InstructionThroughput, unrolling_shares_the_loop_among_bodies) {
  const Gpu gpu = gpu_named("h200");
  const std::string loop = "iadd:1,compare:1,branch:1";
  const InstructionThroughput::Mix one = mix(gpu, input("ffma:8", 1, loop));
  EXPECT_EQ(one.cycles.value, 2.75);
  EXPECT_EQ(one.without_loop.value, 2);
  EXPECT_NEAR(one.loop_share, 3.0 / 11, 1e-12);
  EXPECT_EQ(one.instructions, 11);
  EXPECT_EQ(one.binds, "issue slots");
  EXPECT_EQ(mix(gpu, input("ffma:8", 4, loop)).cycles.value, 2.1875);
}

TEST(InstructionThroughput, unrolling_never_costs_and_the_loop_never_saves) {
  for (const Gpu& gpu : every_nvidia_gpu())
    for (const char* text : {"ffma:8", "ffma:2,iadd:6", "rcp:1,ffma:2", "iadd:1"}) {
      double last = INFINITY;
      for (const double unroll : {1, 2, 3, 8, 100}) {
        InstructionThroughput::Input in;
        in.mix = text, in.unroll = unroll;
        const InstructionThroughput::Mix m = mix(gpu, in);
        EXPECT_LE(m.cycles.value, last) << gpu.name << " " << text << " " << unroll;
        EXPECT_GE(m.cycles.value, m.without_loop.value) << gpu.name << " " << text << " " << unroll;
        last = m.cycles.value;
      }
    }
}

TEST(InstructionThroughput, time_never_falls_when_an_instruction_is_added_and_doubles_with_the_mix) {
  for (const Gpu& gpu : every_nvidia_gpu())
    for (const InstructionClass& c : instruction_classes()) {
      if (c.kind == InstructionKind::function || c.throughput == nullptr || c.name == "ffma" ||
          c.name == "iadd" || gpu.record(c.throughput->path) == nullptr)
        continue;
      const std::string more = "ffma:4,iadd:3," + std::string(c.name);
      double last = cycles(gpu, "ffma:4,iadd:3");
      for (const char* count : {":1", ":2", ":5"}) {
        const double now = cycles(gpu, more + count);
        EXPECT_GE(now, last) << gpu.name << " " << more << count;
        last = now;
      }
      EXPECT_NEAR(cycles(gpu, "ffma:8,iadd:6," + std::string(c.name) + ":10"), 2 * last, 1e-9 * last)
          << gpu.name << " " << c.name;
    }
}

TEST(InstructionThroughput, a_class_alone_takes_its_own_cycles_unless_issue_is_slower) {
  for (const Gpu& gpu : every_nvidia_gpu()) {
    for (const InstructionThroughput::Class& c : classes(gpu)) {
      if (find_instruction_class(c.name)->kind == InstructionKind::function ||
          c.pipe == "sum of instructions")
        continue;
      const double issue = busy(gpu, c.name, "issue slots");
      EXPECT_NEAR(cycles(gpu, c.name), std::max(issue, c.cycles.value), 1e-9) << gpu.name << " " << c.name;
    }
  }
}

// An IADD3 on the one pipe or an IMAD on the other: 64 + 64 lanes; beside 8 FFMAs, 4 x 0.5 on alu alone.
TEST(InstructionThroughput, hopper_adds_integers_on_whichever_of_two_pipes_is_free) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_EQ(cycles(gpu, "iadd:8"), 2);
  EXPECT_EQ(cycles(gpu, "iadd3:8"), 4);
  EXPECT_EQ(cycles(gpu, "iadd:4,logic:4"), 2);
  EXPECT_EQ(cycles(gpu, "iadd:4,logic:4,imad:4"), 3);
  EXPECT_EQ(cycles(gpu, "h2f:4,imad:4"), 4) << "both on fmaheavy";
  EXPECT_EQ(cycles(gpu, "i2f:4,imad:4"), 2) << "alu beside fmaheavy";
}

} // namespace perfmodel::instruction_throughput_test
