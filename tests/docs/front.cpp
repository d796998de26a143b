// The page that a new reader sees first, and the file that a citation is made from.
#include "page.hpp"

#include "cli/run.hpp"

#include <gtest/gtest.h>

namespace perfmodel::docs::front_test {

TEST(Front, the_readme_is_short_and_has_a_picture_and_answers) {
  EXPECT_LT(lines_of(read(tree / "README.md")).size(), 200U);
  EXPECT_GE(commands_of("README.md").size(), 6U);
  const Lines prose = prose_of("README.md");
  EXPECT_EQ(std::count_if(prose.begin(), prose.end(),
                          [](const std::string& line) { return line.rfind("![", 0) == 0; }),
            1);
}

// What fits a screen, pictures and long lines apart.
TEST(Front, the_first_screen_of_the_readme_has_two_commands_a_picture_and_the_four_guides) {
  Lines screen = lines_of(read(tree / "README.md"));
  screen.resize(std::min<std::size_t>(screen.size(), 30));
  const auto lines_with = [&](const std::string& text) {
    return std::count_if(screen.begin(), screen.end(),
                         [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  EXPECT_EQ(lines_with("./perfmodel roofline"), 2);
  EXPECT_EQ(lines_with("!["), 1);
  for (const char* guide : {"teacher", "student", "engineer", "researcher"})
    EXPECT_EQ(lines_with("docs/guide/" + std::string(guide) + ".md"), 1) << guide;
}

TEST(Front, the_citation_names_the_version_of_the_program) {
  std::ostringstream out, err;
  ASSERT_EQ(cli::run({"--version"}, out, err), 0); // perfmodel 0.1.0 (COMMIT)
  std::istringstream words(out.str());
  std::string name, version;
  words >> name >> version;
  const Lines citation = lines_of(read(tree / "CITATION.cff"));
  EXPECT_EQ(std::count(citation.begin(), citation.end(), "cff-version: 1.2.0"), 1);
  EXPECT_EQ(std::count(citation.begin(), citation.end(), "version: " + version), 1) << version;
}

} // namespace perfmodel::docs::front_test
