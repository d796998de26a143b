// perfmodel validate --hw h200: prediction, measurement and error side by side, and the ledger.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/chosen_table.hpp"
#include "cli/compared_series.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/gpu_names.hpp"
#include "cli/kept.hpp"
#include "cli/of_option.hpp"
#include "cli/option_groups.hpp"
#include "cli/pairs.hpp"
#include "cli/progress.hpp"
#include "cli/scored_bands.hpp"
#include "models/core/error.hpp"
#include "models/core/what_if.hpp"
#include "models/machine/inherit.hpp"
#include "models/validation/hiding.hpp"
#include "models/validation/validate.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel::cli {

namespace {

struct ValidateOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  std::vector<std::string> hide, models;
  bool summary = false, pairs = false, bands = false, fresh = false, keep = false;
};

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::string in_words(const Scores& scores) {
  std::string text = fmt::format("{} of {} rows out of tolerance", scores.out, scores.scored), classes;
  for (const auto& [evidence, score] : scores.by_class)
    classes +=
        fmt::format("{}{} {} of {}", classes.empty() ? "" : ", ", name_of(evidence), score.out, score.scored);
  if (!classes.empty()) text += fmt::format(" ({})", classes);
  if (scores.calibration > 0) text += fmt::format("; {} of calibration not scored", scores.calibration);
  return text + '\n';
}

// The name under which the database keeps what the models predict on this GPU; "" where the question is not
// one of the database's own.
std::string kept_name(Context& context, const ValidateOptions& options, const Gpu& gpu) {
  const bool hides_all = options.hide == std::vector<std::string>{"all"};
  if (!options.hardware.set.empty() || !options.hardware.measured_file.empty() ||
      !(options.hide.empty() || hides_all) || !context.database().is_own(gpu))
    return "";
  return gpu.name + (hides_all ? "-hide-all" : "");
}

// The one of --hw, with what --set says.
Gpu asked_gpu(Context& context, const ValidateOptions& options) {
  const std::vector<Gpu> gpus = devices(context, options.hardware);
  if (gpus.size() != 1) throw InputError("validate takes one GPU at a time");
  Gpu gpu = gpus.front();
  for (const Axis& axis : fact_axes(options.hardware.set)) {
    if (axis.values.size() != 1) throw InputError("validate: --set takes one value");
    gpu = axis.values[0].text.empty()
              ? with_fact(std::move(gpu), axis.name, axis.values[0].number)
              : with_fact(std::move(gpu), axis.name, std::string_view(axis.values[0].text));
  }
  return gpu;
}

std::vector<Series> asked_series(Context& context, const ValidateOptions& options, const Gpu& gpu) {
  std::vector<Series> series = series_about(context, gpu, options.hardware.measured_file);
  keep_models(series, options.models);
  return series;
}

Gpu without(Context& context, const ValidateOptions& options, const Gpu& gpu,
            const std::vector<std::string>& probes) {
  return context.database().completed(of_option(
      "--hide", [&] { return without_probes(gpu, probes, gpu_named(context, options.hardware.hw)); }));
}

// --hide each
void give_worth_of_probes(Context& context, const ValidateOptions& options, const Gpu& gpu) {
  if (options.summary || options.pairs || options.bands)
    throw InputError(
        fmt::format("--hide each lists what each probe is worth: it has no {}", options.summary ? "--summary"
                                                                                : options.pairs ? "--pairs"
                                                                                                : "--bands"));
  const std::vector<Series> series = asked_series(context, options, gpu);
  const std::vector<std::string> probes = probes_that_found(gpu);
  Progress progress(context);
  progress.say(fmt::format("validate {} with all probes", gpu.name));
  const auto without_one = [&, done = 0](const std::string& probe) mutable {
    context.err << fmt::format("{} of {}: without {}\n", ++done, probes.size(), probe);
    progress.say(fmt::format("{} of {}: without {}", done, probes.size(), probe));
    return without(context, options, gpu, {probe});
  };
  const Result worth = worth_of_probes(gpu, probes, without_one, series, context.database().evidence(),
                                       cards_of(context, gpu, series));
  progress.end();
  give(context, options.answer, worth);
  context.exit_code = silent_rows(worth) > 0 ? 1 : 0;
}

// What is held against what: of the GPU without the probes that are hidden.
struct Question {
  Gpu gpu;
  std::vector<Series> series;
  std::vector<Gpu> cards;
};

Question question_of(Context& context, const ValidateOptions& options, Gpu gpu) {
  if (!options.hide.empty()) gpu = without(context, options, gpu, options.hide);
  std::vector<Series> series = asked_series(context, options, gpu);
  const std::string& table = options.answer.table;
  if (!table.empty()) require_table_called(series, table, options.summary);
  std::vector<Gpu> cards = cards_of(context, gpu, series);
  return {.gpu = std::move(gpu), .series = std::move(series), .cards = std::move(cards)};
}

// `store`: of predictions that are kept or to be kept; nullptr: of none.
Result judged(Context& context, const ValidateOptions& options, Question& question, PredictionStore* store,
              Progress& progress) {
  const Gpu& gpu = question.gpu;
  const std::vector<GpuErrors> elsewhere = kept_errors(context).gpus;
  const auto with = [&](const std::vector<Series>& series) {
    progress.say(fmt::format("validate {}: {} series", gpu.name, series.size()));
    return options.summary
               ? summary_of(gpu, series, context.database().evidence(), question.cards, store, elsewhere)
               : validate(gpu, series, context.database().evidence(), question.cards, store, elsewhere);
  };
  // Another table than the one of --table takes its time.
  const std::string& table = options.answer.table;
  std::vector<Series> needed = question.series;
  if (!options.summary && !table.empty()) keep_table_called(needed, table);
  Result result = with(needed);
  // Why there is none is said with all that there are.
  if (needed.size() < question.series.size() && !options.bands && !only_table(result, table))
    result = with(question.series);
  else
    question.series = std::move(needed);
  if (!options.hide.empty())
    result.verdict.push_back(fmt::format("Hidden, as if never measured: what these probes find ({}).",
                                         fmt::join(options.hide, ", ")));
  if (const std::string kept = facts_kept(result.constants); !kept.empty()) result.notes.push_back(kept);
  return result;
}

