#include "models/simulate/opcode_class.hpp"

#include "tests/models/kernel/code_text.hpp"

#include "models/kernel/executors.hpp"
#include "models/kernel/memory_step.hpp"

#include <gtest/gtest.h>

namespace perfmodel::opcode_class_test {

std::string_view class_in(std::string_view line) { return class_of(code_from(line).instructions[0]); }

TEST(OpcodeClass, follows_the_opcode) {
  EXPECT_EQ(class_in("FFMA R0, R1, R2, R3"), "ffma");
  EXPECT_EQ(class_in("FFMA.FTZ R0, R1, R2, R3"), "ffma"); // words without a line of their own
  EXPECT_EQ(class_in("LDG.E.128 R4, desc[UR4][R2.64]"), "memory");
  EXPECT_EQ(class_in("BAR.SYNC.DEFER_BLOCKING 0x0"), "barrier");
  EXPECT_EQ(class_in("HMMA.16816.F32 R4, R8, R12, R4"), "tensor");
  EXPECT_EQ(class_in("MOVM.16.MT88 R22, R22"), "movm");
}

TEST(OpcodeClass, the_line_with_most_words_goes_before) {
  EXPECT_EQ(class_in("MUFU.RCP R0, R1"), "rcp");
  EXPECT_EQ(class_in("MUFU.RSQ R0, R1"), "rsqrt");
  EXPECT_EQ(class_in("IMAD R0, R1, R2, R3"), "imad");
  EXPECT_EQ(class_in("IMAD.MOV.U32 R0, RZ, RZ, R3"), "imad");
  EXPECT_EQ(class_in("IMAD.WIDE.U32 R0, R2, R3, R4"), "imulhi");
  EXPECT_EQ(class_in("IMAD.HI.U32 R0, R2, R3, R4"), "imulhi");
  EXPECT_EQ(class_in("F2F.F64.F32 R0, R2"), "f2d");
  for (const OpcodeRow& row : opcode_rows()) {
    std::string line(row.opcode);
    line += row.words;
    EXPECT_EQ(class_in(line), row.instruction_class) << line;
  }
}

TEST(OpcodeClass, an_opcode_stands_in_the_table_once) {
  std::map<std::string, int> seen;
  for (const OpcodeRow& row : opcode_rows()) ++seen[std::string(row.opcode) + std::string(row.words)];
  for (const auto& [name, times] : seen) EXPECT_EQ(times, 1) << name;
}

// On GPUs without arithmetic of halves, too, where the code is that of another architecture.
TEST(OpcodeClass, halves_have_the_pipe_of_their_opcode_and_constants_that_of_a_multiply_add) {
  EXPECT_EQ(class_in("HFMA2 R4, R5.H0_H0, R6, R4"), "hfma2_fma");
  EXPECT_EQ(class_in("HFMA2.MMA R4, R5, R6, R4"), "hfma2_mma");
  EXPECT_EQ(class_in("HFMA2.MMA R4, -RZ, RZ, 0, 1"), "ffma");
}

TEST(OpcodeClass, an_opcode_without_a_line_has_none) { EXPECT_EQ(class_in("FROB R0, R1"), ""); }

// What has a cost can be run: an opcode that steers or waits, one that moves memory, or one with an executor.
TEST(OpcodeClass, what_has_a_cost_is_known_to_the_runner) {
  for (const OpcodeRow& row : opcode_rows()) {
    static constexpr std::string_view others[] = {"slot",    "branch", "reconverge",
                                                  "barrier", "fence",  "commit"};
    if (std::find(std::begin(others), std::end(others), row.instruction_class) != std::end(others)) continue;
    EXPECT_TRUE(find_memory_opcode(row.opcode) != nullptr || find_executor(row.opcode) != nullptr)
        << row.opcode;
  }
}

} // namespace perfmodel::opcode_class_test
