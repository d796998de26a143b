#include "models/core/table.hpp"

#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::table_test {

using Doubles = std::vector<double>;
using Whole = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

Table two_rows() {
  return {.title = "t",
          .columns = {{.name = "gpu", .role = Role::key, .cells = Texts{"a", "b"}},
                      {.name = "n", .cells = Whole{1, 2}},
                      {.name = "time", .unit = {"s", {}}, .cells = Doubles{0.5, absent}}}};
}

TEST(Table, a_cell_is_read_as_number_and_as_text) {
  const Table t = two_rows();
  EXPECT_EQ(t.rows(), 2u);
  EXPECT_TRUE(std::isnan(t.columns[0].number(0)));
  EXPECT_EQ(t.columns[0].text(1), "b");
  EXPECT_DOUBLE_EQ(t.columns[1].number(1), 2);
  EXPECT_EQ(t.columns[1].text(1), "2");
  EXPECT_EQ(t.columns[2].text(0), "0.5");
  EXPECT_EQ(t.columns[2].text(1), "") << "an absent number is empty text";
}

TEST(Table, a_missing_column_is_named_with_those_there_are) {
  const Table t = two_rows();
  EXPECT_EQ(t.find("speed"), nullptr);
  EXPECT_EQ(t.at("n").name, "n");
  EXPECT_EQ(error_of([&] { t.at("speed"); }), "the table 't' has no column 'speed'; it has gpu, n, time");
}

TEST(Table, a_table_without_columns_has_no_rows) { EXPECT_EQ(Table{}.rows(), 0u); }

TEST(Table, a_column_takes_the_type_of_its_first_value) {
  Column whole, text, number;
  append(whole, 3);
  append(text, std::string("x"));
  append(number, 1.5);
  EXPECT_TRUE(std::holds_alternative<Whole>(whole.cells));
  EXPECT_TRUE(std::holds_alternative<Texts>(text.cells));
  EXPECT_TRUE(std::holds_alternative<Doubles>(number.cells));
}

TEST(Table, rows_of_equal_columns_are_appended) {
  Table t;
  append_rows(t, two_rows());
  append_rows(t, two_rows());
  EXPECT_EQ(t.rows(), 4u);
  EXPECT_EQ(t.columns[0].text(3), "b");
}

TEST(Table, rows_of_other_columns_are_refused) {
  Table t = two_rows();
  Table fewer = two_rows(), renamed = two_rows(), retyped = two_rows();
  fewer.columns.pop_back();
  renamed.columns[1].name = "m";
  retyped.columns[1].cells = Doubles{1, 2};
  EXPECT_EQ(error_of([&] { append_rows(t, fewer); }), "tables 't' and 't' differ in their columns");
  EXPECT_EQ(error_of([&] { append_rows(t, renamed); }), "column 'n' of 't' meets 'm'");
  EXPECT_EQ(error_of([&] { append_rows(t, retyped); }), "column 'n' of 't' holds two kinds of value");
}

TEST(Table, an_empty_column_takes_the_type_of_what_is_appended) {
  Table t = two_rows();
  for (Column& c : t.columns) c.cells = Doubles{};
  append_rows(t, two_rows());
  EXPECT_EQ(t.columns[0].text(0), "a");
}

} // namespace perfmodel::table_test
