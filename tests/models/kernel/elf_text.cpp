#include "models/kernel/elf_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::elf_text_test {

// What cuobjdump -elf prints of a tiled product, compiled for sm_90 by nvcc 13.0; shortened.
constexpr std::string_view elf = R"elf(
64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0, flags=0x6005a04
Sections:
Index Offset   Size ES Align                      Type    Flags Link     Info Name
   1f   5e80    c00  0  4                       NOBITS       43    0       17 .nv.shared.tiled
   20   5e80    480  0  4                       NOBITS       43    0       18 .nv.shared.other

.section .strtab

.nv.constant3
0x00000000 0x04030201

.nv.constant2.tiled
0x3f800000

.nv.info
	Attribute:	EIATTR_REGCOUNT
	Format:	EIFMT_SVAL
	Value:	function: other(0x17)	register count: 12
	Attribute:	EIATTR_REGCOUNT
	Format:	EIFMT_SVAL
	Value:	function: tiled(0x16)	register count: 32

.nv.info.tiled
	<0x2>
	Attribute:	EIATTR_KPARAM_INFO
	Format:	EIFMT_SVAL
	Value:	Index : 0x0	Ordinal : 0x2	Offset  : 0x10	Size    : 0x4
		Pointee's logAlignment : 0x0	Space : 0x0	cbank : 0x1f	Parameter Space : CBANK	
	<0x3>
	Attribute:	EIATTR_KPARAM_INFO
	Format:	EIFMT_SVAL
	Value:	Index : 0x0	Ordinal : 0x0	Offset  : 0x0	Size    : 0x8
	<0x10>
	Attribute:	EIATTR_PARAM_CBANK
	Format:	EIFMT_SVAL
	Value:	0x20 0x140210 

.nv.info.other
	Attribute:	EIATTR_PARAM_CBANK
	Format:	EIFMT_SVAL
	Value:	0x20 0x140999 
)elf";

KernelCode tiled(int capability = 90) { return {.name = "tiled", .capability = capability}; }

// A file that is nothing but machine code, as Triton leaves one for each kernel, begins otherwise, and says
// how many threads a block must have.
TEST(ElfText, of_machine_code_alone_is_read_too) {
  std::string text(elf);
  text.replace(text.find("64-bit ELF: type=ET_EXEC, ABI=8, sm=90,"), 39, "64bit elf: type=2, abi=7, sm=90a,");
  text += "\n.nv.info.tiled\n\tAttribute:\tEIATTR_REQNTID\n\tFormat:\tEIFMT_SVAL\n\tValue:\t0x80 0x2 0x1 \n";
  KernelCode code = tiled();
  add_elf_facts(code, text);
  EXPECT_EQ(code.registers, 32u);
  EXPECT_EQ(code.threads, 256);
  EXPECT_EQ(code.parameters.size(), 2u);
  KernelCode any = tiled();
  add_elf_facts(any, elf);
  EXPECT_FALSE(any.threads.has_value());
}

TEST(ElfText, says_registers_shared_memory_and_where_arguments_lie) {
  KernelCode code = tiled();
  add_elf_facts(code, elf);
  EXPECT_EQ(code.registers, 32u);
  EXPECT_EQ(code.shared, 0xc00u - 1024); // without what the system keeps
  EXPECT_EQ(code.parameter_base, 0x210u);
  ASSERT_EQ(code.parameters.size(), 2u);
  EXPECT_EQ(code.parameters[0].offset, 0u); // by place, whatever order they stand in
  EXPECT_EQ(code.parameters[1].offset, 0x10u);
  EXPECT_EQ(code.parameters[1].size, 4u);
}

TEST(ElfText, holds_constants_the_lowest_byte_first) {
  KernelCode code = tiled();
  add_elf_facts(code, elf);
  EXPECT_EQ(code.constants.at(3), (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 2, 3, 4}));
  EXPECT_EQ(code.constants.at(2), (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f}));
}

TEST(ElfText, constants_that_are_all_zero_are_written_by_the_program_and_not_known) {
  std::string zeros(elf);
  zeros.replace(zeros.find("0x04030201"), 10, "0x00000000");
  KernelCode code = tiled();
  add_elf_facts(code, zeros);
  EXPECT_EQ(code.constants.count(3), 0u);
}

TEST(ElfText, of_another_architecture_does_not_count) {
  KernelCode code = tiled(80);
  add_elf_facts(code, elf);
  EXPECT_FALSE(code.registers);
  EXPECT_FALSE(code.parameter_base);
}

TEST(ElfText, what_the_listing_itself_says_counts_first) {
  KernelCode code = tiled();
  code.registers = 40;
  add_elf_facts(code, elf);
  EXPECT_EQ(code.registers, 40u);
}

// Two files of one architecture, of two sources: only the second has the function. As cuobjdump prints them;
// shortened.
constexpr std::string_view with_variables = R"elf(
64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0, flags=0x6005a04
Sections:
    e    b00      8  0  4                     PROGBITS        3    0        0 .nv.global.init

.section .symtab
 0x8               0             0x4      0x1        0    0xe     of_another

.nv.constant3
0x00000063

.nv.info.another
64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0, flags=0x6005a04
Sections:
Index Offset   Size ES Align                      Type    Flags Link     Info Name
    f    b00     29  0  4                     PROGBITS        3    0        0 .nv.global.init
   11    b2c      8  0  4                       NOBITS        3    0        0 .nv.global
   12    b40      8  0  4                     PROGBITS        3    0        0 .nv.constant3

.section .symtab
 index           value           size      info    other  shndx    name
 0x8               0             0x4      0x1        0    0xf     unused
 0x9             0x4             0x8      0x1        0    0xf     table
 0xa               0             0x8      0x1        0   0x11     sums
 0xb             0x4             0x4      0x1        0   0x12     scale

.nv.constant3
0x00000000 0x00000007

.section .rela.nv.constant4	RELA
0x18    vprintf    R_CUDA_64    0x0
0x10    sums    R_CUDA_64    0x0
0x8    table    R_CUDA_64    0x4

.nv.global.init
0x00000001 0x00000002 0x00000003

.nv.info.tiled
)elf";

TEST(ElfText, says_which_variables_of_the_program_the_constants_lead_to) {
  KernelCode code = tiled();
  add_elf_facts(code, with_variables);
  ASSERT_EQ(code.variables.size(), 2u) << "but not the one that no constant leads to";
  EXPECT_EQ(code.variables[0].name, "table");
  EXPECT_EQ(code.variables[0].initial, (std::vector<std::uint8_t>{2, 0, 0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(code.variables[0].uses.at(0).at, 8u);
  EXPECT_EQ(code.variables[0].uses.at(0).beyond, 4);
  EXPECT_EQ(code.variables[1].name, "sums");
  EXPECT_EQ(code.variables[1].size, 8u);
  EXPECT_TRUE(code.variables[1].initial.empty()) << "zeros until the program writes there";
  ASSERT_EQ(code.constant_variables.size(), 1u);
  EXPECT_EQ(code.constant_variables[0].name, "scale");
  EXPECT_EQ(code.constant_variables[0].at, 4u);
  EXPECT_EQ(code.constants.at(3), (std::vector<std::uint8_t>{0, 0, 0, 0, 7, 0, 0, 0})) << "of its own file";
}

} // namespace perfmodel::elf_text_test
