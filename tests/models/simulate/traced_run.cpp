// The time of launches whose traces leave trips of loops out.
#include "models/simulate/traced_run.hpp"

#include "models/simulate/kernel_time.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"
#include "tests/models/simulate/small_sm.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace perfmodel::traced_run_test {

// Cycles of one block of one warp on an H200, as few of its steps simulated as may be.
double cycles_of(std::string_view text) {
  static const Gpu gpu = measured_gpu("h200");
  const KernelCode code = read_listing(listing_of(text), "");
  const KernelLaunch launch{.grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
  Plain plain;
  return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}, .most_steps = 1000},
                     plain)
      .cycles;
}

// A chain of additions, so many at each trip.
std::string inner(std::string_view trips) {
  return "MOV R6, RZ\n.L_1:\nFADD R8, R8, R9\nFADD R8, R8, R9\nFADD R8, R8, R9\nFADD R8, R8, R9\n"
         "IADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P0, PT, R6, " +
         std::string(trips) + ", PT\n@P0 BRA `(.L_1)\n";
}

// Of a loop in a loop each run leaves out a hundredth of all that is left out. None of it may be forgotten.
TEST(TracedRun, a_loop_in_a_loop_takes_what_as_many_trips_of_one_take) {
  const double one = cycles_of(inner("0x2710") + "EXIT"),
               in_a_loop = cycles_of("MOV R7, RZ\n.L_0:\n" + inner("0x64") +
                                     "IADD3 R7, R7, 0x1, RZ\nISETP.NE.AND P1, PT, R7, 0x64, PT\n"
                                     "@P1 BRA `(.L_0)\nEXIT");
  EXPECT_GT(one, 4 * 4 * 10000) << "additions wait for one another";
  EXPECT_NEAR(in_a_loop / one, 1, 0.05);
}

// Of the units of a small SM, busy for such shares of the time, with as much of its issue slots.
bool waits(double own, double device, double issue) {
  SmRun run;
  run.issue = issue;
  run.unit_busy = {own, 0, device}; // of a scheduler, of the SM, of the device
  return waits_for_the_device(small_sm::machine(), run);
}

TEST(TracedRun, waits_for_the_device_where_that_is_busy_for_longer_than_anything_of_its_own_sm) {
  EXPECT_TRUE(waits(0.3, 0.6, 0.2));
  EXPECT_FALSE(waits(0.7, 0.6, 0.2)) << "a pipe is busy for longer";
  EXPECT_FALSE(waits(0.3, 0.6, 0.7)) << "the issue slots are";
  EXPECT_FALSE(waits(0.1, 0.45, 0.1)) << "nothing is busy for half of the time: that is latency";
}

} // namespace perfmodel::traced_run_test