void run(Context& context, ValidateOptions& options) {
  options.answer.check();
  if (options.pairs && (options.summary || !options.answer.table.empty()))
    throw InputError("--pairs is one table of all that is compared: leave --summary and --table away");
  const Gpu gpu = asked_gpu(context, options);
  const std::filesystem::path& database = context.database().root();
  const std::string name = kept_name(context, options, gpu);
  if (options.keep && (name.empty() || !options.models.empty() || !options.answer.table.empty()))
    throw InputError("--keep: the database keeps all that is predicted on a GPU of its own, as it is or with "
                     "--hide all");
  if (options.hide == std::vector<std::string>{"each"}) return give_worth_of_probes(context, options, gpu);
  hwdb::KeptPredictions predictions{.version = context.version, .commit = context.commit, .date = today()};
  // Beside those that are kept bands can be kept.
  const bool computes = options.fresh || (options.keep && !options.bands);
  bool is_kept = false;
  if (!name.empty() && !computes)
    if (std::optional<hwdb::KeptPredictions> kept = kept_predictions(context, name)) {
      predictions = *std::move(kept), is_kept = true;
    }
  PredictionStore* store = is_kept || options.keep || options.bands ? &predictions.store : nullptr;
  Progress progress(context);
  progress.say(fmt::format("validate {}", gpu.name));
  Question question = question_of(context, options, gpu);
  Result result = judged(context, options, question, store, progress);
  if (is_kept)
    context.err << fmt::format(
        "as predicted on {} from the same sources and facts; --fresh computes it again\n", predictions.date);
  if (options.keep && !is_kept) hwdb::keep_predictions(database, name, predictions);
  if (options.keep && name == gpu.name) { // with probes hidden a GPU is another
    const Ledger ledger =
        ledger_of(question.gpu, question.series, context.database().evidence(), question.cards, store);
    hwdb::keep_errors(database, {.gpu = name, .errors = timed_errors(ledger)}, today());
  }
  if (options.bands) {
    const auto compute = [&] {
      const Ledger ledger =
          ledger_of(question.gpu, question.series, context.database().evidence(), question.cards, store);
      return scored_bands(context, question.gpu, question.cards, ledger, progress);
    };
    Table bands = kept_or_scored(context, options.keep || options.fresh || name.empty() ? "" : name,
                                 options.models, compute);
    if (options.keep) hwdb::keep_bands(database, name, {.date = today(), .bands = bands});
    const auto error = std::find_if(result.tables.begin(), result.tables.end(),
                                    [](const Table& table) { return table.title == model_error_title; });
    result.tables.insert(error == result.tables.end() ? error : error + 1, std::move(bands));
  }
  progress.end();
  const Scores scores = score_of(result);
  if (options.pairs) result.tables = {pairs_of(result)};
  give(context, options.answer, result);
  context.err << in_words(scores);
  context.exit_code = scores.out > 0 ? 1 : 0;
}

} // namespace

void add_validate_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = program.add_subcommand(
      "validate", "predicted, measured and error side by side; exit 1 when out of tolerance");
  options->hardware.add_to(*command, true);
  command->option_defaults()->group(option_group::measured);
  command
      ->add_option(
          "--measured", options->hardware.measured_file,
          "a run of 'perfmodel measure', or FILE.launches that 'perfmodel capture' wrote of templates "
          "(default: the committed ones)")
      ->type_name(file_value);
  command
      ->add_option(
          "--hide", options->hide,
          "as if these probes had not run (or all): what they find is inherited or assumed where a rule "
          "does that, so the ledger shows what it costs; else it is what the GPU's file says, or missing; "
          "'each': one after the other, and how much worse each family of the ledger gets")
      ->delimiter(',')
      ->type_name(hidden_value);
  command->add_option("--model", options->models, "what these models predict alone")
      ->delimiter(',')
      ->type_name(model_value);
  command->option_defaults()->group(option_group::answer);
  command->add_flag("--summary", options->summary,
                    "the ledger alone, one line a model and quantity: what was predicted blind, what the "
                    "model was made in view of, and how far each is off");
  command->add_flag(
      "--pairs", options->pairs,
      "one table for programs: a row for each prediction and the value that it is held against, "
      "of all models and quantities");
  command->add_flag("--bands", options->bands,
                    "how many measured rows lie inside the bands of their predictions, of the costs alone "
                    "and with the model error; minutes where the database does not keep it");
  command->option_defaults()->group("Predictions that the database keeps");
  command->add_flag(
      "--fresh", options->fresh,
      "computes all that is predicted, although the database keeps it from the same sources and "
      "facts");
  command->add_flag("--keep", options->keep, "computes it and keeps it in the database");
  options->answer.add_to(*command, false);
  options->answer.add_all_to(*command);
  command->get_option("--table")->description(
      "only this table of the answer: its title, how that begins, or its number; of one comparison, "
      "\"matmul performance: rate of the naive\", nothing else is computed or counted in the verdict; as CSV "
      "without comment lines");
  command->footer(examples_text({"perfmodel validate --hw h200 --model latency-hiding",
                                 "perfmodel validate --hw h200 --table 'pi time'",
                                 "perfmodel validate --hw m2090 --model latency-hiding --all"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
