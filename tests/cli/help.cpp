// Every option says what it is for, with its unit.
#include "program.hpp"

#include "models/core/model.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace perfmodel::help_test {

// Every line that names an option goes on with words on it, on the same line or the next.
void expect_described(const std::vector<std::string>& arguments) {
  const std::vector<std::string> lines = lines_of(perfmodel(arguments).out);
  std::size_t options = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].rfind("  -", 0) != 0) continue;
    ++options;
    std::string rest = lines[i].size() > 30 ? lines[i].substr(30) : "";
    if (rest.empty() && i + 1 < lines.size()) rest = lines[i + 1];
    EXPECT_GE(std::count_if(rest.begin(), rest.end(), [](unsigned char c) { return std::isalpha(c); }), 8)
        << lines[i];
  }
  EXPECT_GT(options, 0u) << arguments.front();
}

TEST(Help, every_option_of_every_command_is_described) {
  for (const char* line : {"--help", "hw --help", "hw list --help", "hw show --help", "hw diff --help",
                           "hw check --help", "hw keys --help", "hw detect --help", "measure --help",
                           "validate --help", "compare --help", "explain --help", "help --help"})
    expect_described(words(line));
  for (const Model& model : models()) expect_described({std::string(model.info.name), "--help"});
}

TEST(Help, every_input_of_a_model_is_an_option_with_its_unit_choices_and_default) {
  for (const Model& model : models()) {
    std::string help = perfmodel({std::string(model.info.name), "--help"}).out;
    help.erase(std::unique(help.begin(), help.end(),
                           [](char a, char b) { return std::isspace(a) && std::isspace(b); }),
               help.end());
    std::replace(help.begin(), help.end(), '\n', ' ');
    for (const Option& option : model.options) {
      EXPECT_NE(help.find("--" + option.name + " "), std::string::npos)
          << model.info.name << " " << option.name;
      EXPECT_NE(help.find(option.help), std::string::npos) << model.info.name << ": " << option.help;
      if (!option.unit.symbol.empty()) {
        EXPECT_NE(help.find("[" + option.unit.symbol + "]"), std::string::npos) << option.name;
      }
      for (const std::string& choice : option.choices)
        EXPECT_NE(help.find(choice), std::string::npos) << choice;
    }
    EXPECT_NE(help.find(model.info.equation.substr(0, 20)), std::string::npos) << model.info.name;
  }
}

// The options below each heading of a command's help.
std::map<std::string, std::set<std::string>> options_by_heading(const std::string& command) {
  std::map<std::string, std::set<std::string>> options;
  std::string heading;
  for (const std::string& line : lines_of(perfmodel(words(command + " --help")).out)) {
    if (!line.empty() && line.front() != ' ') heading = line;
    if (line.rfind("  -", 0) == 0) options[heading].insert(line.substr(2, line.find(' ', 2) - 2));
  }
  return options;
}

TEST(Help, an_option_says_whether_it_takes_a_number_a_file_or_a_name) {
  const auto has = [](const char* command, const std::string& line) {
    const std::vector<std::string> lines = lines_of(perfmodel({command, "--help"}).out);
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& l) { return l.starts_with("  " + line + ' '); });
  };
  for (const char* line : {"--flops NUMBER", "--precision NAME", "--points FILE", "--profile FILE",
                           "--measured FILE", "-o,--output FILE"})
    EXPECT_TRUE(has("roofline", line)) << line;
  EXPECT_TRUE(has("coalescing", "--let NAME=NUMBER"));
  EXPECT_TRUE(has("coalescing", "--if TEXT")) << "an expression";
  EXPECT_TRUE(has("compare", "before FILE"));
}

TEST(Help, an_option_stands_under_the_heading_where_a_newcomer_looks) {
  auto kernel = options_by_heading("kernel");
  EXPECT_EQ(kernel["Which GPU:"], (std::set<std::string>{"--hw", "--set"}));
  EXPECT_EQ(kernel["The launch:"],
            (std::set<std::string>{"--grid", "--block", "--arg", "--shared", "--launches", "--let"}));
  EXPECT_EQ(kernel["How, and how sure:"], (std::set<std::string>{"--explain", "--bands"}));
  EXPECT_EQ(kernel["Measurements beside it:"],
            (std::set<std::string>{"--measured", "--fail-over", "--published"}));
  EXPECT_EQ(kernel["The answer:"],
            (std::set<std::string>{"--format", "-o,--output", "--table", "--plot", "--all"}));
  EXPECT_EQ(kernel["A picture of it:"].count("--size"), 1u);
  EXPECT_EQ(options_by_heading("validate")["Measurements beside it:"],
            (std::set<std::string>{"--measured", "--hide", "--model"}));
}

TEST(Help, no_option_is_left_under_the_heading_of_the_program) {
  std::vector<std::string> commands{"rank",     "measure", "capture",  "validate", "compare",  "slips",
                                    "explain",  "cite",    "help",     "hw list",  "hw keys",  "hw show",
                                    "hw costs", "hw runs", "hw check", "hw diff",  "hw detect"};
  for (const Model& model : models()) commands.emplace_back(model.info.name);
  for (const std::string& command : commands) {
    auto options = options_by_heading(command);
    EXPECT_EQ(options["The program:"], std::set<std::string>{"-h,--help"}) << command;
    EXPECT_EQ(options.count("Options:"), 0u) << command;
  }
}

TEST(Help, the_program_lists_every_command) {
  const std::string help = perfmodel({"--help"}).out;
  for (const Model& model : models())
    EXPECT_NE(help.find("  " + std::string(model.info.name) + " "), std::string::npos) << model.info.name;
  for (const char* command : {"hw", "measure", "validate", "compare"})
    EXPECT_NE(help.find("  " + std::string(command) + " "), std::string::npos) << command;
}

// In its own words: 'hw compare' would be no command.
TEST(Help, of_the_database_names_its_commands) {
  const std::vector<std::string> lines = lines_of(perfmodel({"hw", "--help"}).out);
  const std::string prefix = "the hardware database: ";
  ASSERT_FALSE(lines.empty());
  ASSERT_EQ(lines.front().substr(0, prefix.size()), prefix);
  std::istringstream named(lines.front().substr(prefix.size()));
  std::size_t commands = 0;
  for (std::string name; std::getline(named >> std::ws, name, ','); ++commands)
    EXPECT_EQ(perfmodel({"hw", name, "--help"}).code, 0) << name;
  EXPECT_EQ(commands, 8u);
}

TEST(Help, after_something_that_there_is_not_is_a_mistake) {
  for (const auto& [line, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"rofline --help", "unknown command 'rofline' (did you mean 'roofline'?)"},
           {"--help rofline", "unknown command 'rofline'"},
           {"hw compare --help", "perfmodel hw: unknown command 'compare'"},
           {"hw keys more --help", "'more' is one argument too many"},
           {"roofline --precisoin fp32 --help", "(did you mean '--precision'?)"}}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_EQ(a.out, "") << line;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find(said), std::string::npos) << line << ": " << a.err;
  }
  for (const char* line :
       {"--help", "hw --help", "hw list --help", "roofline --help", "roofline --hw m2090 --help"})
    EXPECT_EQ(perfmodel(words(line)).code, 0) << line;
}

} // namespace perfmodel::help_test
