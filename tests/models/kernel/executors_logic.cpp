#include "one_warp.hpp"

#include <gtest/gtest.h>

namespace perfmodel::executors_logic_test {

// The tables of lop3 in the PTX manual: a = 0xf0, b = 0xcc, c = 0xaa.
TEST(Logic, lop3_is_a_truth_table) {
  constexpr std::uint32_t a = 0x0f0f3355, b = 0x12345678, c = 0xdeadbeef;
  OneWarp w;
  w.set(2, a).set(3, b).set(4, c);
  w.run("LOP3.LUT R6, R2, R3, R4, 0x80, !PT\nLOP3.LUT R7, R2, R3, R4, 0xfe, !PT\n"
        "LOP3.LUT R8, R2, R3, R4, 0x96, !PT\nLOP3.LUT R9, R2, R3, R4, 0xca, !PT\n"
        "LOP3.LUT R10, R2, R3, RZ, 0x3c, !PT\nLOP3.LUT R11, RZ, R3, RZ, 0x33, !PT\n"
        "LOP3.LUT R12, R2, 0xff, RZ, 0xc0, !PT\nLOP3.LUT R13, R2, R3, R4, 0x35, !PT");
  EXPECT_EQ(w.word(6), a & b & c);
  EXPECT_EQ(w.word(7), a | b | c);
  EXPECT_EQ(w.word(8), a ^ b ^ c);
  EXPECT_EQ(w.word(9), (a & b) | (~a & c));
  EXPECT_EQ(w.word(10), a ^ b);
  EXPECT_EQ(w.word(11), ~b);
  EXPECT_EQ(w.word(12), a & 0xff);
  EXPECT_EQ(w.word(13), (~a & ~c) | (a & ~b));
}

TEST(Logic, lop3_to_a_predicate_asks_for_any_bit) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return lane; });
  w.run("LOP3.LUT P0, RZ, R2, 0x1, RZ, 0xc0, !PT");
  EXPECT_EQ(w.flag(0), 0xaaaaaaaau);
  EXPECT_EQ(w.word(zero_register), 0u);
}

TEST(Logic, what_does_not_depend_on_the_unknown_is_known) {
  OneWarp w; // R2 is not known
  w.set(3, 0).set(4, 0xffffffff).set(5, 0xff);
  w.run("LOP3.LUT R6, R2, R3, RZ, 0xc0, !PT\nLOP3.LUT R7, R2, R4, RZ, 0xfc, !PT\n"
        "LOP3.LUT R8, R2, R5, RZ, 0xc0, !PT\nLOP3.LUT R9, R2, R2, R2, 0x0, !PT");
  EXPECT_EQ(w.word(6), 0u);
  EXPECT_EQ(w.word(7), 0xffffffffu);
  EXPECT_EQ(w.word(8), std::nullopt);
  EXPECT_EQ(w.word(9), 0u);
}

TEST(Logic, plop3_has_two_tables) {
  OneWarp w;
  w.flag(0, 0xffff0000).flag(1, 0xff00ff00).flag(2, 0xf0f0f0f0);
  w.run("PLOP3.LUT P3, P4, P0, P1, P2, 0x80, 0xfe\nPLOP3.LUT P5, PT, P0, !P1, PT, 0x80, 0x0");
  EXPECT_EQ(w.flag(3), 0xf0000000u);
  EXPECT_EQ(w.flag(4), 0xfffffff0u);
  EXPECT_EQ(w.flag(5), 0x00ff0000u);
}

TEST(Logic, a_known_false_decides_and_a_known_true_decides_or) {
  OneWarp w; // P1 is not known
  w.flag(0, 0x0000ffff);
  w.run("PLOP3.LUT P2, P3, P0, P1, PT, 0x80, 0xfc");
  EXPECT_EQ(w.warp.predicates[2].known, 0xffff0000u);
  EXPECT_EQ(w.warp.predicates[2].value, 0u);
  EXPECT_EQ(w.warp.predicates[3].known, 0x0000ffffu);
  EXPECT_EQ(w.warp.predicates[3].value, 0x0000ffffu);
}

TEST(Logic, comparisons_are_signed_unless_they_say_unsigned) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return static_cast<int>(lane) - 16; });
  w.run("ISETP.LT.AND P0, P1, R2, -0x8, PT\nISETP.LT.U32.AND P2, PT, R2, 0x8, PT\n"
        "ISETP.NE.OR P3, PT, R2, RZ, P0\nISETP.GE.XOR P4, PT, R2, RZ, P0");
  EXPECT_EQ(w.flag(0), 0x000000ffu);
  EXPECT_EQ(w.flag(1), 0xffffff00u);
  EXPECT_EQ(w.flag(2), 0x00ff0000u);
  EXPECT_EQ(w.flag(3), 0xfffeffffu);
  EXPECT_EQ(w.flag(4), 0xffff00ffu);
}

// The second destination is the opposite comparison, combined with the same predicate.
TEST(Logic, the_opposite_of_a_comparison_is_combined_too) {
  OneWarp w;
  w.each_lane(2, [](std::uint32_t lane) { return lane; }).flag(0, 0x0ff0);
  w.run("ISETP.GE.AND P1, P2, R2, 0x8, P0");
  EXPECT_EQ(w.flag(1), 0x0f00u);
  EXPECT_EQ(w.flag(2), 0x00f0u);
}

