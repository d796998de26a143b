#include "models/simulate/sm_code.hpp"

#include <gtest/gtest.h>

namespace perfmodel::sm_code_test {

// Of the 300 places of a warp's results one is waited for: the second step's, by the third.
TEST(SmCode, keeps_the_places_that_some_step_waits_for) {
  WarpStep first, second, third;
  first.result = 7, second.result = 299, third.operands_read = 12;
  third.waits_for[0] = 299, third.waits = 1;
  const SmCode code = code_of(SmMachine{}, TracedBlocks{.steps = {first, second, third},
                                                        .programs = {{0, 1, 2}},
                                                        .blocks = {{0}},
                                                        .order = {0},
                                                        .places = 300});
  EXPECT_EQ(code.places, 1u);
  EXPECT_EQ(code.steps[0].result, WarpStep::no_place);
  EXPECT_EQ(code.steps[1].result, code.steps[2].waits_for[0]);
  EXPECT_EQ(code.steps[2].operands_read, WarpStep::no_place);
}

} // namespace perfmodel::sm_code_test
