#include "examples.hpp"

#include "models/views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

namespace {

// Where a command can go on in a next line: in front of the last option that leaves this one short enough.
// 0: nowhere.
std::size_t break_of(std::string_view command, std::size_t columns) {
  std::size_t at = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < command.size() && i < columns; ++i) {
    if (command[i] == '\'') quoted = !quoted;
    if (!quoted && command.substr(i, 2) == " -") at = i;
  }
  return at;
}

} // namespace

std::string examples_text(const std::vector<std::string>& commands) {
  std::string text = "Examples:";
  constexpr std::size_t columns = 78; // and the two in front
  for (const std::string& command : commands) {
    std::string_view rest = command;
    std::string_view before = "\n  ";
    while (rest.size() > columns) {
      const std::size_t at = break_of(rest, columns - before.size());
      if (at == 0) break;
      text += fmt::format("{}{} \\", before, rest.substr(0, at));
      rest.remove_prefix(at + 1);
      before = "\n    ";
    }
    text += fmt::format("{}{}", before, rest);
  }
  return text;
}

std::vector<std::string> examples_of(const Model& model) {
  constexpr std::string_view between = "; ";
  std::vector<std::string> commands;
  for (std::string_view rest = model.info.examples; !rest.empty();) {
    const std::size_t end = std::min(rest.find(between), rest.size());
    commands.push_back(fmt::format("perfmodel {} {}", model.info.name, rest.substr(0, end)));
    rest.remove_prefix(std::min(end + between.size(), rest.size()));
  }
  if (model.info.name == KernelModel::info.name) // of the templates that its help lists
    commands.emplace_back("perfmodel kernel softmax --let rows=4096,columns=1024 --hw h200 --view what-if");
  return commands;
}

} // namespace perfmodel::cli
