#include "models/validation/compare.hpp"

#include "models/core/units.hpp"
#include "tests/models/error_of.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace perfmodel::compare_test {

using Doubles = std::vector<double>;
using Texts = std::vector<std::string>;

// One table: kernels a and b, one number of each.
Result with(const Unit& unit, const Doubles& values, Role role = Role::predicted) {
  return {.tables = {{.title = "t",
                      .columns = {{.name = "kernel", .role = Role::key, .cells = Texts{"a", "b"}},
                                  {.name = "x", .unit = unit, .role = role, .cells = values}}}}};
}

std::string verdict(const Unit& unit, double before, double after, double tolerance) {
  return compare(with(unit, {before, 1}), with(unit, {after, 1}), tolerance).tables[0].at("verdict").text(0);
}

TEST(Compare, the_change_is_relative_to_before) {
  const Result r = compare(with({}, {4, -4}), with({}, {5, -5}), 0.1);
  ASSERT_EQ(r.tables[0].rows(), 2u);
  EXPECT_DOUBLE_EQ(r.tables[0].at("change").number(0), 0.25);
  EXPECT_DOUBLE_EQ(r.tables[0].at("change").number(1), -0.25);
  EXPECT_EQ(r.kind, Kind::comparison);
  EXPECT_EQ(r.tables[0].at("keys").text(0), "t: kernel a");
  ASSERT_EQ(r.verdict.size(), 1u);
  EXPECT_EQ(r.verdict[0].rfind(
                "0 of 2 numbers are worse by more than 10 %, 2 changed; the largest change is 25 % (", 0),
            0u)
      << r.verdict[0];
  EXPECT_EQ(compare(with({}, {4, 4}), with({}, {4, 4}), 0.05).verdict.at(0),
            "0 of 2 numbers are worse by more than 5 %.");
}

TEST(Compare, a_lower_rate_and_a_longer_time_are_worse) {
  EXPECT_EQ(verdict(unit_of<BytesPerSecond>(), 100, 90, 0.05), "worse");
  EXPECT_EQ(verdict(unit_of<BytesPerSecond>(), 100, 110, 0.05), "better");
  EXPECT_EQ(verdict(unit_of<FlopsPerSecond>(), 100, 90, 0.05), "worse");
  EXPECT_EQ(verdict(unit_of<Seconds>(), 100, 110, 0.05), "worse");
  EXPECT_EQ(verdict(unit_of<Seconds>(), 100, 90, 0.05), "better");
  EXPECT_EQ(verdict(unit_of<Cycles>(), 100, 110, 0.05), "worse");
  EXPECT_EQ(verdict(unit_of<Cycles>(), 100, 90, 0.05), "better");
  EXPECT_EQ(verdict(unit_of<PerCycle>(), 100, 90, 0.05), "worse");
  EXPECT_EQ(verdict(unit_of<PerCycle>(), 100, 110, 0.05), "better");
}

// Fewer bytes in flight may be all that is needed, or too few.
TEST(Compare, of_any_other_quantity_no_change_is_called_worse_and_every_one_counts) {
  EXPECT_EQ(verdict(unit_of<Bytes>(), 100, 110, 0.05), "changed");
  EXPECT_EQ(verdict(unit_of<Bytes>(), 100, 90, 0.05), "changed");
  EXPECT_EQ(changed_rows(compare(with({}, {1, 1}), with({}, {2, 1}), 0.1)), 1u);
}

TEST(Compare, the_tolerance_itself_is_still_the_same) {
  EXPECT_EQ(verdict(unit_of<Seconds>(), 4, 5, 0.25), "same");
  EXPECT_EQ(verdict(unit_of<Seconds>(), 4, 5, 0.2499), "worse");
  EXPECT_EQ(verdict(unit_of<Seconds>(), 4, 4, 0), "same");
}

TEST(Compare, a_number_that_has_gone_is_worse_and_one_absent_on_both_sides_is_not_listed) {
  EXPECT_EQ(verdict({}, 1, absent, 0.5), "worse");
  EXPECT_EQ(compare(with({}, {absent, 1}), with({}, {absent, 1}), 0.1).tables[0].rows(), 1u);
}

