// The glossary: how its page is read, and that what it names is there.
#include "program.hpp"

#include "cli/glossary.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::glossary_test {

TEST(Glossary, a_row_is_names_meaning_commands_and_pages) {
  const auto terms = cli::parse_glossary("# Glossary\n\n| term | meaning | see |\n|---|---|---|\n"
                                         "| bank, bank conflict | one `word` at a time | "
                                         "[hw](reference/hw.md), [warp](models/warp.md), `hw list` |\n");
  ASSERT_EQ(terms.size(), 1U);
  EXPECT_EQ(terms[0].names, (std::vector<std::string>{"bank", "bank conflict"}));
  EXPECT_EQ(terms[0].meaning, "one word at a time");
  EXPECT_EQ(terms[0].pages, (std::vector<std::string>{"docs/reference/hw.md", "docs/models/warp.md"}));
  ASSERT_EQ(terms[0].commands.size(), 2U);
  EXPECT_EQ(terms[0].commands[0], "perfmodel hw list");
  EXPECT_EQ(terms[0].commands[1].rfind("perfmodel warp ", 0), 0U) << "the model's first example";
  EXPECT_THROW(cli::parse_glossary("| warp | 32 threads |\n"), std::invalid_argument);
}

TEST(Glossary, is_the_page_of_the_source_tree_sorted_and_each_name_once) {
  EXPECT_EQ(cli::glossary_page(), contents(PERFMODEL_SOURCE_DIR "/docs/glossary.md"));
  std::set<std::string> seen;
  std::string before;
  for (const cli::Term& term : cli::glossary()) {
    EXPECT_FALSE(term.pages.empty()) << term.names.front();
    for (const std::string& name : term.names) EXPECT_TRUE(seen.insert(name).second) << name;
    std::string small = term.names.front();
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_LT(before, small);
    before = small;
  }
  EXPECT_GT(seen.size(), 80U);
}

// Whoever reads a comparison, and does not know the word above a column, asks for it.
TEST(Glossary, explains_the_columns_of_a_comparison) {
  for (const char* column : {"scored", "out", "at least", "mean error", "worst error", "tolerance",
                             "quantity", "evidence", "verdict", "grade", "others low", "others high",
                             "inside", "status", "samples", "sampled", "points", "counter"})
    EXPECT_EQ(perfmodel({"explain", column}).code, 0) << column;
}

TEST(Glossary, the_commands_that_it_names_run) {
  std::set<std::string> commands;
  for (const cli::Term& term : cli::glossary()) commands.insert(term.commands.begin(), term.commands.end());
  for (const std::string& command : commands) {
    std::vector<std::string> asked = quoted_words(command);
    if (const auto model = std::find_if(models().begin(), models().end(),
                                        [&](const Model& m) { return m.info.name == asked.at(1); });
        model != models().end() && model->info.examples.rfind(command.substr(asked[1].size() + 11), 0) == 0)
      continue; // its first example, which the test of the examples runs
    asked.erase(asked.begin());
    const Answer a = perfmodel(asked);
    EXPECT_EQ(a.code, 0) << command << "\n" << a.err;
  }
}

} // namespace perfmodel::glossary_test
