// Divisions and functions of a mix: what they are made of, and what that takes.
#include "models/concurrency/instruction_class.hpp"
#include "tests/models/concurrency/throughput_questions.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace perfmodel::instruction_throughput_test {

// The SASS of nvcc 13.0 for sm_90, multiplied out by hand: udiv has three on xu (16 lanes), 3 x 2 cycles;
// fdiv two, the reciprocal and the check of its range; sinf 24 instructions, 24 / 4 issues; y % 8 three on
// alu, 3 x 0.5.
TEST(InstructionFunctions, a_function_in_a_mix_is_its_instructions) {
  const Gpu gpu = free_of(gpu_named("h200"), {"issue.queued_special", "issue.queued_shared"});
  EXPECT_EQ(cycles(gpu, "udiv:1"), 6);
  EXPECT_EQ(mix(gpu, input("udiv:1")).binds, "xu");
  EXPECT_EQ(cycles(gpu, "fdiv:2"), 8);
  EXPECT_EQ(cycles(gpu, "sinf"), 6);
  EXPECT_EQ(mix(gpu, input("sinf")).binds, "issue slots");
  EXPECT_EQ(mix(gpu, input("sinf")).instructions, 24);
  EXPECT_EQ(cycles(gpu, "imod8"), 1.5);
  EXPECT_EQ(cycles(gpu, "fdiv:1,rcp:1"), 6) << "what stands twice adds up";
  EXPECT_EQ(cycles(gpu_named("gtx980"), "imul:4"), cycles(gpu_named("gtx980"), "xmad:12"));
}

// Expected, measured, deviation. The mix bounds a function from above; what takes longest beyond it are
// general integer divisions, whose xu phase and alu phase do not overlap fully.
TEST(InstructionFunctions, the_sums_of_instructions_meet_the_functions_measured_on_an_h200) {
  const Gpu gpu = gpu_named("h200");
  double sum = 0, worst = 0;
  int count = 0;
  for (const InstructionClass& c : instruction_classes()) {
    if (c.kind != InstructionKind::function || c.throughput == &facts::throughput_shift ||
        c.throughput == &facts::throughput_logic)
      continue;
    const double measured = row(gpu, std::string(c.name)).cycles.value,
                 expected = cycles(gpu, std::string(c.name));
    const double deviation = expected / measured - 1;
    std::cout << c.name << ": " << expected << " cycles, measured " << measured << ", " << 100 * deviation
              << " %\n";
    EXPECT_LE(deviation, 0.04) << c.name << ": a bound from above in throughput";
    sum += std::fabs(deviation), worst = std::max(worst, std::fabs(deviation)), ++count;
  }
  EXPECT_EQ(count, 17);
  EXPECT_LE(sum / count, 0.09);
  EXPECT_LE(worst, 0.26);
}

// The list: division and modulo, general and by powers of two; accurate against fast functions.
TEST(InstructionFunctions, every_gpu_answers_for_division_and_functions) {
  for (const Gpu& gpu : every_nvidia_gpu())
    for (const char* name :
         {"udiv", "umod", "idiv", "imod", "udiv7", "umod7", "udiv8", "umod8", "idiv8", "imod8", "fdiv",
          "fdividef", "sqrtf", "sinf", "cosf", "expf", "__sinf", "__cosf", "__expf"}) {
      const double cycles = row(gpu, name).cycles.value;
      EXPECT_TRUE(cycles > 0 && cycles < 200) << gpu.name << " " << name << " " << cycles;
    }
}

// 5 additions, 2 products, a comparison and 5 conversions at 4 cycles, 2 integer products at 16: 13 x 4 + 32
// = 84; its quotient times the divisor and a subtraction more, 20.
TEST(InstructionFunctions, integer_division_of_cc_1_x_is_tens_of_instructions) {
  const Gpu gpu = gpu_named("gtx280");
  EXPECT_EQ(row(gpu, "udiv").cycles.value, 84);
  EXPECT_EQ(row(gpu, "umod").cycles.value, 104);
  EXPECT_EQ(row(gpu, "udiv").pipe, "sum of instructions");
}

TEST(InstructionFunctions, a_power_of_two_never_costs_more_and_an_accurate_function_never_less) {
  for (const Gpu& gpu : every_nvidia_gpu()) {
    const auto t = [&](const char* name) { return row(gpu, name).cycles.value; };
    for (const auto& [cheap, dear] : {std::pair{"udiv8", "udiv7"},
                                      {"udiv7", "udiv"},
                                      {"umod8", "umod7"},
                                      {"umod7", "umod"},
                                      {"idiv8", "idiv"},
                                      {"imod8", "imod"},
                                      {"__sinf", "sinf"},
                                      {"__cosf", "cosf"},
                                      {"fdividef", "fdiv"}})
      EXPECT_LE(t(cheap), t(dear)) << gpu.name << " " << cheap << " " << dear;
  }
}

} // namespace perfmodel::instruction_throughput_test
