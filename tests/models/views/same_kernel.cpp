// A listing's mangled names and a profiler's written ones.
#include "models/views/same_kernel.hpp"

#include <gtest/gtest.h>

namespace perfmodel::same_kernel_test {

TEST(SameKernel, a_mangled_name_is_that_of_the_profile_with_its_template_arguments) {
  EXPECT_EQ(same_name("_Z5vcopyPfPKfi", "vcopy(float *, const float *, int)"), SameName::instance);
  EXPECT_EQ(same_name("_Z5vcopyPfPKfi", "_Z5vcopyPfPKfi"), SameName::instance);
  EXPECT_EQ(same_name("_Z1fIfLi4EEvPT_", "void f<float, (int)4>(T1 *)"), SameName::instance);
  EXPECT_EQ(same_name("_Z1fIfLi4EEvPT_", "void f<double, (int)4>(T1 *)"), SameName::function);
  EXPECT_EQ(same_name("_Z1fIfLi4EEvPT_", "f"), SameName::function);
  EXPECT_EQ(same_name("_Z5vcopyPfPKfi", "vcopy2(float *, const float *, int)"), SameName::no);
}

TEST(SameKernel, a_piece_of_a_mangled_name_is_written_as_the_name_in_it) {
  EXPECT_EQ(written_name("9histogramE"), "histogram");
  EXPECT_EQ(written_name("6directILb0ELb0"), "direct");
  EXPECT_EQ(written_name("_ZN2ns9histogramEPKji"), "histogram");
  EXPECT_EQ(written_name("_ZN2ns4axpyIfEEvPT_"), "axpy");
  EXPECT_EQ(written_name("matmul_tiledILi32E"), "matmul_tiled");
  EXPECT_EQ(written_name("through_sharedILj32ELb1ELj1ELb0"), "through_shared");
  EXPECT_EQ(written_name("histogram_global"), "histogram_global");
  EXPECT_EQ(written_name("FILE"), "FILE");
  EXPECT_EQ(written_name("axpy(int, float *)"), "axpy");
  EXPECT_EQ(written_name("99short"), "99short"); // no such pieces
  EXPECT_EQ(written_name("1d_kernel"), "1d_kernel");
}

} // namespace perfmodel::same_kernel_test
