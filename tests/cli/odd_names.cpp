// Names come from files, paths and command lines, and whoever wrote them may mean ill. In every format they
// are text: no terminal obeys them, no spreadsheet computes them, no page links with them.
#include "odd_names.hpp"

#include <gtest/gtest.h>

namespace perfmodel::odd_names_test {

using namespace odd_names;

TEST(OddNames, a_word_of_the_command_line_is_text_in_every_format) {
  for (const std::string& name : every_name()) {
    const std::vector<std::string> question{"roofline", "--hw",     "m2090", "--intensity",
                                            "1",        "--kernel", name};
    expect_safe_everywhere(question, name);
    expect_no_formula(perfmodel(asking(question, "csv")).out, name);
  }
}

TEST(OddNames, no_markdown_page_links_or_breaks_its_table) {
  for (const std::string& name : markup) {
    const std::string page =
        perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", name, "--format", "markdown"})
            .out;
    EXPECT_EQ(page.find("http://example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("WWW.example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("@example"), page.npos) << "GitHub links it without markup";
    EXPECT_EQ(page.find("@somebody"), page.npos) << "GitHub tells whoever has this name";
    for (const char* bare : {"](", "![", "<img", "<script", "**", "~~", "`c", "&lt"})
      for (std::size_t at = page.find(bare); at != page.npos; at = page.find(bare, at + 1))
        if (page[at - 1] != '\\' && (bare[0] != '!' || page[at + 1] != '\\'))
          ADD_FAILURE() << name << " left " << bare << " in " << page.substr(at, 40);
  }
}

TEST(OddNames, numbers_of_a_csv_stay_numbers) {
  const std::string csv =
      perfmodel(words("roofline --hw m2090 --intensity 1 --kernel -12.5e-3 --format csv")).out;
  EXPECT_NE(csv.find(",-12.5e-3,"), csv.npos) << csv;
  EXPECT_EQ(csv.find('\''), csv.npos);
}

// pandas.read_csv(file, comment="#") drops what follows a # that stands in no quotes.
TEST(OddNames, a_number_sign_in_a_cell_begins_no_comment) {
  const std::string csv =
      perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", "sum #2", "--format", "csv"})
          .out;
  EXPECT_NE(csv.find("\"sum #2\""), csv.npos) << csv;
}

TEST(OddNames, the_apostrophe_before_a_formula_is_no_part_of_the_name) {
  const Scratch scratch;
  write(scratch / "p.csv", "name,intensity,performance\n'=1+1,1,1e9\n'quote,2,1e9\n");
  const Answer a =
      perfmodel({"roofline", "--hw", "m2090", "--points", scratch / "p.csv", "--format", "json"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("\"=1+1\""), a.out.npos);
  EXPECT_NE(a.out.find("\"'quote\""), a.out.npos);
}

} // namespace perfmodel::odd_names_test
