#include "models/kernel/register_use.hpp"

#include "code_text.hpp"

#include <gtest/gtest.h>

namespace perfmodel::register_use_test {

// "R4 R5 P0 UR4 UP1", ascending by place.
std::string text_of(std::vector<std::uint16_t> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::string text;
  for (const std::uint16_t place : places)
    text += (text.empty() ? "" : " ") +
            (place >= uniform_predicate_places ? fmt::format("UP{}", place - uniform_predicate_places)
             : place >= uniform_places         ? fmt::format("UR{}", place - uniform_places)
             : place >= predicate_places       ? fmt::format("P{}", place - predicate_places)
                                               : fmt::format("R{}", place));
  return text;
}

struct Used {
  std::string reads, writes;
  friend bool operator==(const Used&, const Used&) = default;
  friend void PrintTo(const Used& used, std::ostream* out) { *out << used.writes << " <- " << used.reads; }
};

Used used_by(std::string_view line) {
  const RegisterUse use = register_use(code_from(line).instructions[0]);
  return {text_of(use.reads), text_of(use.writes)};
}

TEST(RegisterUse, of_memory_goes_by_its_width) {
  EXPECT_EQ(used_by("LDG.E.128 R4, desc[UR4][R2.64]"), (Used{"R2 R3", "R4 R5 R6 R7"}));
  EXPECT_EQ(used_by("LDG.E R4, [R2.64]"), (Used{"R2 R3", "R4"}));
  EXPECT_EQ(used_by("@!P1 LDG.E.U8 R4, [R2.U32+UR6]"), (Used{"R2 P1 UR6 UR7", "R4"}));
  EXPECT_EQ(used_by("STG.E.64 desc[UR4][R2.64], R4"), (Used{"R2 R3 R4 R5", ""}));
  EXPECT_EQ(used_by("STS.128 [R9+0x10], R4"), (Used{"R4 R5 R6 R7 R9", ""}));
  EXPECT_EQ(used_by("LDS.64 R4, [R9.X4+UR5]"), (Used{"R9 UR5", "R4 R5"}));
  EXPECT_EQ(used_by("LDC.64 R4, c[0x3][R2+0x8]"), (Used{"R2", "R4 R5"}));
  EXPECT_EQ(used_by("ULDC.64 UR4, c[0x0][0x208]"), (Used{"", "UR4 UR5"}));
  EXPECT_EQ(used_by("STG.E [R2.64], RZ"), (Used{"R2 R3", ""}));
  EXPECT_EQ(used_by("LDSM.16.M88.4 R4, [R2]"), (Used{"R2", "R4 R5 R6 R7"}));
  EXPECT_EQ(used_by("LDSM.16.M88.2 R4, [R2]"), (Used{"R2", "R4 R5"}));
  EXPECT_EQ(used_by("ATOMG.E.ADD.STRONG.GPU PT, R6, desc[UR4][R2.64], R8"), (Used{"R2 R3 R8", "R6"}));
  EXPECT_EQ(used_by("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR6][R6.64], R10"), (Used{"R6 R7 R10 R11", ""}));
  EXPECT_EQ(used_by("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU desc[UR6][R6.64], R8"),
            (Used{"R6 R7 R8 R9 R10 R11", ""}));
  EXPECT_EQ(used_by("LDGSTS.E.128 [R2], desc[UR4][R4.64]"), (Used{"R2 R4 R5", ""}));
}

TEST(RegisterUse, of_wide_products_is_of_pairs) {
  EXPECT_EQ(used_by("IMAD.WIDE R4, R2, R3, R6"), (Used{"R2 R3 R6 R7", "R4 R5"}));
  EXPECT_EQ(used_by("IMAD.HI.U32 R4, R2, R3, R6"), (Used{"R2 R3 R6 R7", "R4"}));
  EXPECT_EQ(used_by("IMAD R4, R2, R3, R6"), (Used{"R2 R3 R6", "R4"}));
  EXPECT_EQ(used_by("IMAD.WIDE.U32 R4, P0, R2, R3, R6"), (Used{"R2 R3 R6 R7", "R4 R5 P0"}));
  EXPECT_EQ(used_by("IMAD.WIDE.U32.X R4, R2, R3, R6, P0"), (Used{"R2 R3 R6 R7 P0", "R4 R5"}));
  EXPECT_EQ(used_by("IMAD.WIDE.U32 R4, R2, 0x4, RZ"), (Used{"R2", "R4 R5"}));
}

TEST(RegisterUse, of_tensor_operations_is_of_tiles) {
  EXPECT_EQ(used_by("HMMA.16816.F32 R4, R8, R12, R16"),
            (Used{"R8 R9 R10 R11 R12 R13 R16 R17 R18 R19", "R4 R5 R6 R7"}));
  EXPECT_EQ(used_by("HMMA.16816.F16 R4, R8, R12, R16"), (Used{"R8 R9 R10 R11 R12 R13 R16 R17", "R4 R5"}));
  EXPECT_EQ(used_by("HMMA.1688.F32 R4, R8, R12, RZ"), (Used{"R8 R9 R12", "R4 R5 R6 R7"}));
  EXPECT_EQ(used_by("HMMA.1684.F32.TF32 R4, R8, R12, RZ"), (Used{"R8 R9 R12", "R4 R5 R6 R7"}));
  EXPECT_EQ(used_by("DMMA.884 R4, R8, R10, R4"), (Used{"R4 R5 R6 R7 R8 R9 R10 R11", "R4 R5 R6 R7"}));
}

TEST(RegisterUse, of_comparisons_has_two_predicates_as_results) {
  EXPECT_EQ(used_by("ISETP.GE.AND P0, PT, R2, c[0x0][0x210], PT"), (Used{"R2", "P0"}));
  EXPECT_EQ(used_by("ISETP.GE.AND.EX P0, P1, R2, R3, P2, P3"), (Used{"R2 R3 P2 P3", "P0 P1"}));
  EXPECT_EQ(used_by("PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x0"), (Used{"P1 P2", "P0"}));
  EXPECT_EQ(used_by("DSETP.GT.AND P0, PT, R2, R4, PT"), (Used{"R2 R3 R4 R5", "P0"}));
  EXPECT_EQ(used_by("UISETP.GE.AND UP0, UPT, UR4, UR5, UPT"), (Used{"UR4 UR5", "UP0"}));
}

TEST(RegisterUse, carries_are_results_and_then_operands) {
  EXPECT_EQ(used_by("IADD3 R4, P0, R2, R3, RZ"), (Used{"R2 R3", "R4 P0"}));
  EXPECT_EQ(used_by("IADD3.X R4, R2, R3, RZ, P0, !PT"), (Used{"R2 R3 P0", "R4"}));
  EXPECT_EQ(used_by("IMAD.X R4, RZ, RZ, R2, P0"), (Used{"R2 P0", "R4"}));
  EXPECT_EQ(used_by("LEA R4, P0, R2, R6, 0x2"), (Used{"R2 R6", "R4 P0"}));
  EXPECT_EQ(used_by("LEA.HI.X R5, R2, R7, R3, 0x2, P0"), (Used{"R2 R3 R7 P0", "R5"}));
  EXPECT_EQ(used_by("LOP3.LUT P0, RZ, R2, 0x1, RZ, 0xc0, !PT"), (Used{"R2", "P0"}));
}

TEST(RegisterUse, what_chooses_by_a_predicate_reads_it) {
  EXPECT_EQ(used_by("SEL R4, R2, R3, P0"), (Used{"R2 R3 P0", "R4"}));
  EXPECT_EQ(used_by("@P1 BRA P2, 0x0"), (Used{"P1 P2", ""}));
  EXPECT_EQ(used_by("VOTE.ANY R4, PT, P0"), (Used{"P0", "R4"}));
  EXPECT_EQ(used_by("VOTE.ALL P1, P0"), (Used{"P0", "P1"}));
  EXPECT_EQ(used_by("FCHK P0, R0, R7"), (Used{"R0 R7", "P0"}));
  EXPECT_EQ(used_by("SHFL.DOWN P0, R4, R2, R3, 0x1f"), (Used{"R2 R3", "R4 P0"}));
  EXPECT_EQ(used_by("P2R R4, PR, R2, 0x5"), (Used{"R2 P0 P2", "R4"}));
  EXPECT_EQ(used_by("R2P PR, R4, 0x3"), (Used{"R4", "P0 P1"}));
}

TEST(RegisterUse, of_fp64_and_its_conversions_is_of_pairs) {
  EXPECT_EQ(used_by("DFMA R4, R2, R6, R8"), (Used{"R2 R3 R6 R7 R8 R9", "R4 R5"}));
  EXPECT_EQ(used_by("F2F.F64.F32 R4, R2"), (Used{"R2", "R4 R5"}));
  EXPECT_EQ(used_by("F2F.F32.F64 R4, R2"), (Used{"R2 R3", "R4"}));
  EXPECT_EQ(used_by("I2F.F64.U32 R4, R2"), (Used{"R2", "R4 R5"}));
  EXPECT_EQ(used_by("I2F.U64.RP R4, R2"), (Used{"R2 R3", "R4"}));
  EXPECT_EQ(used_by("F2I.F64.TRUNC R4, R2"), (Used{"R2 R3", "R4"}));
  EXPECT_EQ(used_by("F2I.U64.TRUNC R4, R2"), (Used{"R2", "R4 R5"}));
  EXPECT_EQ(used_by("CS2R R4, SRZ"), (Used{"", "R4 R5"}));
  EXPECT_EQ(used_by("CS2R.32 R4, SR_CLOCKLO"), (Used{"", "R4"}));
}

TEST(RegisterUse, uniform_registers_are_places_of_their_own) {
  EXPECT_EQ(used_by("UIADD3 UR4, UR5, UR6, URZ"), (Used{"UR5 UR6", "UR4"}));
  EXPECT_EQ(used_by("R2UR UR4, R2"), (Used{"R2", "UR4"}));
  EXPECT_EQ(used_by("IMAD.U32 R4, RZ, RZ, UR5"), (Used{"UR5", "R4"}));
}

// Its operands are read in part, or not at all.
TEST(RegisterUse, of_what_is_not_understood_is_none) {
  EXPECT_EQ(used_by("P2R.WARP9 R4, PR, RZ, 0x7f"), (Used{"", ""}));
  EXPECT_EQ(used_by("P2R R255"), (Used{"", ""}));
  EXPECT_EQ(register_use(code_from("R2P").instructions[0]).writes.size(), 7u)
      << "a mask that is no number: all";
}

} // namespace perfmodel::register_use_test
