#include "one_warp.hpp"

#include <gtest/gtest.h>

#include <random>

// Results worked by hand, or computed in C++ by another way.
namespace perfmodel::executors_integer_test {

constexpr std::uint64_t pairs[] = {0,
                                   1,
                                   0xffffffff,
                                   0x100000000,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff,
                                   0x123456789abcdef0};

TEST(Integers, a_sum_of_64_bits_is_two_sums_and_a_carry) {
  for (const std::uint64_t a : pairs)
    for (const std::uint64_t b : pairs) {
      OneWarp w;
      w.set_pair(2, a).set_pair(4, b).run("IADD3 R6, P0, R2, R4, RZ\nIADD3.X R7, R3, R5, RZ, P0, !PT");
      EXPECT_EQ(w.pair(6), a + b) << a << ' ' << b;
    }
}

TEST(Integers, a_difference_carries_a_complement) {
  for (const std::uint64_t a : pairs)
    for (const std::uint64_t b : pairs) {
      OneWarp w;
      w.set_pair(2, a).set_pair(4, b);
      w.run("IADD3 R6, P0, R2, -R4, RZ\nIADD3.X R7, R3, ~R5, RZ, P0, !PT");
      EXPECT_EQ(w.pair(6), a - b) << a << ' ' << b;
      w.run("IADD3 R8, P1, -R4, R2, RZ\nIMAD.X R9, R3, 0x1, ~R5, P1");
      EXPECT_EQ(w.pair(8), a - b) << a << ' ' << b;
    }
}

// 3 * (2^32 - 1) is 2 * 2^32 + (2^32 - 3): the carry is two, in two predicates.
TEST(Integers, three_addends_can_carry_twice) {
  OneWarp w;
  w.set(2, 0xffffffff).run("IADD3 R6, P0, P1, R2, R2, R2\nIADD3.X R7, RZ, RZ, RZ, P0, P1");
  EXPECT_EQ(w.pair(6), 0x2fffffffdULL);
}

TEST(Integers, a_negative_constant_is_added) {
  OneWarp w;
  w.set_pair(2, 5).run("IADD3 R6, P0, R2, -0x8, RZ\nIADD3.X R7, R3, -0x1, RZ, P0, !PT");
  EXPECT_EQ(w.pair(6), static_cast<std::uint64_t>(-3));
  w.set(2, 5).run("VIADD R8, R2, -0x8");
  EXPECT_EQ(w.word(8), static_cast<std::uint32_t>(-3));
}

TEST(Integers, a_wide_product_is_signed_unless_it_says_unsigned) {
  OneWarp w;
  w.set(2, static_cast<std::uint32_t>(-3)).set(3, 4).set_pair(4, 100);
  w.run("IMAD.WIDE R6, R2, R3, R4\nIMAD.WIDE.U32 R8, R2, R3, R4\nIMAD R10, R2, R3, R4");
  EXPECT_EQ(w.pair(6), 88u);
  EXPECT_EQ(w.pair(8), 4 * 0xfffffffdULL + 100);
  EXPECT_EQ(w.word(10), 88u);
}

// (a * b + c) >> 32, of a pair c.
TEST(Integers, the_high_half_of_a_product_takes_a_pair_as_addend) {
  OneWarp w;
  w.set(2, 0x80000000).set(3, 3).set_pair(4, 0x80000000);
  w.run("IMAD.HI.U32 R6, R2, R3, R4\nIMAD.HI R7, R2, R3, R4\nIMAD.HI.U32 R8, R2, R3, RZ");
  EXPECT_EQ(w.word(6), 2u);                             // 0x1'8000'0000 + 0x8000'0000
  EXPECT_EQ(w.word(7), static_cast<std::uint32_t>(-1)); // -0x1'8000'0000 + 0x8000'0000
  EXPECT_EQ(w.word(8), 1u);
}

TEST(Integers, halves_have_a_smallest_each) {
  OneWarp w;
  w.set(2, 0xffff0005).set(3, 0x00010003); // -1 and 5, 1 and 3
  w.run("VIMNMX.S16x2 R6, R2, R3, PT\nVIMNMX.U16x2 R7, R2, R3, PT\nVIMNMX.S16x2 R8, R2, R3, !PT");
  EXPECT_EQ(w.word(6), 0xffff0003u);
  EXPECT_EQ(w.word(7), 0x00010003u);
  EXPECT_EQ(w.word(8), 0x00010005u);
}

TEST(Integers, a_wide_product_can_carry) {
  OneWarp w;
  w.set(2, 0xffffffff).set_pair(4, 0xffffffffffffffff);
  w.run("IMAD.WIDE.U32 R6, P0, R2, R2, R4\nIMAD.X R8, RZ, RZ, RZ, P0");
  EXPECT_EQ(w.pair(6), 0xfffffffe00000000ULL); // (2^32 - 1)^2 + 2^64 - 1 - 2^64
  EXPECT_EQ(w.word(8), 1u);
}

TEST(Integers, a_product_with_a_known_zero_is_known) {
  OneWarp w;
  w.set(3, 0).run("IMAD R6, R2, R3, 0x5\nIMAD R7, R2, 0x2, RZ\nIMAD.MOV.U32 R8, RZ, RZ, 0x7");
  EXPECT_EQ(w.word(6), 5u);
  EXPECT_EQ(w.word(7), std::nullopt);
  EXPECT_EQ(w.word(8), 7u);
}

// base + 4 * index, of an index of 64 bits, and of one of 32 bits with its sign.
TEST(Integers, lea_makes_an_address_of_64_bits) {
  constexpr std::uint64_t base = 0x7f00fffffff0;
  for (const std::int64_t index : {0LL, 5LL, -5LL, 0x40000000LL, -0x40000000LL, 0x7fffffffLL, 1LL << 40}) {
    OneWarp w;
    w.set_pair(2, static_cast<std::uint64_t>(index)).set_pair(4, base);
    w.run("LEA R6, P0, R2, R4, 0x2\nLEA.HI.X R7, R2, R5, R3, 0x2, P0");
    EXPECT_EQ(w.pair(6), base + static_cast<std::uint64_t>(4 * index)) << index;
    if (index != static_cast<std::int32_t>(index)) continue;
    w.run("LEA R8, P1, R2, R4, 0x2\nLEA.HI.X.SX32 R9, R2, R5, 0x2, P1");
    EXPECT_EQ(w.pair(8), base + static_cast<std::uint64_t>(4 * index)) << index;
  }
}

// As in x / 32 of a signed x: the sign's lowest bits are added.
TEST(Integers, lea_hi_adds_the_bits_above) {
  OneWarp w;
  w.set(2, 0xf0000000).set(3, 7).run("LEA.HI R6, R2, R3, RZ, 0x5\nLEA.HI.SX32 R7, R2, R3, 0x1c");
  EXPECT_EQ(w.word(6), 7 + 0x1eu);
  EXPECT_EQ(w.word(7), 7 + 0xff000000u); // the pair ffffffff'f0000000, shifted left by 28
}

TEST(Integers, shifts_take_a_pair_and_give_a_half) {
  OneWarp w;
  w.set(2, 0x89abcdef).set(3, 0xf1234567).set(4, 8);
  w.run("SHF.L.U32 R10, R2, R4, RZ\n"
        "SHF.R.U32.HI R11, RZ, R4, R3\n"
        "SHF.R.S32.HI R12, RZ, R4, R3\n"
        "SHF.L.U64.HI R13, R2, R4, R3\n"
        "SHF.R.U64 R14, R2, R4, R3\n"
        "SHF.R.S64 R15, R2, R4, R3\n"
        "SHF.L.W.U32.HI R16, R2, R4, R3\n"
        "SHF.R.W.U32 R17, R2, R4, R3\n"
        "SHF.L.W.U32.HI R18, R2, R4, R2"); // rotated
  EXPECT_EQ(w.word(10), 0xabcdef00u);
  EXPECT_EQ(w.word(11), 0x00f12345u);
  EXPECT_EQ(w.word(12), 0xfff12345u);
  EXPECT_EQ(w.word(13), 0x23456789u);
  EXPECT_EQ(w.word(14), 0x6789abcdu);
  EXPECT_EQ(w.word(15), 0x6789abcdu);
  EXPECT_EQ(w.word(16), 0x23456789u);
  EXPECT_EQ(w.word(17), 0x6789abcdu);
  EXPECT_EQ(w.word(18), 0xabcdef89u);
}

TEST(Integers, a_shift_by_more_than_there_is_leaves_nothing_or_the_sign) {
  for (const std::uint32_t by : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 200u}) {
    OneWarp w;
    constexpr std::uint64_t value = 0xf123456789abcdef;
    w.set_pair(2, value).set(4, by);
    w.run("SHF.L.U32 R10, R2, R4, RZ\nSHF.L.U64.HI R11, R2, R4, R3\n"
          "SHF.R.U64 R12, R2, R4, R3\nSHF.R.U32.HI R13, RZ, R4, R3\n"
          "SHF.R.S64 R14, R2, R4, R3\nSHF.R.S32.HI R15, RZ, R4, R3");
    // PTX, shl and shr: by more than the width is by the width.
    const std::uint64_t left = by > 63 ? 0 : value << by, right = by > 63 ? 0 : value >> by;
    const auto signed_right =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(by, 63u));
    EXPECT_EQ(w.pair(10), left) << by;
    EXPECT_EQ(w.pair(12), right) << by;
    EXPECT_EQ(w.pair(14), signed_right) << by;
  }
}

