// Of two long results, what changed.
#include "program.hpp"

#include "cli/excerpt/excerpt.hpp"
#include "cli/format.hpp"
#include "models/core/units.hpp"
#include "models/validation/compare.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace perfmodel::cli::excerpt_changes_test {

using Doubles = std::vector<double>;
using Counts = std::vector<std::int64_t>;

Result kernels(std::size_t n, double first, double second) {
  Table table{.title = "t",
              .columns = {{.name = "n", .role = Role::key, .cells = Counts{}},
                          {.name = "x", .unit = unit_of<Seconds>(), .cells = Doubles{}}}};
  for (std::size_t i = 0; i < n; ++i) {
    append(table.columns[0], i);
    append(table.columns[1], i == 0 ? first : i == 1 ? second : 1.0);
  }
  return {.tables = {table}};
}

TEST(Excerpt, of_two_long_results_what_changed_is_shown_the_most_first) {
  const Table cut = excerpt(compare(kernels(40, 1, 1), kernels(40, 1.2, 2), 0.05).tables.front());
  ASSERT_EQ(cut.rows(), 2u);
  EXPECT_EQ(cut.at("keys").text(0), "t: n 1");
  EXPECT_EQ(cut.at("keys").text(1), "t: n 0");
  EXPECT_EQ(cut.notes.back().substr(0, 25), "40 rows: 2 worse, 38 same");
}

TEST(Excerpt, rows_that_have_gone_are_counted_and_do_not_hide_the_numbers_that_changed) {
  const Table cut = excerpt(compare(kernels(60, 1, 1), kernels(10, 1, 2), 0.05).tables.front());
  ASSERT_EQ(cut.rows(), 2u);
  EXPECT_EQ(cut.at("quantity").text(0), "50 rows");
  EXPECT_EQ(cut.at("after").text(0), "gone");
  EXPECT_EQ(cut.at("keys").text(0), "t");
  EXPECT_EQ(cut.at("quantity").text(1), "x");
  EXPECT_EQ(cut.notes.back().substr(0, 25), "60 rows: 51 worse, 9 same");
}

TEST(Excerpt, two_long_results_without_a_change_show_a_few_rows) {
  EXPECT_EQ(excerpt(compare(kernels(40, 1, 1), kernels(40, 1, 1.01), 0.05).tables.front()).at("keys").text(0),
            "t: n 1");
}

} // namespace perfmodel::cli::excerpt_changes_test
