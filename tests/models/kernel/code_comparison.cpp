#include "models/kernel/code_comparison.hpp"

#include "models/kernel/known_kernels.hpp"
#include "tests/models/kernel/code_text.hpp"

#include <gtest/gtest.h>

namespace perfmodel::code_comparison_test {

std::size_t of(const GroupCounts& counts, InstructionGroup group) {
  return counts[static_cast<std::size_t>(group)];
}

PtxCode ptx_from(const std::string& body) {
  static std::string text;
  text = ".entry k() {\n" + body + "\n}";
  return *read_ptx(text, "k");
}

const GroupDifference& group(const CodeComparison& made, InstructionGroup which) {
  for (const GroupDifference& one : made.groups)
    if (one.group == which) return one;
  throw std::runtime_error("no such group");
}

// By hand.
TEST(CodeCounts, instructions_of_both_texts_fall_into_the_same_groups) {
  const GroupCounts ptx = group_counts(
      counted(ptx_from("ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;"
                       "mad.lo.s32 %r2, %r1, 4, %r3; fma.rn.f32 %f1, %f2, %f3, %f4; sqrt.rn.f32 %f5, %f1;"
                       "cvt.rn.f32.u32 %f6, %r1; cvt.s64.s32 %rd3, %r1; setp.lt.s32 %p1, %r1, %r2;"
                       "or.pred %p2, %p1, %p1; ld.global.f32 %f1, [%rd2]; st.shared.f32 [%r1], %f1;"
                       "shfl.sync.down.b32 %r1, %r2, 1, 31, -1; bar.sync 0; @%p1 bra a; a: ret;")));
  const GroupCounts sass = group_counts(counted(
      code_from("LDC.64 R2, c[0x0][0x210]\nMOV R1, R2\nS2R R0, SR_TID.X\nIMAD R4, R0, 0x4, R1\n"
                "FFMA R5, R6, R7, R8\nMUFU.RSQ R5, R5\nI2FP.F32.U32 R6, R0\nSHF.R.S32.HI R7, RZ, 0x1f, R0\n"
                "ISETP.LT.AND P0, PT, R0, R4, PT\nPLOP3.LUT P1, PT, P0, P0, PT, 0xa8, 0x0\n"
                "LDG.E R5, desc[UR4][R2.64]\nSTS [R0], R5\nSHFL.DOWN PT, R0, R4, 0x1, 0x1f\n"
                "BAR.SYNC.DEFER_BLOCKING 0x0\n@P0 BRA 0xf0\nEXIT\nBRA 0x100")));
  for (const auto& [which, count] : {std::pair{InstructionGroup::parameters, 1u},
                                     {InstructionGroup::moves, 2u},
                                     {InstructionGroup::integers, 2u},
                                     {InstructionGroup::floats, 1u},
                                     {InstructionGroup::functions, 2u},
                                     {InstructionGroup::compares, 2u},
                                     {InstructionGroup::global, 1u},
                                     {InstructionGroup::shared, 1u},
                                     {InstructionGroup::exchange, 1u},
                                     {InstructionGroup::barriers, 1u},
                                     {InstructionGroup::branches, 2u},
                                     {InstructionGroup::other, 0u}}) {
    EXPECT_EQ(of(ptx, which), count) << names(which)[static_cast<std::size_t>(which)];
    EXPECT_EQ(of(sass, which), count) << names(which)[static_cast<std::size_t>(which)];
  }
}

TEST(CodeCounts, moves_on_the_multiplier_are_moves) {
  const GroupCounts counts =
      group_counts(counted(code_from("IMAD.MOV.U32 R0, RZ, RZ, R1\nHFMA2.MMA R2, -RZ, RZ, 0, 0\n"
                                     "IMAD R3, R0, R0, R1\nHFMA2.MMA R4, R0, R1, R2\nEXIT")));
  EXPECT_EQ(of(counts, InstructionGroup::moves), 2u);
  EXPECT_EQ(of(counts, InstructionGroup::integers), 1u);
  EXPECT_EQ(of(counts, InstructionGroup::floats), 1u);
}

// By hand: load, add, and of the loop its pointer, its counter, the compare and the branch.
constexpr std::string_view loop = "MOV R0, RZ\nLDG.E R5, desc[UR4][R2.64]\nFADD R6, R6, R5\n"
                                  "IADD3 R2, P1, R2, 0x4, RZ\nIADD3 R0, R0, 0x1, RZ\n"
                                  "ISETP.LT.AND P0, PT, R0, R4, PT\n@P0 BRA 0x10\nEXIT\nBRA 0x80";

TEST(CodeLoops, counters_the_compare_and_the_branch_are_a_loops_own) {
  const auto loops = innermost_loops(counted(code_from(loop)));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].instructions, 6u);
  EXPECT_EQ(loops[0].overhead, 4u);
}

// A sum of what is loaded is work, though it adds to its own register.
TEST(CodeLoops, a_sum_of_integers_is_no_counter) {
  const auto loops = innermost_loops(
      counted(code_from("LDG.E R5, desc[UR4][R2.64]\nIADD3 R6, R6, R5, RZ\nIADD3 R0, R0, 0x1, RZ\n"
                        "ISETP.LT.AND P0, PT, R0, R4, PT\n@P0 BRA 0x0\nEXIT")));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].overhead, 3u);
}

