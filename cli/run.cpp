#include "run.hpp"

#include "cli/commands/commands.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <ostream>

namespace perfmodel::cli {

namespace {

// The innermost command that was named: `perfmodel hw show` -> show.
const CLI::App* deepest(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? &app : deepest(*named.front());
}

std::string option_hint(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return suggestion(word, known);
}

std::string command_hint(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) known.push_back(command->get_name());
  return suggestion(word, known);
}

// CLI11's sentence, and what the user may have meant.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = deepest(app);
  const std::string name = command == &app ? "perfmodel" : "perfmodel " + command->get_display_name();
  const auto left = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !left.empty()) {
    const std::string word = left.front().substr(0, 60);
    const std::string bare = word.substr(0, word.find('='));
    if (word.front() == '-') return fmt::format("{}: unknown option '{}'{}", name, word, option_hint(*command, bare));
    if (!command->get_subcommands([](const CLI::App*) { return true; }).empty())
      return fmt::format("{}: unknown command '{}'{}", name, word, command_hint(*command, word));
    return fmt::format("{}: '{}' is one argument too many", name, word);
  }
  return fmt::format("{}: {}", name, error.what());
}

int parse_and_run(CLI::App& app, Context& context, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
    return context.exit_code;
  } catch (const CLI::Success& e) { // --help, --version
    return app.exit(e, context.out, context.err);
  } catch (const CLI::ParseError& e) {
    context.err << usage_sentence(app, e) << "\n";
    return 2;
  }
}

} // namespace

int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err) {
  Context context{.out = out, .err = err, .version = PERFMODEL_VERSION, .commit = PERFMODEL_COMMIT};
  CLI::App app("GPU performance models: predicted, drawn and measured", "perfmodel");
  app.set_version_flag("--version", fmt::format("perfmodel {} ({})", context.version, context.commit));
  app.add_option("--hwdb", context.hwdb_folder, "folder of hardware descriptions (default: PERFMODEL_HWDB, else built in)");
  app.fallthrough();
  app.require_subcommand(1);
  try {
    for (const Model& model : models()) add_model_command(app, context, model);
    add_hw_command(app, context);
    add_measure_command(app, context);
    add_validate_command(app, context);
    add_compare_command(app, context);
    return parse_and_run(app, context, std::move(arguments));
  } catch (const InputError& e) {
    err << "perfmodel: " << e.what() << "\n";
    return 2;
  } catch (const MachineError& e) {
    err << "perfmodel: " << e.what() << "\n";
    return 3;
  } catch (const std::bad_alloc&) {
    err << "perfmodel: not enough memory for this request\n";
    return 3;
  } catch (const std::exception& e) {
    err << "perfmodel: a bug: " << e.what() << "\n";
    return 70;
  }
}

} // namespace perfmodel::cli
