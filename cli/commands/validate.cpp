// perfmodel validate --hw h200: prediction, measurement and error side by side, and the ledger.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "models/core/error.hpp"
#include "models/core/what_if.hpp"
#include "models/machine/inherit.hpp"
#include "models/validation/hiding.hpp"
#include "models/validation/validate.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace perfmodel::cli {

namespace {

struct ValidateOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  std::vector<std::string> hide;
  bool summary = false;
};

// Series of a card with this GPU's chip that their source does not name, and that it may be.
std::vector<Series> published_of_chip(Context& context, const Gpu& gpu) {
  std::string chip = gpu.chip;
  std::transform(chip.begin(), chip.end(), chip.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (chip.empty() || chip == gpu.name || chip.find_first_of("/.") != std::string::npos) return {};
  std::vector<Series> series = context.database().published(chip);
  std::erase_if(series, [&](const Series& s) {
    return std::find(s.cards.begin(), s.cards.end(), gpu.name) == s.cards.end();
  });
  return series;
}

// The other cards that series name, with what was measured on them.
std::vector<Gpu> cards_of(Context& context, const Gpu& gpu, const std::vector<Series>& series) {
  std::vector<Gpu> cards;
  for (const Series& s : series)
    for (const std::vector<std::string>* names : {&s.cards, &s.shown})
      for (const std::string& name : *names)
        if (name != gpu.name &&
            std::none_of(cards.begin(), cards.end(), [&](const Gpu& c) { return c.name == name; }))
          cards.push_back(devices(context, {.hw = name}).front());
  return cards;
}

std::string in_words(const Scores& scores) {
  std::string text = fmt::format("{} of {} rows out of tolerance", scores.out, scores.scored), classes;
  for (const auto& [evidence, score] : scores.by_class)
    classes +=
        fmt::format("{}{} {} of {}", classes.empty() ? "" : ", ", name_of(evidence), score.out, score.scored);
  if (!classes.empty()) text += fmt::format(" ({})", classes);
  if (scores.calibration > 0) text += fmt::format("; {} of calibration not scored", scores.calibration);
  return text + '\n';
}

void run(Context& context, ValidateOptions& options) {
  options.answer.check();
  const std::vector<Gpu> gpus = devices(context, options.hardware);
  if (gpus.size() != 1) throw InputError("validate takes one GPU at a time");
  Gpu gpu = gpus.front();
  for (const Axis& axis : fact_axes(options.hardware.set)) {
    if (axis.values.size() != 1) throw InputError("validate: --set takes one value");
    gpu = axis.values[0].text.empty()
              ? with_fact(std::move(gpu), axis.name, axis.values[0].number)
              : with_fact(std::move(gpu), axis.name, std::string_view(axis.values[0].text));
  }
  const auto without = [&](const std::vector<std::string>& probes) {
    return context.database().completed(
        without_probes(gpu, probes, context.database().gpu(options.hardware.hw)));
  };
  const bool hides_each = options.hide == std::vector<std::string>{"each"};
  if (!options.hide.empty() && !hides_each) gpu = without(options.hide);
  std::vector<Series> series = context.database().published_about(gpu);
  if (context.database().is_own(gpu))
    for (Series& s : published_of_chip(context, gpu)) series.push_back(std::move(s));
  for (Series& s : measured_series(context, gpu, options.hardware.measured_file, ""))
    series.push_back(std::move(s));
  if (series.empty())
    throw InputError(context.database().is_own(gpu)
                         ? fmt::format("nothing is published about {} and nothing measured on it", gpu.name)
                         : fmt::format("{} is no file of the database: what it is held against is given "
                                       "with --measured FILE",
                                       gpu.file));
  for (const std::string_view name : {any_gpu, the_host})
    for (Series& s : context.database().published(std::string(name))) series.push_back(std::move(s));
  const std::vector<Gpu> cards = cards_of(context, gpu, series);
  if (hides_each && options.summary)
    throw InputError("--hide each lists what each probe is worth: it has no --summary");
  if (hides_each) {
    const std::vector<std::string> probes = probes_that_found(gpu);
    const auto without_one = [&, done = 0](const std::string& probe) mutable {
      context.err << fmt::format("{} of {}: without {}\n", ++done, probes.size(), probe);
      return without({probe});
    };
    const Result worth =
        worth_of_probes(gpu, probes, without_one, series, context.database().evidence(), cards);
    give(context, options.answer, worth);
    context.exit_code = silent_rows(worth) > 0 ? 1 : 0;
    return;
  }
  Result result = options.summary ? summary_of(gpu, series, context.database().evidence(), cards)
                                  : validate(gpu, series, context.database().evidence(), cards);
  if (!options.hide.empty())
    result.verdict.push_back(fmt::format("Hidden, as if never measured: what these probes find ({}).",
                                         fmt::join(options.hide, ", ")));
  if (const std::string kept = facts_kept(result.constants); !kept.empty()) result.notes.push_back(kept);
  give(context, options.answer, result);
  const Scores scores = score_of(result);
  context.err << in_words(scores);
  context.exit_code = scores.out > 0 ? 1 : 0;
}

} // namespace

void add_validate_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = program.add_subcommand(
      "validate", "predicted, measured and error side by side; exit 1 when out of tolerance");
  options->hardware.add_to(*command, true);
  command->add_option("--measured", options->hardware.measured_file,
                      "a run of 'perfmodel measure' (default: the committed ones)");
  command
      ->add_option(
          "--hide", options->hide,
          "as if these probes had not run (or all): what they find is inherited or assumed where a rule "
          "does that, so the ledger shows what it costs; else it is what the GPU's file says, or missing; "
          "'each': one after the other, and how much worse each family of the ledger gets")
      ->delimiter(',');
  command->add_flag("--summary", options->summary,
                    "the ledger alone, one line a model and quantity: in half of the time");
  options->answer.add_to(*command, false);
  options->answer.add_all_to(*command);
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
