// Trips of a loop that are left out of a trace: what is counted and touched is what every trip run would
// give.
#include "every_trip.hpp"

#include <string>

namespace perfmodel::trips_test {

// Two warps make 1020 trips of one step; of the one trips were left out by ones, of the other by tens. A
// quarter of what is left out brings both as far.
TEST(Trips, of_which_a_share_is_taken_back_bring_all_warps_as_far) {
  BlockTrace block;
  block.warps = {std::vector<std::uint32_t>(2), std::vector<std::uint32_t>(20)};
  block.left_out = {{{.from = 0, .length = 1, .times = 1018}}, {{.from = 0, .length = 10, .times = 100}}};
  EXPECT_EQ(block.steps_with(0, 1).size(), 1020u);
  EXPECT_EQ(block.steps_with(1, 1).size(), 1020u);
  EXPECT_EQ(block.steps_with(0, 0.25).size(), 2u + 255u); // 254.5, rounded
  EXPECT_EQ(block.steps_with(1, 0.25).size(), 20u + 250u);
  EXPECT_EQ(block.listed_steps(), 22);
  EXPECT_EQ(block.steps_left_out(0.25), 255 + 250);
}

TEST(Trips, that_only_go_on_are_left_out_and_counted) {
  for (const char* end : {"ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", // until it is equal
                          "ISETP.LT.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)",
                          "ISETP.GE.U32.AND P0, PT, R6, 0x3e8, PT\n@!P0 BRA `(.L_1)"}) {
    const Both both(walk(end), 96, "data=16MiB");
    EXPECT_EQ(both.left_out, 3u) << end << ": of three warps";
    EXPECT_LT(both.some.warps[0].size(), 400u) << end;
    EXPECT_GT(both.every.warps[0].size(), 6000u);
    both.expect_equal();
  }
}

// Two warps whose lanes fill rows of their own word by word, with a load between the words that keeps the
// warps in step: what L2 loses of it, and for how long sectors are partly written.
TEST(Trips, that_fill_rows_word_by_word_leave_sectors_as_long_open) {
  const std::string rows =
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x1000, R2\nMOV R6, RZ\n"
      ".L_1:\nSTG.E desc[UR4][R4.64], R8\nIADD3 R4, P1, R4, 0x4, RZ\n"
      "IADD3.X R5, RZ, R5, RZ, P1, !PT\nIADD3 R6, R6, 0x1, RZ\n"
      "ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)\nEXIT";
  for (const double share : {0.0, 0.9, 1.2, 2.0}) { // of the lines of 64 rows
    const Both both(rows, 64, "data=16MiB", 65536, 32, 1, 4, share * 64 * 128);
    EXPECT_GT(both.left_out, 0u);
    both.expect_equal();
    EXPECT_GT(both.every.open_sectors, 50) << "of 64 rows";
    EXPECT_EQ(both.every.filled_sectors, 64 * 125);
  }
}

// A call of code that never returns is a jump: what the compiler makes of one that goes farther than a
// branch.
TEST(Trips, with_a_call_that_nothing_returns_from_are_left_out) {
  const std::string end =
                        "ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)\nCALL.REL.NOINC `(.L_3)\n.L_3:",
                    call = "CALL.REL.NOINC `(.L_2)\nNOP\n.L_2:\n";
  const Both jump(walk(end, "0x1000", call), 96, "data=16MiB");
  EXPECT_EQ(jump.left_out, 3u) << "of three warps";
  jump.expect_equal();
  const Both call_of_a_function(walk(end, "0x1000", call) + "\nRET.REL.NODEC R20 0x0", 96, "data=16MiB");
  EXPECT_EQ(call_of_a_function.left_out, 0u) << "something may return from it";
}

// What the compiler makes of a loop over a size_t: a sum of 64 bits goes up from -1000, unsigned, until it is
// zero, and its lower half is gone when the next trip begins. Nothing else says when that wraps around.
TEST(Trips, of_a_counter_of_64_bits_end_where_it_wraps_around) {
  const Both both(
      walk("IADD3 R10, P2, R6, -0x3e8, RZ\nISETP.NE.U32.AND P3, PT, R10, RZ, PT\n"
           "IMAD.X R10, RZ, RZ, -0x1, P2\nISETP.NE.AND.EX P0, PT, R10, RZ, PT, P3\n@P0 BRA `(.L_1)"),
      32, "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  EXPECT_GT(both.every.warps[0].size(), 8000u);
  EXPECT_LT(both.every.warps[0].size(), 12000u);
  both.expect_equal();
}

// 4 bytes further each trip: eight trips share a sector, 32 a line.
TEST(Trips, of_words_side_by_side_hit_l1_as_if_all_were_run) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x4"), 32, "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  both.expect_equal();
}

// Half a sector further in eight trips: only in sixteen do all accesses move on by whole sectors.
TEST(Trips, of_small_steps_are_left_out_in_longer_stretches) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x2"), 32, "data=16MiB");
  ASSERT_EQ(both.left_out, 1u);
  EXPECT_EQ(both.some.left_out[0][0].length, 16u * 6);
  both.expect_equal();
}

