#include "models/kernel/listing.hpp"

#include "models/core/error.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::listing_test {

// What cuobjdump -sass prints of `y[i] = x[i]`, compiled for sm_90 by nvcc 13.0; shortened.
constexpr std::string_view cuobjdump = R"sass(
	code for sm_90
		Function : _Z4copyPfPKf
	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
// compiler: nvcc 13.0 -O3
// params: 0x210 16; 1 0x8 8; 0 0x0 8
// registers: 10
// shared: 4096
// constant3: 0001fe0a
        /*0000*/                   LDC R1, c[0x0][0x28] ;                    /* 0x00000a00ff017b82 */
                                                                             /* 0x000fe20000000800 */
        /*0010*/              @!P0 LDG.E R5, desc[UR4][R2.64] ;              /* 0x0000000402058981 */
                                                                             /* 0x000ea2000c1e1900 */
        /*0020*/                   STG.E desc[UR4][R4.64], R5 ;              /* 0x0000000504007986 */
                                                                             /* 0x004fe2000c101904 */
        /*0030*/                   EXIT ;                                    /* 0x000000000000794d */
                                                                             /* 0x000fea0003800000 */
		..........
)sass";

TEST(Listing, of_cuobjdump_is_read_with_guards_and_modifiers) {
  const KernelCode code = read_listing(cuobjdump, "");
  EXPECT_EQ(code.name, "_Z4copyPfPKf");
  EXPECT_EQ(code.capability, 90);
  ASSERT_EQ(code.instructions.size(), 4u);
  const Instruction& load = code.instructions[1];
  EXPECT_EQ(load.address, 0x10u);
  EXPECT_EQ(load.line, 12u);
  EXPECT_EQ(load.opcode, "LDG");
  EXPECT_EQ(load.text, "@!P0 LDG.E R5, desc[UR4][R2.64]");
  EXPECT_TRUE(load.has(mod("E")));
  EXPECT_FALSE(load.has(mod("128")));
  EXPECT_EQ(load.guard.kind, OperandKind::predicate);
  EXPECT_TRUE(load.guard.negated);
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_EQ(load.operands[1].base, 2);
  EXPECT_EQ(code.instructions[3].guard.kind, OperandKind::none);
}

TEST(Listing, lines_may_end_as_windows_ends_them) {
  std::string crlf;
  for (const char c : cuobjdump) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const KernelCode code = read_listing(crlf, ""), plain = read_listing(cuobjdump, "");
  EXPECT_EQ(code.name, plain.name);
  EXPECT_EQ(code.compiler, plain.compiler);
  ASSERT_EQ(code.instructions.size(), plain.instructions.size());
  for (std::size_t i = 0; i < code.instructions.size(); ++i)
    EXPECT_EQ(code.instructions[i].text, plain.instructions[i].text);
}

// The sentence about the listing without, or with twice, its line that begins with this.
std::string why_edited(std::string_view line, std::size_t times) {
  std::string text(cuobjdump);
  const std::size_t begin = text.rfind('\n', text.find(line)) + 1, end = text.find('\n', begin) + 1;
  const std::string whole = text.substr(begin, end - begin);
  text.erase(begin, end - begin);
  for (std::size_t i = 0; i < times; ++i) text.insert(begin, whole);
  return error_of([&] { read_listing(text, ""); });
}

TEST(Listing, constants_that_are_no_bytes_are_refused_by_line) {
  for (const char* bytes : {"0001fe0", "0001fe0g", "0x01fe0a"}) {
    std::string text(cuobjdump);
    text.replace(text.find("0001fe0a"), 8, bytes);
    EXPECT_EQ(error_of([&] { read_listing(text, ""); }),
              "line 9: constants are bytes, of two hexadecimal digits each");
  }
}

TEST(Listing, hole_or_line_that_stands_twice_is_refused) {
  EXPECT_EQ(why_edited("/*0010*/", 1), "no error");
  EXPECT_EQ(why_edited("/*0010*/", 0), "line 12: the second half of an instruction whose first is not in "
                                       "front of it");
  EXPECT_EQ(why_edited("/* 0x000ea2000c1e1900 */", 2),
            "line 14: the second half of an instruction whose first is not in front of it");
  EXPECT_EQ(why_edited("/*0010*/", 2), "line 13: the instruction at 0x0010 does not follow the one at "
                                       "0x0010: lines are missing between them, or in another order");
  const std::string bare = "Function : f\n/*0000*/ NOP ;\n/*0010*/ NOP ;\n/*0030*/ EXIT ;\n";
  EXPECT_EQ(error_of([&] { read_listing(bare, ""); }),
            "line 4: the instruction at 0x0030 does not follow the one at 0x0010: lines are missing between "
            "them, or in another order");
}

