#include "one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::executors_exchange_test {

std::uint32_t lane_number(std::uint32_t lane) { return lane; }

// PTX, shfl.sync: the last operand has the bound in its low bits and the mask of segments from bit 8 on.
TEST(Exchange, shuffles_of_the_whole_warp) {
  OneWarp w;
  w.each_lane(2, lane_number);
  w.run("SHFL.DOWN P0, R4, R2, 0x10, 0x1f\nSHFL.UP P1, R5, R2, 0x1, RZ\nSHFL.BFLY PT, R6, R2, 0x3, 0x1f\n"
        "SHFL.IDX P2, R7, R2, 0x5, 0x1f");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(w.word(4, lane), lane < 16 ? lane + 16 : lane);
    EXPECT_EQ(w.word(5, lane), lane == 0 ? 0 : lane - 1);
    EXPECT_EQ(w.word(6, lane), lane ^ 3);
    EXPECT_EQ(w.word(7, lane), 5u);
  }
  EXPECT_EQ(w.flag(0), 0x0000ffffu);
  EXPECT_EQ(w.flag(1), 0xfffffffeu);
  EXPECT_EQ(w.flag(2), all_lanes);
}

// Width 8: the mask of segments is 0x18; the bound is 0x1f but for .UP, where it is 0.
TEST(Exchange, shuffles_of_segments_stay_in_them) {
  OneWarp w;
  w.each_lane(2, lane_number).each_lane(3, [](std::uint32_t lane) { return lane % 11; });
  w.run("SHFL.DOWN P0, R4, R2, 0x3, 0x181f\nSHFL.UP P1, R5, R2, 0x3, 0x1800\nSHFL.BFLY P2, R6, R2, 0x9, "
        "0x181f\n"
        "SHFL.IDX P3, R7, R2, R3, 0x181f");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t in = lane % 8, base = lane - in;
    EXPECT_EQ(w.word(4, lane), in + 3 < 8 ? lane + 3 : lane) << lane;
    EXPECT_EQ(w.word(5, lane), in >= 3 ? lane - 3 : lane) << lane;
    // A lane of a segment before is read, one of a later segment is not.
    EXPECT_EQ(w.word(6, lane), (lane ^ 9) < base + 8 ? lane ^ 9 : lane) << lane;
    EXPECT_EQ(w.word(7, lane), base + lane % 11 % 8) << lane;
  }
  EXPECT_EQ(w.flag(0), 0x1f1f1f1fu);
  EXPECT_EQ(w.flag(1), 0xf8f8f8f8u);
  EXPECT_EQ(w.flag(3), all_lanes);
}

TEST(Exchange, what_a_lane_does_not_know_others_do_not_get) {
  OneWarp w;
  w.each_lane(2, lane_number).warp.registers[2].known = 0xffff;
  w.run("SHFL.DOWN PT, R4, R2, 0x8, 0x1f\nSHFL.IDX PT, R5, R2, RZ, 0x1f");
  EXPECT_EQ(w.word(4, 7), 15u);
  EXPECT_EQ(w.word(4, 8), std::nullopt);
  EXPECT_EQ(w.word(5, 31), 0u);
}

// PTX, movmatrix: lane l has the elements of row l / 4, columns 2 (l % 4) and the next.
TEST(Exchange, a_matrix_of_halves_is_transposed) {
  const auto element = [](std::uint32_t row, std::uint32_t column) { return 16 * row + column + 1; };
  const auto two = [](std::uint32_t low, std::uint32_t high) { return high << 16 | low; };
  OneWarp w;
  w.each_lane(2, [&](std::uint32_t lane) {
    return two(element(lane / 4, 2 * (lane % 4)), element(lane / 4, 2 * (lane % 4) + 1));
  });
  w.run("MOVM.16.MT88 R4, R2\nMOVM.16.MT88 R5, R4\nMOVM.16.M88 R6, R2");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(w.word(4, lane), two(element(2 * (lane % 4), lane / 4), element(2 * (lane % 4) + 1, lane / 4)));
    EXPECT_EQ(w.word(5, lane), w.word(2, lane));
    EXPECT_EQ(w.word(6, lane), std::nullopt);
  }
}

TEST(Exchange, an_element_that_is_not_known_is_where_it_was_moved_to) {
  OneWarp w;
  w.each_lane(2, lane_number).warp.registers[2].known = ~(1U << 6); // row 1, columns 4 and 5
  w.run("MOVM.16.MT88 R4, R2");
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(w.word(4, lane).has_value(), lane != 4 * 4 && lane != 5 * 4) << lane;
}