// Where device memory is read by 64 bytes, eight trips of 4 bytes are half of that.
TEST(Trips, are_left_out_in_stretches_of_whole_atoms) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x4"), 32, "data=16MiB", 65536,
                  64);
  ASSERT_EQ(both.left_out, 1u);
  EXPECT_EQ(both.some.left_out[0][0].length, 16u * 6);
  both.expect_equal();
}

// The second walk over the same lines finds none of them where L1 is small, and all where it is not.
TEST(Trips, that_are_left_out_go_through_l1) {
  const std::string once = walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)");
  const std::string twice =
      once.substr(0, once.size() - 4) +
      "MOV R6, RZ\nIMAD.WIDE R4, R0, 0x4, R2\n.L_2:\n"
      "LDG.E R8, desc[UR4][R4.64]\nIADD3 R4, P1, R4, 0x1000, RZ\nIADD3.X R5, RZ, R5, RZ, P1, !PT\n"
      "IADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_2)\nEXIT";
  const Both small(twice, 32, "data=16MiB", 16384), large(twice, 32, "data=16MiB", 1 << 20);
  EXPECT_EQ(small.left_out, 2u);
  small.expect_equal();
  large.expect_equal();
  EXPECT_EQ(small.every.counts.l2_read_sectors, 8000);
  EXPECT_EQ(large.every.counts.l2_read_sectors, 4000);
}

// To the end of an array and back: on the way back L1, of 512 lines, has those that were read last.
TEST(Trips, find_in_l1_what_another_loop_read_only_as_long_as_it_is_there) {
  const std::string back = ".L_2:\nIADD3 R4, P1, R4, -0x80, RZ\nIADD3.X R5, R5, -0x1, RZ, P1, !PT\n"
                           "LDG.E R8, desc[UR4][R4.64]\nIADD3 R6, R6, -0x1, RZ\n"
                           "ISETP.NE.AND P0, PT, R6, RZ, PT\n@P0 BRA `(.L_2)";
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x7d0, PT\n@P0 BRA `(.L_1)\n" + back, "0x80"), 32,
                  "data=16MiB");
  EXPECT_GE(both.left_out, 2u);
  EXPECT_EQ(both.every.counts.l2_read_sectors, 4 * (2000 + 2000 - 512));
  EXPECT_NEAR(both.some.counts.l2_read_sectors, both.every.counts.l2_read_sectors, 4 * 8);
}

TEST(Trips, with_stores_leave_the_sectors_that_they_fill) {
  const Both both(
      walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x80", "STG.E desc[UR4][R4.64], R8\n"), 32,
      "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  both.expect_equal();
  EXPECT_EQ(both.every.counts.store_sectors, 4000);
}

// A part of the count's bits does not go in proportion with the count.
TEST(Trips, whose_addresses_do_not_go_in_proportion_are_all_run) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                       "LOP3.LUT R9, R6, 0x1ff, RZ, 0xc0, !PT\nSTS [R9], R8\n"),
                  32, "data=16MiB");
  EXPECT_EQ(both.left_out, 0u);
  both.expect_equal();
}

// A square and a power, of which nothing is left when the trip ends.
TEST(Trips, whose_addresses_are_products_of_what_changes_are_all_run) {
  for (const char* more : {"IMAD R10, R6, R6, RZ\n", "SHF.L.U32 R10, R6, R6, RZ\n"}) {
    const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                         std::string(more) + "STS [R10], R8\nMOV R10, RZ\n"),
                    32, "data=16MiB");
    EXPECT_EQ(both.left_out, 0u) << more;
    both.expect_equal();
  }
}

// The same where nothing goes by it but data.
TEST(Trips, are_left_out_whatever_becomes_of_data) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                       "IMAD R10, R6, R6, RZ\nFADD R11, R10, R8\n"),
                  32, "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  both.expect_equal();
}

// What is equal every other trip has the same inputs in every stretch.
TEST(Trips, that_take_turns_are_left_out) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                       "LOP3.LUT R9, R9, 0x40, RZ, 0x3c, !PT\nSTS [R9], R8\n"),
                  32, "data=16MiB");
  EXPECT_EQ(both.left_out, 1u);
  both.expect_equal();
}

// A branch within the loop that is taken from trip 500 on.
TEST(Trips, are_left_out_only_until_a_branch_goes_another_way) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000",
                       "ISETP.GT.AND P2, PT, R6, 0x1f4, PT\n@P2 BRA `(.L_3)\nFADD R10, R8, R10\n.L_3:\n"),
                  32, "data=16MiB");
  EXPECT_EQ(both.left_out, 2u) << "before it and behind";
  both.expect_equal();
}

