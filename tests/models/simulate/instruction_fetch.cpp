// Instructions that an SM does not have at once.
#include "models/simulate/instruction_fetch.hpp"

#include "models/simulate/kernel_costs.hpp"
#include "models/simulate/order_costs.hpp"
#include "small_sm.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace perfmodel::instruction_fetch_test {

using namespace small_sm;

// Caches of 4 and 8 lines, from which a line comes at once and every 10 cycles; from L2 every 30.
FetchCosts costs(std::size_t lines) {
  return {.lines = lines, .kept = 4, .kept_next = 8, .next = 10, .l2 = 30};
}

// When a warp that takes no time for a line has gone round so many times.
double rounds(std::size_t lines, int times) {
  InstructionFetch fetch(costs(lines));
  double time = 0;
  for (int round = 0; round < times; ++round)
    for (std::size_t line = 0; line < lines; ++line) time = fetch.line(line, line > 0, time);
  return time;
}

TEST(InstructionFetch, a_loop_comes_from_the_cache_that_it_fits) {
  EXPECT_DOUBLE_EQ(rounds(4, 1), 4 * 10);
  EXPECT_DOUBLE_EQ(rounds(4, 5), 4 * 10) << "fetched once";
  EXPECT_DOUBLE_EQ(rounds(6, 5), 5 * 6 * 10);
  EXPECT_DOUBLE_EQ(rounds(8, 5), 5 * 8 * 10);
  EXPECT_DOUBLE_EQ(rounds(12, 5), 5 * 12 * 30);
}

TEST(InstructionFetch, lines_that_follow_come_ahead_of_a_warp) {
  InstructionFetch fetch(costs(6));
  EXPECT_DOUBLE_EQ(fetch.line(0, false, 100), 110);
  EXPECT_DOUBLE_EQ(fetch.line(1, true, 200), 200) << "there at 120";
  EXPECT_DOUBLE_EQ(fetch.line(2, true, 201), 201);
  EXPECT_DOUBLE_EQ(fetch.line(5, false, 202), 212) << "a branch";
}

TEST(InstructionFetch, a_line_is_fetched_once_for_all_warps) {
  InstructionFetch fetch(costs(6));
  EXPECT_DOUBLE_EQ(fetch.line(0, false, 0), 10);
  EXPECT_DOUBLE_EQ(fetch.line(0, false, 4), 10);
  EXPECT_DOUBLE_EQ(fetch.line(0, false, 50), 50);
}

// Code of `lines` lines that a warp goes through once, an instruction a cycle.
SmRun run(std::size_t lines, std::size_t warps) {
  SmMachine m = machine();
  m.fetch = costs(lines);
  WarpProgram program;
  for (std::size_t line = 0; line < lines; ++line)
    for (std::size_t i = 0; i < instructions_of_line; ++i) {
      program.push_back(instruction(1, 0));
      program.back().line = static_cast<std::uint32_t>(line);
    }
  return run_blocks(m, {.programs = {std::move(program)}, .of_warp = std::vector<std::size_t>(warps)}, 1, 1);
}

TEST(InstructionFetch, warps_wait_for_their_next_instruction) {
  const SmRun one = run(100, 1), four = run(100, 4);
  EXPECT_NEAR(one.cycles, 100 * 30, 10);
  EXPECT_NEAR(four.cycles, one.cycles, 30) << "side by side";
  const auto waited = one.stalls[static_cast<std::size_t>(Stall::no_instruction)];
  EXPECT_NEAR(waited, 100 * (30 - 8), 150);
}

// H200: 32 and 128 KiB, 2.4 and 5.8 cycles an instruction (probe instruction-fetch).
TEST(InstructionFetch, costs_what_the_probe_has_measured) {
  const auto of_code = [](std::size_t instructions, bool has_encoding) {
    KernelCode code;
    code.instructions.resize(instructions);
    code.has_encoding = has_encoding;
    KernelCosts made;
    Plain trace;
    add_fetch(made, measured_gpu("h200"), code, trace);
    return made.sm.machine.fetch;
  };
  const FetchCosts large = of_code(4096, true);
  EXPECT_EQ(large.lines, 512u);
  EXPECT_EQ(large.kept, 256u);
  EXPECT_EQ(large.kept_next, 1024u);
  EXPECT_NEAR(large.next, 8 * 2.45, 0.5);
  EXPECT_NEAR(large.l2, 8 * 5.84, 0.5);
  EXPECT_EQ(of_code(2048, true).lines, 0u) << "fits";
  EXPECT_EQ(of_code(4096, false).lines, 0u) << "of unknown size";
}

} // namespace perfmodel::instruction_fetch_test
