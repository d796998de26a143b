#include "models/kernel/waiting_loops.hpp"

#include "one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::waiting_loops_test {

// A loop that loads by `load` and does `more` before it asks whether to go on.
bool waits(std::string_view load, std::string_view more = "") {
  const std::string text = "LDC.64 R4, c[0x0][0x210]\n.L_wait:\n" + std::string(load) + "\n" +
                           std::string(more) + "ISETP.EQ.AND P0, PT, R6, RZ, PT\n@P0 BRA `(.L_wait)\nEXIT";
  return waits_for_others(read_listing(listing_of(text), ""));
}
constexpr std::string_view strong = "LDG.E.STRONG.GPU R6, [R4.64]";

TEST(WaitingLoops, to_ask_again_for_one_word_that_others_may_change_is_to_wait) {
  EXPECT_TRUE(waits(strong));
  EXPECT_TRUE(waits(strong, "NANOSLEEP 0x14\n"));
  EXPECT_FALSE(waits("LDG.E R6, [R4.64]")) << "what others write is not seen there";
  EXPECT_FALSE(waits("LDS R6, [R4]"));
}

TEST(WaitingLoops, a_loop_that_does_something_else_does_not_wait) {
  EXPECT_FALSE(waits(strong, "IADD3 R4, R4, 0x4, RZ\n")) << "it looks elsewhere";
  EXPECT_FALSE(waits(strong, "STG.E.STRONG.GPU [R8.64], R6\n"));
  EXPECT_FALSE(waits(strong, "BAR.SYNC 0x0\n"));
}

// 0 LDG, 1 ISETP, 2 branch around, 3 LDG, 4 ISETP, 5 branch back, 6 EXIT: the first look stands before the
// loop.
TEST(WaitingLoops, the_way_into_the_loop_and_the_way_back_wait) {
  const KernelCode code = read_listing(listing_of("LDG.E.STRONG.GPU R6, [R4.64]\n"
                                                  "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                                  "@!P0 BRA `(.L_on)\n"
                                                  ".L_wait:\n"
                                                  "LDG.E.STRONG.GPU R6, [R4.64]\n"
                                                  "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                                  "@P0 BRA `(.L_wait)\n"
                                                  ".L_on:\n"
                                                  "EXIT"),
                                       "");
  constexpr std::size_t none = 100;
  const auto branches = waiting_branches(code, {none, none, 6, none, none, 3, none});
  EXPECT_EQ(branches[2].way, WaitingWay::if_not);
  EXPECT_FALSE(branches[2].again) << "nobody has asked yet";
  EXPECT_EQ(branches[5].way, WaitingWay::if_taken);
  EXPECT_TRUE(branches[5].again);
}

} // namespace perfmodel::waiting_loops_test
