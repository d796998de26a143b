// perfmodel help [COMMAND]: the same as perfmodel COMMAND --help.
#include "commands.hpp"

#include "cli/examples.hpp"

#include <CLI/CLI.hpp>

namespace perfmodel::cli {

void add_help_command(CLI::App& program) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = program.add_subcommand("help", "the help of a command, or what a term means");
  command->add_option("command", *words, "a command, or a term as for explain (default: lists all commands)");
  command->footer(
      examples_text({"perfmodel help roofline", "perfmodel help hw show", "perfmodel help sector"}));
  command->callback([words] { throw HelpAsked{*words}; });
}

} // namespace perfmodel::cli