TEST(Listing, before_volta_words_of_control_stand_between) {
  const std::string maxwell =
      "code for sm_52\nFunction : f\n/* 0x001fc400fe2007f6 */\n/*0008*/ NOP ;\n/*0010*/ NOP "
      ";\n/*0018*/ NOP ;\n/* 0x001fc400fe2007f6 */\n/*0028*/ EXIT ;\n";
  EXPECT_EQ(read_listing(maxwell, "").instructions.size(), 4u);
}

TEST(Listing, comments_say_what_the_elf_file_holds) {
  const KernelCode code = read_listing(cuobjdump, "");
  EXPECT_EQ(code.compiler, "nvcc 13.0 -O3");
  EXPECT_EQ(code.registers, 10u);
  EXPECT_EQ(code.shared, 4096u);
  EXPECT_EQ(code.parameter_base, 0x210u);
  ASSERT_EQ(code.parameters.size(), 2u);
  EXPECT_EQ(code.parameters[0].offset, 0u); // by place, whatever order they stand in
  EXPECT_EQ(code.parameters[1].offset, 8u);
  EXPECT_EQ(code.parameters[1].size, 8u);
  EXPECT_EQ(code.constants.at(3), (std::vector<std::uint8_t>{0x00, 0x01, 0xfe, 0x0a}));
}

// Worked by hand: bits 41 to 61 of 0x000ea2000c1e1900 are 0x751, of 0x004fe2000c101904 0x27f1.
TEST(Listing, control_fields_stand_in_the_upper_half) {
  const KernelCode code = read_listing(cuobjdump, "");
  EXPECT_TRUE(code.has_encoding);
  const Control& load = code.instructions[1].control;
  EXPECT_EQ(load.stall, 1);
  EXPECT_FALSE(load.yields);
  EXPECT_EQ(load.write_counter, 2);
  EXPECT_EQ(load.read_counter, Control::no_counter);
  EXPECT_EQ(load.wait_mask, 0);
  const Control& store = code.instructions[2].control;
  EXPECT_EQ(store.stall, 1);
  EXPECT_EQ(store.write_counter, Control::no_counter);
  EXPECT_EQ(store.wait_mask, 0b000100); // for the load's counter 2
}

// nvdisasm without -hex; the loop of vectorAdd's like, written by hand.
constexpr std::string_view nvdisasm = R"(
	.target	sm_80
	.section	.text.loop,"ax",@progbits
.text.loop:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   IADD3 R0, R0, 0x1, RZ ;
        /*0020*/               @P0 BRA `(.L_x_1) ;
        /*0030*/                   BRA P1, `(.L_x_2) ;
        /*0040*/                   NOP ;
.L_x_2:
        /*0050*/                   EXIT ;
.L_x_3:
)";

TEST(Listing, labels_of_nvdisasm_are_addresses) {
  const KernelCode code = read_listing(nvdisasm, "loop");
  EXPECT_EQ(code.capability, 80);
  EXPECT_FALSE(code.has_encoding);
  ASSERT_EQ(code.instructions.size(), 6u);
  EXPECT_EQ(code.instructions[2].operands.back().value, 0x10);
  ASSERT_EQ(code.instructions[3].operands.size(), 2u);
  EXPECT_EQ(code.instructions[3].operands[0].kind, OperandKind::predicate);
  EXPECT_EQ(code.instructions[3].operands[1].value, 0x50);
}

// Before cc 7.0 instructions have 8 bytes, and a word of control stands in front of each three or seven.
TEST(Listing, a_label_is_the_address_of_the_instruction_behind_it) {
  const KernelCode code = read_listing(".text.old:\n"
                                       "/*0008*/ BRA `(.L_1) ;\n"
                                       "/*0010*/ NOP ;\n"
                                       ".L_1:\n"
                                       "/*0018*/ EXIT ;\n",
                                       "");
  EXPECT_EQ(code.instructions[0].operands[0].value, 0x18);
}

TEST(Listing, what_nvdisasm_notes_behind_an_indirect_branch_is_no_operand) {
  const KernelCode code = read_listing(
      ".text.k:\n/*0000*/ BRX R2 -0x10 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*) ;\n/*0010*/ EXIT ;\n", "");
  ASSERT_EQ(code.instructions[0].operands.size(), 2u);
  EXPECT_EQ(code.instructions[0].operands[1].value, -0x10);
}

constexpr std::string_view three = R"(
	code for sm_70
		Function : _Z6reduceILi64EEvPf
        /*0000*/                   NOP ;
		Function : _Z6reduceILi128EEvPf
        /*0000*/                   NOP ;
        /*0010*/                   EXIT ;
	code for sm_90
		Function : _Z4scanPf
