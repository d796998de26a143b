// Constants that an SM does not have at once.
#include "models/simulate/constant_fetch.hpp"

#include "costed_code.hpp"
#include "models/simulate/constant_pieces.hpp"
#include "models/simulate/order_costs.hpp"
#include "small_sm.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace perfmodel::constant_fetch_test {

using namespace small_sm;

// 2 KiB in lines of 64 bytes; a line comes within 50 cycles, and keeps others waiting for 40.
constexpr ConstantFetchCosts costs{.kept = 32, .latency = 50, .interval = 40};

ConstantLines line(std::size_t n) {
  return {static_cast<std::uint16_t>(n + 1), static_cast<std::uint16_t>(n + 1)};
}

// Lines that are not there when a warp goes round so many times.
int missed(std::size_t lines, int rounds) {
  ConstantFetch cache(costs);
  int times = 0;
  double time = 0;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t n = 0; n < lines; ++n, time += 100)
      times += cache.read(line(n), 0, time, time).later > 0 ? 1 : 0;
  return times;
}

TEST(ConstantFetch, a_walk_finds_what_the_cache_has_room_for) {
  EXPECT_EQ(missed(16, 3), 16) << "1 KiB";
  EXPECT_EQ(missed(32, 3), 32);
  EXPECT_EQ(missed(33, 3), 99) << "each has just gone when the walk comes back";
  EXPECT_EQ(missed(64, 3), 192) << "4 KiB";
}

TEST(ConstantFetch, what_was_read_last_stays) {
  ConstantFetch cache({.kept = 2, .latency = 50, .interval = 40});
  double time = 0;
  const auto waits = [&](std::size_t n) {
    time += 100;
    return cache.read(line(n), 0, time, time).later > 0;
  };
  EXPECT_TRUE(waits(0) && waits(1));
  EXPECT_FALSE(waits(0));
  EXPECT_TRUE(waits(2)) << "takes the place of 1";
  EXPECT_FALSE(waits(0));
  EXPECT_TRUE(waits(1));
}

TEST(ConstantFetch, lines_that_a_warp_has_asked_for_by_then_come_together) {
  ConstantFetch cache(costs);
  EXPECT_DOUBLE_EQ(cache.read(line(0), 0, 0, 0).busy, 40);
  EXPECT_DOUBLE_EQ(cache.read(line(1), 0, 2, 40).busy, 0) << "issued at 2, served when the first had come";
  EXPECT_DOUBLE_EQ(cache.read(line(2), 1, 4, 40).busy, 40) << "another warp";
  EXPECT_DOUBLE_EQ(cache.read(line(3), 1, 90, 90).busy, 40) << "afterwards";
  EXPECT_DOUBLE_EQ(cache.read({1, 5}, 0, 200, 200).busy, 40) << "several of one read";
}

// Reads of a line each, a trip of one and an instruction that waits for it, by warps that begin so many lines
// apart.
SmRun walk(std::size_t lines, std::size_t warps, std::size_t apart, int rounds) {
  SmMachine m = machine();
  m.constants = costs;
  m.constant_cache = lsu;
  BlockProgram block;
  for (std::size_t warp = 0; warp < warps; ++warp) {
    WarpProgram program;
    for (std::size_t n = 0; n < lines * static_cast<std::size_t>(rounds); ++n) {
      WarpStep read;
      read.uses[read.used++] = {lsu, 2};
      read.latency = 20;
      read.queued = true;
      read.constants = line((n + warp * apart) % lines);
      program.push_back(read);
      program.push_back(instruction(1, 0, 1, WarpWait::results));
    }
    block.of_warp.push_back(block.programs.size());
    block.programs.push_back(std::move(program));
  }
  return run_blocks(m, block, 1, 1);
}

// 2 cycles at the cache and 20 until it is there, with the issue behind it 23; 50 more for each line.
TEST(ConstantFetch, a_warp_alone_waits_for_each_line) {
  const double fits = walk(16, 1, 0, 8).cycles, walked = walk(64, 1, 0, 8).cycles;
  EXPECT_NEAR(fits, 16 * 8 * 23 + 16 * 50, 130);
  EXPECT_NEAR(walked, 64 * 8 * (23 + 50), 520);
}

// Of 8 warps 8 lines apart each reads what none has read for 8 lines of all, which the cache holds no more
// when they go through 128: 42 cycles of the SM each. Side by side they wait for the same lines.
TEST(ConstantFetch, warps_that_are_apart_wait_for_one_another) {
  const double reads = 8 * 128 * 2;
  EXPECT_NEAR(walk(128, 8, 16, 2).cycles / reads, 42, 1);
  EXPECT_LT(walk(128, 8, 0, 2).cycles / reads, 12);
}

// H200: 2 KiB in lines of 64 bytes (probe constant-walk).
TEST(ConstantFetch, costs_what_the_probe_has_measured) {
  const auto of_bytes = [](double bytes) {
    KernelCosts made;
    Plain trace;
    add_constants(made, measured_gpu("h200"), bytes, trace);
    return made;
  };
  EXPECT_EQ(of_bytes(4096).sm.machine.constants.kept, 32u);
  EXPECT_EQ(of_bytes(4096).constant_line, 64u);
  EXPECT_NEAR(of_bytes(4096).sm.machine.constants.latency, 65, 10);
  EXPECT_EQ(of_bytes(2048).sm.machine.constants.kept, 0u) << "fits";
  EXPECT_EQ(of_bytes(1024).constant_line, 0u);
}

TEST(ConstantFetch, a_load_tells_the_lines_that_it_reads) {
  const auto constants = [](const char* load, bool larger) {
    return step_cost_test::costs_of_code(std::string("S2R R0, SR_TID.X\nIMAD.SHL.U32 R1, R0, 0x10, RZ\n"
                                                     "UMOV UR5, 0x100\n") +
                                             load + "\nEXIT",
                                         false, 0, 32, 0,
                                         larger ? +[](KernelCosts& made) { made.constant_line = 64; } : nullptr)
        .steps[6];
  };
  const std::uint16_t bank = 3 * 65536 / 64;
  const auto lines = [&](int first, int last) {
    return ConstantLines{static_cast<std::uint16_t>(bank + first + 1), static_cast<std::uint16_t>(bank + last + 1)};
  };
  EXPECT_EQ(constants("ULDC.64 UR6, c[0x3][UR5+0x38]", true).constants, lines(4, 4));
  EXPECT_EQ(constants("ULDC.64 UR6, c[0x3][UR5+0x40]", true).constants, lines(5, 5));
  EXPECT_EQ(constants("LDC R4, c[0x3][R1]", true).constants, lines(0, 7)) << "16 bytes apart";
  EXPECT_EQ(constants("ULDC.64 UR6, c[0x0][0x38]", true).constants, ConstantLines{}) << "an argument";
  EXPECT_EQ(constants("ULDC.64 UR6, c[0x3][UR5+0x38]", false).constants, ConstantLines{}) << "they fit";
  EXPECT_EQ(constants("ULDC.64 UR6, c[0x3][UR5+0x38]", false).used, 0);
}

// 32 bytes are a piece.
TEST(ConstantFetch, bytes_are_counted_once) {
  std::vector<TracedStep> steps(4);
  steps[0].first_constant = 1, steps[0].last_constant = 4;
  steps[1].first_constant = 3, steps[1].last_constant = 5;
  steps[2].first_constant = steps[2].last_constant = 100;
  EXPECT_DOUBLE_EQ(constants_read(steps), 6 * 32);
}

} // namespace perfmodel::constant_fetch_test
