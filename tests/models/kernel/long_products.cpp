#include "block_runs.hpp"

#include <gtest/gtest.h>

namespace perfmodel::long_products_test {

// Written after nvcc 13.0 -O3 of x * y % m with numbers of 64 bits: upper words that are zero, the short way,
// else a call.
SeenBlock remainder(const std::string& dividend, const char* divisor) {
  return run_code("LDG.E R4, desc[UR4][R2.64]\n"
                  "LDG.E R2, desc[UR4][R2.64]\n"
                  "MOV R5, 0x7\n"
                  "UMOV UR8, 0x0\n"
                  "UMOV UR9, " +
                  std::string(divisor) + "\n" + dividend +
                  "LOP3.LUT R2, R9, UR8, RZ, 0xfc, !PT\n"
                  "ISETP.NE.U32.AND P0, PT, R2, RZ, PT\n"
                  "@!P0 BRA `(.L_short)\n"
                  "MOV R6, 0xd0\n"
                  "CALL.REL.NOINC `(.L_long)\n"
                  "BRA `(.L_end)\n"
                  ".L_short:\n"
                  "I2F.U32.RP R6, UR9\n"
                  "MUFU.RCP R6, R6\n"
                  ".L_end:\n"
                  "EXIT\n"
                  ".L_long:\n"
                  "I2F.U64.RP R15, UR8\n"
                  "MOV R7, 0x0\n"
                  "RET.REL.NODEC R6 0x0\n");
}

const std::string product = "IMAD.WIDE.U32 R8, R4, R2, RZ\nIMAD R11, R5, R2, RZ\nIADD3 R9, R9, R11, RZ\n";

TEST(LongProducts, of_two_numbers_that_are_loaded_are_divided_by_the_way_for_64_bits) {
  const SeenBlock seen = remainder(product, "0xfffffffb");
  EXPECT_EQ(seen.issued("CALL"), 1u);
  EXPECT_EQ(seen.issued("MUFU"), 0u);
  EXPECT_EQ(seen.run.long_divisions, 1u);
  EXPECT_EQ(seen.run.slow_paths, 0u);
}

// Two numbers of 16 bits have a product of 32.
TEST(LongProducts, of_remainders_of_a_short_divisor_are_none) {
  EXPECT_EQ(remainder(product, "0xffff").issued("CALL"), 0u);
  EXPECT_EQ(remainder(product, "0x10000").issued("CALL"), 1u);
}

TEST(LongProducts, with_a_known_number_and_what_is_written_over_one_are_none) {
  const SeenBlock known = remainder("IMAD.WIDE.U32 R8, R4, R5, RZ\n", "0xfffffffb");
  EXPECT_EQ(known.issued("CALL"), 0u);
  EXPECT_EQ(known.run.slow_paths, 1u);
  EXPECT_EQ(remainder(product + "LDG.E R9, desc[UR4][R12.64]\n", "0xfffffffb").issued("CALL"), 0u);
}

} // namespace perfmodel::long_products_test