// target: sm_90
        /*0000*/                   EXIT ;
		Function : _Z6reduceILi64EEvPf
        /*0000*/                   NOP ;
        /*0010*/                   NOP ;
        /*0020*/                   EXIT ;
)";

TEST(Listing, a_function_is_found_by_a_part_of_its_name) {
  EXPECT_EQ(functions_of(three).size(), 4u);
  EXPECT_EQ(read_listing(three, "scan").name, "_Z4scanPf");
  EXPECT_EQ(read_listing(three, "Li128E").capability, 70);
  EXPECT_EQ(error_of([] { read_listing(three, "reduce"); }),
            "several functions of this listing match 'reduce': '_Z6reduceILi64EEvPf' and "
            "'_Z6reduceILi128EEvPf'; give more of the name");
  EXPECT_EQ(error_of([] { read_listing(three, "_Z4scamPf"); }),
            "--kernel: no function of this listing is named '_Z4scamPf' (did you mean '_Z4scanPf'?); it has "
            "'_Z4scanPf', '_Z6reduceILi128EEvPf', '_Z6reduceILi64EEvPf'");
}

TEST(Listing, of_a_function_for_several_architectures_the_newest_is_taken) {
  const KernelCode code = read_listing(three, "_Z6reduceILi64EEvPf");
  EXPECT_EQ(code.capability, 90);
  EXPECT_EQ(code.instructions.size(), 3u);
}

// A name that is whole comes before names that it is a part of.
TEST(Listing, a_whole_name_comes_before_longer_ones) {
  constexpr std::string_view two = "Function : a_b\n/*0000*/ NOP ;\nFunction : a\n/*0000*/ EXIT ;\n";
  EXPECT_EQ(read_listing(two, "a").instructions[0].opcode, "EXIT");
}

// What is not understood of the first instruction, or the error of the whole.
std::string error_in(std::string_view line) {
  const std::string text = std::string("Function : f\n\n") + std::string(line) + "\n";
  return error_of([&] {
    const KernelCode code = read_listing(text, "");
    for (const Instruction& i : code.instructions)
      if (!i.unread.empty())
        throw InputError("line " + std::to_string(i.line) + ": " + perfmodel::quoted(i.text) + ": " +
                         i.unread);
  });
}

TEST(Listing, what_is_not_understood_is_named_by_its_line) {
  EXPECT_EQ(error_in("/*0000*/ FADD.WARP9 R0, R1, R2 ;"),
            "line 3: 'FADD.WARP9 R0, R1, R2': modifier 'WARP9' is not known");
  EXPECT_EQ(error_in("/*0000*/ FADD R0, R1, Q2 ;"),
            "line 3: 'FADD R0, R1, Q2': 'Q2' is no operand that is known");
  EXPECT_EQ(error_in("/*0000*/ FADD R0, R255, R2 ;"),
            "line 3: 'FADD R0, R255, R2': 'R255' is no operand that is known");
  EXPECT_EQ(error_in("/*0000*/ @Q FADD R0, R1, R2 ;"),
            "line 3: '@Q FADD R0, R1, R2': 'Q' is no operand that is known");
  EXPECT_EQ(error_in("/*0000*/ BRA `(.L_x_9) ;"), "line 3: no label '.L_x_9' in this function");
  EXPECT_EQ(error_in(""), "function 'f' of this listing has no instructions");
}

TEST(Listing, text_without_a_function_is_refused) {
  const std::string expected =
      "no function is in this listing: 'Function : NAME' of cuobjdump -sass, or '.text.NAME:' of nvdisasm";
  EXPECT_EQ(error_of([] { read_listing("", ""); }), expected);
  EXPECT_EQ(error_of([] { read_listing("/*0000*/ NOP ;\n", ""); }), expected);
  std::string rubbish;
  for (unsigned i = 0; i < 4096; ++i) rubbish += static_cast<char>(i * 2654435761u >> 13);
  EXPECT_EQ(error_of([&] { read_listing(rubbish, ""); }), expected);
}

// Each piece of a listing, cut off anywhere or with a byte changed, is read or refused in a sentence.
TEST(Listing, a_damaged_listing_is_read_or_refused) {
  for (const std::string_view whole : {cuobjdump, nvdisasm, three}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      error_of([&] { read_listing(whole.substr(0, at), ""); });
      std::string changed(whole);
      for (const char c : {'\0', '(', '`', '[', '|', '.', '@', '\xff', '9'}) {
        changed[at] = c;
        error_of([&] { read_listing(changed, ""); });
      }
    }
  }
}

} // namespace perfmodel::listing_test