// The half that no bit comes from may be unknown.
TEST(Integers, a_shift_of_one_half_does_not_ask_for_the_other) {
  OneWarp w;
  w.set(3, 0x100).run("SHF.R.U32.HI R6, R2, 0x4, R3\nSHF.L.U32 R7, R3, 0x4, R2\nSHF.R.U64 R8, R2, 0x4, R3");
  EXPECT_EQ(w.word(6), 0x10u);
  EXPECT_EQ(w.word(7), 0x1000u);
  EXPECT_EQ(w.word(8), std::nullopt);
}

TEST(Integers, the_smaller_where_the_predicate_is_true) {
  OneWarp w;
  w.set(2, static_cast<std::uint32_t>(-1)).set(3, 5);
  w.run("IMNMX R6, R2, R3, PT\nIMNMX R7, R2, R3, !PT\nIMNMX.U32 R8, R2, R3, PT\nVIMNMX R9, R2, R3, !PT\n"
        "VIADDMNMX R10, R2, R3, 0x7, !PT\nVIMNMX.RELU R11, R2, R3, PT\nVIMNMX.RELU R12, R2, R3, !PT\n"
        "VIMNMX3 R13, R3, R2, 0x7, PT\nVIMNMX3 R14, R2, R3, 0x7, !PT");
  EXPECT_EQ(w.word(6), 0xffffffffu);
  EXPECT_EQ(w.word(7), 5u);
  EXPECT_EQ(w.word(8), 5u);
  EXPECT_EQ(w.word(9), 5u);
  EXPECT_EQ(w.word(10), 7u); // of 4 and 7
  EXPECT_EQ(w.word(11), 0u); // -1, and nothing below zero
  EXPECT_EQ(w.word(12), 5u);
  EXPECT_EQ(w.word(13), 0xffffffffu);
  EXPECT_EQ(w.word(14), 7u);
}

