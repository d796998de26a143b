// Turns that the lanes of one access take.
#include "traced.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::block_trace_test {

// Own measurement, an H200 of 29 November 2026: additions to 1 to 32 words take 32 turns where all of them
// lie in one bank, and as many as lanes meet in a word where each has a bank.
TEST(SharedAtomics, take_a_turn_for_each_lane_of_a_bank) {
  const auto turns = [](const char* words, const char* bytes) {
    return Traced("S2R R0, SR_TID.X\nLOP3.LUT R1, R0, " + std::string(words) +
                  ", RZ, 0xc0, !PT\nIMAD R2, R1, " + bytes + ", RZ\nATOMS.ADD RZ, [R2], R0\nEXIT")
        .last(Space::shared)
        .wavefronts;
  };
  EXPECT_EQ(turns("0x1f", "0x4"), 1);
  EXPECT_EQ(turns("0x7", "0x4"), 4);
  EXPECT_EQ(turns("0x0", "0x4"), 32);
  EXPECT_EQ(turns("0x1f", "0x80"), 32);
  EXPECT_EQ(turns("0x7", "0x80"), 32);
}

// An H200, 29 November 2026: 2 cycles of an SM for each different address, of 32 and of 64 bits.
TEST(ConstantLoads, take_a_turn_for_each_address_whatever_their_width) {
  const auto words = [](const std::string& opcode, const char* lanes, const char* bytes) {
    return Traced("S2R R0, SR_TID.X\nLOP3.LUT R1, R0, " + std::string(lanes) +
                  ", RZ, 0xc0, !PT\nIMAD R2, R1, " + bytes + ", RZ\n" + opcode + " R4, c[0x3][R2]\nEXIT")
        .last(Space::constant)
        .words;
  };
  EXPECT_EQ(words("LDC", "0x0", "0x4"), 1);
  EXPECT_EQ(words("LDC.64", "0x0", "0x8"), 1);
  EXPECT_EQ(words("LDC", "0x7", "0x4"), 8);
  EXPECT_EQ(words("LDC.64", "0x7", "0x8"), 8);
}

} // namespace perfmodel::block_trace_test
