#include "models/kernel/value_slice.hpp"

#include "code_text.hpp"

#include "models/core/shape.hpp"
#include "models/kernel/known_kernels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace perfmodel::value_slice_test {

// Of each instruction "1" or "0". `jumps`: from which to which it may lead beside the next one.
std::string matter(std::string_view text, const std::vector<std::pair<std::size_t, std::size_t>>& jumps = {},
                   const SliceRules& rules = {}) {
  const KernelCode code = code_from(text);
  std::vector<std::size_t> targets(code.instructions.size(), ~std::size_t{0});
  for (const auto& [from, to] : jumps) targets[from] = to;
  std::string made;
  for (const bool one : instructions_that_matter(code, targets, rules)) made += one ? '1' : '0';
  return made;
}

TEST(ValueSlice, what_only_data_goes_through_does_not_matter) {
  EXPECT_EQ(
      matter("MOV R0, 0x4\nIMAD R2, R0, 0x8, R0\nLDG.E R4, [R2]\nFADD R5, R4, R4\nSTG.E [R2], R5\nEXIT"),
      "110000")
      << "neither what is loaded nor what is stored";
}

TEST(ValueSlice, guards_and_compared_numbers_matter) {
  EXPECT_EQ(
      matter("MOV R0, 0x4\nMOV R1, 0x4\nISETP.NE.AND P0, PT, R0, 0x8, PT\n@P0 BRA 0x50\nMOV R3, R1\nEXIT",
             {{3, 5}}),
      "101000");
  EXPECT_EQ(matter("ISETP.NE.AND P1, PT, R0, 0x8, PT\n@P1 FADD R5, R4, R4\nEXIT"), "100") << "of any guard";
}

// Which lanes add says nothing of where the warp goes; which of them store does.
TEST(ValueSlice, of_ways_alone_guards_of_sums_matter_as_much_as_the_sums) {
  const SliceRules ways{.ways_alone = true};
  EXPECT_EQ(matter("ISETP.NE.AND P1, PT, R0, 0x8, PT\n@P1 FADD R5, R4, R4\nEXIT", {}, ways), "000");
  EXPECT_EQ(
      matter("ISETP.NE.AND P1, PT, R0, 0x8, PT\n@P1 IADD3 R4, R4, 0x4, RZ\nSTG.E [R4], R5\nEXIT", {}, ways),
      "1100");
  EXPECT_EQ(matter("ISETP.NE.AND P1, PT, R0, 0x8, PT\n@P1 STG.E [R4], R5\nEXIT", {}, ways), "100");
}

// R4 is first data, then an address: only the sum behind which it is read as one matters.
TEST(ValueSlice, goes_by_what_is_in_a_register_then) {
  EXPECT_EQ(matter("FADD R4, R5, R5\nSTG.E [R8], R4\nIADD3 R4, R6, 0x4, RZ\nSTG.E [R4], R5\nEXIT"), "00100");
  EXPECT_EQ(matter("IADD3 R4, R6, 0x1, RZ\n@P0 IADD3 R4, R6, 0x4, RZ\nSTG.E [R4], R5\nEXIT"), "1100")
      << "where its guard is false, what was there before stays";
  EXPECT_EQ(matter("FADD R5, R9, R9\nLDC.64 R4, c[0x0][0x210]\nSTG.E [R4.64], R8\nEXIT"), "0100")
      << "both words are loaded";
  EXPECT_EQ(matter("MOV R6, R9\nLDC.64 R4, c[0x0][0x210]\nSTG.E [R6], R8\nEXIT"), "1000") << "and no third";
}

TEST(ValueSlice, a_sum_that_the_next_trip_goes_by_matters) {
  EXPECT_EQ(matter("LDG.E R8, [R4]\nFADD R9, R9, R8\nIADD3 R4, R4, 0x20, RZ\nBRA 0x0\nEXIT", {{3, 0}}),
            "00100");
}

// Shared memory is read again, and what was put there may be an address.
TEST(ValueSlice, what_goes_to_shared_memory_matters) {
  EXPECT_EQ(matter("IADD3 R4, R6, 0x1, RZ\nSTS [R8], R4\nEXIT"), "100");
  EXPECT_EQ(matter("IADD3 R4, R6, 0x1, RZ\nSTG.E [R8], R4\nEXIT"), "000");
}

TEST(ValueSlice, what_goes_to_shared_memory_matters_as_what_is_loaded_from_there_does) {
  const auto follows = [](std::string_view text) { return matter(text, {}, {.follows_shared = true}); };
  EXPECT_EQ(follows("IADD3 R4, R6, 0x1, RZ\nSTS [R8], R4\nLDS R5, [R9]\nSTG.E [R2], R5\nEXIT"), "00000");
  EXPECT_EQ(follows("IADD3 R4, R6, 0x1, RZ\nSTS [R8], R4\nLDS R5, [R9]\nSTG.E [R5], R4\nEXIT"), "11100");
}

// What a block stores to global memory, where what that held is known.
TEST(ValueSlice, what_goes_to_global_memory_matters_as_what_is_loaded_from_there_does) {
  const auto follows = [](std::string_view text) { return matter(text, {}, {.follows_global = true}); };
  EXPECT_EQ(follows("IADD3 R4, R6, 0x1, RZ\nSTG.E [R8], R4\nLDG.E R5, [R9]\nSTG.E [R2], R5\nEXIT"), "00000");
  EXPECT_EQ(follows("IADD3 R4, R6, 0x1, RZ\nSTG.E [R8], R4\nLDG.E R5, [R9]\nSTG.E [R5], R4\nEXIT"), "11100");
  EXPECT_EQ(
      follows("IADD3 R4, R6, 0x1, RZ\nSTG.E [R8], R4\nATOMG.E.ADD PT, R5, [R9], R1\nSTG.E [R5], R4\nEXIT"),
      "11100")
      << "an atomic operation reads it, too";
}

TEST(ValueSlice, where_ways_go_by_registers_everything_matters) {
  EXPECT_EQ(matter("FADD R4, R5, R5\nBRX R8\nEXIT"), "111");
  EXPECT_EQ(matter("FADD R4, R5, R5\nCALL.ABS.NOINC R8\nEXIT"), "111") << "nobody knows where to";
}

// What is called may lead behind any call: R4 is an address there, R5 and R6 are data wherever they go.
TEST(ValueSlice, goes_into_what_is_called_and_back) {
  EXPECT_EQ(matter("IADD3 R4, R6, 0x4, RZ\nMOV R20, 0x30\nCALL.REL.NOINC 0x50\nSTG.E [R4], R7\nEXIT\n"
                   "IADD3 R4, R4, R4, RZ\nFADD R7, R6, R6\nRET.REL.NODEC R20",
                   {{2, 5}}),
            "11000100");
}

TEST(ValueSlice, most_of_a_register_tiled_product_does_not_matter) {
  const KernelCode& code =
      known_kernel("matmul", "21matmul_register_tiledILi128ELi128ELi8ELi8ELi8ELi2ELb1E", 9.0);
  const std::vector<bool> all =
      instructions_that_matter(code, std::vector<std::size_t>(code.instructions.size(), ~std::size_t{0}));
  std::size_t sums = 0;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (code.instructions[n].opcode == "FFMA") {
      EXPECT_FALSE(all[n]) << code.instructions[n].text;
      ++sums;
    }
  EXPECT_EQ(sums, 512u);
}

} // namespace perfmodel::value_slice_test
