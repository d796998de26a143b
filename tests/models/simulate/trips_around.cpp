// Trips that have loops inside, left out of a trace with all that they do.
#include "every_trip.hpp"

#include <string>

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

// The loop inside has 1000 trips: its own are left out, since two trips around it would take longer.
TEST(TripsAround, a_long_loop_are_run_without_most_of_its_own) {
  const Both both(nest("0x8", "", "ISETP.NE.AND P0, PT, R9, 0x3e8, PT\n@P0 BRA `(.L_2)"), 32, "data=64MiB");
  both.expect_equal();
  EXPECT_EQ(both.left_out, 8u);
}

// Of a call that no trip makes, as of the slow path of a division; and of one that each makes.
TEST(TripsAround, calls_are_left_out_where_nobody_calls) {
  const std::string called = "\n.L_9:\nFADD R10, R8, R8\nRET.REL.NODEC R20 `(.L_9)",
                    trip = "ISETP.GT.AND P2, PT, R6, 0x7d0, PT\n@P2 CALL.REL.NOINC `(.L_9)\n";
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000", trip) + called, 32,
                  "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  both.expect_equal();
}

} // namespace perfmodel::trips_test
