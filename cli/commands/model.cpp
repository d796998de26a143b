// A model's subcommand, made from its declaration: every input is an option.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/beside.hpp"
#include "cli/given_file.hpp"
#include "cli/kernel_launches.hpp"
#include "cli/points_file.hpp"
#include "cli/slips.hpp"
#include "cli/stream/all_and_ends.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/what_if.hpp"
#include "models/validation/validate.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace perfmodel::cli {

namespace {

struct ModelOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  std::map<std::string, std::string> inputs; // as given
  bool explain = false, bands = false;
  CLI::Option* measured = nullptr; // none where no GPU is asked about
};

std::string help_of(const Option& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(": {}", fmt::join(option.choices, ", "));
  if (!option.unit.symbol.empty()) text += " [" + option.unit.symbol + "]";
  if (!option.default_text.empty()) text += ", default " + option.default_text;
  return text;
}

std::vector<Value> values_of(Context& context, const Option& option, const std::string& given) {
  if (option.kind == OptionKind::points) return {{.text = points_csv(given)}};
  if (option.kind == OptionKind::file) return {{.text = given_text(context, option, given)}};
  return parse_values(option, given);
}

Request request_of(Context& context, const Model& model, const ModelOptions& options) {
  Request request{.explain = true}; // the derivation also tells which facts were used
  for (const Option& option : model.options) {
    const auto given = options.inputs.find(option.name);
    const bool is_given = given != options.inputs.end() && !given->second.empty(); // "" is refused as a value
    if (!is_given && option.shipped_default.empty()) continue;
    request.inputs.push_back(
        {option.name, values_of(context, option, is_given ? given->second : option.shipped_default)});
  }
  request.facts = fact_axes(options.hardware.set);
  request.bands = options.bands;
  return request;
}

std::vector<Gpu> devices_asked_for(Context& context, const Model& model, const ModelOptions& options) {
  const HardwareOptions& hardware = options.hardware;
  if (model.info.gpu == GpuUse::needed || !hardware.hw.empty()) return devices(context, hardware);
  if (!hardware.set.empty()) throw InputError("--set changes a fact of a GPU: name the GPU with --hw");
  if (options.measured != nullptr && options.measured->count() > 0)
    throw InputError("--measured is of a GPU: name it with --hw");
  return {};
}

// A chart is of all rows at once, Markdown is one text, and advice is numbered. Points from a file are held
// anyway.
bool needs_whole_tables(const Model& model, const ModelOptions& options) {
  const auto points = options.inputs.find("points");
  const bool advises = std::find(model.outputs.begin(), model.outputs.end(), "advice") != model.outputs.end();
  return options.answer.draws() ||
         (options.answer.all && !options.answer.is_data() && (!options.answer.is_text() || advises)) ||
         (points != options.inputs.end() && !points->second.empty());
}

// The prediction; what is wrong in a points file is said with its name.
Result answer(const Model& model, std::span<const Gpu> gpus, const Request& request,
              const ModelOptions& options, RowSink* sink) {
  const auto file = options.inputs.find("points");
  const bool with_points = file != options.inputs.end() && !file->second.empty();
  try {
    Result result = sink == nullptr ? predict(model, gpus, request) : predict(model, gpus, request, *sink);
    if (with_points && std::none_of(result.tables.begin(), result.tables.end(), [](const Table& table) {
          return table.title == Roofline::Kernel::title && table.rows() > 0;
        }))
      throw InputError(fmt::format("points: none of them is of {}", gpus.front().name));
    return result;
  } catch (const InputError& e) {
    const std::string sentence = e.what();
    if (!with_points || sentence.rfind("points", 0) != 0) throw;
    throw InputError(file->second + sentence.substr(std::string_view("points").size()));
  }
}

// A fact that was set and that nothing rests on was probably meant to be another one. Several words
// (precisions, levels) may rest on different facts, and the derivation is of the first: then nothing is said.
void note_unused_facts(Result& result, const Request& request, bool explain) {
  const bool one_way = std::all_of(request.inputs.begin(), request.inputs.end(), [](const Axis& axis) {
    return axis.values.size() == 1 || axis.values.front().text.empty();
  });
  for (const Axis& axis : request.facts) {
    const bool used =
        std::any_of(result.derivations.begin(), result.derivations.end(), [&](const Derivation& d) {
          return std::any_of(d.steps.begin(), d.steps.end(), [&](const Step& s) {
            const bool follows = s.is_fact && s.grade != Grade::known;
            return s.symbol == axis.name || (follows && goes_with(s.symbol, axis.name));
          });
        });
    if (!used && one_way)
      result.notes.push_back(fmt::format("--set {}: nothing in this answer rests on it.", axis.name));
  }
  if (!explain) result.derivations.clear();
}

