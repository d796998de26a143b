#include "models/kernel/ptx_text.hpp"

#include "models/kernel/code_counts.hpp"
#include "models/kernel/known_kernels.hpp"

#include <gtest/gtest.h>

namespace perfmodel::ptx_text_test {

// As nvcc -ptx writes it, with what its lines may have: comments, lines for a debugger, scopes of inline
// assembly, vectors, a guard.
constexpr std::string_view text = R"(//
.version 9.0
.visible .func (.param .b32 r) helper() { ret; }
.visible .entry _Z4copyPfPKfi(
	.param .u64 _Z4copyPfPKfi_param_0
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<2>;
	.loc	1 3 5
	ld.param.u64 	%rd1, [_Z4copyPfPKfi_param_0]; // the array
	mov.u32 	%r1, %tid.x;
	@!%p1 bra 	$L__BB0_2;
$L__BB0_1:
	.pragma "nounroll";
	// begin inline asm
	{
	.reg .b32 t;
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1+16];
	}
	// end inline asm
	/* and a bulk copy */ fence.proxy.async.shared::cta;
	add.s32 	%r1, %r1, 1;
	setp.lt.s32 	%p1, %r1, 8;
	@%p1 bra 	$L__BB0_1;
$L__BB0_2:
	ret;
}
.entry other() { ret; }
)";

std::vector<std::string_view> opcodes(const PtxCode& code) {
  std::vector<std::string_view> all;
  for (const PtxInstruction& i : code.instructions) all.push_back(i.opcode);
  return all;
}

TEST(PtxText, instructions_are_what_is_neither_directive_nor_label_nor_scope) {
  const auto code = read_ptx(text, "_Z4copyPfPKfi");
  ASSERT_TRUE(code);
  EXPECT_EQ(opcodes(*code), (std::vector<std::string_view>{
                                "ld.param.u64", "mov.u32", "bra", "ld.global.v4.f32",
                                "fence.proxy.async.shared::cta", "add.s32", "setp.lt.s32", "bra", "ret"}));
  EXPECT_EQ(code->instructions[3].operands,
            (std::vector<std::string_view>{"{%f1, %f2, %f3, %f4}", "[%rd1+16]"}));
  EXPECT_EQ(code->instructions[2].guard, "%p1");
  EXPECT_EQ(code->labels.at("$L__BB0_1"), 3u);
  EXPECT_EQ(code->labels.at("$L__BB0_2"), 8u);
}

TEST(PtxText, a_function_is_found_by_its_whole_name_alone) {
  EXPECT_TRUE(read_ptx(text, "other"));
  EXPECT_FALSE(read_ptx(text, "copy"));
  EXPECT_FALSE(read_ptx(text, "helper")) << "a function of the device is no kernel";
  EXPECT_FALSE(read_ptx(".entry declared(.param .u64 a);\n.entry next() { ret; }", "declared"));
}

// Itanium C++ ABI: a component of a mangled name has its length in front; nvcc puts the file into that of an
// unnamed namespace.
TEST(PtxText, unnamed_namespaces_of_several_compilations_are_the_same) {
  const std::string one = "_ZN1a37_GLOBAL__N__40b29fa3_5_pi_cu_0db07ceb3sumEv",
                    two = "_ZN1a37_GLOBAL__N__00eaca41_5_pi_cu_0db07ceb3sumEv";
  EXPECT_EQ(without_unnamed_namespaces(one), "_ZN1a3sumEv");
  EXPECT_EQ(without_unnamed_namespaces(two), "_ZN1a3sumEv");
  EXPECT_EQ(without_unnamed_namespaces("_GLOBAL__N_"), "_GLOBAL__N_");
  EXPECT_TRUE(read_ptx(".entry " + one + "() { ret; }", two));
}

TEST(PtxText, what_is_no_ptx_has_no_function) {
  for (const std::string_view none : {"", ".entry", ".entry a", ".entry a(", ".entry a() {", ".entry a() { }",
                                      "Function : a\n/*0000*/ EXIT ;"})
    EXPECT_FALSE(read_ptx(none, "a")) << none;
}

// Every ladder shows both counts; nobody compares those of the collection.
TEST(PtxText, all_known_kernels_have_theirs) {
  for (const KnownListing& listing : known_listings()) {
    if (listing.family == "collection") continue;
    for (const std::string& name : functions_of(listing.text)) {
      const auto ptx = known_ptx(known_kernel(listing.family, name, listing.capability));
      ASSERT_TRUE(ptx) << name;
      std::size_t unknown = 0;
      for (const CountedInstruction& i : counted(*ptx)) unknown += i.group == InstructionGroup::other ? 1 : 0;
      EXPECT_EQ(unknown, 0u) << name;
    }
  }
}

} // namespace perfmodel::ptx_text_test
