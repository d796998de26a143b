// perfmodel help [COMMAND]: the same as perfmodel COMMAND --help; with --man as a page for man.
#include "commands.hpp"

#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/man_page.hpp"
#include "cli/option_groups.hpp"

#include <CLI/CLI.hpp>

#include <ostream>

namespace perfmodel::cli {

namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false;
};

} // namespace

void add_help_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<HelpOptions>();
  CLI::App* command = program.add_subcommand("help", "the help of a command, or what a term means");
  command->option_defaults()->group(option_group::question);
  command
      ->add_option("command", options->words,
                   "a command, or a term as for explain (default: lists all commands)")
      ->type_name(command_value);
  command->add_flag("--man", options->man,
                    "as a manual page: of the program, or of a command with all of its own");
  command->footer(
      examples_text({"perfmodel help roofline", "perfmodel help hw show", "perfmodel help sector"}));
  command->callback([&program, &context, options] {
    if (!options->man) throw HelpAsked{options->words};
    context.out << man_page(program, options->words, context.version);
  });
}

} // namespace perfmodel::cli
