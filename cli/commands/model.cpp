// A model's subcommand, made from its declaration: every input is an option.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/points_file.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel::cli {

namespace {

struct ModelOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  std::map<std::string, std::string> inputs; // as given
  bool explain = false;
  CLI::Option* measured = nullptr;
};

std::string help_of(const Option& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(": {}", fmt::join(option.choices, ", "));
  if (!option.unit.symbol.empty()) text += " [" + option.unit.symbol + "]";
  if (!option.default_text.empty()) text += ", default " + option.default_text;
  return text;
}

Request request_of(const Model& model, const ModelOptions& options) {
  Request request{.explain = true}; // the derivation also tells which facts were used
  for (const Option& option : model.options) {
    const auto given = options.inputs.find(option.name);
    if (given == options.inputs.end() || given->second.empty())
      continue; // not given: "" is refused as a value
    std::vector<Value> values = option.kind == OptionKind::points
                                    ? std::vector<Value>{{.text = points_csv(given->second)}}
                                    : parse_values(option, given->second);
    request.inputs.push_back({option.name, std::move(values)});
  }
  request.facts = fact_axes(options.hardware.set);
  return request;
}

bool on_measured_basis(const Request& request) {
  return std::any_of(request.inputs.begin(), request.inputs.end(), [](const Axis& axis) {
    return axis.name == "basis" && axis.values.size() == 1 && axis.values.front().text == "measured";
  });
}

bool is_among(const Axis& axis, const Column& key, std::size_t row) {
  return std::any_of(axis.values.begin(), axis.values.end(), [&](const Value& v) {
    return key.is_text() ? v.text == key.text(row)
                         : std::fabs(v.number - key.number(row)) <= 1e-9 * std::fabs(v.number);
  });
}

// The rows that the question is about: those with the precision, level and so on that were asked for, and
// with the numbers, where such were measured.
Table rows_asked_for(Table table, const Request& request) {
  for (const Axis& axis : request.inputs) {
    const Column* key = table.find(axis.name);
    if (key == nullptr) continue;
    Table rows = rows_where(table, [&](std::size_t row) { return is_among(axis, *key, row); });
    if (key->is_text() || rows.rows() > 0) table = std::move(rows);
  }
  return table;
}

// The rows measured at the defaults of what was not asked for, which the predicted line is drawn with; all,
// where there are none.
Table rows_at_defaults(const Model& model, const Request& request, const Table& table) {
  std::vector<std::pair<const Column*, Value>> defaults;
  for (const Column& key : table.columns) {
    const Option* option = key.role == Role::key ? model.find(key.name) : nullptr;
    const bool asked = std::any_of(request.inputs.begin(), request.inputs.end(),
                                   [&](const Axis& axis) { return axis.name == key.name; });
    if (option != nullptr && !asked && !option->default_text.empty() &&
        key.is_text() == (option->kind != OptionKind::number))
      defaults.emplace_back(&key, parse_values(*option, option->default_text).front());
  }
  Table rows = rows_where(table, [&](std::size_t row) {
    return std::all_of(defaults.begin(), defaults.end(), [&](const auto& d) {
      return d.first->is_text() ? d.first->text(row) == d.second.text
                                : d.first->number(row) == d.second.number;
    });
  });
  return rows.rows() > 0 ? rows : table;
}

// What is drawn where nobody measured it gives way to what somebody did.
void draw_what_was_measured(Result& result, const std::vector<Series>& series) {
  const auto draws = [&](const Series& s, const std::string& y) {
    return s.value == y && s.table.find(result.chart.x) != nullptr;
  };
  if (std::any_of(series.begin(), series.end(), [&](const Series& s) { return draws(s, result.chart.y); }))
    return;
  for (const Series& s : series)
    for (const Table& table : result.tables) {
      const Column* y = table.find(s.value);
      if (y == nullptr || y->role != Role::predicted || table.find(result.chart.x) == nullptr ||
          !draws(s, s.value))
        continue;
      result.chart.y = s.value;
      return;
    }
}

// The measured tables of this model as results of their own, for a chart, each with its GPU as a column.
std::vector<Result> charted(const Model& model, const Request& request, const std::vector<Series>& series) {
  std::vector<Result> results;
  for (const Series& s : series) {
    Table table =
        model.info.chart == ChartKind::roofline ? s.table : rows_at_defaults(model, request, s.table);
    if (table.find("gpu") == nullptr)
      table.columns.insert(
          table.columns.begin(),
          {.name = "gpu", .role = Role::key, .cells = std::vector<std::string>(table.rows(), s.gpu)});
    results.push_back(
        {.kind = Kind::measured, .model = s.model, .title = s.quantity, .tables = {std::move(table)}});
  }
  return results;
}

// The prediction; what is wrong in a points file is said with its name.
Result answer(const Model& model, std::span<const Gpu> gpus, const Request& request,
              const ModelOptions& options) {
  const auto file = options.inputs.find("points");
  const bool with_points = file != options.inputs.end() && !file->second.empty();
  try {
    Result result = predict(model, gpus, request);
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
          return std::any_of(d.steps.begin(), d.steps.end(),
                             [&](const Step& s) { return s.symbol == axis.name; });
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
  const Request request = request_of(model, options);
  const bool beside = options.measured->count() > 0;
  const std::vector<Gpu> gpus = devices(context, options.hardware, on_measured_basis(request));
  Result result = answer(model, gpus, request, options);
  note_unused_facts(result, request, options.explain);
  if (options.answer.draws()) say_what_is_not_drawn(context, model, request, gpus.size());
  std::vector<Series> series;
  if (beside) {
    // As validate does: measurements are held against what other probes measured.
    for (const Gpu& gpu : devices(context, options.hardware, true)) {
      std::vector<Series> own;
      for (Series& s : measured_series(context, gpu, options.hardware.measured_file))
        if (s.model == model.info.name) {
          s.table = rows_asked_for(s.table, request);
          if (s.table.rows() > 0) own.push_back(std::move(s));
        }
      if (own.empty()) {
        context.err << fmt::format("no measurement of {} on {} is there\n", model.info.name, gpu.name);
        continue;
      }
      Result judged = validate(gpu, own);
      for (Table& table : judged.tables)
        if (table.title != not_scored_title) result.tables.push_back(std::move(table));
      add_constants(result, std::move(judged.constants));
      for (Series& s : own) series.push_back(std::move(s));
    }
  }
  if (model.info.chart != ChartKind::roofline) draw_what_was_measured(result, series);
  give(context, options.answer, result, charted(model, request, series));
}

} // namespace

void add_model_command(CLI::App& program, Context& context, const Model& model) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = program.add_subcommand(std::string(model.info.name), std::string(model.info.summary));
  command->footer(fmt::format("{}   [{}]", model.info.equation, model.info.source));
  options->hardware.add_to(*command, true);
  for (const Option& option : model.options) {
    std::string& given = options->inputs[option.name];
    if (option.kind != OptionKind::bindings)
      command->add_option("--" + option.name, given, help_of(option));
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
  options->measured =
      command
          ->add_option("--measured", options->hardware.measured_file,
                       "set measurements beside the predictions: this file, else the committed ones")
          ->expected(0, 1);
  options->answer.add_to(*command, true);
  options->answer.add_all_to(*command);
  command->callback([&context, &model, options] { run(model, context, *options); });
}

} // namespace perfmodel::cli
