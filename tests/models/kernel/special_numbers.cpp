#include "block_runs.hpp"

#include "models/kernel/special_numbers.hpp"

#include <gtest/gtest.h>

namespace perfmodel::special_numbers_test {

// The way of the only branch with a guard.
SpecialWay way_of(std::string_view text) {
  const KernelCode code = read_listing(listing_of(text), "");
  for (std::size_t n = 0; n < code.instructions.size(); ++n)
    if (code.instructions[n].opcode == "BRA" && code.instructions[n].guard.kind != OperandKind::none)
      return special_way(code, n);
  throw InputError("no branch");
}

// nvcc 13.0 -O3, log of a double: what is subnormal is scaled first; with one taken off, zero lies beyond
// infinity, too.
constexpr std::string_view logarithm = "LDG.E.64 R2, desc[UR4][R2.64]\n"
                                       "ISETP.GT.AND P0, PT, R3, 0xfffff, PT\n"
                                       "IMAD.MOV.U32 R20, RZ, RZ, R2\n"
                                       "IMAD.MOV.U32 R21, RZ, RZ, R3.reuse\n"
                                       "IMAD.MOV.U32 R0, RZ, RZ, R3\n"
                                       "@!P0 DMUL R20, R20, 1.80143985094819840000e+16\n"
                                       "@!P0 IMAD.MOV.U32 R0, RZ, RZ, R21\n"
                                       "VIADD R3, R0, 0xffffffff\n"
                                       "ISETP.GE.U32.AND P1, PT, R3, 0x7fefffff, PT\n"
                                       "@P1 DFMA R6, R20, R6, +INF\n"
                                       "@P1 BRA `(.L_end)\n"
                                       "MUFU.RCP64H R25, R31\n"
                                       "LDG.E R4, desc[UR4][R4.64]\n"
                                       ".L_end:\n"
                                       "EXIT\n";

// What no compiler writes.
TEST(SpecialNumbers, a_word_that_is_none_of_a_double_says_nothing) {
  EXPECT_EQ(way_of("PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0\n@P1 MUFU.RCP64H R5, R3\n"
                   "ISETP.NE.AND P0, PT, RZ, RZ, P1\n@P0 BRA `(.L_end)\n.L_end:\nEXIT\n"),
            SpecialWay::none)
      << "the reciprocal's guard";
  EXPECT_EQ(way_of("R2UR UR7, R2\nMUFU.RCP64H R5, UR7\nISETP.GT.AND P0, PT, RZ, UR7, PT\n"
                   "@P0 BRA `(.L_end)\n.L_end:\nEXIT\n"),
            SpecialWay::none);
  EXPECT_EQ(way_of("DADD R2, R4, R6\nMOV R8, SR_TID.X\nISETP.GT.AND P0, PT, R3, R8, PT\n"
                   "@P0 BRA `(.L_end)\n.L_end:\nEXIT\n"),
            SpecialWay::none)
      << "which thread it is";
}

TEST(SpecialNumbers, a_logarithm_goes_another_way_for_infinity_and_zero) {
  EXPECT_EQ(way_of(logarithm), SpecialWay::if_taken);
  const SeenBlock seen = run_code(logarithm);
  EXPECT_EQ(seen.issued("MUFU"), 1u);
  EXPECT_EQ(seen.run.slow_paths, 1u);
  EXPECT_EQ(seen.run.assumed, 0u);
}

// nvcc 13.0 -O3, erfc of a double: the way for NaN and infinities comes first, and jumps over the other.
TEST(SpecialNumbers, an_error_function_has_a_way_for_infinity_and_nan) {
  EXPECT_EQ(way_of("DADD R20, R16, R18\n"
                   "LOP3.LUT R0, R21, 0x7fffffff, RZ, 0xc0, !PT\n"
                   "ISETP.GE.U32.AND P0, PT, R0, 0x7ff00000, PT\n"
                   "@!P0 BRA `(.L_main)\n"
                   "DADD R22, R20, R20\n"
                   "BRA `(.L_end)\n"
                   ".L_main:\n"
                   "MUFU.RCP64H R29, R27\n"
                   ".L_end:\n"
                   "EXIT\n"),
            SpecialWay::if_not);
}

// nvcc 13.0 -O3, exp of a double: whether |x| < 708, by the upper word taken for a float.
TEST(SpecialNumbers, an_exponential_scales_twice_where_it_would_overflow) {
  EXPECT_EQ(way_of("DMUL R16, R8, -R4\n"
                   "FSETP.GEU.AND P1, PT, |R17|, 4.1917929649353027344, PT\n"
                   "@!P1 BRA `(.L_end)\n"
                   "DADD R22, R16, +INF\n"
                   ".L_end:\n"
                   "EXIT\n"),
            SpecialWay::if_not);
}

// x > 1, x > 0, x != 0 and the like, by the upper word.
TEST(SpecialNumbers, ordinary_numbers_that_go_both_ways_or_zero_alone_are_none) {
  for (const char* test : {"GT.AND P0, PT, R3, 0x3ff00000, PT", "GE.AND P0, PT, R3, RZ, PT",
                           "NE.AND P0, PT, R3, RZ, PT", "GT.U32.AND P0, PT, R3, 0x403b4000, PT"})
    EXPECT_EQ(way_of("DADD R2, R4, R6\nISETP." + std::string(test) +
                     "\n@P0 BRA `(.L_end)\nMUFU.EX2 R0, R0\n" + ".L_end:\nEXIT\n"),
              SpecialWay::none)
        << test;
}

// An integer that is compared with such a constant says nothing.
TEST(SpecialNumbers, a_word_that_is_no_part_of_a_double_is_none) {
  EXPECT_EQ(way_of("LDG.E R3, desc[UR4][R2.64]\nISETP.GE.U32.AND P0, PT, R3, 0x7ff00000, PT\n"
                   "@P0 BRA `(.L_end)\nMUFU.EX2 R0, R3\n.L_end:\nEXIT\n"),
            SpecialWay::none);
  EXPECT_EQ(way_of("DADD R4, R4, R6\nISETP.GE.U32.AND P0, PT, R4, 0x7ff00000, PT\n" // the lower word
                   "@P0 BRA `(.L_end)\nMUFU.EX2 R0, R3\n.L_end:\nEXIT\n"),
            SpecialWay::none);
}

TEST(SpecialNumbers, a_comparison_that_lacks_an_operand_matters_to_nobody_who_does_not_come_there) {
  EXPECT_EQ(run_code("BRA `(.L_end)\nDADD R2, R4, R6\nISETP.GE.U32.AND P0, PT, R3\n@P0 BRA `(.L_end)\n"
                     "MUFU.EX2 R0, R3\n.L_end:\nEXIT\n")
                .issued("EXIT"),
            1u);
}

} // namespace perfmodel::special_numbers_test
