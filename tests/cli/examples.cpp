// The examples at the end of every command's help run.
#include "program.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::examples_test {

// The lines below a heading that are indented by two blanks and no more.
std::vector<std::string> lines_below(const std::vector<std::string>& headings, const std::string& text) {
  std::vector<std::string> found;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (inside && line.rfind("  ", 0) == 0 && line[2] != ' ') found.push_back(line.substr(2));
    if (line.rfind("  ", 0) != 0)
      inside = std::find(headings.begin(), headings.end(), line) != headings.end();
  }
  return found;
}

// "", "roofline", "hw", "hw show", ...: the program and all its commands, told by their help.
void add_commands(const std::string& command, std::vector<std::string>& all) {
  all.push_back(command);
  for (const std::string& line :
       lines_below({"Models:", "Commands:", "Subcommands:"}, perfmodel(words(command + " --help")).out))
    add_commands(command + (command.empty() ? "" : " ") + line.substr(0, line.find(' ')), all);
}
std::vector<std::string> every_command() {
  std::vector<std::string> all;
  add_commands("", all);
  return all;
}

// One that goes on in the next line is one to a shell.
std::vector<std::string> examples_of(const std::string& command) {
  std::string help = perfmodel(words(command + " --help")).out;
  for (std::size_t at = 0; (at = help.find(" \\\n    ", at)) != help.npos;) help.replace(at, 7, " ");
  return lines_below({"Examples:"}, help);
}

// What measures on a GPU, has the microkernels, or asks the GPU what it is.
bool needs_a_gpu(const std::vector<std::string>& asked) {
  if (asked.front() == "hw") return asked.at(1) == "detect";
  return asked.front() == "capture" || asked.front() == "measure";
}

// Files go into a folder of their own; what the examples read of the source tree is there as well.
class InScratch {
public:
  InScratch() {
    std::filesystem::create_directory_symlink(PERFMODEL_SOURCE_DIR "/hwdb", scratch_ / "hwdb");
    std::filesystem::current_path(scratch_.path());
  }
  InScratch(const InScratch&) = delete;
  InScratch& operator=(const InScratch&) = delete;
  ~InScratch() { std::filesystem::current_path(before_); }

private:
  Scratch scratch_;
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST(Examples, every_command_has_one_to_three_of_its_own_one_after_the_other) {
  const std::vector<std::string> commands = every_command();
  EXPECT_GT(commands.size(), models().size() + 10);
  std::set<std::string> seen;
  for (const std::string& command : commands) {
    const std::vector<std::string> examples = examples_of(command);
    EXPECT_GE(examples.size(), 1U) << command;
    EXPECT_LE(examples.size(), 3U) << command;
    EXPECT_TRUE(std::any_of(examples.begin(), examples.end(), [&](const std::string& e) {
      return e.rfind("perfmodel " + command, 0) == 0;
    })) << command;
    for (const std::string& example : examples) {
      EXPECT_EQ(example.rfind("perfmodel ", 0), 0U) << command << ": " << example;
      if (!command.empty() && command != "hw") {
        EXPECT_TRUE(seen.insert(example).second) << example << " stands twice";
      }
    }
  }
}

TEST(Examples, fit_80_columns_and_a_break_is_where_a_shell_goes_on) {
  bool broken = false;
  for (const std::string& command : every_command())
    for (const std::string& line : lines_of(perfmodel(words(command + " --help")).out)) {
      EXPECT_LE(line.size(), 80U) << line;
      broken = broken || (line.back() == '\\' && line.rfind("  perfmodel ", 0) == 0);
    }
  EXPECT_TRUE(broken) << "there is none to look at";
}

TEST(Examples, run_those_apart_that_need_a_gpu) {
  const InScratch here;
  std::size_t run = 0;
  for (const std::string& command : every_command())
    for (const std::string& example : examples_of(command)) {
      std::vector<std::string> asked = quoted_words(example);
      asked.erase(asked.begin()); // "perfmodel"
      if (needs_a_gpu(asked)) continue;
      const Answer a = perfmodel(asked);
      EXPECT_EQ(a.code, 0) << example << "\n" << a.err;
      ++run;
    }
  EXPECT_GT(run, models().size());
}

} // namespace perfmodel::examples_test
