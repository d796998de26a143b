// perfmodel explain [TERM]: what the glossary says about a term, and what is known of a fact or a model.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/explanation.hpp"
#include "cli/option_groups.hpp"
#include "cli/terminal_width.hpp"
#include "hwdb/text_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

namespace perfmodel::cli {

namespace {

struct ExplainOptions {
  std::vector<std::string> words;
  AnswerOptions answer;
};

void run(Context& context, const ExplainOptions& options) {
  options.answer.check();
  const std::string word = fmt::format("{}", fmt::join(options.words, " "));
  const Result result = word.empty() ? every_term() : explanation(word);
  if (!options.answer.is_text() || !options.answer.table.empty())
    return give(context, options.answer, result);
  // In a table, sentences would be cut to ribbons.
  const std::string text =
      word.empty() ? every_term_text(text_columns()) : explanation_text(result, text_columns());
  if (options.answer.file.empty())
    context.out << text;
  else
    hwdb::write_whole(options.answer.file, text);
}

} // namespace

void add_explain_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = program.add_subcommand(
      "explain", "what a term means, or a column of an answer, a model, a fact: with formula, source, unit");
  command->option_defaults()->group(option_group::question);
  command
      ->add_option("term", options->words,
                   "of the glossary, or a model, a fact or a column of a table (default: lists all terms)")
      ->type_name(term_value);
  options->answer.add_to(*command, false);
  command->footer(examples_text({"perfmodel explain latency bound", "perfmodel explain dram.bandwidth",
                                 "perfmodel explain occupancy"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
