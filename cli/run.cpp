#include "run.hpp"

#include "cli/commands/commands.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/explanation.hpp"
#include "cli/help_text.hpp"
#include "cli/meant_command.hpp"
#include "cli/option_groups.hpp"
#include "cli/safe_stream.hpp"
#include "cli/terminal_width.hpp"
#include "cli/version.hpp"
#include "kernels/core/probe.hpp"
#include "models/core/error.hpp"
#include "models/core/utf8.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>

namespace perfmodel::cli {

namespace {

// The innermost command that was named, with its path: `perfmodel hw show`.
struct NamedCommand {
  const CLI::App* command;
  std::string path;
};
NamedCommand deepest(const CLI::App& app, const std::string& path = "perfmodel") {
  const auto named = app.get_subcommands();
  if (named.empty()) return {&app, path};
  return deepest(*named.front(), path + " " + named.front()->get_name());
}

bool has_commands(const CLI::App& app) {
  return !app.get_subcommands([](const CLI::App*) { return true; }).empty();
}

std::string option_hint(const CLI::App& app, const std::string& word) {
  if (word.rfind("--", 0) != 0) return ""; // one letter is near to everything
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return suggestion(word, known);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

// The option of `app`, or of a command above it, that CLI11's sentence begins with: "--hw: 1 required TEXT
// missing".
const CLI::Option* option_in(const CLI::App* app, const std::string& what) {
  const std::string name = what.substr(0, what.find_first_of(": "));
  for (; app != nullptr; app = app->get_parent())
    for (const std::string& spelling : {name, "--" + name}) // "explain was given a disallowed flag override"
      if (const CLI::Option* option = app->get_option_no_throw(spelling)) return option;
  return nullptr;
}

// CLI11's errors as sentences of ours, with what the user may have meant.
std::string usage_sentence(Context& context, const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, name] = deepest(app);
  const auto left = app.remaining(true);
  const std::string what = error.what();
  const std::string wrong = left.empty() ? "" : left.front().substr(0, 60);
  if (!wrong.empty() && wrong.size() > 1 && wrong.front() == '-' && wrong != "--") {
    const std::string bare = wrong.substr(0, wrong.find('='));
    if (const CLI::Option* gpu = command->get_option_no_throw("gpu"); bare == "--hw" && gpu != nullptr) {
      const std::string given = bare != wrong ? wrong.substr(bare.size() + 1) : "";
      return fmt::format("{0}: the GPU is named without --hw: '{0} {1}'", name,
                         !given.empty()     ? given
                         : gpu->count() > 0 ? gpu->results().front().substr(0, 60)
                                            : "NAME");
    }
    return fmt::format("{}: unknown option '{}'{}; '{} --help' lists them", name, wrong,
                       option_hint(*command, bare), name);
  }
  if (command == &app && !left.empty())
    if (const std::string meant = meant_command(context, wrong); !meant.empty())
      return fmt::format("{}: unknown command '{}': {}", name, wrong, meant);
  if (has_commands(*command) && !left.empty())
    return fmt::format("{}: unknown command '{}'{}; '{} --help' lists them", name, wrong,
                       suggestion(wrong, command_names(*command)), name);
  if (has_commands(*command) && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return fmt::format("{}: a command is expected; '{} --help' lists them", name, name);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return fmt::format("{}: '{}' is one argument too many", name, wrong);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && what.rfind("--hw ", 0) == 0)
    return fmt::format(
        "{0}: --hw is missing: which GPU, as in '{0} --hw h200'; 'perfmodel hw list' shows all", name);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return fmt::format("{}: {} is missing; '{} --help' says what it takes", name,
                       what.substr(0, what.find(' ')), name);
  if (const CLI::Option* option = option_in(command, what)) {
    const std::string shown = option->get_name();
    if (option->get_expected_max() == 0) return fmt::format("{}: {} takes no value", name, shown);
    if (option->count() > 1)
      return fmt::format("{}: {} is given {} times, once is enough", name, shown, option->count());
    return fmt::format("{0}: {1} needs a value; '{0} --help' says which", name, shown);
  }
  return fmt::format("{}: {}", name, what);
}

// Promises of every option, whichever command adds it: "--explain=no" is no way to say yes, and "" is no
// value.
void be_strict(CLI::App& app) {
  app.get_help_ptr()->group(option_group::program); // CLI11 adds it before a command can say so
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) option->disable_flag_override();
    if (option->get_expected_min() == 0) continue; // "--measured" alone is stored as ""
    const bool of_listing = app.get_name() == "kernel" && option->get_name() == "--kernel";
    if (of_listing) continue; // "": the only one
    option->check([](const std::string& value) { return std::string(value.empty() ? "an empty value" : ""); },
                  "");
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) be_strict(*command);
}