// A picture of several devices has one roof for each, whatever was asked.
void say_what_is_not_drawn(Context& context, const Model& model, const Request& request,
                           std::size_t devices) {
  const auto precisions = std::find_if(request.inputs.begin(), request.inputs.end(),
                                       [](const Axis& axis) { return axis.name == "precision"; });
  if (model.info.chart == ChartKind::roofline && devices > 1 && precisions != request.inputs.end() &&
      precisions->values.size() > 1)
    context.err << "the picture shows one precision, which its title names: of several devices there is one "
                   "roof each; draw the others with --precision of their own\n";
}

// What the rows beside the measurements rest on is named too.
void add_constants(Result& result, std::vector<Step> more) {
  for (Step& c : more)
    if (std::none_of(result.constants.begin(), result.constants.end(),
                     [&](const Step& known) { return known.symbol == c.symbol && known.place == c.place; }))
      result.constants.push_back(std::move(c));
}

void run(const Model& model, Context& context, ModelOptions& options) {
  options.answer.check();
  if (options.explain && !options.answer.shows_steps())
    context.err << "--explain shows in text and JSON, not in this format\n";
  check_launches_alone(options.inputs);
  const Request request = request_of(context, model, options);
  const bool beside = options.measured != nullptr && options.measured->count() > 0;
  const std::vector<Gpu> gpus = devices_asked_for(context, model, options);
  AllAndEnds rows;
  RowSink* sink = options.answer.is_data()                         ? static_cast<RowSink*>(&rows.all)
                  : options.answer.all && options.answer.is_text() ? static_cast<RowSink*>(&rows)
                                                                   : &rows.ends;
  if (beside || needs_whole_tables(model, options)) sink = nullptr;
  SlipsMet slips(model.info.name, gpus, context.database().slips());
  SlipLookout passing(*(sink != nullptr ? sink : &rows.ends), slips);
  Result result = answer(model, gpus, request, options, sink != nullptr ? &passing : nullptr);
  note_unused_facts(result, request, options.explain);
  for (const Axis& axis : request.inputs)
    if (axis.name == "launches") note_launches(result, axis.values.front().text);
  for (const Table& table : result.tables) slips.look(table);
  slips.note(result);
  if (options.answer.draws()) say_what_is_not_drawn(context, model, request, gpus.size());
  std::vector<Series> series;
  if (beside)
    for (const Gpu& gpu : devices(context, options.hardware)) {
      std::vector<Series> own = series_asked_for(
          model, measured_series(context, gpu, options.hardware.measured_file, model.info.name), request);
      if (own.empty()) {
        context.err << fmt::format("no such measurement of {} on {} is there\n", model.info.name, gpu.name);
        continue;
      }
      // As validate does: measurements are held against what other probes measured.
      Result judged = validate(gpu, own, context.database().evidence());
      for (Table& table : judged.tables)
        if (table.title != not_scored_title && table.title != evidence_title)
          result.tables.push_back(std::move(table));
      for (const std::string& verdict : judged.verdict)
        result.verdict.push_back(fmt::format("measured on {}: {}", gpu.name, verdict));
      add_constants(result, std::move(judged.constants));
      for (Series& s : own) series.push_back(std::move(s));
    }
  if (const std::string kept = facts_kept(result.constants); !kept.empty()) result.notes.push_back(kept);
  if (rows.all.tables() > 0) return give(context, options.answer, result, rows.all);
  if (model.info.chart != ChartKind::roofline) draw_what_was_measured(result, series);
  give(context, options.answer, std::move(result), charted(model, request, series));
}

} // namespace

void add_model_command(CLI::App& program, Context& context, const Model& model) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = program.add_subcommand(std::string(model.info.name), std::string(model.info.summary));
  command->footer(fmt::format("{}   [{}]", model.info.equation, model.info.source));
  if (model.info.gpu != GpuUse::none) options->hardware.add_to(*command, model.info.gpu == GpuUse::needed);
  for (const Option& option : model.options) {
    std::string& given = options->inputs[option.name];
    if (option.kind != OptionKind::bindings && !option.joined)
      command->add_option((option.name == model.info.positional ? option.name + ",--" : "--") + option.name,
                          given, help_of(option));
    else // --let n=4 --let m=5; CLI11's own join() would drop the hole of n=1,,2
      command
          ->add_option_function<std::vector<std::string>>(
              "--" + option.name,
              [&given](const std::vector<std::string>& words) {
                given = fmt::format("{}", fmt::join(words, ","));
              },
              help_of(option))
          ->type_name("TEXT")
          ->allow_extra_args(false);
  }
  command->add_flag("--explain", options->explain, "formula, numbers put in, and the source of each");
  if (model.info.gpu != GpuUse::none) {
    command->add_flag("--bands", options->bands,
                      "how far the costs leave the answer open: 5 to 95 % of 32 draws of them");
    options->measured =
        command
            ->add_option("--measured", options->hardware.measured_file,
                         "set measurements beside the predictions: this file, else the committed ones")
            ->expected(0, 1);
  }
  options->answer.add_to(*command, true);
  options->answer.add_all_to(*command);
  command->callback([&context, &model, options] { run(model, context, *options); });
}

} // namespace perfmodel::cli
