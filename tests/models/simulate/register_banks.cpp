#include "models/simulate/register_banks.hpp"

#include "code_text.hpp"

#include <gtest/gtest.h>

#include <numeric>

// Two banks of an operand a cycle each, as Huerta, Abaie, Cruz and Gonzalez found (MICRO 2025, section 5.3).
namespace perfmodel::register_banks_test {

std::vector<double> waits_of(std::string_view line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += fmt::format("{}{}", i == 0 ? "" : "\n", line);
  return register_waits(code_from(text), 2, 2);
}

double sum_of(const std::vector<double>& waits) { return std::accumulate(waits.begin(), waits.end(), 0.0); }

TEST(RegisterBanks, one_bank_three_times_takes_three_cycles_an_instruction) {
  const std::vector<double> waits = waits_of("FFMA R0, R2, R4, R6", 8);
  EXPECT_DOUBLE_EQ(waits[0], 0); // it has three cycles
  for (std::size_t i = 1; i < waits.size(); ++i) EXPECT_DOUBLE_EQ(waits[i], 2) << i;
}

TEST(RegisterBanks, both_banks_take_two_cycles_an_instruction) {
  const std::vector<double> waits = waits_of("FFMA R0, R2, R5, R6", 101);
  EXPECT_DOUBLE_EQ(waits[1], 0);             // the window holds one
  EXPECT_NEAR(sum_of(waits) / 100, 1, 0.02); // bank 0 has two operands
  EXPECT_NEAR(sum_of(waits_of("FFMA R1, R3, R4, R5", 101)) / 100, 1, 0.02);
}

TEST(RegisterBanks, one_operand_of_each_bank_never_waits) {
  EXPECT_DOUBLE_EQ(sum_of(waits_of("FADD R0, R2, R5", 100)), 0);
  EXPECT_DOUBLE_EQ(sum_of(waits_of("FFMA R0, R2, R5, RZ", 100)), 0);
  EXPECT_DOUBLE_EQ(sum_of(waits_of("FFMA R0, R2, c[0x0][0x160], R5", 100)), 0);
  EXPECT_DOUBLE_EQ(sum_of(waits_of("FMUL R0, R2, R2", 100)), 0); // one register once
}

TEST(RegisterBanks, what_is_kept_is_not_read_again) {
  EXPECT_DOUBLE_EQ(sum_of(waits_of("FFMA R0, R2.reuse, R4, R5", 100)), 0);
  const std::vector<double> kept = waits_of("FFMA R0, R2.reuse, R4, R6", 101);
  EXPECT_NEAR(sum_of(kept) / 100, 1, 0.04);
}

// Kept for the next instruction alone.
TEST(RegisterBanks, what_is_kept_is_gone_after_one_instruction) {
  const auto waits = register_waits(
      code_from(
          "FFMA R0, R2.reuse, R4.reuse, R6.reuse\nMOV R1, 0x1\nFFMA R0, R2, R4, R6\nFFMA R0, R2, R4, R6"),
      2, 2);
  EXPECT_DOUBLE_EQ(waits[3], 2);
}

// The destination is written, not read, and a branch reads nothing.
TEST(RegisterBanks, what_reads_no_register_does_not_wait) {
  EXPECT_DOUBLE_EQ(sum_of(waits_of("MOV R2, 0x1", 50)), 0);
  EXPECT_DOUBLE_EQ(sum_of(waits_of("EXIT", 50)), 0);
}

// Twice the ports, no wait for two of a bank.
TEST(RegisterBanks, banks_that_deliver_more_hold_back_less) {
  const KernelCode code = code_from("FFMA R0, R2, R5, R6\nFFMA R0, R2, R5, R6\nFFMA R0, R2, R5, R6");
  EXPECT_DOUBLE_EQ(sum_of(register_waits(code, 2, 4)), 0);
  EXPECT_DOUBLE_EQ(sum_of(register_waits(code, 2, 2)), 1);
}

} // namespace perfmodel::register_banks_test
