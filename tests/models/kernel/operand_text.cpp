#include "models/kernel/operand_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::operand_text_test {

TEST(OperandText, registers_have_kinds_and_numbers) {
  EXPECT_EQ(operand_from("R254").index, 254);
  EXPECT_EQ(operand_from("RZ").index, zero_register);
  EXPECT_EQ(operand_from("UR4").kind, OperandKind::uniform);
  EXPECT_EQ(operand_from("URZ").index, zero_uniform);
  EXPECT_EQ(operand_from("P6").kind, OperandKind::predicate);
  EXPECT_EQ(operand_from("PT").index, true_predicate);
  EXPECT_EQ(operand_from("UP1").kind, OperandKind::uniform_predicate);
  EXPECT_EQ(operand_from("UPT").index, true_predicate);
  EXPECT_EQ(operand_from("B15").kind, OperandKind::convergence);
  EXPECT_EQ(operand_from("SR_TID.X").name, "SR_TID.X");
  EXPECT_EQ(operand_from("SB0").kind, OperandKind::special);
  EXPECT_EQ(operand_from("{5,4}").kind, OperandKind::special);
}

// cc 10.0 has more than 63 of them.
TEST(OperandText, a_uniform_register_of_any_number_is_not_zero) {
  EXPECT_EQ(operand_from("UR63").index, 63);
  EXPECT_NE(operand_from("UR63").index, operand_from("URZ").index);
}

TEST(OperandText, signs_and_suffixes_are_kept) {
  EXPECT_TRUE(operand_from("-R4").negated);
  EXPECT_TRUE(operand_from("!P0").negated);
  EXPECT_TRUE(operand_from("~R4").inverted);
  EXPECT_TRUE(operand_from("|R4|").absolute);
  EXPECT_TRUE(operand_from("-|R4|").absolute);
  EXPECT_TRUE(operand_from("-|R4|").negated);
  EXPECT_TRUE(operand_from("R4.reuse").reused);
  EXPECT_FALSE(operand_from("R4").reused);
  EXPECT_TRUE(operand_from("-R4.reuse").negated);
  EXPECT_EQ(operand_from("R4.H1_H1").name, "H1_H1");
  EXPECT_EQ(operand_from("-|R4.H0_H0|").name, "H0_H0");
  EXPECT_EQ(operand_from("-c[0x0][0x160]").kind, OperandKind::constant);
  EXPECT_TRUE(operand_from("-c[0x0][0x160]").negated);
  EXPECT_TRUE(operand_from("|c[0x0][0x160]|").absolute);
}

TEST(OperandText, addresses_are_a_sum) {
  const CodeOperand plain = operand_from("[R2.64+0x10]");
  EXPECT_EQ(plain.kind, OperandKind::address);
  EXPECT_EQ(plain.base, 2);
  EXPECT_TRUE(plain.pair);
  EXPECT_EQ(plain.value, 16);
  const CodeOperand described = operand_from("desc[UR4][R2.64+-0x20]");
  EXPECT_EQ(described.base, 2);
  EXPECT_EQ(described.uniform_base, zero_uniform); // the descriptor is no part of it
  EXPECT_EQ(described.value, -32);
  const CodeOperand scaled = operand_from("[R3.X4+UR5+0x400]");
  EXPECT_EQ(scaled.scale, 2);
  EXPECT_EQ(scaled.uniform_base, 5);
  EXPECT_EQ(operand_from("[R3.X8]").scale, 3);
  EXPECT_EQ(operand_from("[R3.X16]").scale, 4);
  EXPECT_TRUE(operand_from("[R2.U32+UR4]").narrow);
  EXPECT_EQ(operand_from("[UR4]").base, zero_register);
  EXPECT_EQ(operand_from("[0x40]").value, 64);
  EXPECT_EQ(operand_from("[RZ]").base, zero_register);
  EXPECT_EQ(operand_from("gdesc[UR4]").kind, OperandKind::special);
}

TEST(OperandText, constants_have_a_bank_and_perhaps_an_index) {
  const CodeOperand plain = operand_from("c[0x0][0x210]"), at = operand_from("c[0x3][R4+0x8]");
  EXPECT_EQ(plain.bank, 0);
  EXPECT_EQ(plain.value, 0x210);
  EXPECT_EQ(plain.base, zero_register);
  EXPECT_EQ(at.bank, 3);
  EXPECT_EQ(at.base, 4);
  EXPECT_EQ(at.value, 8);
  EXPECT_EQ(operand_from("c[0x0][UR4]").uniform_base, 4);
  EXPECT_EQ(operand_from("cx[UR4][0x8]").bank, 255);
}

TEST(OperandText, numbers_are_whole_or_real) {
  EXPECT_EQ(operand_from("0x10").value, 16);
  EXPECT_EQ(operand_from("-0x61c8864f").value, -0x61c8864f);
  EXPECT_EQ(operand_from("7").value, 7);
  EXPECT_DOUBLE_EQ(operand_from("4").number, 4); // FMUL R0, R1, 4
  EXPECT_EQ(operand_from("1.5").kind, OperandKind::real);
  EXPECT_DOUBLE_EQ(operand_from("-5.9604644775390625e-08").number, -std::ldexp(1, -24));
  EXPECT_EQ(operand_from("+INF").number, HUGE_VAL);
  EXPECT_EQ(operand_from("-INF").number, -HUGE_VAL);
  for (const char* nan : {"+QNAN", "-QNAN", "QNAN", "+SNAN", "-SNAN", "SNAN"})
    EXPECT_TRUE(std::isnan(operand_from(nan).number)) << nan;
}

TEST(OperandText, what_is_none_is_refused) {
  for (const char* text : {"", "R", "R300", "P7", "[", "[R2", "[R2.Y]", "[-R2]", "c[0x0]", "c[0x0][", "1.2.3",
                           "0x", "|R4", "--", "desc[UR4", "banana", "0x12345678123456789"})
    EXPECT_NE(error_of([&] { operand_from(text); }), "no error") << text;
}

TEST(OperandText, operands_are_split_at_outer_commas_and_blanks) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split_operands(" R2, c[0x0][0x210], {5,4}"), (Parts{"R2", "c[0x0][0x210]", "{5,4}"}));
  EXPECT_EQ(split_operands(" R8 0x0"), (Parts{"R8", "0x0"}));
  EXPECT_EQ(split_operands(" R2, `(f(a, b))"), (Parts{"R2", "`(f(a, b))"}));
  EXPECT_EQ(split_operands(""), Parts{});
}

} // namespace perfmodel::operand_text_test
