#include "values.hpp"

#include "scripts.hpp"

#include "cli/answer.hpp"
#include "cli/exercise/sheet.hpp"
#include "cli/given_file.hpp"
#include "cli/glossary.hpp"
#include "hwdb/exercises/exercise_file.hpp"
#include "hwdb/names/gpu_names.hpp"
#include "kernels/core/probe.hpp"
#include "models/core/fact.hpp"
#include "models/drawings/drawings.hpp"
#include "plots/output/theme.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

namespace {

std::vector<Completion> gpus(Context& context, const std::string& behind) {
  std::vector<Completion> all;
  for (const hwdb::GpuNames& gpu : hwdb::gpu_names(context.database().root())) {
    all.push_back({gpu.name + behind, gpu.title});
    for (const std::string& alias : gpu.aliases) all.push_back({alias + behind, gpu.title});
  }
  return all;
}

std::vector<Completion> facts(const std::string& behind) {
  std::vector<Completion> all;
  for (const KeyInfo& key : all_keys())
    all.push_back({std::string(key.path) + behind, std::string(key.meaning)});
  return all;
}

std::vector<Completion> model_names() {
  std::vector<Completion> all;
  for (const Model& model : models())
    all.push_back({std::string(model.info.name), std::string(model.info.summary)});
  return all;
}

// Terms with '-' for blanks: that is the same to `explain`, and one word to a shell.
std::vector<Completion> terms() {
  std::vector<Completion> all;
  for (const Term& term : glossary())
    for (std::string name : term.names) {
      std::replace(name.begin(), name.end(), ' ', '-');
      all.push_back({name, term.meaning});
    }
  for (std::vector<Completion> more : {facts(""), model_names()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

// `help hw` is followed by commands of `hw`.
std::vector<Completion> commands_behind(const CLI::App& program, const std::vector<std::string>& before) {
  const CLI::App* app = &program;
  for (const std::string& name : before)
    if (app = command_called(*app, name); app == nullptr) return {};
  return commands_of(*app);
}

template <class Names> std::vector<Completion> named(const Names& names) {
  std::vector<Completion> all;
  for (const auto& name : names) all.push_back({std::string(name), ""});
  return all;
}

std::vector<Completion> probes_of_facts() {
  std::vector<Completion> all;
  for (const KeyInfo& key : all_keys())
    if (!key.probe.empty() && std::none_of(all.begin(), all.end(),
                                           [&](const Completion& known) { return known.word == key.probe; }))
      all.push_back({std::string(key.probe), ""});
  return all;
}

// The input of the command's model that the option gives; nullptr where it gives none. `rank` has those of
// `kernel`.
const Option* input_of(const CLI::App& command, const CLI::Option& option) {
  const std::string name = command.get_name() == "rank" ? "kernel" : command.get_name();
  for (const Model& model : models()) {
    if (model.info.name != name) continue;
    for (const Option& input : model.options)
      if (option.check_lname(input.name)) return &input;
  }
  return nullptr;
}

// Those that the program has; of one without kernels, those whose facts the database keeps.
std::vector<Completion> probes() {
  std::vector<Completion> all;
  for (const kernels::Probe& probe : kernels::probes())
    all.push_back({std::string(probe.name), std::string(probe.measures)});
  return all.empty() ? probes_of_facts() : all;
}

std::vector<Completion> slips(Context& context) {
  std::vector<Completion> all;
  for (const hwdb::Slip& slip : context.database().slips()) all.push_back({slip.id, slip.right});
  return all;
}

std::vector<Completion> exercises(Context& context) {
  std::vector<Completion> all = named(hwdb::exercise_models(context.database().root()));
  all.push_back({"all", "a question of each"});
  return all;
}

std::vector<Completion> drawings_named(const std::string& model) {
  std::vector<Completion> all;
  for (const DrawingKind& kind : drawings_of(model))
    all.push_back({std::string(kind.name), std::string(kind.help)});
  return all;
}

// Of the command's answers.
std::vector<Completion> columns_of(const std::string& command) {
  for (const Model& model : models())
    if (model.info.name == command) return named(model.outputs);
  return {};
}

} // namespace

std::vector<Completion> names_for(Context& context, const CLI::App& program, const CLI::App& command,
                                  const CLI::Option& option, const std::vector<std::string>& before) {
  if (const Option* input = input_of(command, option))
    return named(input->choices.empty() ? given_names(context, *input) : input->choices);
  const std::string kind = option.get_type_name();
  if (kind == gpu_value) return gpus(context, "");
  if (kind == gpus_value) {
    std::vector<Completion> all = gpus(context, "");
    all.push_back({"all", "every GPU"});
    return all;
  }
  if (kind == price_value) return gpus(context, "=");
  if (kind == fact_value) return facts("=");
  if (kind == fact_name_value) return facts("");
  if (kind == model_value) return command.get_name() == "exercise" ? exercises(context) : model_names();
  if (kind == format_value)
    return command.get_name() == "exercise" ? named(sheet_formats) : named(table_format_names());
  if (kind == size_value) return {{"slide", "16:9, large text"}, {"column", "85 mm of a journal"}};
  if (kind == drawing_value) return drawings_named(command.get_name());
  if (kind == column_value) return columns_of(command.get_name());
  if (kind == slip_value) return slips(context);
  if (kind == probe_value) return probes();
  if (kind == hidden_value) {
    std::vector<Completion> all = probes_of_facts();
    all.insert(all.end(), {{"all", "every probe"}, {"each", "one after the other"}});
    return all;
  }
  if (kind == theme_value) return named(plots::theme_names);
  if (kind == term_value) return before.empty() ? terms() : std::vector<Completion>{};
  if (kind == command_value) return commands_behind(program, before);
  if (kind == shell_value) return named(completion_shells);
  return {};
}

} // namespace perfmodel::cli
