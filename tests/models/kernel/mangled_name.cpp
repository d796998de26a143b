#include "models/kernel/mangled_name.hpp"

#include <gtest/gtest.h>

namespace perfmodel::mangled_name_test {

using Types = std::vector<std::string>;

// Names as g++ 12 mangles these declarations.
TEST(MangledName, says_the_types_of_the_arguments) {
  EXPECT_EQ(argument_types("_Z4axpyPfPKfif"), (Types{"float*", "float const*", "int", "float"}));
  EXPECT_EQ(argument_types("_Z1fIfLi4EEvPT_j"), (Types{"float*", "unsigned int"}));
  EXPECT_EQ(argument_types("_ZN12_GLOBAL__N_11gEl"), Types{"long"});
  EXPECT_EQ(argument_types("_Z1fPFviE4PairIiiE"), (Types{"void (*)(int)", "Pair<int, int>"}));
}

TEST(MangledName, without_arguments_or_not_mangled_it_says_none) {
  for (const char* name : {"_Z1fv", "f", "f(int)", "", "_Z", "_Z4axpy"})
    EXPECT_EQ(argument_types(name), Types{}) << name;
}

TEST(MangledName, says_what_the_function_is_called) {
  EXPECT_EQ(function_called("_Z4axpyPfPKfif"), "axpy");
  EXPECT_EQ(function_called("_Z1fIfLi4EEvPT_j"), "f<float, 4>");
  EXPECT_EQ(function_called("_ZN12_GLOBAL__N_11gEl"), "(anonymous namespace)::g");
  EXPECT_EQ(function_called("_Z1fPFviE4PairIiiE"), "f");
  for (const char* name : {"f", "", "_Z", ")", "f(int)x"}) EXPECT_EQ(function_called(name), name);
}

TEST(MangledName, a_name_of_c_is_no_type) {
  EXPECT_EQ(demangled("f"), "f");
  EXPECT_EQ(demangled("_Z1fi"), "f(int)");
}

TEST(MangledName, a_pointer_is_no_whole_number) {
  EXPECT_TRUE(is_whole_type("int"));
  EXPECT_TRUE(is_whole_type("unsigned long long"));
  EXPECT_FALSE(is_whole_type("float"));
  EXPECT_FALSE(is_whole_type("int*"));
}

} // namespace perfmodel::mangled_name_test