// PTX: prmt, the table of its default mode; a selector's high bit takes the sign.
TEST(Integers, prmt_chooses_bytes) {
  OneWarp w;
  w.set(2, 0x83828180).set(3, 0x77665544);
  w.run("PRMT R6, R2, 0x7610, R3\nPRMT R7, R2, 0x7710, RZ\nPRMT R8, R2, 0x8880, RZ\nPRMT R9, R2, 0x5432, R3");
  EXPECT_EQ(w.word(6), 0x77668180u);
  EXPECT_EQ(w.word(7), 0x00008180u);
  EXPECT_EQ(w.word(8), 0xffffff80u);
  EXPECT_EQ(w.word(9), 0x55448382u);
}

TEST(Integers, bits_are_counted_found_and_turned) {
  OneWarp w;
  w.set(2, 0x00f00000).set(3, 0xfffff0ff).set(4, 0);
  w.run("POPC R6, R2\nFLO.U32 R7, R2\nFLO.U32.SH R8, R2\nFLO R9, R3\nFLO.U32 R10, P0, R4\nBREV R11, R2\nIABS "
        "R12, R3");
  EXPECT_EQ(w.word(6), 4u);
  EXPECT_EQ(w.word(7), 23u);
  EXPECT_EQ(w.word(8), 8u);
  EXPECT_EQ(w.word(9), 11u); // the highest bit that differs from the sign
  EXPECT_EQ(w.word(10), 0xffffffffu);
  EXPECT_EQ(w.flag(0), 0u);
  EXPECT_EQ(w.word(11), 0x00000f00u);
  EXPECT_EQ(w.word(12), 0xf01u);
}

TEST(Integers, fields_of_bits_are_cut_out) {
  OneWarp w;
  w.set(2, 0x000012f5);
  w.run("SGXT R6, R2, 0x8\nSGXT.U32 R7, R2, 0x8\nSGXT R8, R2, 0x20\nSGXT R9, R2, 0x1\n"
        "BMSK R10, 0x4, 0x8\nBMSK R11, RZ, 0x20\nBMSK R12, 0x1c, 0x8");
  EXPECT_EQ(w.word(6), 0xfffffff5u);
  EXPECT_EQ(w.word(7), 0xf5u);
  EXPECT_EQ(w.word(8), 0x12f5u);
  EXPECT_EQ(w.word(9), 0xffffffffu);
  EXPECT_EQ(w.word(10), 0xff0u);
  EXPECT_EQ(w.word(11), 0xffffffffu);
  EXPECT_EQ(w.word(12), 0xf0000000u);
}

TEST(Integers, only_lanes_of_the_mask_are_written) {
  OneWarp w;
  w.set(2, 1).lanes = 0xffff0000;
  w.run("IADD3 R2, R2, 0x1, RZ");
  EXPECT_EQ(w.word(2, 15), 1u);
  EXPECT_EQ(w.word(2, 16), 2u);
}

TEST(Integers, uniform_registers_are_the_same_in_all_lanes) {
  OneWarp w;
  w.run(
      "UMOV UR4, 0x400\nULEA UR4, UR4, UR4, 0x2\nUIADD3 UR4, UR4, -0x1, URZ\nUSHF.L.U32 UR5, UR4, 0x4, URZ\n"
      "IADD3 R6, R6, UR4, RZ\nIMAD.U32 R7, RZ, RZ, UR5");
  EXPECT_EQ(w.word(6), std::nullopt);
  EXPECT_EQ(w.word(7, 31), 0x13ff0u);
}

} // namespace perfmodel::executors_integer_test