TEST(CodeLoops, only_the_innermost_of_a_nest_counts) {
  const auto loops = innermost_loops(counted(code_from(
      "MOV R1, RZ\nIADD3 R0, R0, 0x1, RZ\n@P0 BRA 0x10\nIADD3 R1, R1, 0x1, RZ\n@P1 BRA 0x0\nEXIT")));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].first, 1u);
  EXPECT_EQ(loops[0].instructions, 2u);
}

// What the compiler puts behind the end for lanes that have diverged goes back into the middle.
TEST(CodeLoops, a_way_back_from_behind_the_end_is_no_loop) {
  EXPECT_TRUE(
      innermost_loops(counted(code_from("@P0 BRA 0x40\nSHFL.DOWN PT, R0, R4, 0x1, 0x1f\nFADD R0, R0, R1\n"
                                        "EXIT\nMOV R0, RZ\nBRA 0x20")))
          .empty());
}

// Four times load, multiply, add; the first address needs no sum.
TEST(CodeLoops, an_unrolled_body_repeats_itself) {
  const auto loops = innermost_loops(
      counted(ptx_from("a: ld.global.f32 %f1, [%rd1]; fma.rn.f32 %f9, %f1, %f2, %f9;"
                       "add.s64 %rd2, %rd1, %rd7; ld.global.f32 %f1, [%rd2]; fma.rn.f32 %f9, %f1, %f2, %f9;"
                       "add.s64 %rd3, %rd2, %rd7; ld.global.f32 %f1, [%rd3]; fma.rn.f32 %f9, %f1, %f2, %f9;"
                       "add.s64 %rd4, %rd3, %rd7; ld.global.f32 %f1, [%rd4]; fma.rn.f32 %f9, %f1, %f2, %f9;"
                       "add.s32 %r1, %r1, 4; setp.lt.s32 %p1, %r1, %r2; @%p1 bra a; ret;")));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].repeats, 4u);
  EXPECT_EQ(loops[0].overhead, 3u);
}

TEST(CodeLoops, two_loads_in_a_row_are_no_unrolled_body) {
  const auto loops = innermost_loops(
      counted(ptx_from("a: ld.shared.f32 %f1, [%r3]; ld.shared.f32 %f2, [%r4]; add.f32 %f3, %f1, %f2;"
                       "st.shared.f32 [%r3], %f3; setp.lt.s32 %p1, %r1, %r2; @%p1 bra a; ret;")));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].repeats, 1u);
}

CodeComparison of_known(std::string_view family, std::string_view name) {
  const KernelCode& code = known_kernel(family, name, 9.0);
  const std::vector<std::uint64_t> executed(code.instructions.size(), 1);
  return compare_code(known_ptx(code), code, executed);
}

// nvcc -ptx unrolls the loop over k four times, ptxas what is left of it four times more
// (hwdb/kernels/matmul); that over a tile's 16 is gone, 16 products in a row.
TEST(CodeComparison, the_loops_of_the_products_are_unrolled_16_times) {
  EXPECT_EQ(of_known("matmul", "12matmul_naive").unrolled, 16u);
  EXPECT_EQ(of_known("matmul", "12matmul_tiledILi16E").unrolled, 16u);
}

// The lecture's sum has no loop left once the block's size is known (Vuduc 2014, slides 87 to 92).
TEST(CodeComparison, the_unrolled_sum_has_no_loop) {
  EXPECT_FALSE(of_known("reduction", "sum_unrolledILj256EjE").sass_loop);
  EXPECT_TRUE(of_known("reduction", "sum_sequentialIjE").sass_loop);
}

// i % (2 s) by a number that the compiler does not know is a reciprocal and a correction.
TEST(CodeComparison, a_remainder_is_one_instruction_of_ptx_and_many_of_the_machine) {
  const CodeComparison made = of_known("reduction", "sum_interleavedIjE");
  EXPECT_GT(made.sass, *made.ptx);
  const GroupDifference& integers = group(made, InstructionGroup::integers);
  EXPECT_GT(integers.sass, *integers.ptx);
  EXPECT_NE(integers.why.find("1 div and rem written out"), std::string::npos) << integers.why;
  EXPECT_EQ(made.why.find("integers, addresses"), 3u) << made.why;
}

TEST(CodeComparison, warp_barriers_cost_nothing_where_lanes_stay_together) {
  const GroupDifference barriers =
      group(of_known("reduction", "sum_unrolledILj256EjE"), InstructionGroup::barriers);
  EXPECT_EQ(*barriers.ptx - barriers.sass, 10u) << barriers.why;
}

TEST(CodeComparison, without_ptx_its_counts_are_absent) {
  const KernelCode code = code_from(loop);
  const std::vector<std::uint64_t> executed{1, 8, 8, 8, 8, 8, 8, 1, 0};
  const CodeComparison made = compare_code(std::nullopt, code, executed);
  EXPECT_FALSE(made.ptx || made.ptx_loop || made.unrolled);
  EXPECT_EQ(made.sass, 8u) << "the branch that fills up the end is none";
  EXPECT_EQ(made.why, "");
  EXPECT_DOUBLE_EQ(made.in_loop, 48.0 / 50);
  for (const GroupDifference& one : made.groups) EXPECT_FALSE(one.ptx);
}

} // namespace perfmodel::code_comparison_test
