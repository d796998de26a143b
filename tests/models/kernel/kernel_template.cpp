#include "models/kernel/kernel_template.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::kernel_template_test {

KernelTemplate rows_and_columns() {
  return {.name = "softmax",
          .title = "",
          .listing = "templates",
          .sizes = Bindings::from_text("rows=4096,columns=1000"),
          .inputs = {{"grid", "{(rows + 255) / 256}x2"}, {"arg", "in={4 * rows * columns}B,n={columns}"}}};
}

TEST(KernelTemplate, expressions_of_the_sizes_give_the_launch) {
  const KernelTemplate of = rows_and_columns();
  const auto inputs = inputs_of(of, sizes_of(of, Bindings::from_text("rows=257")));
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].second, "2x2");
  EXPECT_EQ(inputs[1].second, "in=1028000B,n=1000");
}

TEST(KernelTemplate, sizes_that_are_not_given_are_the_usual_ones) {
  EXPECT_EQ(sizes_of(rows_and_columns(), {}).text(), "rows=4096,columns=1000");
  EXPECT_EQ(sizes_of(rows_and_columns(), Bindings::from_text("columns=8")).text(), "rows=4096,columns=8");
}

TEST(KernelTemplate, what_is_wrong_is_said_in_a_sentence) {
  const auto why = [](const char* let) {
    return error_of([&] { sizes_of(rows_and_columns(), Bindings::from_text(let)); });
  };
  EXPECT_EQ(why("row=1"),
            "'softmax' has no size 'row' (did you mean 'rows'?); it has rows=4096,columns=1000");
  EXPECT_EQ(why("rows=0"), "rows is 0, and at least 1 is expected");
  KernelTemplate of = rows_and_columns();
  const auto wrong = [&](const char* rule) {
    of.inputs = {{"grid", rule}};
    return error_of([&] { inputs_of(of, of.sizes); });
  };
  EXPECT_EQ(wrong("{rows"), "grid: '}' is missing in '{rows'");
  EXPECT_EQ(wrong("{rows / (columns - 1000)}"),
            "grid: in '{rows / (columns - 1000)}': column 6: division by zero");
  EXPECT_EQ(wrong("{lines}").substr(0, 20), "grid: in '{lines}': ");
}

} // namespace perfmodel::kernel_template_test
