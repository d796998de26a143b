// Trips that have loops inside, left out of a trace with all that they do.
#include "every_trip.hpp"

#include <string>
#include <string_view>

namespace perfmodel::trips_test {

// Of `outer` trips each walks 12 lines further, with `more` before it; `inner`: how the loop inside ends.
std::string nest(std::string_view outer, std::string_view more = "",
                 std::string_view inner = "ISETP.NE.AND P0, PT, R9, 0xc, PT\n@P0 BRA `(.L_2)") {
  return "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x4, R2\nMOV R6, RZ\n"
         ".L_1:\nMOV R9, RZ\n" +
         std::string(more) +
         ".L_2:\nLDG.E R8, desc[UR4][R4.64]\nIADD3 R4, P1, R4, 0x1000, RZ\nIADD3.X R5, RZ, R5, RZ, P1, !PT\n"
         "IADD3 R9, R9, 0x1, RZ\n" +
         std::string(inner) + "\nIADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P0, PT, R6, " + std::string(outer) +
         ", PT\n@P0 BRA `(.L_1)\nEXIT";
}

TEST(TripsAround, a_loop_are_left_out_with_it) {
  const Both both(nest("0x64", "BAR.SYNC 0x0\n"), 96, "data=64MiB");
  both.expect_equal();
  EXPECT_GT(both.every.warps[0].size(), 7000u);
  EXPECT_LT(both.some.warps[0].size(), 1000u) << "8 or 10 trips of 74 instructions";
}

TEST(TripsAround, three_loops_are_left_out_with_all_of_them) {
  const std::string middle = nest("0x5"),
                    three =
                        middle.substr(0, middle.find(".L_1:")) + "MOV R11, RZ\n.L_3:\nMOV R6, RZ\n" +
                        middle.substr(middle.find(".L_1:"), middle.rfind("EXIT") - middle.find(".L_1:")) +
                        "IADD3 R11, R11, 0x1, RZ\nISETP.NE.AND P0, PT, R11, 0x32, PT\n@P0 BRA `(.L_3)\nEXIT";
  const Both both(three, 32, "data=64MiB");
  both.expect_equal();
  EXPECT_GT(both.every.warps[0].size(), 15000u);
  EXPECT_LT(both.some.warps[0].size(), 5000u);
}

// As many trips of the loop inside as of the one around so far: no two trips around are alike.
TEST(TripsAround, a_loop_of_more_and_more_trips_are_all_run) {
  const Both both(nest("0x40", "", "ISETP.LE.AND P0, PT, R9, R6, PT\n@P0 BRA `(.L_2)"), 32, "data=64MiB");
  both.expect_equal();
  for (const LeftOut& one : both.some.left_out[0])
    EXPECT_LT(one.length, 300u) << "stretches of the loop inside, of at most 32 trips";
}

// The loop inside has 2000 trips: its own are left out, since two trips around it would take longer.
TEST(TripsAround, a_long_loop_are_run_without_most_of_its_own) {
  const Both both(nest("0x8", "", "ISETP.NE.AND P0, PT, R9, 0x7d0, PT\n@P0 BRA `(.L_2)"), 32, "data=64MiB");
  both.expect_equal();
  EXPECT_EQ(both.left_out, 8u);
}

// A loop around is left before its watch has seen two stretches: the loop behind it is watched all the same.
TEST(TripsAround, a_loop_do_not_keep_the_next_loop_from_being_left_out) {
  const std::string six = nest("0x6"), then = "MOV R6, RZ\n.L_4:\nFADD R10, R8, R10\nIADD3 R6, R6, 0x1, RZ\n"
                                              "ISETP.NE.AND P0, PT, R6, 0x2710, PT\n@P0 BRA `(.L_4)\nEXIT";
  const Both both(six.substr(0, six.rfind("EXIT")) + then, 32, "data=64MiB");
  both.expect_equal();
  EXPECT_LT(both.some.warps[0].size(), 1000u) << "of 40 000";
}

// Of 4, 16, 64, .. trips: while the loop around is watched those inside become too many to be run one by one.
TEST(TripsAround, a_growing_loop_are_given_up) {
  const Both both(
      nest("0x9", "IMAD.SHL.U32 R12, R12, 0x4, RZ\n", "ISETP.LE.AND P0, PT, R9, R12, PT\n@P0 BRA `(.L_2)")
          .insert(0, "MOV R12, 0x1\n"),
      32, "data=16GiB");
  both.expect_equal();
  EXPECT_GT(both.every.warps[0].size(), 1000000u);
  EXPECT_LT(both.some.warps[0].size(), 100000u);
}

// The count is kept in shared memory, which nobody would set on when trips are left out.
TEST(TripsAround, a_count_in_shared_memory_are_all_run) {
  const std::string counted =
      "MOV R15, RZ\nSTS [R15], RZ\n" + walk("ISETP.NE.AND P0, PT, R7, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                                            "LDS R7, [R15]\nIADD3 R7, R7, 0x1, RZ\nSTS [R15], R7\n");
  const Both both(counted, 32, "data=16MiB");
  EXPECT_EQ(both.every.counts.load_requests, 1000);
  EXPECT_EQ(both.left_out, 0u);
  both.expect_equal();
}

// Of a call that no trip makes, as of the slow path of a division; and of one that each makes.
TEST(TripsAround, calls_are_left_out_where_nobody_calls) {
  const std::string called = "\n.L_9:\nFADD R10, R8, R8\nRET.REL.NODEC R20 `(.L_0)";
  const auto left_out = [&](std::string_view when) {
    const std::string trip = "MOV R20, 0xa0\nMOV R21, RZ\nISETP.GT.AND P2, PT, R6, " + std::string(when) +
                             ", PT\n@P2 CALL.REL.NOINC `(.L_9)\n";
    const Both both(".L_0:\n" + walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000", trip) +
                        called,
                    32, "data=16MiB");
    both.expect_equal();
    return both.left_out;
  };
  EXPECT_EQ(left_out("0x7d0"), 1u);
  EXPECT_EQ(left_out("-0x1"), 0u);
}

} // namespace perfmodel::trips_test
