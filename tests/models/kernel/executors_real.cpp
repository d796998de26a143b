#include "one_warp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace perfmodel::executors_real_test {

std::uint32_t of(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t of(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(Reals, constants_of_halves_are_moved) {
  OneWarp w; // 2^-24 is the smallest half, 2^-14 the smallest that is normal, 65504 the largest
  w.run("HFMA2.MMA R2, -RZ, RZ, 0, 0\nHFMA2.MMA R3, -RZ, RZ, 1.875, 0\n"
        "HFMA2.MMA R4, -RZ, RZ, 0, 5.9604644775390625e-08\nHFMA2.MMA R5, -RZ, RZ, -2, 6.103515625e-05\n"
        "HFMA2.MMA R6, -RZ, RZ, 65504, 6.097555160522461e-05\nHFMA2 R7, -RZ, RZ, +INF , -INF\n"
        "HFMA2.MMA R8, -RZ, RZ, 0.00048804283142089844, -0.0");
  EXPECT_EQ(w.word(2), 0u);
  EXPECT_EQ(w.word(3), 0x3f800000u); // 1.0 as fp32
  EXPECT_EQ(w.word(4), 1u);
  EXPECT_EQ(w.word(5), 0xc0000400u);
  EXPECT_EQ(w.word(6), 0x7bff03ffu);
  EXPECT_EQ(w.word(7), 0x7c00fc00u);
  EXPECT_EQ(w.word(8), 0x0fff8000u); // 2^-11 (1 - 2^-11) + 2^-22 = 2047 * 2^-22
}

// Which bits a NaN has is not in its text.
TEST(Reals, a_constant_that_is_no_number_is_not_known) {
  OneWarp w;
  w.set(2, 7).set(3, 8).run("HFMA2.MMA R2, -RZ, RZ, +QNAN , 0\nHFMA2.MMA R3, R3, R3, 1, 1");
  EXPECT_EQ(w.word(2), std::nullopt);
  EXPECT_EQ(w.word(3), std::nullopt);
}

TEST(Reals, sums_and_products_are_those_of_fp32) {
  OneWarp w;
  w.set(2, of(1.5F)).set(3, of(-0.1F));
  w.run(
      "FADD R4, R2, -R3\nFMUL R5, R2, |R3|\nFFMA R6, R2, R3, 4\nFFMA R7, R3, R3, -R3\nFMNMX R8, R2, R3, PT\n"
      "FMNMX R9, R2, R3, !PT\nFADD.SAT R10, R2, 1\nFFMA.SAT R11, R2, R3, RZ\nFMUL.SAT R12, R2, 0.5\n"
      "FMUL.D2 R13, R2, 4\nFMUL.M4 R14, R2, 4");
  EXPECT_EQ(w.word(4), of(1.5F + 0.1F));
  EXPECT_EQ(w.word(5), of(1.5F * 0.1F));
  EXPECT_EQ(w.word(6), of(std::fma(1.5F, -0.1F, 4.0F)));
  EXPECT_EQ(w.word(7), of(std::fma(-0.1F, -0.1F, 0.1F)));
  EXPECT_EQ(w.word(8), of(-0.1F));
  EXPECT_EQ(w.word(9), of(1.5F));
  EXPECT_EQ(w.word(10), of(1.0F)); // .SAT holds a result between 0 and 1
  EXPECT_EQ(w.word(11), of(0.0F));
  EXPECT_EQ(w.word(12), of(0.75F));
  EXPECT_EQ(w.word(13), of(3.0F)); // half of the product, and four times it
  EXPECT_EQ(w.word(14), of(24.0F));
}

TEST(Reals, fp64_lies_in_pairs) {
  OneWarp w;
  w.set_pair(2, of(0.1)).set_pair(4, of(-3.0));
  w.run("DADD R6, R2, -R4\nDMUL R8, R2, |R4|\nDFMA R10, R2, R4, 1\nDSETP.GT.AND P0, P1, R2, R4, PT\n"
        "F2F.F32.F64 R12, R2\nF2F.F64.F32 R14, R12\nDADD R16, R2, RZ");
  EXPECT_EQ(w.pair(6), of(0.1 + 3.0));
  EXPECT_EQ(w.pair(8), of(0.1 * 3.0));
  EXPECT_EQ(w.pair(10), of(std::fma(0.1, -3.0, 1.0)));
  EXPECT_EQ(w.flag(0), all_lanes);
  EXPECT_EQ(w.flag(1), 0u);
  EXPECT_EQ(w.word(12), of(0.1F));
  EXPECT_EQ(w.pair(14), of(static_cast<double>(0.1F)));
  EXPECT_EQ(w.pair(16), of(0.1));
}

// As fmax and fmin of doubles do it: the first predicate takes the first operand, the second one says that
// neither is a number.
TEST(Reals, the_larger_of_two_fp64_is_a_number_if_one_of_them_is) {
  const auto flags = [](const char* opcode, double a, double b) {
    OneWarp w;
    w.set_pair(2, of(a)).set_pair(4, of(b));
    w.run(std::string("DSETP.") + opcode + ".AND P0, P1, R2, |R4|, PT");
    return std::pair(w.flag(0) == all_lanes, w.flag(1) == all_lanes);
  };
  EXPECT_EQ(flags("MAX", 4.0, -3.0), std::pair(true, false));
  EXPECT_EQ(flags("MAX", 2.0, -3.0), std::pair(false, false));
  EXPECT_EQ(flags("MIN", 2.0, -3.0), std::pair(true, false));
  EXPECT_EQ(flags("MAX", NAN, 1.0), std::pair(false, false));
  EXPECT_EQ(flags("MAX", 1.0, NAN), std::pair(true, false));
  EXPECT_EQ(flags("MAX", NAN, NAN), std::pair(false, true));
}

// A comparison with NaN is false, and true where it also says unordered.
TEST(Reals, comparisons_know_nan) {
  OneWarp w;
  w.set(2, of(1.0F)).set(3, of(NAN));
  w.run("FSETP.LT.AND P0, PT, R2, 2, PT\nFSETP.GEU.AND P1, PT, R2, R3, PT\nFSETP.NE.AND P2, PT, R2, R3, PT\n"
        "FSETP.NEU.AND P3, PT, R2, R3, PT\nFSETP.NAN.AND P4, PT, R3, R3, PT\nFSETP.GT.OR P5, PT, |R2|, +INF "
        ", P0");
  EXPECT_EQ(w.flag(0), all_lanes);
  EXPECT_EQ(w.flag(1), all_lanes);
  EXPECT_EQ(w.flag(2), 0u);
  EXPECT_EQ(w.flag(3), all_lanes);
  EXPECT_EQ(w.flag(4), all_lanes);
  EXPECT_EQ(w.flag(5), all_lanes);
}

TEST(Reals, conversions_to_integers_round_as_they_say_and_hold_the_ends) {
  OneWarp w;
  w.set(2, of(-2.5F)).set(3, of(3e9F)).set(4, of(3.5F)).set(5, of(NAN)).set_pair(6, of(-1e300));
  w.run("F2I.NTZ R10, R2\nF2I.TRUNC.NTZ R11, R2\nF2I.FLOOR.NTZ R12, R2\nF2I.CEIL.NTZ R13, R2\n"
        "F2I.U32.TRUNC.NTZ R14, R2\nF2I.TRUNC.NTZ R15, R3\nF2I.U32.TRUNC.NTZ R16, R3\nF2I.NTZ R17, R4\n"
        "F2I.NTZ R18, R5\nF2I.S64.TRUNC R20, R2\nF2I.U64.TRUNC R22, R3\nF2I.F64.TRUNC R24, R6\n"
        "F2I.S64.F64.TRUNC R26, R6");
  EXPECT_EQ(w.word(10), static_cast<std::uint32_t>(-2)); // half to even
  EXPECT_EQ(w.word(11), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(w.word(12), static_cast<std::uint32_t>(-3));
  EXPECT_EQ(w.word(13), static_cast<std::uint32_t>(-2));
  EXPECT_EQ(w.word(14), 0u);
  EXPECT_EQ(w.word(15), 0x7fffffffu);
  EXPECT_EQ(w.word(16), 3000000000u);
  EXPECT_EQ(w.word(17), 4u);
  EXPECT_EQ(w.word(18), 0u);
  EXPECT_EQ(w.pair(20), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(w.pair(22), 3000000000u);
  EXPECT_EQ(w.word(24), 0x80000000u);
  EXPECT_EQ(w.pair(26), 0x8000000000000000u);
}

// PTX, cvt: a float that is too large for 64 bits becomes the largest.
TEST(Reals, conversions_to_64_bits_hold_the_largest) {
  OneWarp w;
  w.set(2, of(1e30F)).run("F2I.S64.TRUNC R4, R2\nF2I.U64.TRUNC R6, R2");
  EXPECT_EQ(w.pair(4), 0x7fffffffffffffffu);
  EXPECT_EQ(w.pair(6), 0xffffffffffffffffu);
}

// Of bytes and words of 16 bits nothing is followed.
TEST(Reals, conversions_to_less_than_a_word_are_not_known) {
  OneWarp w;
  w.set(2, of(300.0F)).run("F2I.U8.TRUNC.NTZ R4, R2\nI2F.U8 R5, R2");
  EXPECT_EQ(w.word(4), std::nullopt);
  EXPECT_EQ(w.word(5), std::nullopt);
}

// 2^24 + 1 lies between two floats.
TEST(Reals, conversions_of_integers_round_as_they_say) {
  OneWarp w;
  w.set(2, 0x01000001).set(3, static_cast<std::uint32_t>(-0x01000001)).set(4, 0xffffffff);
  w.run("I2F.U32 R10, R2\nI2F.U32.RP R11, R2\nI2F.RM R12, R3\nI2F.RZ R13, R3\nI2F R14, R3\nI2FP.F32.U32 R15, "
        "R4\n"
        "I2FP.F32.S32 R16, R4\nI2F.U32.RZ R17, R4\nI2F.F64.U32 R18, R4\nI2F.F64 R20, R4");
  EXPECT_EQ(w.word(10), of(0x1p24F));
  EXPECT_EQ(w.word(11), of(0x1.000002p24F));
  EXPECT_EQ(w.word(12), of(-0x1.000002p24F));
  EXPECT_EQ(w.word(13), of(-0x1p24F));
  EXPECT_EQ(w.word(14), of(-0x1p24F));
  EXPECT_EQ(w.word(15), of(0x1p32F));
  EXPECT_EQ(w.word(16), of(-1.0F));
  EXPECT_EQ(w.word(17), of(0x1.fffffep31F));
  EXPECT_EQ(w.pair(18), of(4294967295.0));
  EXPECT_EQ(w.pair(20), of(-1.0));
}

// By way of a double, these would be rounded twice.
TEST(Reals, integers_of_64_bits_are_rounded_once) {
  OneWarp w;
  w.set_pair(2, 0x4000000000000001).set_pair(4, 0x4000004000000001).set_pair(6, 0xffffffffffffffff);
  w.run("I2F.U64.RP R10, R2\nI2F.U64 R11, R4\nI2F.S64.RM R12, R2\nI2F.U64.RZ R13, R6\nI2F.U64.RP R14, R6\n"
        "I2F.S64 R15, R6");
  EXPECT_EQ(w.word(10), of(0x1.000002p62F));
  EXPECT_EQ(w.word(11), of(0x1.000002p62F)); // just above the middle
  EXPECT_EQ(w.word(12), of(0x1p62F));
  EXPECT_EQ(w.word(13), of(0x1.fffffep63F));
  EXPECT_EQ(w.word(14), of(0x1p64F));
  EXPECT_EQ(w.word(15), of(-1.0F));
}

TEST(Reals, special_functions_are_those_of_the_name) {
  OneWarp w;
  w.set(2, of(4.0F)).set_pair(4, of(4.0));
  w.run("MUFU.RCP R10, R2\nMUFU.RSQ R11, R2\nMUFU.SQRT R12, R2\nMUFU.EX2 R13, R2\nMUFU.LG2 R14, R2\n"
        "MUFU.RCP64H R15, R5\nMUFU.RSQ64H R16, R5\nMUFU.RCP R17, -R2\nFRND.TRUNC R18, 2.5");
  EXPECT_EQ(w.word(10), of(0.25F));
  EXPECT_EQ(w.word(11), of(0.5F));
  EXPECT_EQ(w.word(12), of(2.0F));
  EXPECT_EQ(w.word(13), of(16.0F));
  EXPECT_EQ(w.word(14), of(2.0F));
  EXPECT_EQ(w.word(15), static_cast<std::uint32_t>(of(0.25) >> 32));
  EXPECT_EQ(w.word(16), static_cast<std::uint32_t>(of(0.5) >> 32));
  EXPECT_EQ(w.word(17), of(-0.25F));
  EXPECT_EQ(w.word(18), of(2.0F));
}

// nvcc -O3 of a division of doubles by 3: MUFU.RCP64H R3, 3, which the encoding has as 0x40080000. Taken as
// the word 3 the reciprocal is infinite, and every trip of a loop takes the slow path.
TEST(Reals, a_reciprocal_of_the_upper_half_of_a_literal_is_that_of_the_double) {
  OneWarp w;
  w.run("MUFU.RCP64H R2, 3\nMUFU.RCP64H R3, -0.625\nMUFU.RSQ64H R4, 16");
  EXPECT_EQ(w.word(2), static_cast<std::uint32_t>(of(1 / 3.0) >> 32));
  EXPECT_EQ(w.word(3), static_cast<std::uint32_t>(of(-1.6) >> 32));
  EXPECT_EQ(w.word(4), static_cast<std::uint32_t>(of(0.25) >> 32));
}

// A tile of 16 x 8 sums in fp32 has four registers a lane, in fp16 two.
TEST(Reals, a_product_of_tiles_leaves_other_registers_alone) {
  OneWarp w;
  for (std::size_t r = 4; r < 16; ++r) w.set(r, 1);
  w.run("HMMA.16816.F16 R4, R20, R24, R4\nHMMA.16816.F32 R8, R20, R24, R8");
  EXPECT_EQ(w.word(5), std::nullopt);
  EXPECT_EQ(w.word(6), 1u);
  EXPECT_EQ(w.word(11), std::nullopt);
  EXPECT_EQ(w.word(12), 1u);
}

} // namespace perfmodel::executors_real_test
