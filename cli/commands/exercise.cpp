// perfmodel exercise [MODEL]: a question with a GPU's numbers, a prediction, and the worked solution.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/exercise/exercises.hpp"
#include "cli/exercise/learner.hpp"
#include "cli/exercise/sheet.hpp"
#include "cli/option_groups.hpp"
#include "cli/progress.hpp"
#include "cli/terminal_width.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include <unistd.h>

namespace perfmodel::cli {

namespace {

constexpr double most_questions = 1000, most_seed = 9007199254740992; // 2^53: every seed is one double

struct ExerciseOptions {
  std::string model, hw, format, file;
  std::vector<std::string> set;
  std::string seed = "1", count; // count: "" for one question, which is no sheet
  bool answer = false, key = false;
};

std::string format_of(const ExerciseOptions& options) {
  const std::vector<std::string> known(sheet_formats.begin(), sheet_formats.end());
  const std::string extension = std::filesystem::path(options.file).extension().string();
  const std::string by_name = extension == ".txt"   ? "text"
                              : extension == ".md"  ? "markdown"
                              : extension == ".tex" ? "latex"
                                                    : "";
  std::string format = options.format;
  if (format.empty() && !options.file.empty()) {
    format = by_name;
    if (format.empty())
      throw InputError(
          fmt::format("-o {}: the extension says no format: .txt .md .tex, or give --format", options.file));
  }
  if (format.empty()) return "text";
  if (!by_name.empty() && by_name != "text" && by_name != format)
    throw InputError(fmt::format("-o {}: the extension says {}, --format says {}: leave out --format, or "
                                 "choose another extension",
                                 options.file, by_name, format.substr(0, 40)));
  if (std::find(known.begin(), known.end(), format) == known.end())
    throw InputError(fmt::format("--format: unknown format '{}'{}; one of {} is expected",
                                 format.substr(0, 40), suggestion(format, known), fmt::join(known, ", ")));
  return format;
}

// Throws InputError: no whole number from `least` to `most`.
double number_in(const char* option, const std::string& text, double least, double most) {
  double number = absent;
  try {
    number = parse_quantity_as(text, {});
  } catch (const InputError&) { // said below
  }
  if (!(number == std::floor(number) && number >= least && number <= most))
    throw InputError(fmt::format("--{}: a whole number from {} to {} is expected, not '{}'", option, least,
                                 most, text.substr(0, 40)));
  return number;
}
std::uint64_t seed_of(const ExerciseOptions& options) {
  return static_cast<std::uint64_t>(number_in("seed", options.seed, 0, most_seed));
}
std::size_t count_of(const ExerciseOptions& options) {
  if (options.count.empty()) return 1;
  return static_cast<std::size_t>(number_in("count", options.count, 1, most_questions));
}

void check(const ExerciseOptions& options) {
  format_of(options);
  if (options.answer && options.key)
    throw InputError("--answer gives questions and solutions, --key the solutions alone: give one of them");
  seed_of(options);
  count_of(options);
}

// What can be asked, for a command that names no model: an example of each kind of question.
Result every_exercise(const std::filesystem::path& database) {
  Table table{.title = "what is asked of each model, with numbers as they may be drawn"};
  table.columns = {{.name = "model", .unit = {}, .role = Role::key, .cells = std::vector<std::string>{}},
                   {.name = "question", .unit = {}, .role = Role::note, .cells = std::vector<std::string>{}}};
  for (const std::string& model : hwdb::exercise_models(database))
    for (const hwdb::Exercise& exercise : hwdb::exercises_of(database, model)) {
      append(table.columns[0], model);
      append(table.columns[1], example_of(exercise));
    }
  return {.tables = {std::move(table)}};
}

std::vector<std::string> models_asked_for(const ExerciseOptions& options,
                                          const std::vector<std::string>& with_exercises) {
  if (options.model == "all") { // each seed begins with another model
    std::vector<std::string> models = with_exercises;
    const auto n = static_cast<std::ptrdiff_t>(models.size());
    const auto first = (static_cast<std::ptrdiff_t>(seed_of(options) % models.size()) + n - 1) % n;
    std::rotate(models.begin(), models.begin() + first, models.end());
    return models;
  }
  const std::string name(model(options.model).info.name); // throws what an unknown name is near to
  if (std::find(with_exercises.begin(), with_exercises.end(), name) == with_exercises.end())
    throw InputError(fmt::format("there is no exercise about {}; there are some about {}", name,
                                 fmt::join(with_exercises, ", ")));
  return {name};
}

std::optional<Gpu> gpu_asked_about(Context& context, const ExerciseOptions& options,
                                   const std::vector<std::string>& names) {
  if (options.hw.empty()) {
    if (!options.set.empty()) throw InputError("--set changes a fact of a GPU: name the GPU with --hw");
    for (const std::string& name : names)
      if (model(name).info.gpu == GpuUse::needed)
        throw InputError(fmt::format("exercise {}: name the GPU that it is about, as in --hw m2090", name));
    return std::nullopt;
  }
  std::vector<Gpu> gpus = devices(context, {.hw = options.hw});
  if (gpus.size() != 1) throw InputError("exercise: --hw names one GPU, whose numbers the questions have");
  return with_set(std::move(gpus.front()), options.set);
}

// "m2090", "clock=1GHz".
std::vector<std::string> named(const Gpu& gpu, const ExerciseOptions& options) {
  std::vector<std::string> words = {gpu.name};
  words.insert(words.end(), options.set.begin(), options.set.end());
  return words;
}

// Of several models one question each, in turn.
std::vector<Question> questions(Context& context, const ExerciseOptions& options,
                                const std::vector<std::string>& names, const Gpu* gpu) {
  std::vector<QuestionMaker> makers;
  for (const std::string& name : names) {
    const Model& of = model(name);
    makers.emplace_back(of, exercises_to_ask(context, name), of.info.gpu == GpuUse::none ? nullptr : gpu,
                        seed_of(options));
  }
  const std::size_t count = count_of(options);
  std::vector<Question> all;
  std::vector<std::string> left_out;
  std::vector<bool> ended(makers.size(), false);
  Progress progress(context);
  while (all.size() < count && std::find(ended.begin(), ended.end(), false) != ended.end())
    for (std::size_t i = 0; i < makers.size() && all.size() < count; ++i) {
      if (ended[i]) continue;
      progress.say(fmt::format("{}/{} questions, now about {}", all.size(), count, names[i]));
      try {
        std::optional<Question> next = makers[i].next();
        ended[i] = !next;
        if (next) all.push_back(std::move(*next));
      } catch (const InputError& e) { // among several models it is left out
        if (makers.size() == 1) throw;
        ended[i] = true;
        left_out.push_back(e.what());
      }
    }
  progress.end();
  for (const std::string& why : left_out) context.err << why << '\n';
  if (all.size() < count)
    context.err << fmt::format("{} question{}, not {}: there are no more about {}{}\n", all.size(),
                               all.size() == 1 ? "" : "s", count,
                               makers.size() == 1 ? names.front() : "these models",
                               makers.size() == 1 ? "; 'all' in its place asks about each model" : "");
  return all;
}

// Whether a question is asked for, not which there are: then of all models, where none is named.
bool asks_for_one(const ExerciseOptions& options) {
  return !options.hw.empty() || !options.set.empty() || !options.count.empty() || !options.format.empty() ||
         !options.file.empty() || options.seed != "1" || options.answer || options.key;
}

void run(Context& context, ExerciseOptions options) {
  check(options);
  const std::vector<std::string> with_exercises = hwdb::exercise_models(context.database().root());
  if (options.model.empty() && !asks_for_one(options))
    return give(context, {}, every_exercise(context.database().root()));
  if (options.model.empty()) options.model = "all";
  const std::vector<std::string> names = models_asked_for(options, with_exercises);
  const std::optional<Gpu> gpu = gpu_asked_about(context, options, names);
  Sheet sheet{.questions = questions(context, options, names, gpu ? &*gpu : nullptr)};
  const bool is_about_gpu = std::any_of(sheet.questions.begin(), sheet.questions.end(),
                                        [](const Question& question) { return !question.gpu.empty(); });
  if (gpu && !is_about_gpu)
    context.err << fmt::format("no question has a number of a GPU: --hw {} makes no difference\n", gpu->name);
  sheet.title = fmt::format("Exercises: {}{}, seed {}", options.model == "all" ? "all models" : options.model,
                            is_about_gpu ? fmt::format(", {}", fmt::join(named(*gpu, options), ", ")) : "",
                            seed_of(options));
  const Parts parts = options.answer ? Parts::both : options.key ? Parts::key : Parts::questions;
  const std::string format = format_of(options);
  const std::string page = format == "latex"      ? sheet_latex(sheet, parts)
                           : format == "markdown" ? sheet_markdown(sheet, parts)
                                                  : sheet_text(sheet, parts, text_columns());
  if (!options.file.empty()) return hwdb::write_whole(options.file, page);
  context.out << printable_lines(page);
  const bool asks =
      options.count.empty() && parts == Parts::questions && format == "text" && !sheet.questions.empty();
  if (!asks || isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return;
  context.out << "\n";
  ask_learner(std::cin, context.out, sheet.questions.front());
  context.out << "\n" << printable_lines(sheet_text(sheet, Parts::key, text_columns()));
}

} // namespace

void add_exercise_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<ExerciseOptions>();
  CLI::App* command =
      program.add_subcommand("exercise", "a question to predict the answer of, and how it is worked out");
  command->option_defaults()->group(option_group::question);
  command
      ->add_option(
          "model", options->model,
          "what it is about: a model, or all (default: all; without any option it lists what can be asked)")
      ->type_name(model_value);
  command->add_option("--hw", options->hw, "GPU whose numbers it has: a name, an alias or a YAML file")
      ->type_name(gpu_value);
  command
      ->add_option("--set", options->set,
                   "with this fact in place of the GPU's own, such as clock=1GHz; again for more")
      ->type_name(fact_value)
      ->allow_extra_args(false);
  command
      ->add_option("--seed", options->seed,
                   "which question: the same seed asks the same everywhere, default 1")
      ->type_name(number_value);
  command->option_defaults()->group(option_group::answer);
  command->add_flag("--answer", options->answer, "the worked solution below each question");
  command->add_option("--count", options->count, "a sheet of so many questions")->type_name(number_value);
  command->add_flag("--key", options->key, "the worked solutions without the questions");
  command
      ->add_option("--format", options->format,
                   "text, markdown or latex (default: by the extension of -o, else text)")
      ->type_name(format_value);
  command->add_option("-o,--output", options->file, "write to this file: .txt .md .tex")
      ->type_name(file_value);
  command->footer("On a terminal it waits for your prediction before it shows the solution: within 10 % is "
                  "right, within a factor of 2 near.\n\n" +
                  examples_text({"perfmodel exercise littles-law --hw m2090 --seed 7",
                                 "perfmodel exercise occupancy --hw h200 --answer",
                                 "perfmodel exercise all --hw m2090 --count 20 --format markdown"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
