// perfmodel slips [NAME]: what lectures print and is not so, and the command that shows what is.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/of_option.hpp"
#include "cli/option_groups.hpp"
#include "models/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

struct SlipsOptions {
  std::string name, model;
  AnswerOptions answer;
};

Column column(const char* name, Role role = Role::note) {
  return {.name = name, .role = role, .cells = std::vector<std::string>{}};
}

std::vector<std::string> models_of(const hwdb::Slip& slip) {
  std::vector<std::string> names;
  for (const hwdb::SlipMet& met : slip.met)
    if (std::find(names.begin(), names.end(), met.model) == names.end()) names.push_back(met.model);
  return names;
}

std::vector<hwdb::Slip> chosen(const std::vector<hwdb::Slip>& all, const SlipsOptions& options) {
  if (!options.model.empty())
    of_option("--model", [&] { model(options.model); }); // throws what it is near to
  std::vector<hwdb::Slip> kept;
  std::vector<std::string> ids;
  for (const hwdb::Slip& slip : all) {
    ids.push_back(slip.id);
    const std::vector<std::string> names = models_of(slip);
    if (slip.id.find(options.name) != std::string::npos &&
        (options.model.empty() || std::find(names.begin(), names.end(), options.model) != names.end()))
      kept.push_back(slip);
  }
  if (kept.empty() && !options.name.empty())
    throw InputError(fmt::format("no slip{} has '{}' in its name{}; 'perfmodel slips' lists all",
                                 options.model.empty() ? "" : " of " + options.model,
                                 options.name.substr(0, 40), suggestion(options.name, ids)));
  if (kept.empty() && !options.model.empty())
    throw InputError(fmt::format("no slip is known that answers of '{}' meet; 'perfmodel slips' lists all",
                                 options.model));
  return kept;
}

void run(Context& context, const SlipsOptions& options) {
  options.answer.check();
  // Three tables: in one, the long texts would be cut to ribbons.
  Table slips{.title = "what lectures print, and what is right"};
  slips.columns = {column("slip", Role::key), column("printed"), column("right")};
  Table reasons{.title = "where it stands, and why it is not so"};
  reasons.columns = {column("slip", Role::key), column("where"), column("why")};
  Table shown{.title = "the command that shows it, and the models whose answers say so"};
  shown.columns = {column("slip", Role::key), column("models"), column("command")};
  for (const hwdb::Slip& slip : chosen(context.database().slips(), options)) {
    for (Table* table : {&slips, &reasons, &shown}) append(table->columns[0], slip.id);
    append(slips.columns[1], slip.printed);
    append(slips.columns[2], slip.right);
    append(reasons.columns[1], slip.source + ", " + slip.where);
    append(reasons.columns[2], slip.why);
    append(shown.columns[1], fmt::format("{}", fmt::join(models_of(slip), ", ")));
    append(shown.columns[2], "perfmodel " + slip.command);
  }
  give(context, options.answer, {.tables = {std::move(slips), std::move(reasons), std::move(shown)}});
}

} // namespace

void add_slips_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<SlipsOptions>();
  CLI::App* command = program.add_subcommand(
      "slips", "what lectures print and is not so, and the command that shows what is");
  command->option_defaults()->group(option_group::question);
  command->add_option("name", options->name, "those with this in their names (default: all)")
      ->type_name(slip_value);
  command->add_option("--model", options->model, "those that answers of this model meet")
      ->type_name(model_value);
  options->answer.add_to(*command, false);
  command->footer(examples_text({"perfmodel slips --model latency-hiding", "perfmodel slips vuduc-48"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
