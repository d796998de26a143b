// Every option of every command stands in the reference: what a model is asked under its name on the page of
// inputs, the others on any page of docs/reference.
#include "page.hpp"

#include "cli/run.hpp"
#include "hwdb/database.hpp"
#include "models/core/model.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>

namespace perfmodel::docs::options_test {

Lines help_of(std::vector<std::string> command) {
  command.emplace_back("--help");
  static const hwdb::Database shipped(hwdb::default_folder());
  std::ostringstream out, err;
  EXPECT_EQ(cli::run(command, out, err, {}, &shipped), 0) << err.str();
  return lines_of(out.str());
}

// The first words of the lines between a heading of the help and the next empty line.
Lines names_under(const std::string& heading, const Lines& help) {
  Lines names;
  auto line = std::find(help.begin(), help.end(), heading);
  EXPECT_NE(line, help.end()) << heading;
  while (line != help.end() && ++line != help.end() && !line->empty())
    if (line->rfind("   ", 0) != 0) names.push_back(line->substr(2, line->find(' ', 2) - 2));
  return names;
}

// "--hw", also of "-o,--output TEXT".
Lines options_of(const Lines& help) {
  static const std::regex option("^  (?:-[a-z],)?(--[a-z-]+)");
  Lines options;
  std::smatch found;
  for (const std::string& line : help)
    if (std::regex_search(line, found, option)) options.push_back(found[1]);
  return options;
}

// The option itself, not a longer one that begins so.
bool mentions(const std::string& text, const std::string& option) {
  for (std::size_t at = text.find(option); at != std::string::npos; at = text.find(option, at + 1)) {
    const std::size_t end = at + option.size();
    if (end == text.size() || (std::islower(static_cast<unsigned char>(text[end])) == 0 && text[end] != '-'))
      return true;
  }
  return false;
}

// What stands on docs/reference/inputs.md under "## NAME".
std::string inputs_of(const std::string& model) {
  std::string section;
  bool inside = false;
  for (const std::string& line : lines_of(read(tree / "docs" / "reference" / "inputs.md"))) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + model;
    if (inside) section += line + "\n";
  }
  return section;
}

TEST(Options, stand_in_the_reference) {
  std::string reference;
  for (const auto& page : fs::directory_iterator(tree / "docs" / "reference"))
    if (page.path().extension() == ".md" && page.path().filename() != "inputs.md")
      reference += read(page.path());
  const auto check = [&](const std::vector<std::string>& command, const std::string& text) {
    const Lines options = options_of(help_of(command));
    EXPECT_GE(options.size(), 1U) << command.back();
    for (const std::string& option : options)
      EXPECT_TRUE(mentions(text, option)) << "the reference lacks " << option << " of " << command.back();
  };
  for (const Model& model : models()) {
    const std::string name(model.info.name);
    check({name}, reference + inputs_of(name));
  }
  for (const std::string& name : names_under("Commands:", help_of({}))) check({name}, reference);
  for (const std::string& name : names_under("Subcommands:", help_of({"hw"}))) check({"hw", name}, reference);
}

} // namespace perfmodel::docs::options_test
