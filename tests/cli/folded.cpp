// What is the same in every row is told once, in text and in Markdown; CSV and JSON keep every column.
#include "cli/folded.hpp"

#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::folded_test {

Column numbers(const char* name, std::vector<double> cells, Role role = Role::predicted) {
  return {.name = name, .role = role, .cells = std::move(cells)};
}
Column texts(const char* name, std::vector<std::string> cells, Role role = Role::note) {
  return {.name = name, .role = role, .cells = std::move(cells)};
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> all;
  for (const Column& column : table.columns) all.push_back(column.name);
  return all;
}

Table versions() {
  return {.title = "versions",
          .columns = {texts("gpu", {"h200", "h200"}, Role::key), numbers("n", {64, 64}, Role::key),
                      texts("version", {"naive", "tiled"}, Role::key), numbers("time", {3, 2}),
                      numbers("passes", {2, 2}), numbers("waits", {absent, absent}),
                      texts("bound", {"latency", "latency"})}};
}

TEST(Folded, keys_move_into_the_heading_and_other_constant_columns_below_it) {
  const Folded f = folded(versions(), Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.heading, "versions (h200, n 64)");
  EXPECT_EQ(f.same, "in every row: passes 2, bound latency");
  EXPECT_EQ(names(f.table), (std::vector<std::string>{"version", "time"}));
}

TEST(Folded, a_list_keeps_what_is_no_key) {
  const Folded f = folded(versions(), Fold::keys, Shown::excerpt);
  EXPECT_EQ(f.heading, "versions (h200, n 64)");
  EXPECT_EQ(f.same, "");
  EXPECT_EQ(names(f.table), (std::vector<std::string>{"version", "time", "passes", "waits", "bound"}));
}

TEST(Folded, one_row_keeps_its_columns) {
  Table one = versions();
  for (Column& column : one.columns) std::visit([](auto& cells) { cells.resize(1); }, column.cells);
  const Folded f = folded(one, Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.heading, "versions (h200)") << "the device is no answer";
  EXPECT_EQ(f.same, "");
  EXPECT_EQ(f.table.columns.size(), 6u);
}

TEST(Folded, an_answer_that_nothing_moves_stays_in_its_rows) {
  Table level = versions();
  level.columns[3] = numbers("time", {2, 2});
  const Folded f = folded(level, Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.same, "");
  EXPECT_NE(f.table.find("time"), nullptr);
}

TEST(Folded, long_advice_stands_once_below_the_rows_that_point_to_it) {
  Table table = versions();
  for (Column& column : table.columns)
    std::visit([](auto& cells) { cells.push_back(cells.back()); }, column.cells);
  table.columns.push_back(texts("advice", {"Pad the rows to a multiple of 32 words.", "none", "none"}));
  const Folded f = folded(table, Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.advice, (std::vector<std::string>{"advice 1: Pad the rows to a multiple of 32 words.",
                                                "advice 2: none"}));
  EXPECT_EQ(f.table.at("advice").text(0), "1");
  EXPECT_EQ(f.table.at("advice").text(2), "2");
}

TEST(Folded, advice_that_is_the_same_for_all_stands_once) {
  Table table = versions();
  table.columns.push_back(texts("advice", {"none", "none"}));
  const Folded f = folded(table, Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.advice, std::vector<std::string>{"advice: none"});
  EXPECT_EQ(f.table.find("advice"), nullptr);
}

TEST(Folded, advice_that_one_row_gives_for_all_needs_no_column) {
  Table table = versions();
  table.columns.push_back(texts("advice", {"Pad the rows to a multiple of 32 words.", ""}));
  const Folded f = folded(table, Fold::constants, Shown::excerpt);
  EXPECT_EQ(f.advice, std::vector<std::string>{"advice: Pad the rows to a multiple of 32 words."});
  EXPECT_EQ(f.table.find("advice"), nullptr);
}

TEST(Folded, a_count_is_not_named_twice) {
  Table table = versions();
  table.columns.push_back({.name = "threads", .unit = {"threads", {}}, .cells = std::vector<double>{32, 32}});
  EXPECT_EQ(folded(table, Fold::constants, Shown::excerpt).same,
            "in every row: passes 2, bound latency, 32 threads");
}

TEST(Folded, the_verdict_is_the_first_line_of_every_format_that_has_lines) {
  const Answer text = perfmodel(words("roofline --hw m2090 --intensity 0.25"));
  EXPECT_EQ(lines_of(text.out).front(), "Memory-bound: at most 44.35 Gflop/s, 3.33 % of the fp32 peak.");
  const Answer markdown = perfmodel(words("roofline --hw m2090 --intensity 0.25 --format markdown"));
  EXPECT_EQ(lines_of(markdown.out).front(), lines_of(text.out).front());
  const Answer csv = perfmodel(words("roofline --hw m2090 --intensity 0.25 --format csv"));
  EXPECT_EQ(lines_of(csv.out).front(), "# " + lines_of(text.out).front());
}

TEST(Folded, the_callers_kernels_come_before_the_machines_ceilings) {
  const std::string out = perfmodel(words("roofline --hw m2090 --intensity 0.25")).out;
  EXPECT_LT(out.find("\nkernels"), out.find("\ncompute ceilings"));
}

} // namespace perfmodel::cli::folded_test
