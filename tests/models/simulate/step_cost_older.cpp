#include "costed_code.hpp"

#include <gtest/gtest.h>

namespace perfmodel::step_cost_test {

constexpr std::size_t pipe = 7; // a unit of arithmetic

// LDS of 32 lanes, side by side (two wavefronts, one for each half-warp) or all in one bank.
constexpr std::string_view side_by_side =
                               "S2R R0, SR_TID.X\nIMAD.SHL.U32 R1, R0, 0x4, RZ\nLDS R2, [R1]\nEXIT",
                           one_bank = "S2R R0, SR_TID.X\nIMAD.SHL.U32 R1, R0, 0x80, RZ\nLDS R2, [R1]\nEXIT";

void moves_words(KernelCosts& costs) {
  costs.sm.instructions["logic"] = {.uses = {{pipe, 4, false}}};
  costs.sm.wavefront = 2;
  costs.older[2].words = costs.older[2].moved = 1;
}

double cycles_of_pipe(const WarpStep& step) {
  double cycles = 0;
  for (std::size_t n = 0; n < step.used; ++n)
    if (step.uses[n].unit == pipe) cycles += step.uses[n].cycles;
  return cycles;
}

WarpStep load_of(std::string_view code, void (*change)(KernelCosts&)) {
  const TracedBlocks made = costs_of_code(code, true, 0, 32, 0, change);
  return made.steps[made.programs[0][2]];
}

TEST(StepCost, a_word_of_shared_memory_is_moved_by_the_pipe_of_arithmetic_on_old_GPUs) {
  EXPECT_EQ(cycles_of_pipe(load_of(side_by_side, moves_words)), 4);
  EXPECT_EQ(cycles_of_pipe(load_of(side_by_side, [](KernelCosts&) {})), 0);
}

// What meets in a bank goes through the pipe again: 32 wavefronts, two of them for free.
TEST(StepCost, bank_conflicts_keep_the_pipe_of_arithmetic_busy_on_old_GPUs) {
  EXPECT_EQ(cycles_of_pipe(load_of(one_bank, moves_words)), 4 + 30 * 2);
  const auto operand = [](KernelCosts& costs) {
    moves_words(costs);
    costs.older[2].moved = 0;
  };
  EXPECT_EQ(cycles_of_pipe(load_of(one_bank, operand)), 30 * 2);
}

TEST(StepCost, what_an_older_GPU_does_in_several_steps_takes_them_all) {
  const auto twice = [](KernelCosts& costs) {
    costs.sm.instructions["iadd"] = {.uses = {{pipe, 4, false}}, .latency = 20};
    costs.older[1] = {.opcode = "IADD", .times = 2};
  };
  const TracedBlocks made = costs_of_code(side_by_side, true, 0, 32, 0, twice);
  const WarpStep& step = made.steps[made.programs[0][1]];
  EXPECT_EQ(step.repeat, 2);
  EXPECT_EQ(cycles_of_pipe(step), 4);
}

TEST(StepCost, a_function_takes_all_of_its_instructions) {
  const auto function = [](KernelCosts& costs) {
    static constexpr InstructionClass shift{"shift", "", nullptr}, add{"iadd", "", nullptr};
    costs.sm.instructions["shift"] = {.uses = {{pipe, 4, false}}, .latency = 20};
    costs.sm.instructions["iadd"] = {.uses = {{pipe + 1, 2, false}}, .latency = 10};
    costs.sm.functions["imulhi"] = {{&shift, 3}, {&add, 1}};
  };
  const TracedBlocks made =
      costs_of_code("S2R R0, SR_TID.X\nIMAD.HI.U32 R1, R0, R0, RZ\nEXIT", true, 0, 32, 0, function);
  const WarpStep& step = made.steps[made.programs[0][1]];
  EXPECT_EQ(cycles_of_pipe(step), 3 * 4);
  EXPECT_EQ(step.used, 2);
  EXPECT_EQ(step.latency, 3 * 20 + 10);
  EXPECT_EQ(step.issue, 3); // slots beside its own
}

} // namespace perfmodel::step_cost_test
