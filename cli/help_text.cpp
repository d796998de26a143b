#include "help_text.hpp"

#include "option_groups.hpp"
#include "text_lines.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace perfmodel::cli {

namespace {

std::string lines_of(std::string_view text, std::size_t columns) {
  std::string out;
  for (const std::string& line : wrapped(text, columns)) out += line + "\n";
  return out;
}

} // namespace

std::string help_entry(const std::string& name, std::string_view meaning, std::size_t columns) {
  constexpr std::size_t indent = 2, most_names = 30; // where meanings begin
  const std::size_t names = std::min(most_names, columns / 2);
  std::string out, lead = std::string(indent, ' ') + name;
  if (width_of(lead) + 2 > names) {
    out = lead + "\n";
    lead.clear();
  }
  for (const std::string& line : wrapped(meaning, columns - names)) {
    out += padded(lead, names) + line + "\n";
    lead.clear();
  }
  return out;
}

std::string HelpText::make_description(const CLI::App* app) const {
  return lines_of(app->get_description(), columns_);
}

// Headings in the order in which the command added them, but for what is about the program: CLI11 adds -h
// first.
std::string HelpText::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string out = make_description(app) + make_usage(app, std::move(name)) + make_positionals(app);
  std::vector<std::string> groups = app->get_groups();
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != option_group::program; });
  for (const std::string& group : groups) {
    const std::vector<const CLI::Option*> options = app->get_options(
        [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
    if (!group.empty() && !options.empty()) out += make_group(group, false, options);
  }
  return out + make_subcommands(app, mode) + "\n" + make_footer(app);
}

std::string HelpText::make_option(const CLI::Option* option, bool is_positional) const {
  return help_entry(make_option_name(option, is_positional) + make_option_opts(option),
                    make_option_desc(option), columns_);
}

std::string HelpText::make_subcommand(const CLI::App* command) const {
  return help_entry(command->get_name(), command->get_description(), columns_);
}

std::string HelpText::make_footer(const CLI::App* app) const {
  std::string out;
  std::istringstream lines(app->get_footer());
  for (std::string line; std::getline(lines, line);)
    out += line.starts_with("  ") ? line + "\n" : lines_of(line, columns_);
  return out.empty() ? out : out + "\n";
}

} // namespace perfmodel::cli