// Each thread of 128 puts a flag into shared memory, 0 of the first 64 and 1 of the others; a trip adds where
// its flag is 0. As of elements that are near enough, found out by a thread each.
TEST(Trips, are_all_run_where_words_in_shared_memory_decide) {
  const std::string flags = "S2R R0, SR_TID.X\nSHF.R.U32.HI R13, RZ, 0x6, R0\n"
                            "IMAD.SHL.U32 R12, R0, 0x4, RZ\nSTS [R12], R13\nBAR.SYNC 0x0\nMOV R15, RZ\n",
                    trip = "LDS R14, [R15]\nISETP.NE.AND P2, PT, R14, RZ, PT\n@P2 BRA `(.L_3)\n"
                           "FADD R10, R8, R10\n.L_3:\nIADD3 R15, R15, 0x4, RZ\n";
  const Both both(flags + walk("ISETP.NE.AND P0, PT, R6, 0x80, PT\n@P0 BRA `(.L_1)", "0x1000", trip), 128,
                  "data=16MiB");
  both.expect_equal();
}

// All blocks of the SM read the same words, and each fetches its share: of 1000 trips a half or a third,
// which comes round in no stretch of trips.
TEST(Trips, are_left_out_where_blocks_of_an_sm_share_what_they_read) {
  for (const std::int64_t sharers : {2, 3}) {
    const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)"), 64, "data=16MiB", 65536, 32,
                    sharers, sharers);
    EXPECT_GT(both.left_out, 0u) << sharers;
    EXPECT_DOUBLE_EQ(both.some.counts.load_sectors, both.every.counts.load_sectors);
    EXPECT_LT(both.every.counts.l2_read_sectors, 0.6 * both.every.counts.load_sectors) << sharers;
    EXPECT_NEAR(both.some.counts.l2_read_sectors / both.every.counts.l2_read_sectors, 1, 0.05) << sharers;
  }
}

// Of four waves the later ones read at the same time by chance alone: L1 holds 2048 sectors of each block,
// which reads 8000, so that two are in phase for 0.25 + 0.75 x 2 x 2048 / 8000 = 63 % of the time, and of
// that one fetches the half. A stretch of 24 loads leaves 7 or 8 of them to the other, where 7.6 would be
// right: that makes 4 %, and its start the rest.
TEST(Trips, of_later_waves_share_what_they_read_by_chance) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)"), 64, "data=16MiB", 65536, 32, 2,
                  8);
  EXPECT_GT(both.left_out, 0u);
  EXPECT_NEAR(both.every.counts.l2_read_sectors / both.every.counts.load_sectors, 1 - 0.634 / 2, 0.005);
  EXPECT_NEAR(both.some.counts.l2_read_sectors / both.every.counts.l2_read_sectors, 1, 0.06);
}

TEST(Trips, of_warps_that_meet_in_each_are_left_out_by_all_of_them) {
  const Both both(walk("ISETP.NE.AND P0, PT, R6, 0x3e8, PT\n@P0 BRA `(.L_1)", "0x1000", "BAR.SYNC 0x0\n"),
                  128, "data=16MiB");
  EXPECT_EQ(both.left_out, 4u);
  both.expect_equal();
}

} // namespace perfmodel::trips_test