TEST(Exchange, a_vote_is_of_the_lanes_that_take_part) {
  OneWarp w;
  w.flag(0, 0x0000ff0f).lanes = 0x0000ffff;
  w.run("VOTE.ANY R4, P1, P0\nVOTE.ALL P2, P0\nVOTE.ANY R5, PT, !P0\nVOTE.ANY R6, PT, PT");
  EXPECT_EQ(w.word(4), 0xff0fu);
  EXPECT_EQ(w.word(5), 0x00f0u);
  EXPECT_EQ(w.word(6), 0xffffu);
  EXPECT_EQ(w.warp.predicates[1].value, 0xffffu);
  EXPECT_EQ(w.warp.predicates[2].known, 0xffffu);
  EXPECT_EQ(w.warp.predicates[2].value, 0u);
  w.lanes = 0x0f0f;
  w.run("VOTE.ALL P3, P0\nVOTEU.ANY UR4, UPT, PT");
  EXPECT_EQ(w.warp.predicates[3].value, 0x0f0fu);
  EXPECT_EQ(w.warp.uniform[4].at[31], 0x0f0fu);
}

TEST(Exchange, one_lane_that_is_known_can_settle_a_vote) {
  OneWarp w;
  w.warp.predicates[0] = {.value = 1, .known = 1};
  w.warp.predicates[1] = {.value = 0, .known = 2};
  w.run("VOTE.ANY P2, P0\nVOTE.ALL P3, P1\nVOTE.ANY P4, P1\nVOTE.ALL P5, P0\nVOTE.ANY R4, PT, P0");
  EXPECT_EQ(w.flag(2), all_lanes);
  EXPECT_EQ(w.flag(3), 0u);
  EXPECT_EQ(w.flag(4), std::nullopt);
  EXPECT_EQ(w.flag(5), std::nullopt);
  EXPECT_EQ(w.word(4), std::nullopt);
}

TEST(Exchange, reductions_give_one_word_to_the_warp) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return static_cast<int>(lane) - 10; });
  w.run("REDUX.SUM.S32 UR4, R2\nREDUX.MIN.S32 UR5, R2\nREDUX.MIN UR6, R2\nREDUX.MAX.S32 UR7, R2\n"
        "REDUX.MAX UR8, R2\nREDUX.OR UR9, R2\nREDUX.XOR UR10, R2\nREDUX UR11, R2");
  EXPECT_EQ(w.warp.uniform[4].at[0], 176u); // 31 * 32 / 2 - 320
  EXPECT_EQ(w.warp.uniform[5].at[0], static_cast<std::uint32_t>(-10));
  EXPECT_EQ(w.warp.uniform[6].at[0], 0u);
  EXPECT_EQ(w.warp.uniform[7].at[0], 21u);
  EXPECT_EQ(w.warp.uniform[8].at[0], 0xffffffffu);
  EXPECT_EQ(w.warp.uniform[9].at[0], 0xffffffffu);
  EXPECT_EQ(w.warp.uniform[11].at[0], 0u);
  w.lanes = 0b110; // -9 and -8
  w.run("REDUX.SUM.S32 UR4, R2\nREDUX.XOR UR5, R2");
  EXPECT_EQ(w.warp.uniform[4].at[0], static_cast<std::uint32_t>(-17));
  EXPECT_EQ(w.warp.uniform[5].at[0], 0xfffffff7u ^ 0xfffffff8u);
}

TEST(Exchange, match_any_gives_the_lanes_with_the_same_word) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return lane % 4; }).lanes = 0x00ffffff;
  w.run("MATCH.ANY R4, R2");
  EXPECT_EQ(w.word(4, 1), 0x00222222u);
  EXPECT_EQ(w.word(4, 23), 0x00888888u);
}

// PTX, match.sync.all: the mask where all have the same word, else nothing, and whether they have.
TEST(Exchange, match_all_gives_all_lanes_or_none) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return lane == 31 ? 1 : 2; });
  w.run("MATCH.ALL P0, R4, R2");
  EXPECT_EQ(w.word(4), 0u);
  EXPECT_EQ(w.flag(0), 0u);
  w.lanes = 0x7fffffff;
  w.run("MATCH.ALL P1, R5, R2");
  EXPECT_EQ(w.word(5), 0x7fffffffu);
  EXPECT_EQ(w.warp.predicates[1].value, 0x7fffffffu);
}

TEST(Exchange, match_of_64_bits_asks_for_both_halves) {
  OneWarp w;
  w.set(2, 5).each_lane(3, [](std::uint32_t lane) { return lane / 16; });
  w.run("MATCH.ANY.U64 R4, R2");
  EXPECT_EQ(w.word(4, 0), 0xffffu);
  EXPECT_EQ(w.word(4, 16), 0xffff0000u);
}

TEST(Exchange, a_lane_s_word_goes_to_the_warp) {
  OneWarp w;
  w.each_lane(2, lane_number).lanes = 0xfff0;
  w.run("R2UR UR4, R2\nIMAD.U32 R5, RZ, RZ, UR4");
  EXPECT_EQ(w.word(5, 9), 4u);
}

} // namespace perfmodel::executors_exchange_test
