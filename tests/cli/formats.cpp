// Every format says the same numbers, and can be read back.
#include "program.hpp"

#include "hwdb/result_file.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <utility>

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

// Nobody measured a sine's mean error: programs find an empty cell, people a dash.
TEST(Formats, people_see_that_there_is_no_number) {
  const std::vector<std::string> question = words("accuracy --hw h200 --operation sinf,mul-add --format");
  EXPECT_NE(perfmodel(question + words("markdown")).out.find("| sinf | - | - |"), std::string::npos);
  EXPECT_NE(perfmodel(question + words("latex")).out.find("mean ulp & -- & 0.319"), std::string::npos);
  EXPECT_NE(perfmodel(question + words("csv")).out.find(",sinf,0,1,,,2.5"), std::string::npos)
      << perfmodel(question + words("csv")).out;
}

TEST(Formats, one_table_as_csv_is_a_header_and_its_rows) {
  // The second question is long enough to be written a block at a time.
  for (const char* line : {"roofline --hw m2090 --intensity 1,2", "roofline --hw m2090 --intensity 1:3000",
                           "littles-law --hw m2090", "hw show m2090"}) {
    const std::string all = perfmodel(words(std::string(line) + " --format csv")).out;
    const auto tables = csv_tables(all);
    const Result result = json_result(words(line));
    ASSERT_EQ(tables.size(), result.tables.size()) << line;
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const Answer one = perfmodel(words(fmt::format("{} --format csv --table {}", line, t + 1)));
      ASSERT_EQ(one.code, 0) << one.err;
      EXPECT_EQ(csv_rows(one.out), tables[t]) << line << " table " << t + 1;
      const Answer json = perfmodel(words(fmt::format("{} --format json --table {}", line, t + 1)));
      const Result chosen = hwdb::record_from_json(json.out, "stdout").result;
      ASSERT_EQ(chosen.tables.size(), 1u);
      EXPECT_EQ(chosen.tables[0].title, result.tables[t].title);
      EXPECT_EQ(chosen.tables[0].rows(), result.tables[t].rows());
    }
  }
}

TEST(Formats, tables_of_a_launch_can_be_joined_by_its_kernel) {
  std::set<std::string> names;
  std::size_t tables = 0;
  for (const Table& table : json_result(words("kernel axpy --let n=65536 --hw h200")).tables)
    if (const Column* kernel = table.find("kernel")) names.insert(kernel->text(0)), ++tables;
  EXPECT_GT(tables, 1u);
  EXPECT_EQ(names, (std::set<std::string>{"_ZN9perfmodel9templates4axpyEPfPKfif"}));
}

TEST(Formats, a_csv_file_of_several_tables_is_said_to_be_one) {
  const Scratch scratch;
  const Answer several = perfmodel(words("roofline --hw m2090 -o " + scratch / "a.csv"));
  EXPECT_NE(several.err.find("has 2 tables, each with a header of its own"), std::string::npos)
      << several.err;
  EXPECT_TRUE(one_sentence(several.err)) << several.err;
  EXPECT_EQ(perfmodel(words("roofline --hw m2090 --table 1 -o " + scratch / "a.csv")).err, "");
  EXPECT_EQ(perfmodel(words("roofline --hw m2090 --format csv")).err, "");
}

TEST(Formats, a_table_is_chosen_by_its_title_or_how_that_begins) {
  const auto asked = [](const std::string& name) {
    return perfmodel({"roofline", "--hw", "m2090", "--table", name, "--format", "csv"});
  };
  const std::string bandwidths = asked("bandwidth ceilings").out;
  EXPECT_EQ(bandwidths.rfind("gpu,ceiling,level,", 0), 0u) << bandwidths;
  for (const char* name : {"2", "bandwidth-ceilings", "Bandwidth", "band"})
    EXPECT_EQ(asked(name).out, bandwidths);
  for (const auto& [name, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"bandwith-ceilings", "did you mean 'bandwidth ceilings'"},
           {"3", "there is no table '3'; the tables are 1 'compute ceilings', 2 'bandwidth ceilings'"}}) {
    const Answer wrong = asked(name);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.out, "");
    EXPECT_TRUE(one_sentence(wrong.err)) << wrong.err;
    EXPECT_NE(wrong.err.find(said), std::string::npos) << wrong.err;
  }
  // Of very many tables those are named that are near.
  const Answer many = perfmodel(words("validate --hw m2090 --table foo"));
  EXPECT_NE(many.err.find(" more\n"), std::string::npos) << many.err;
  EXPECT_LT(many.err.size(), 2000u) << many.err;
  // Two series of one title: by number.
  const Answer two = perfmodel(words("validate --hw m2090 --table memory-parallelism --format csv"));
  EXPECT_EQ(two.code, 2);
  EXPECT_NE(two.err.find("several tables are called 'memory-parallelism'; the tables are 6 'memory-"),
            std::string::npos)
      << two.err;
  EXPECT_NE(two.err.find(" more, by their titles or by numbers up to "), std::string::npos) << two.err;
  EXPECT_EQ(perfmodel(words("roofline --hw m2090 --table 1 -o x.svg")).code, 2);
  // The verdict stays with people.
  const std::string text = perfmodel(words("roofline --hw m2090 --table 2")).out;
  EXPECT_EQ(text.rfind("Memory-bound below ", 0), 0u) << text;
  EXPECT_EQ(text.find("compute ceilings"), std::string::npos) << text;
}

TEST(Formats, numbers_of_the_database_have_their_unit_in_a_column) {
  const Result show = json_result(words("hw show m2090"));
  const Table& facts = show.tables.front();
  for (std::size_t row = 0; row < facts.rows(); ++row) {
    if (facts.at("fact").text(row) == "dram.bandwidth") {
      EXPECT_EQ(facts.at("value").number(row), 177.4e9);
      EXPECT_EQ(facts.at("base_unit").text(row), "B/s");
    }
    if (facts.at("fact").text(row) == "dram.type") {
      EXPECT_TRUE(std::isnan(facts.at("value").number(row)));
      EXPECT_EQ(facts.at("text").text(row), "GDDR5");
    }
  }
  const Result diff = json_result(words("hw diff m2090 h200"));
  EXPECT_FALSE(diff.tables.front().at("m2090").is_text());
  EXPECT_EQ(diff.tables.front().at("h200_text").is_text(), true);
}

} // namespace perfmodel::formats_test
