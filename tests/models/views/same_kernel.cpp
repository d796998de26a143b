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

} // namespace perfmodel::same_kernel_test
