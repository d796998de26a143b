// Every command of the table "Every figure of five lectures" in docs/guide/teacher.md, each into a picture.
#include "program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

namespace perfmodel::lecture_figures_test {

TEST(LectureFigures, are_drawn_by_the_commands_of_the_guide) {
  const Scratch scratch;
  const std::string guide = contents(PERFMODEL_SOURCE_DIR "/docs/guide/teacher.md");
  const std::size_t from = guide.find("## Every figure of five lectures");
  ASSERT_NE(from, std::string::npos);
  const std::string table = guide.substr(from, guide.find("\n## ", from + 1) - from);
  const std::regex command("\\| `([a-z].*?)`");
  std::size_t drawn = 0;
  std::set<std::string> files;
  for (std::sregex_iterator it(table.begin(), table.end(), command), end; it != end; ++it) {
    std::vector<std::string> asked = quoted_words((*it)[1]);
    const auto file = std::find(asked.begin(), asked.end(), "-o");
    if (file != asked.end()) {
      EXPECT_TRUE(files.insert(*std::next(file)).second) << *std::next(file) << " is written twice";
      *std::next(file) = scratch / *std::next(file);
    }
    const Answer a = perfmodel(asked);
    EXPECT_EQ(a.code, 0) << (*it)[1] << ": " << a.err;
    EXPECT_EQ(a.err.find("nothing about"), std::string::npos) << (*it)[1] << ": " << a.err;
    ++drawn;
  }
  EXPECT_GE(drawn, 30u);
}

} // namespace perfmodel::lecture_figures_test
