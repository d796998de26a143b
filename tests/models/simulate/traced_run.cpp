// The time of launches whose traces leave trips of loops out.
#include "models/simulate/traced_run.hpp"

#include "models/simulate/kernel_time.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

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

} // namespace perfmodel::traced_run_test
