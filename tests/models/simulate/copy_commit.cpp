// Copies from global to shared memory past the registers: what comes for them, and the wait for their commit.
#include "costed_code.hpp"
#include "small_sm.hpp"
#include "traced.hpp"

#include "tests/models/ask.hpp"

#include "models/core/trace.hpp"
#include "models/simulate/kernel_costs.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::copy_commit_test {

using namespace small_sm;
using block_trace_test::Traced;

// 16 bytes a lane, pairs of lanes next to each other: 16 sectors, in lines of their own. In shared memory a
// row for each pair, so many bytes apart.
TracedStep copied(const std::string& opcode, const std::string& row_bytes) {
  return Traced("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nSHF.R.U32.HI R6, RZ, 0x1, R0\n"
                "LOP3.LUT R7, R0, 0x1, RZ, 0xc0, !PT\nIMAD.SHL.U32 R7, R7, 0x10, RZ\n"
                "IMAD R8, R6, 0x800, R7\nIMAD.WIDE R4, R8, 0x1, R2\nIMAD R9, R6, " +
                row_bytes + ", R7\n" + opcode + " [R9], desc[UR4][R4.64]\nEXIT")
      .last(Space::global);
}

// Rows of 32 bytes begin where sectors of shared memory do, every other one of 48 bytes in the middle of one.
TEST(CopyPastL1, a_sector_that_goes_to_two_of_shared_memory_comes_twice) {
  EXPECT_EQ(copied("LDGSTS.E.BYPASS.128", "0x20").sectors, 16);
  EXPECT_EQ(copied("LDGSTS.E.BYPASS.128", "0x20").lines, 16);
  EXPECT_EQ(copied("LDGSTS.E.BYPASS.128", "0x30").sectors, 24);
  EXPECT_EQ(copied("LDGSTS.E.BYPASS.128", "0x30").lines, 24);
  EXPECT_EQ(copied("LDGSTS.E.128", "0x30").sectors, 16) << "L1 has the whole sector";
}

// All lanes side by side, four lines; from the middle of a sector of shared memory on, each of them twice.
TEST(CopyPastL1, so_does_each_of_a_run_and_its_line) {
  const auto run = [](const std::string& into) {
    return Traced("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x10, R2\n"
                  "IMAD.SHL.U32 R9, R0, 0x10, RZ\nLDGSTS.E.BYPASS.128 [R9+" +
                  into + "], desc[UR4][R4.64]\nEXIT")
        .last(Space::global);
  };
  EXPECT_EQ(run("0x20").sectors, 16);
  EXPECT_EQ(run("0x20").lines, 4);
  EXPECT_EQ(run("0x10").sectors, 32);
  EXPECT_EQ(run("0x10").lines, 8);
}

// Halves of a sector that change places stay in one of shared memory.
TEST(CopyPastL1, halves_that_change_places_come_together) {
  const TracedStep step = Traced("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x10, R2\n"
                                 "LOP3.LUT R7, R0, 0x1, RZ, 0x3c, !PT\nIMAD.SHL.U32 R9, R7, 0x10, RZ\n"
                                 "LDGSTS.E.BYPASS.128 [R9], desc[UR4][R4.64]\nEXIT")
                              .last(Space::global);
  EXPECT_EQ(step.sectors, 16);
  EXPECT_EQ(step.lines, 4);
}

WarpStep copy(double latency) {
  WarpStep step = access(memory, 5, latency);
  step.load = false;
  step.group = AsyncGroup::copies;
  return step;
}
WarpStep commit() {
  WarpStep step = access(lsu, 3, 39);
  step.load = false;
  step.group = AsyncGroup::copies;
  step.ends_group = true;
  return step;
}
WarpStep wait_for_all() {
  WarpStep step;
  step.awaits = AsyncGroup::copies;
  return step;
}

// A commit comes back after 3 + 39 cycles, or when what was copied before it is there, after 5 + latency.
TEST(CopyCommit, comes_back_behind_the_copies_and_no_sooner_than_from_the_path_to_memory) {
  const auto cycles = [](WarpProgram program) {
    return run_blocks(machine(), block(std::move(program)), 1, 1).cycles;
  };
  const double nothing = cycles({commit(), wait_for_all(), instruction(1, 0)});
  EXPECT_NEAR(nothing, 42, 2);
  EXPECT_NEAR(cycles({copy(10), commit(), wait_for_all(), instruction(1, 0)}), nothing, 6);
  EXPECT_NEAR(cycles({copy(300), commit(), wait_for_all(), instruction(1, 0)}), 305, 3);
}

TEST(CopyCommit, takes_the_path_to_memory_and_its_latency) {
  const WarpStep step = step_cost_test::costs_of_code("LDGDEPBAR\nEXIT", false, 0, 32, 0, [](KernelCosts& c) {
                          c.commit_latency = 42;
                          c.commit_interval = 3;
                        }).steps[0];
  ASSERT_EQ(step.used, 1);
  EXPECT_DOUBLE_EQ(step.uses[0].cycles, 3);
  EXPECT_DOUBLE_EQ(step.latency, 39);
  EXPECT_TRUE(step.ends_group);
}

// H200: 42 cycles, every 3 of an SM (probe copy-commit).
TEST(CopyCommit, costs_what_the_probe_has_measured) {
  Plain trace;
  const auto costs = [&](std::string_view code) {
    return costs_of(measured_gpu("h200"), read_listing(listing_of(code), ""), {}, trace);
  };
  EXPECT_NEAR(costs("LDGDEPBAR\nEXIT").commit_latency, 41.6, 0.5);
  EXPECT_NEAR(costs("LDGDEPBAR\nEXIT").commit_interval, 3, 0.1);
  EXPECT_EQ(costs("EXIT").commit_latency, 0) << "not asked for";
}

} // namespace perfmodel::copy_commit_test
