// The thirty questions of questions.yaml, each asked by its one command.
#include "program.hpp"

#include "hwdb/text_file.hpp"
#include "hwdb/yaml_map.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace perfmodel::questions_test {

namespace fs = std::filesystem;

struct Asked {
  std::string id, command, writes, missing;
  std::vector<std::string> first, shows;
  int code = 0;
  friend std::ostream& operator<<(std::ostream& out, const Asked& asked) { return out << asked.command; }
};

std::vector<Asked> questions() {
  const std::string file = PERFMODEL_SOURCE_DIR "/tests/cli/questions.yaml";
  std::vector<Asked> all;
  for (const YAML::Node& node : hwdb::parse_yaml(hwdb::read_text(file, hwdb::most_yaml), "questions.yaml")) {
    hwdb::YamlMap map(node, "questions.yaml", "a question");
    map.text("asks");
    all.push_back({.id = map.text("id"),
                   .command = map.text("command"),
                   .writes = map.text_or("writes", ""),
                   .missing = map.text_or("missing", ""),
                   .first = map.find("first") != nullptr ? map.texts("first") : std::vector<std::string>{},
                   .shows = map.texts("shows"),
                   .code = std::stoi(map.text_or("code", "0"))});
    map.finish();
  }
  return all;
}

// Lines break anywhere.
std::string flowing(const std::string& text) {
  std::string out;
  for (const std::string& word : words(text)) out += (out.empty() ? "" : " ") + word;
  return out;
}

// A folder that commands read the tree's tests from and write into.
class Desk {
public:
  Desk() {
    fs::create_directory_symlink(fs::path(PERFMODEL_SOURCE_DIR) / "tests", scratch_ / "tests");
    fs::current_path(scratch_.path());
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk() { fs::current_path(before_); }

private:
  Scratch scratch_;
  fs::path before_ = fs::current_path();
};

class Question : public testing::TestWithParam<Asked> {};

TEST_P(Question, is_answered_by_one_command) {
  const Asked& asked = GetParam();
  const Desk desk;
  const Answer a = perfmodel(quoted_words(asked.command));
  ASSERT_EQ(a.code, asked.code) << asked.command << "\n" << a.err;
  const std::string told = flowing(asked.writes.empty() ? a.out : contents(asked.writes));
  ASSERT_FALSE(asked.shows.empty());
  for (const std::string& shown : asked.shows)
    EXPECT_TRUE(std::regex_search(told, std::regex(shown)))
        << asked.command << " does not show '" << shown << "':\n"
        << told.substr(0, 2000);
  // The answer comes before its tables.
  const std::string first = flowing(a.out.substr(0, a.out.find("\n\n")));
  for (const std::string& shown : asked.first)
    EXPECT_TRUE(std::regex_search(first, std::regex(shown)))
        << asked.command << " does not begin with '" << shown << "':\n"
        << first;
}

INSTANTIATE_TEST_SUITE_P(Thirty, Question, testing::ValuesIn(questions()),
                         [](const testing::TestParamInfo<Asked>& of) { return of.param.id; });

// What is missing of an answer is mended, not noted.
TEST(Questions, are_answered_whole) {
  for (const Asked& asked : questions()) EXPECT_EQ(asked.missing, "") << asked.id;
}

TEST(Questions, are_thirty) {
  std::set<std::string> ids;
  for (const Asked& asked : questions()) ids.insert(asked.id);
  EXPECT_EQ(ids.size(), 30U);
}

} // namespace perfmodel::questions_test
