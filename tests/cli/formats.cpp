// Every format says the same numbers, and can be read back.
#include "program.hpp"

#include "hwdb/result_file.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace perfmodel::formats_test {

using Row = std::vector<std::string>;

// RFC 4180, read by other code than what wrote it.
std::vector<Row> csv_rows(const std::string& text) {
  std::vector<Row> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"')
        rows.back().back() += c;
      else if (text[i + 1] == '"')
        rows.back().back() += text[++i];
      else
        quoted = false;
    } else if (c == '"')
      quoted = true;
    else if (c == ',')
      rows.back().emplace_back();
    else if (c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(rows.back(), Row{""}) << "the last line ends";
  rows.pop_back();
  return rows;
}

// The rows of each table: tables are parted by an empty line and begin with "# title" when there are several.
std::vector<std::vector<Row>> csv_tables(const std::string& text) {
  std::vector<std::vector<Row>> tables(1);
  for (Row& row : csv_rows(text)) {
    if (row == Row{""})
      tables.emplace_back();
    else if (row.front().rfind("# ", 0) != 0)
      tables.back().push_back(std::move(row));
  }
  return tables;
}

Result json_result(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--format", "json"});
  const Answer a = perfmodel(all);
  EXPECT_TRUE(a.code == 0 || a.code == 1) << a.err;
  return hwdb::record_from_json(a.out, "stdout").result;
}

void expect_csv_equals_json(const std::vector<std::string>& arguments) {
  const Result result = json_result(arguments);
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--format", "csv"});
  const auto tables = csv_tables(perfmodel(all).out);
  ASSERT_EQ(tables.size(), result.tables.size()) << arguments[0];
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const Table& table = result.tables[t];
    ASSERT_EQ(tables[t].size(), table.rows() + 1) << table.title;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      const std::string unit = column.unit.symbol.empty() || column.unit.symbol == "fraction"
                                   ? ""
                                   : " [" + column.unit.symbol + "]";
      ASSERT_EQ(tables[t][0].at(c), column.name + unit);
      for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string& cell = tables[t][row + 1].at(c);
        if (column.is_text())
          EXPECT_EQ(cell, column.text(row));
        else if (std::isnan(column.number(row)))
          EXPECT_EQ(cell, "") << column.name;
        else
          EXPECT_EQ(std::strtod(cell.c_str(), nullptr), column.number(row)) << column.name << " " << cell;
      }
    }
  }
}

TEST(Formats, csv_and_json_hold_the_same_numbers_to_the_last_bit) {
  for (const Model& model : models())
    for (const char* gpu : {"m2090", "gtx280", "h200"}) expect_csv_equals_json(small_question(model, gpu));
  expect_csv_equals_json(
      words("roofline --hw m2090,h200 --intensity 1/16:64:*2 --set dram.bandwidth=100GB/s,150GB/s"));
  expect_csv_equals_json(words("roofline --hw h200 --flops 2e12 --bytes 64GB --time 20ms"));
  expect_csv_equals_json(words("validate --hw m2090"));
  expect_csv_equals_json(words("hw list"));
  expect_csv_equals_json(words("hw keys"));
  expect_csv_equals_json(words("hw diff gtx260 h200"));
  for (const char* gpu : {"gtx260", "m2090", "b200"}) expect_csv_equals_json({"hw", "show", gpu});
}

TEST(Formats, a_long_column_that_stands_still_or_changes_sign_is_written_row_by_row) {
  // The writer does not turn a number into text again when it repeats the one above.
  const auto rows =
      csv_tables(perfmodel(words("roofline --hw m2090 --intensity 1,1,2,2,1,1/3,1/3 --format csv")).out)
          .front();
  ASSERT_EQ(rows.size(), 8u);
  const char* const expected[] = {"1", "1", "2", "2", "1", "0.3333333333333333", "0.3333333333333333"};
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NE(std::find(rows[i + 1].begin(), rows[i + 1].end(), expected[i]), rows[i + 1].end()) << i;
}

TEST(Formats, odd_names_survive_csv_and_json) {
  const std::string name = "a,b \"c\"\nd | e";
  const Result result = json_result({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", name});
  EXPECT_EQ(result.tables.front().at("name").text(0), name);
  const auto rows = csv_tables(perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", name,
                                          "--format", "csv"})
                                   .out)
                        .front();
  EXPECT_NE(std::find(rows.back().begin(), rows.back().end(), name), rows.back().end());
}

TEST(Formats, json_is_the_documented_schema) {
  const std::string text = perfmodel(words("balance --hw m2090 --format json --explain")).out;
  const Record record = hwdb::record_from_json(text, "stdout");
  EXPECT_EQ(record.tool, "perfmodel");
  EXPECT_EQ(record.result.kind, Kind::predicted);
  EXPECT_EQ(record.result.model, "balance");
  EXPECT_NE(text.find("\"schema\": \"perfmodel-result/1\""), std::string::npos);
  EXPECT_NE(text.find("\"derivations\""), std::string::npos);
  EXPECT_EQ(text.back(), '\n');
}

TEST(Formats, markdown_tables_have_one_width) {
  for (const char* line :
       {"roofline --hw m2090 --intensity 1,2", "balance --hw gtx280", "littles-law --hw m2090",
        "hw show gtx260", "hw list", "hw keys", "validate --hw m2090"}) {
    std::vector<std::string> all = words(line);
    all.insert(all.end(), {"--format", "markdown"});
    const Answer a = perfmodel(all);
    std::size_t bars = 0, tables = 0;
    for (const std::string& row : lines_of(a.out)) {
      if (row.empty() || row.front() != '|') {
        bars = 0;
        continue;
      }
      std::size_t n = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        n += row[i] == '|' && (i == 0 || row[i - 1] != '\\') ? 1 : 0;
      if (bars == 0) bars = n, ++tables;
      EXPECT_EQ(n, bars) << line << "\n" << row;
    }
    EXPECT_GT(tables, 0u) << line;
  }
}

} // namespace perfmodel::formats_test
