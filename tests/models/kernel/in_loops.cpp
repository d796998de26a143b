#include "models/kernel/in_loops.hpp"

#include "tests/models/kernel/code_text.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::in_loops_test {

// A loop in a loop, a branch forward, and the branch to itself that ends the code.
TEST(InLoops, are_what_a_branch_leads_back_to) {
  const KernelCode code = read_listing(listing_of("MOV R0, RZ\n"
                                                  ".L_1:\n"
                                                  "MOV R1, RZ\n"
                                                  ".L_2:\n"
                                                  "LDG.E R4, [R2.64]\n"
                                                  "@P0 BRA `(.L_2)\n"
                                                  "@P1 BRA `(.L_1)\n"
                                                  "@P2 BRA `(.L_3)\n"
                                                  "LDG.E R5, [R2.64]\n"
                                                  ".L_3:\n"
                                                  "EXIT\n"
                                                  ".L_4:\n"
                                                  "BRA `(.L_4)"),
                                       "");
  EXPECT_EQ(in_loops(code), (std::vector<bool>{false, true, true, true, true, false, false, false, false}));
}

} // namespace perfmodel::in_loops_test
