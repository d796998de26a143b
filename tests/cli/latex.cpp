// Tables for a paper: every sign as it is, and no line wider than the page.
#include "program.hpp"

#include "cli/latex_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace perfmodel::latex_test {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Latex, shows_every_sign_as_it_is) {
  const auto latex = [](const std::string& name) {
    const std::string out = perfmodel({"roofline", "--hw", "m2090", "--intensity", "1,2", "--kernel", name,
                                       "--format", "latex", "--table", "1"})
                                .out;
    return out;
  };
  EXPECT_NE(
      latex(R"(50% of $x_1^2 {a} #3 & ~b \c)")
          .find(R"(50\% of \$x\_1\textasciicircum{}2 \{a\} \#3 \& \textasciitilde{}b \textbackslash{}c)"),
      std::string::npos);
  // '[' and '*' would be arguments of the \\ before them; two hyphens are a dash, quotes others.
  EXPECT_NE(
      latex(R"([1] *2* --all <T> "q" 'r' `s` |)")
          .find(R"({[}1{]} {*}2{*} -{}-all \textless{}T\textgreater{} \symbol{34}q\symbol{34} )"
                R"(\textquotesingle{}r\textquotesingle{} \textasciigrave{}s\textasciigrave{} \textbar{})"),
      std::string::npos);
}

TEST(Latex, has_a_cell_for_every_column) {
  for (const char* line :
       {"roofline --hw m2090", "balance --hw gtx280", "hw show gtx260", "validate --hw m2090"}) {
    std::size_t columns = 0, tables = 0;
    for (const std::string& row : lines_of(perfmodel(words(std::string(line) + " --format latex")).out)) {
      const std::size_t begin = std::min(row.find("\\begin{tabular}{"), row.find("\\begin{longtable}{"));
      if (begin != row.npos) {
        const std::string sides = row.substr(row.find('{', row.find('{', begin) + 1));
        columns = static_cast<std::size_t>(std::count_if(sides.begin() + 1, sides.end(), [](char c) {
          return c == 'l' || c == 'r' || c == '{'; // p{40pt}
        }));
        ++tables;
      }
      if (row.rfind("    ", 0) != 0 || row.find(" \\\\") == std::string::npos) continue;
      std::size_t cells = 1;
      for (std::size_t i = 1; i < row.size(); ++i) cells += row[i] == '&' && row[i - 1] != '\\' ? 1 : 0;
      EXPECT_EQ(cells, columns) << row;
    }
    EXPECT_GT(tables, 0u) << line;
  }
  // A number keeps its unit beside it, and has a minus.
  const std::string out = perfmodel(words("validate --hw m2090 --format latex")).out;
  EXPECT_NE(out.find(" & $-$"), std::string::npos);
  EXPECT_NE(out.find("~\\% & "), std::string::npos);
}

// Of a column of numbers.
cli::LatexColumn number(const char* head, std::size_t letters) { return {false, false, head, letters, 0}; }

TEST(Latex, breaks_heads_before_letters_get_smaller) {
  // 10 points: 5.5 a letter and 12 between columns; 345 in a line.
  const std::vector<cli::LatexColumn> fits(4, number("bytes in flight", 5));
  const cli::LatexLayout one_line = cli::latex_layout(fits, 9); // 4 x (15 x 5.5 + 12) = 378
  EXPECT_EQ(one_line.size, "\\setlength{\\tabcolsep}{3pt}");
  ASSERT_EQ(one_line.parts.size(), 1u);
  EXPECT_EQ(one_line.parts.front().back().head, (std::vector<std::string>{"bytes", "in", "flight"}));
  EXPECT_EQ(cli::latex_layout({number("bytes in flight", 5)}, 9).size, "");
}

TEST(Latex, cuts_what_is_too_wide_into_parts_that_repeat_the_keys) {
  std::vector<cli::LatexColumn> columns(2, {true, true, "version", 12, 12});
  columns.resize(14, number("transactions", 12));
  const cli::LatexLayout layout = cli::latex_layout(columns, 9);
  EXPECT_GT(layout.parts.size(), 1u);
  std::size_t own = 0;
  for (const auto& part : layout.parts) {
    ASSERT_GT(part.size(), 2u);
    EXPECT_EQ(part[0].column, 0u);
    EXPECT_EQ(part[1].column, 1u);
    own += part.size() - 2;
    // 8 points: 4.4 a letter, 7 points: 3.85
    EXPECT_LE(static_cast<double>(part.size()) * (12 * 3.85 + 6), 345);
  }
  EXPECT_EQ(own, 12u);
}

TEST(Latex, turns_few_rows_on_their_side) {
  const std::vector<cli::LatexColumn> columns(12, number("transactions", 12));
  const cli::LatexLayout layout = cli::latex_layout(columns, 1);
  EXPECT_TRUE(layout.parts.empty());
  EXPECT_EQ(layout.row_side, "l");
  const std::string out = perfmodel(words("littles-law --hw m2090 --format latex")).out;
  EXPECT_NE(out.find("    in flight & 640~operations \\\\\n"), std::string::npos) << out;
}

TEST(Latex, goes_on_on_the_next_page_with_its_head) {
  const std::string few =
      perfmodel(words("occupancy --hw h200 --threads 32:1024:32 --format latex --table 1")).out;
  EXPECT_EQ(few.find("longtable"), std::string::npos);
  const std::string many =
      perfmodel(words("occupancy --hw h200 --threads 8:1024:8 --format latex --table 1")).out;
  EXPECT_NE(many.find("\\begin{longtable}"), std::string::npos);
  EXPECT_NE(many.find("\\endhead"), std::string::npos);
  EXPECT_EQ(many.find("\\begin{table}"), std::string::npos);
}

TEST(Latex, gives_long_texts_a_paragraph_and_breaks_names) {
  const std::string out = perfmodel(words("hw show m2090 --format latex")).out;
  EXPECT_NE(out.find("p{"), std::string::npos);
  EXPECT_NE(out.find("\\allowbreak{}"), std::string::npos);
}

// Nothing is left for the reader to wrap, and columns without a value are not there.
TEST(Latex, has_no_table_that_its_reader_must_make_fit) {
  for (const char* line :
       {"transpose --hw h200 --n 4096", "kernel vector-copy --hw h200", "node --from mem1 --to gpu1"}) {
    const std::string out = perfmodel(words(std::string(line) + " --format latex")).out;
    EXPECT_EQ(out.find("resizebox"), std::string::npos) << line;
    EXPECT_NE(out.find("\\begin{tabular}"), std::string::npos) << line;
  }
}

} // namespace perfmodel::latex_test
