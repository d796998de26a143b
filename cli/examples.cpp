#include "examples.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

std::string examples_text(const std::vector<std::string>& commands) {
  std::string text = "Examples:";
  for (const std::string& command : commands) text += "\n  " + command;
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
  return commands;
}

} // namespace perfmodel::cli