TEST(Compare, zero_stays_the_same_and_leaves_zero_is_a_change) {
  EXPECT_EQ(verdict({}, 0, 0, 0.1), "same");
  EXPECT_EQ(verdict(unit_of<Seconds>(), 0, 1, 0.1), "worse");
}

TEST(Compare, worse_rows_are_counted) {
  EXPECT_EQ(worse_rows(compare(with(unit_of<Seconds>(), {1, 1}), with(unit_of<Seconds>(), {2, 0.5}), 0.1)),
            1u);
  EXPECT_EQ(worse_rows(compare(with({}, {1, 1}), with({}, {1, 1}), 0.1)), 0u);
}

TEST(Compare, rows_are_joined_by_key_whatever_their_order) {
  Result swapped = with({}, {2, 1});
  swapped.tables[0].columns[0].cells = Texts{"b", "a"};
  EXPECT_EQ(worse_rows(compare(with({}, {1, 2}), swapped, 0)), 0u);
}

TEST(Compare, a_row_that_has_gone_is_worse_and_one_that_came_is_new) {
  Result other = with({}, {1, 2});
  other.tables[0].columns[0].cells = Texts{"a", "c"};
  const Table table = compare(with({}, {1, 2}), other, 0.1).tables[0];
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.at("verdict").text(0), "worse");
  EXPECT_EQ(table.at("keys").text(0), "t: kernel b");
  EXPECT_EQ(table.at("verdict").text(1), "new");
  EXPECT_EQ(table.at("keys").text(1), "t: kernel c");
  EXPECT_EQ(table.at("verdict").text(2), "same");
}

TEST(Compare, a_table_that_has_gone_is_worse) {
  Result two = with({}, {1, 2});
  two.tables.push_back(two.tables[0]);
  two.tables[1].title = "u";
  EXPECT_EQ(worse_rows(compare(two, with({}, {1, 2}), 0.1)), 1u);
  EXPECT_EQ(worse_rows(compare(with({}, {1, 2}), two, 0.1)), 0u);
}

TEST(Compare, what_differs_between_the_two_as_a_whole_is_no_key) {
  const auto of = [](const char* gpu, const Doubles& values) {
    Result r = with(unit_of<FlopsPerSecond>(), values);
    r.tables[0].columns.insert(r.tables[0].columns.begin(),
                               {.name = "gpu", .role = Role::key, .cells = Texts{gpu, gpu}});
    return r;
  };
  const Table table = compare(of("m2090", {4, 2}), of("h200", {8, 2}), 0.1).tables[0];
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.at("verdict").text(0), "better");
  EXPECT_DOUBLE_EQ(table.at("change").number(0), 1);
  EXPECT_EQ(table.at("keys").text(0), "t: kernel a");
}

TEST(Compare, rows_of_equal_keys_are_told_apart_by_their_order) {
  Result twice = with(unit_of<Seconds>(), {1, 2});
  twice.tables[0].columns[0].cells = Texts{"a", "a"};
  EXPECT_EQ(worse_rows(compare(twice, twice, 0)), 0u);
  EXPECT_EQ(compare(twice, twice, 0).tables[0].rows(), 2u);
}

TEST(Compare, notes_intervals_and_words_are_not_compared) {
  for (const Role role : {Role::low, Role::high, Role::note})
    EXPECT_NE(error_of([&] { compare(with({}, {1, 2}, role), with({}, {1, 2}, role), 0.1); }), "no error");
}

TEST(Compare, results_without_anything_in_common_are_refused) {
  Result other = with({}, {1, 2});
  other.tables[0].title = "u";
  EXPECT_EQ(error_of([&] {
              compare(with({}, {1, 2}), other, 0.1);
            }),
            "the two results have no table in common");
  EXPECT_EQ(error_of([] { compare({}, {}, 0.1); }), "the two results have no table in common");
}

} // namespace perfmodel::compare_test
