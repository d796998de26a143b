// Several columns of one unit on one axis.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/several_columns.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::plots::several_columns_test {

// Gains over size, with a time beside them.
Result gains() {
  Result r{.title = "gains"};
  Table& t = r.tables.emplace_back(Table{.title = "gains"});
  t.columns = {
      {.name = "size", .role = Role::key, .cells = std::vector<double>{1, 2, 4}},
      {.name = "kernel_gain", .unit = {"times", {}}, .cells = std::vector<double>{20, 20, 20}},
      {.name = "total_gain", .unit = {"times", {}}, .cells = std::vector<double>{18, 12, 5}},
      {.name = "time", .unit = unit_of<Seconds>(), .cells = std::vector<double>{1, 2, 3}},
      {.name = "grade", .role = Role::note, .cells = std::vector<std::string>{"known", "known", "assumed"}}};
  r.chart = {.kind = ChartKind::lines, .x = "size", .y = "kernel_gain,total_gain"};
  return r;
}

TEST(SeveralColumns, are_lines_of_their_names) {
  const Chart chart = chart_of(gains());
  std::vector<std::string> labels;
  for (const ChartLine& line : chart.lines)
    if (!line.label.empty()) labels.push_back(line.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"kernel gain", "total gain"}));
  EXPECT_EQ(chart.lines[0].points[0], (Point{1, 20}));
  EXPECT_EQ(chart.lines.back().points.back(), (Point{4, 5}));
  EXPECT_EQ(chart.y.label, "kernel gain, total gain [times]");
}

TEST(SeveralColumns, a_row_with_its_number_in_one_of_them_lacks_none) {
  Result r = gains();
  r.tables[0].columns[1].cells = std::vector<double>{20, absent, absent};
  r.tables[0].columns[2].cells = std::vector<double>{absent, 12, absent};
  const Chart chart = chart_of(r);
  EXPECT_EQ(chart.dots.size(), 2u);
  ASSERT_FALSE(chart.notes.empty());
  EXPECT_EQ(chart.notes.front(), "1 row has no number that can be shown: not drawn.");
}

TEST(SeveralColumns, keep_the_grade_of_their_row) {
  const Chart chart = chart_of(gains());
  EXPECT_EQ(std::count_if(chart.lines.begin(), chart.lines.end(),
                          [](const ChartLine& line) { return line.grade == Grade::assumed; }),
            2);
}

TEST(SeveralColumns, what_was_measured_of_one_stands_on_its_line) {
  Result measured{.kind = Kind::measured};
  measured.tables = {{.columns = {{.name = "size", .role = Role::key, .cells = std::vector<double>{2}},
                                  {.name = "total_gain",
                                   .unit = {"times", {}},
                                   .role = Role::measured,
                                   .cells = std::vector<double>{11}}}}};
  const Chart chart = chart_of(gains(), {measured});
  const auto hollow =
      std::find_if(chart.dots.begin(), chart.dots.end(), [](const ChartDot& d) { return !d.filled; });
  ASSERT_NE(hollow, chart.dots.end());
  EXPECT_EQ(hollow->at, (Point{2, 11}));
  EXPECT_EQ(hollow->colour, chart.lines.back().colour);
}

TEST(SeveralColumns, share_one_unit_or_are_refused) {
  Result r = gains();
  r.chart.y = "kernel_gain,time";
  try {
    chart_of(r);
    ADD_FAILURE() << "drew times and seconds on one axis";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), "kernel_gain has times and time has s: one axis shows one unit");
  }
  r.chart.y = "kernel_gain,grade";
  EXPECT_THROW(chart_of(r), InputError);
}

} // namespace perfmodel::plots::several_columns_test
