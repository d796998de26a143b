// perfmodel completion SHELL: what the shell has to read; with --words what it then asks at each tab.
#include "commands.hpp"

#include "cli/completion/completion.hpp"
#include "cli/completion/scripts.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/option_groups.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace perfmodel::cli {

namespace {

struct CompletionOptions {
  std::string shell;
  bool words = false;
};

void run(Context& context, const CLI::App& program, const CompletionOptions& options) {
  if (options.words) {
    const std::vector<std::string> typed = std::move(context.program_words);
    for (const Completion& one : completions(context, program, typed))
      context.out << one.word << '\t' << one.meaning << '\n';
    return;
  }
  if (options.shell.empty())
    throw InputError(fmt::format("completion: the shell is missing; one of {} is expected",
                                 fmt::join(completion_shells, ", ")));
  context.out << completion_script(options.shell);
}

} // namespace

void add_completion_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<CompletionOptions>();
  CLI::App* command =
      program.add_subcommand("completion", "what a shell reads to complete commands, options and names");
  command->option_defaults()->group(option_group::question);
  command->add_option("shell", options->shell, fmt::format("one of {}", fmt::join(completion_shells, ", ")))
      ->type_name(shell_value);
  // Between the scripts and the program: what stands behind it is the line that is being typed.
  command->add_flag("--words", options->words, "the words that the last of those behind it may become")
      ->group("");
  command->footer("For this shell: source <(perfmodel completion bash), the same with zsh, or\n"
                  "perfmodel completion fish | source. An installed perfmodel is completed without.\n\n" +
                  examples_text({"perfmodel completion bash"}));
  command->callback([&context, &program, options] { run(context, program, *options); });
}

} // namespace perfmodel::cli
