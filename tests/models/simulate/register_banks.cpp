#include "models/simulate/register_banks.hpp"

#include "tests/models/kernel/code_text.hpp"

#include <gtest/gtest.h>

// Two banks, the even and the odd registers, as Huerta, Abaie, Cruz and Gonzalez found (MICRO 2025,
// section 5.3).
namespace perfmodel::register_banks_test {

BankReads reads_of(std::string_view line) { return bank_reads(code_from(line), 2).front(); }

TEST(RegisterBanks, operands_are_read_from_the_bank_of_their_register) {
  EXPECT_EQ(reads_of("FFMA R0, R2, R4, R6"), (BankReads{3, 0}));
  EXPECT_EQ(reads_of("FFMA R0, R2, R5, R6"), (BankReads{2, 1}));
  EXPECT_EQ(reads_of("FFMA R1, R3, R5, R7"), (BankReads{0, 3}));
}

TEST(RegisterBanks, one_register_is_read_once_and_no_constant_and_no_zero) {
  EXPECT_EQ(reads_of("FMUL R0, R2, R2"), (BankReads{1, 0}));
  EXPECT_EQ(reads_of("FFMA R0, R2, c[0x0][0x160], R5"), (BankReads{1, 1}));
  EXPECT_EQ(reads_of("FFMA R0, R2, R5, RZ"), (BankReads{1, 1}));
}

TEST(RegisterBanks, of_64_bits_are_two) {
  EXPECT_EQ(reads_of("DFMA R0, R2, R4, R6"), (BankReads{3, 3}));
  EXPECT_EQ(reads_of("IMAD.WIDE R0, R2, R5, R6"), (BankReads{2, 2}));
}

// The destination is written, not read, and a branch reads nothing.
TEST(RegisterBanks, what_reads_no_register_reads_no_bank) {
  EXPECT_EQ(reads_of("MOV R2, 0x1"), BankReads{});
  EXPECT_EQ(reads_of("EXIT"), BankReads{});
}

TEST(RegisterBanks, what_is_kept_is_not_read_again_by_the_next_alone) {
  const auto reads =
      bank_reads(code_from("FFMA R0, R2.reuse, R4.reuse, R6\nFFMA R0, R2, R5, R6\nFFMA R0, R2, R4, R6"), 2);
  EXPECT_EQ(reads[0], (BankReads{3, 0}));
  EXPECT_EQ(reads[1], (BankReads{1, 1}));
  EXPECT_EQ(reads[2], (BankReads{3, 0}));
}

TEST(RegisterBanks, registers_go_around_as_many_banks_as_there_are) {
  EXPECT_EQ(bank_reads(code_from("FFMA R0, R4, R5, R7"), 4).front(), (BankReads{1, 1, 0, 1}));
  BankReads last{};
  last[15] = 1;
  EXPECT_EQ(bank_reads(code_from("FADD R0, R31, RZ"), 16).front(), last);
}

} // namespace perfmodel::register_banks_test