// Of `capture` what stands behind -- is another program's, of `completion --words` what is behind that is a
// line which nobody has finished: it is taken off, unread.
std::vector<std::string> take_program_words(std::vector<std::string>& arguments) {
  if (arguments.size() >= 2 && arguments[0] == "completion" && arguments[1] == "--words") {
    std::vector<std::string> words(arguments.begin() + 2, arguments.end());
    arguments.resize(2);
    return words;
  }
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (std::find(arguments.begin(), dashes, "capture") == dashes || dashes == arguments.end()) return {};
  std::vector<std::string> words(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return words;
}

// What `help hw show` stands for: hw show --help; of what is no command but a term: explain.
std::vector<std::string> asked_by_help(const CLI::App& app, std::vector<std::string> words) {
  const std::vector<std::string> commands = command_names(app);
  const bool command =
      words.empty() || std::find(commands.begin(), commands.end(), words.front()) != commands.end();
  if (!command &&
      (is_explained(fmt::format("{}", fmt::join(words, " "))) || suggestion(words.front(), commands).empty()))
    words.insert(words.begin(), "explain");
  else
    words.emplace_back("--help");
  return words;
}

int parse_and_run(CLI::App& app, Context& context, std::vector<std::string> arguments) {
  context.program_words = take_program_words(arguments);
  std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
    return context.exit_code;
  } catch (const CLI::Success& e) {                             // --help, --version
    if (const auto left = app.remaining(true); !left.empty()) { // of something that there is not
      context.err << printable(usage_sentence(context, app, CLI::ExtrasError(left))) << "\n";
      return 2;
    }
    std::ostringstream text;
    const int code = app.exit(e, text, context.err);
    context.out << text.str();
    return code;
  } catch (const CLI::ParseError& e) {
    context.err << printable(usage_sentence(context, app, e)) << "\n";
    return 2;
  } catch (const HelpAsked& help) {
    return parse_and_run(app, context, asked_by_help(app, help.words));
  }
}

} // namespace

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& terminal,
        const StartMeasuring& start_measuring, const hwdb::Database* database) {
  SafeStream err(terminal, &terminal == &std::cerr ? error_columns() : 0);
  Context context{.out = out, .err = err, .version = version(), .commit = commit(), .open = database};
  CLI::App app("GPU performance models: predicted, drawn and measured", "perfmodel");
  app.formatter(std::make_shared<HelpText>(help_columns())); // and of every command
  app.option_defaults()->group(option_group::program);
  app.set_version_flag("--version", fmt::format("perfmodel {} ({})", context.version, context.commit));
  app.add_option("--hwdb", context.hwdb_folder,
                 "folder of hardware descriptions (default: PERFMODEL_HWDB, else built in)")
      ->type_name(folder_value);
  app.fallthrough();
  app.require_subcommand(1);
  try {
    for (const Model& model : models()) add_model_command(app, context, model);
    add_rank_command(app, context);
    add_hw_command(app, context);
    add_measure_command(app, context);
    add_capture_command(app, context);
    add_validate_command(app, context);
    add_compare_command(app, context);
    add_slips_command(app, context);
    add_exercise_command(app, context);
    add_explain_command(app, context);
    add_cite_command(app, context);
    add_completion_command(app, context);
    add_help_command(app, context);
    app.footer(examples_text(
        {"perfmodel roofline --hw h200", "perfmodel kernel softmax --hw h200", "perfmodel explain warp"}));
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      if (command->get_group() != "Models") command->group("Commands");
    be_strict(app);
    try {
      return parse_and_run(app, context, arguments);
    } catch (const NeedsRanks&) {
      if (start_measuring) start_measuring(arguments, "mpi");
      throw;
    } catch (const NeedsCaptureLibrary&) {
      if (start_measuring) start_measuring(arguments, "capture");
      throw;
    } catch (const kernels::NoKernels& e) {
      if (start_measuring) start_measuring(arguments, e.compute_capability);
      throw;
    }
  } catch (const InputError& e) {
    err << "perfmodel: " << printable(e.what()) << "\n";
    return 2;
  } catch (const MachineError& e) {
    err << "perfmodel: " << printable(e.what()) << "\n";
    return 3;
  } catch (const std::length_error&) { // more than any memory holds
    err << "perfmodel: not enough memory for this request\n";
    return 3;
  } catch (const std::bad_alloc&) {
    err << "perfmodel: not enough memory for this request\n";
    return 3;
  } catch (const std::exception& e) {
    err << "perfmodel: a bug: " << printable(e.what()) << "\n";
    return 70;
  }
}

} // namespace perfmodel::cli