TEST(Logic, a_comparison_of_64_bits_is_two) {
  constexpr std::uint64_t list[] = {
      0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
  for (const std::uint64_t a : list)
    for (const std::uint64_t b : list) {
      OneWarp w;
      w.set_pair(2, a).set_pair(4, b);
      w.run("ISETP.GE.U32.AND P0, PT, R2, R4, PT\nISETP.GE.AND.EX P1, PT, R3, R5, PT, P0\n"
            "ISETP.GE.U32.AND.EX P2, PT, R3, R5, PT, P0\n"
            "ISETP.LT.U32.AND P0, PT, R2, R4, PT\nISETP.LT.AND.EX P3, PT, R3, R5, PT, P0\n"
            "ISETP.NE.U32.AND P0, PT, R2, R4, PT\nISETP.NE.AND.EX P4, PT, R3, R5, PT, P0\n"
            "ISETP.EQ.U32.AND P0, PT, R2, R4, PT\nISETP.EQ.AND.EX P5, PT, R3, R5, PT, P0");
      const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
      const auto all = [](bool yes) { return yes ? all_lanes : 0u; };
      EXPECT_EQ(w.flag(1), all(x >= y)) << a << ' ' << b;
      EXPECT_EQ(w.flag(2), all(a >= b)) << a << ' ' << b;
      EXPECT_EQ(w.flag(3), all(x < y)) << a << ' ' << b;
      EXPECT_EQ(w.flag(4), all(a != b)) << a << ' ' << b;
      EXPECT_EQ(w.flag(5), all(a == b)) << a << ' ' << b;
    }
}

TEST(Logic, high_halves_that_differ_decide_without_the_low_ones) {
  OneWarp w; // R2, R4 are not known
  w.set(3, 1).set(5, 2);
  w.run("ISETP.LT.U32.AND P0, PT, R2, R4, PT\nISETP.LT.AND.EX P1, PT, R3, R5, PT, P0");
  EXPECT_EQ(w.flag(0), std::nullopt);
  EXPECT_EQ(w.flag(1), all_lanes);
}

TEST(Logic, sel_takes_the_first_where_the_predicate_is_true) {
  OneWarp w;
  w.set(2, 1).set(3, 2).flag(0, 0xffff).run("SEL R6, R2, R3, P0\nSEL R7, R2, R3, !P0\nFSEL R8, -R2, R3, P0");
  EXPECT_EQ(w.word(6, 0), 1u);
  EXPECT_EQ(w.word(6, 31), 2u);
  EXPECT_EQ(w.word(7, 0), 2u);
  EXPECT_EQ(w.word(8, 0), 0x80000001u);
}

TEST(Logic, sel_of_two_alike_is_known_without_its_predicate) {
  OneWarp w; // P0, R4 are not known
  w.set(2, 7).set(3, 7).set(5, 8).flag(1, all_lanes);
  w.run("SEL R6, R2, R3, P0\nSEL R7, R2, R5, P0\nSEL R8, R2, R4, P1\nSEL R9, R4, R2, P1");
  EXPECT_EQ(w.word(6), 7u);
  EXPECT_EQ(w.word(7), std::nullopt);
  EXPECT_EQ(w.word(8), 7u);
  EXPECT_EQ(w.word(9), std::nullopt);
}

TEST(Logic, predicates_go_to_a_register_and_back) {
  OneWarp w;
  for (std::size_t p = 0; p < 7; ++p) w.flag(p, p % 2 == 0 ? all_lanes : 0);
  w.set(2, 0xffffff00).run("P2R R3, PR, R2, 0x7f\nP2R R4, PR, RZ, 0x3");
  EXPECT_EQ(w.word(3), 0xffffff55u);
  EXPECT_EQ(w.word(4), 1u);
  w.set(5, 0x2).run("R2P PR, R5, 0x7");
  EXPECT_EQ(w.flag(0), 0u);
  EXPECT_EQ(w.flag(1), all_lanes);
  EXPECT_EQ(w.flag(2), 0u);
  EXPECT_EQ(w.flag(4), all_lanes); // not in the mask
}

TEST(Logic, special_registers_say_where_a_thread_is) {
  OneWarp w;
  w.block.block = {8, 2, 4};
  w.block.at = {3, 2, 1};
  w.warp.number = 1; // threads 32 to 63
  w.run("S2R R2, SR_TID.X\nS2R R3, SR_TID.Y\nS2R R4, SR_TID.Z\nS2R R5, SR_CTAID.Y\nS2R R6, SR_LANEID\n"
        "S2R R7, SR_LTMASK\nCS2R R8, SRZ\nS2R R10, SR_CLOCKLO\nS2R R11, SR_GEMASK");
  EXPECT_EQ(w.word(2, 10), 2u); // thread 42 = 2 * 16 + 1 * 8 + 2
  EXPECT_EQ(w.word(3, 10), 1u);
  EXPECT_EQ(w.word(4, 10), 2u);
  EXPECT_EQ(w.word(5, 0), 2u);
  EXPECT_EQ(w.word(6, 13), 13u);
  EXPECT_EQ(w.word(7, 4), 0xfu);
  EXPECT_EQ(w.pair(8), 0u);
  EXPECT_EQ(w.word(10), std::nullopt);
  EXPECT_EQ(w.word(11, 31), 0x80000000u);
}

} // namespace perfmodel::executors_logic_test
