// Launches of a profile as kernels, and what to call them.
#include "models/validation/profile.hpp"

#include <gtest/gtest.h>

namespace perfmodel::profile_test {

ProfiledLaunch launch(const std::string& kernel, int grid, double seconds) {
  ProfiledLaunch made;
  made.kernel = kernel;
  made.grid = Shape{grid, 1, 1}, made.block = Shape{256, 1, 1};
  made.counters["gpu__time_duration.sum"] = {seconds, "second"};
  return made;
}

TEST(Profile, a_kernel_has_the_median_of_its_launches_and_those_that_take_longest_come_first) {
  const auto kernels =
      by_kernel({launch("f()", 8, 1), launch("g()", 8, 5), launch("f()", 8, 9), launch("f()", 8, 2)});
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].kernel, "f()") << "three launches of 2 s take longer than one of 5 s";
  EXPECT_EQ(kernels[0].launches, 3u);
  EXPECT_DOUBLE_EQ(time_of(kernels[0])->value, 2);
}

TEST(Profile, grids_of_one_kernel_are_kept_apart_and_their_names_say_which) {
  const auto kernels =
      by_kernel({launch("void f<int>(T1)", 8, 3), launch("void f<int>(T1)", 9, 2), launch("g(int)", 9, 1)});
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(short_names(kernels), (std::vector<std::string>{"f of 8", "f of 9", "g"}));
}

// Two calls of one kernel with other arguments, in the same grid; a few instructions more or less are the
// same call.
TEST(Profile, launches_that_execute_more_are_kernels_of_their_own) {
  std::vector<ProfiledLaunch> launches;
  for (const auto& [seconds, instructions] : {std::pair{1., 1000.}, {9., 8000.}, {3., 1010.}, {11., 8100.}}) {
    launches.push_back(launch("f(int)", 8, seconds));
    launches.back().counters["smsp__inst_executed.sum"] = {instructions, "inst"};
  }
  const auto kernels = by_kernel(launches);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_DOUBLE_EQ(time_of(kernels[0])->value, 10);
  EXPECT_DOUBLE_EQ(time_of(kernels[1])->value, 2);
  EXPECT_EQ(short_names(kernels)[1], "f of 8, 1005 instructions");
  launches.back().counters.clear(); // of one nobody knows: all are together
  EXPECT_EQ(by_kernel(launches).size(), 1u);
}

TEST(Profile, a_functions_name_is_found_among_namespaces_templates_and_arguments) {
  EXPECT_EQ(function_name("axpy(int, float *)"), "axpy");
  EXPECT_EQ(function_name("void ns::axpy<float, (int)4>(int, T1, T1 *)"), "axpy");
  EXPECT_EQ(function_name("void (anonymous namespace)::f<a::b<c>>(void (*)(int))"), "f");
  EXPECT_EQ(function_name("<unnamed>::saxpyKernel(float, const float *)"), "saxpyKernel");
  EXPECT_EQ(function_name("_Z4axpyPf"), "_Z4axpyPf");
  EXPECT_EQ(function_name("ampere_sgemm_128x64_nn"), "ampere_sgemm_128x64_nn");
  for (const char* odd : {"", "(", ")", "<", "::", "f(", "()"}) function_name(odd); // any text
}

} // namespace perfmodel::profile_test
