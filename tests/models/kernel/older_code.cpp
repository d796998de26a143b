#include "models/kernel/older_code.hpp"

#include "code_text.hpp"

#include "models/kernel/known_kernels.hpp"
#include "models/kernel/memory_step.hpp"

#include <gtest/gtest.h>

namespace perfmodel::older_code_test {

KernelCode of_hopper(std::string_view lines) {
  KernelCode code = code_from(lines);
  code.capability = 90;
  return code;
}

// What is charged for each line: "-" for nothing, "IADD x2", "=" for itself.
std::vector<std::string> charged(const KernelCode& code, int capability) {
  std::vector<std::string> all;
  for (const OlderInstruction& made : as_older(code, capability)) {
    std::string text = made.times == 0 ? "-" : made.opcode.empty() ? "=" : std::string(made.opcode);
    if (made.times > 1) text += fmt::format(" x{}", made.times);
    if (made.from_shared) text += " s";
    if (made.words > 0) text += fmt::format(" {} of {} moved", made.moved, made.words);
    all.push_back(text);
  }
  return all;
}
using Lines = std::vector<std::string>;

constexpr std::string_view window = "S2UR UR6, SR_CgaCtaId\n"
                                    "UMOV UR4, 0x400\n"
                                    "ULEA UR4, UR6, UR4, 0x18\n"
                                    "LEA R5, R6, UR4, 0x2\n"
                                    "STS [R5], R0\n"
                                    "EXIT";

TEST(OlderCode, has_shared_memory_at_0_before_clusters) {
  EXPECT_EQ(charged(of_hopper(window), 80), (Lines{"-", "-", "-", "=", "=", "="}));
  EXPECT_EQ(charged(of_hopper(window), 90), (Lines{"=", "=", "=", "=", "=", "="}));
  // On cc 1.x the address is then a shift alone, and the store a move.
  EXPECT_EQ(charged(of_hopper(window), 10), (Lines{"-", "-", "-", "SHL", "= 1 of 1 moved", "="}));
}

TEST(OlderCode, takes_constants_as_operands_before_uniform_registers) {
  const KernelCode code = of_hopper("LDC R1, c[0x0][0x28]\n"
                                    "ULDC UR4, c[0x0][0x218]\n"
                                    "LDC.64 R2, c[0x3][R4+0x8]\n" // a table
                                    "UIADD3 UR4, UR4, 0x10, URZ\n"
                                    "R2UR UR5, R3\n"
                                    "STG.E desc[UR4][R2.64], R1\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 75), (Lines{"=", "=", "=", "=", "=", "=", "="}));
  EXPECT_EQ(charged(code, 70), (Lines{"MOV", "-", "=", "IADD3", "-", "=", "="}));
}

TEST(OlderCode, does_not_multiply_to_move_add_or_shift) {
  const KernelCode code = of_hopper("IMAD.MOV.U32 R0, RZ, RZ, R4\n"
                                    "IMAD.IADD R1, R0, 0x1, R4\n"
                                    "IMAD.SHL.U32 R2, R1, 0x8, RZ\n"
                                    "IMAD R3, R2, 0x4, R5\n"
                                    "IMAD R6, R3, R2, R5\n"
                                    "STS [R6], R3\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 60), (Lines{"MOV", "IADD", "SHL", "SHF", "=", "=", "="}));
  EXPECT_EQ(charged(code, 13)[3], "IADD x2");
  EXPECT_EQ(charged(code, 13)[4], "=");
  EXPECT_EQ(charged(code, 70), (Lines{"=", "=", "=", "=", "=", "=", "="}));
}

TEST(OlderCode, makes_addresses_as_wide_as_they_are) {
  const KernelCode code = of_hopper("SHF.R.S32.HI R7, RZ, 0x1f, R6\n"
                                    "IMAD.WIDE R8, R2, 0x4, R6\n"
                                    "LEA R4, P0, R8, R12, 0x2\n"
                                    "LEA.HI.X R5, R8, R13, R9, 0x2, P0\n"
                                    "LDG.E R0, desc[UR8][R4.64]\n"
                                    "IADD3 R4, P1, R4, 0x40, RZ\n"
                                    "IADD3.X R5, RZ, R5, RZ, P1, !PT\n"
                                    "STG.E desc[UR8][R4.64], R0\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 20), (Lines{"=", "IMAD x2", "IMAD", "IMAD", "=", "IADD", "IADD", "=", "="}));
  EXPECT_EQ(charged(code, 60), (Lines{"=", "IADD x4", "=", "=", "=", "=", "=", "=", "="}));
  // Of 32 bits: what made the upper words is not there.
  EXPECT_EQ(charged(code, 10), (Lines{"-", "IADD x2", "IADD x2", "-", "=", "IADD", "-", "=", "="}));
}

TEST(OlderCode, keeps_the_upper_word_of_what_is_data) {
  const KernelCode code = of_hopper("IMAD.WIDE.U32 R8, R2, R3, RZ\n"
                                    "STG.E.64 desc[UR8][R4.64], R8\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 13), (Lines{"=", "=", "="}));
  const KernelCode low = of_hopper("IMAD.WIDE.U32 R8, R2, R3, RZ\n"
                                   "STG.E desc[UR8][R4.64], R8\n"
                                   "EXIT");
  EXPECT_EQ(charged(low, 13), (Lines{"IMAD", "=", "="}));
}

// A load may put its word where the upper word of its address was; a descriptor is none of the address, an
// offset in a uniform register is.
TEST(OlderCode, knows_addresses_from_what_stands_beside_them) {
  const KernelCode over = of_hopper("IMAD.WIDE.U32 R2, R5, 0x4, R2\n"
                                    "LDG.E R3, desc[UR8][R2.64]\n"
                                    "STS [R6], R3\n"
                                    "EXIT");
  EXPECT_EQ(charged(over, 13)[0], "IADD x2");
  const KernelCode offset = of_hopper("UIADD3 UR4, UR4, 0x10, URZ\n"
                                      "LDS R5, [R2+UR4]\n"
                                      "STS [R2], R5\n"
                                      "EXIT");
  EXPECT_EQ(charged(offset, 13)[0], "IADD");
}

// What nobody reads is not there for an address: a load that is timed, a chain.
TEST(OlderCode, keeps_what_nobody_reads) {
  const KernelCode code = of_hopper("LDG.E.STRONG.SYS R6, desc[UR4][R2.64]\n"
                                    "FFMA R7, R6, R6, R6\n"
                                    "FFMA R7, R7, R7, R7\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 13), (Lines{"=", "=", "=", "="}));
}

TEST(OlderCode, knows_factors_in_registers) {
  const KernelCode code = of_hopper("HFMA2.MMA R5, -RZ, RZ, 0, 2.384185791015625e-07\n" // 4
                                    "MOV R6, 0x8\n"
                                    "IMAD.WIDE R2, R4, R5, c[0x0][0x160]\n"
                                    "IMAD R8, R4, R6, R9\n"
                                    "STG.E desc[UR4][R2.64], R8\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 60), (Lines{"MOV", "=", "IADD x4", "SHF", "=", "="}));
}

TEST(OlderCode, knows_who_made_an_address_in_the_trip_before) {
  // R5 is the upper word of an address, and around the loop what is stored.
  const KernelCode code = of_hopper("IMAD.MOV.U32 R5, RZ, RZ, RZ\n"
                                    "LDG.E R0, desc[UR8][R4.64]\n" // 0x10
                                    "STS [R2], R5\n"
                                    "VIADD R5, R0, 0x1\n"
                                    "@P0 BRA 0x10\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 13)[3], "=");
  EXPECT_EQ(charged(code, 13)[0], "MOV");
}

TEST(OlderCode, has_operands_in_shared_memory_on_cc_1) {
  const KernelCode code = of_hopper("LDS R10, [R16]\n"
                                    "LDS R11, [R17]\n"
                                    "LDS.64 R12, [R18]\n"
                                    "FFMA R20, R10, R11, R20\n" // takes one; the other is moved
                                    "FADD R21, R12, R20\n"
                                    "FADD R22, R13, R21\n"
                                    "FMUL R23, R13, R22\n" // R13 twice: moved
                                    "STS [R19], R23\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 13), (Lines{"= 0 of 1 moved", "= 1 of 1 moved", "= 1 of 2 moved", "= s", "= s", "=",
                                      "=", "= 1 of 1 moved", "="}));
  EXPECT_EQ(charged(code, 20)[0], "=");
}

TEST(OlderCode, has_two_operands_to_an_addition_before_Maxwell) {
  const KernelCode code = of_hopper("IADD3 R0, R1, R2, R3\n"
                                    "IADD3 R4, R0, 0x1, RZ\n"
                                    "LOP3.LUT R5, R4, R2, R3, 0x96, !PT\n"
                                    "LOP3.LUT R6, R5, 0x1f, RZ, 0xc0, !PT\n"
                                    "STS [R6], R6\n"
                                    "EXIT");
  EXPECT_EQ(charged(code, 35), (Lines{"IADD x2", "IADD", "LOP x2", "LOP", "=", "="}));
  EXPECT_EQ(charged(code, 50), (Lines{"=", "=", "=", "=", "=", "="}));
}

// No compiler leaves out what memory, other warps or branches see.
TEST(OlderCode, leaves_out_nothing_that_others_see) {
  const auto check = [](const KernelCode& code, int capability) {
    const std::vector<OlderInstruction> made = as_older(code, capability);
    ASSERT_EQ(made.size(), code.instructions.size());
    for (std::size_t n = 0; n < made.size(); ++n) {
      const Instruction& i = code.instructions[n];
      const MemoryOpcode* memory = find_memory_opcode(i.opcode);
      const bool seen = i.is("BAR") || i.is("BRA") || i.is("EXIT") || i.is("MEMBAR") ||
                        (memory != nullptr && memory->space != Space::constant);
      EXPECT_TRUE(!seen || made[n].times > 0) << code.name << ": " << i.text << " on " << capability;
    }
  };
  constexpr std::size_t every = 7; // matrix products come in all tiles
  for (const KnownListing& listing : known_listings()) {
    const std::vector<std::string> functions = functions_of(listing.text);
    for (std::size_t n = 0; n < functions.size(); n += every)
      for (const int capability : {10, 13, 20, 35, 50, 61, 70, 75, 80})
        check(known_kernel(listing.family, functions[n], listing.capability), capability);
  }
}

TEST(OlderCode, of_its_own_and_of_newer_GPUs_is_itself) {
  const std::vector<OlderInstruction> itself(6);
  for (const int capability : {90, 100, 120, 0}) EXPECT_EQ(as_older(of_hopper(window), capability), itself);
  KernelCode unknown = of_hopper(window);
  unknown.capability = 0;
  EXPECT_EQ(as_older(unknown, 20), itself);
}

} // namespace perfmodel::older_code_test
