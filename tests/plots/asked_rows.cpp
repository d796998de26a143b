#include "plots/chart/asked_rows.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::asked_rows_test {

using Strings = std::vector<std::string>;

Column key(std::string name, std::variant<std::vector<double>, std::vector<std::int64_t>, Strings> cells,
           Unit unit = {}) {
  return {std::move(name), std::move(unit), Role::key, std::move(cells)};
}

TEST(AskedRows, keys_with_other_values_leave_rows_out_and_are_named_once) {
  const Table predicted{
      "", {key("x", std::vector<double>{1, 2}), key("unroll", std::vector<double>{8, 8})}, {}};
  const Table measured{
      "", {key("x", std::vector<double>{1, 1, 2, 2}), key("unroll", std::vector<double>{8, 64, 8, 64})}, {}};
  const AskedRows asked = asked_rows(measured, predicted, "x");
  EXPECT_EQ(asked.table.rows(), 2u);
  EXPECT_EQ(asked.elsewhere, 2u);
  EXPECT_EQ(asked.differing, Strings{"unroll"});
}

// As many blocks as an SM holds: another number at each size of a block.
TEST(AskedRows, a_key_that_changes_along_x_is_compared_at_each_x) {
  const Table predicted{
      "", {key("x", std::vector<double>{128, 256}), key("blocks", std::vector<double>{16, 8})}, {}};
  const Table measured{"",
                       {key("x", std::vector<double>{128, 128, 192, 256, 256}),
                        key("blocks", std::vector<double>{16, 8, 8, 16, 8})},
                       {}};
  const AskedRows asked = asked_rows(measured, predicted, "x");
  EXPECT_EQ(asked.table.at("x").number(0), 128);
  EXPECT_EQ(asked.table.at("x").number(1), 192) << "between two that were predicted";
  EXPECT_EQ(asked.table.at("x").number(2), 256);
  EXPECT_EQ(asked.elsewhere, 2u);
  EXPECT_EQ(asked.differing, Strings{"blocks"});
}

TEST(AskedRows, a_count_equals_a_number_of_its_value) {
  const Table predicted{"", {key("ilp", std::vector<double>{1, 4})}, {}};
  const Table measured{"", {key("ilp", std::vector<std::int64_t>{1, 2, 4})}, {}};
  EXPECT_EQ(asked_rows(measured, predicted, "x").table.rows(), 2u);
}

TEST(AskedRows, numbers_equal_to_rounding_are_equal_and_others_not) {
  const Table predicted{"", {key("word", std::vector<double>{0.3})}, {}};
  const Table measured{"", {key("word", std::vector<double>{0.1 + 0.2, 0.3001})}, {}};
  EXPECT_EQ(asked_rows(measured, predicted, "x").table.rows(), 1u);
}

TEST(AskedRows, words_are_compared_as_they_are) {
  const Table predicted{"", {key("precision", Strings{"fp32"})}, {}};
  const Table measured{"", {key("precision", Strings{"fp32", "fp64"})}, {}};
  EXPECT_EQ(asked_rows(measured, predicted, "x").table.rows(), 1u);
}

TEST(AskedRows, x_and_keys_of_one_side_alone_leave_nothing_out) {
  const Table predicted{"", {key("x", std::vector<double>{1}), key("mine", std::vector<double>{1})}, {}};
  const Table measured{"", {key("x", std::vector<double>{5}), key("theirs", std::vector<double>{7})}, {}};
  const AskedRows asked = asked_rows(measured, predicted, "x");
  EXPECT_EQ(asked.table.rows(), 1u);
  EXPECT_TRUE(asked.differing.empty());
}

// "4 threads" and "4" would be two series.
TEST(AskedRows, columns_take_the_predicted_symbols) {
  const Table predicted{"", {key("threads", std::vector<double>{4}, {"threads", {}})}, {}};
  const Table measured{"", {key("threads", std::vector<double>{4})}, {}};
  EXPECT_EQ(asked_rows(measured, predicted, "x").table.columns[0].unit.symbol, "threads");
}

} // namespace perfmodel::plots::asked_rows_test
