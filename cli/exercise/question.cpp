#include "question.hpp"

#include "drawn.hpp"
#include "needed_steps.hpp"

#include "cli/cell_text.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace perfmodel::cli {

namespace {

// How often a draw may come to nothing (a point that the GPU refuses, a question that was asked already)
// before there is none.
constexpr int most_draws = 100;

// Options as the command line takes them, in the names of steps and the keys of rows.
std::string raw(const std::string& text, const std::vector<DrawnValue>& drawn) {
  return filled_in(text, [&](std::string_view name) -> std::optional<Said> {
    for (const DrawnValue& value : drawn)
      if (value.name == name) return Said{.words = value.text};
    return std::nullopt;
  });
}

bool holds(const Column& column, std::size_t row, const std::string& value) {
  if (column.is_text() || column.text(row) == value) return column.text(row) == value;
  try {
    const double number = parse_quantity_as(value, column.unit);
    return std::abs(column.number(row) - number) <= 1e-9 * std::abs(number);
  } catch (const InputError&) {
    return false;
  }
}

// Where the answer stands.
struct Place {
  const Table* table;
  std::size_t row;
};

std::optional<Place> place_of(const Result& result, const std::string& column,
                              const std::vector<std::pair<std::string, std::string>>& keys) {
  for (const Table& table : result.tables) {
    if (table.find(column) == nullptr) continue;
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
            const Column* of = table.find(key.first);
            return of != nullptr && holds(*of, row, key.second);
          }))
        return Place{&table, row};
  }
  return std::nullopt;
}

const Step* find_step(const Result& result, std::string_view symbol) {
  for (const Derivation& derivation : result.derivations)
    for (const Step& step : derivation.steps)
      if (step.symbol == symbol) return &step;
  return nullptr;
}

// A step of that symbol, else a cell of the answer's row.
std::optional<Step> told(const Result& result, const Place& place, const std::string& name) {
  if (const Step* step = find_step(result, name)) return *step;
  const Column* column = place.table->find(name);
  if (column == nullptr) return std::nullopt;
  Step step{.symbol = name};
  if (column->is_text())
    step.text = column->text(place.row);
  else {
    step.value = column->number(place.row);
    step.unit = integer_rows(*place.table)[place.row] ? as_operations(column->unit) : column->unit;
  }
  return step;
}

std::optional<Said> said_of(const std::optional<Step>& step) {
  if (!step || (step->text.empty() && std::isnan(step->value))) return std::nullopt;
  return Said{.number = step->value, .unit = step->unit, .words = step->text};
}

std::string command_of(const Question& question, const std::vector<DrawnValue>& drawn) {
  std::string command = "perfmodel " + question.model;
  if (!question.gpu.empty()) command += " --hw " + question.gpu;
  for (const DrawnValue& value : drawn) {
    if (!value.is_option) continue;
    const bool plain =
        value.text.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-_,/:") == std::string::npos;
    command += fmt::format(" --{} {}", value.name, plain ? value.text : "'" + value.text + "'");
  }
  return command + " --explain";
}

bool is_told(const Step& step) {
  return step.formula.empty() && (step.is_fact || step.grade != Grade::known);
}

LookUp what_is_known(const std::vector<DrawnValue>& drawn, const Gpu* gpu) {
  return [&drawn, gpu](std::string_view name) { return look_up_drawn(name, drawn, gpu); };
}

// The question with its answer; empty where the model has no such number. Throws InputError.
std::optional<Question> answered(const Model& model, const hwdb::Exercise& exercise, const Gpu* gpu,
                                 const std::vector<DrawnValue>& drawn, const std::string& text) {
  Question question{.model = exercise.model, .gpu = gpu == nullptr ? "" : gpu->name, .text = text};
  for (const DrawnValue& value : drawn)
    if (value.is_option)
      question.inputs.push_back({value.name, {value.value}});
    else
      question.row.emplace_back(value.name, raw(value.text, drawn));
  question.column = exercise.ask;
  question.command = command_of(question, drawn);
  const LookUp known = what_is_known(drawn, gpu);
  Request request{.inputs = question.inputs, .explain = true, .quick_grades = true};
  const Result result = predict(model, gpu == nullptr ? std::span<const Gpu>() : std::span(gpu, 1), request);
  const std::optional<Place> place = place_of(result, exercise.ask, question.row);
  if (!place) return std::nullopt;
  const Column& column = place->table->at(exercise.ask);
  question.answer = column.number(place->row);
  if (!std::isfinite(question.answer)) return std::nullopt;
  question.unit = integer_rows(*place->table)[place->row] ? as_operations(column.unit) : column.unit;

  for (const Derivation& derivation : result.derivations)
    for (Step& step : needed_steps(derivation, raw(exercise.step, drawn)))
      (is_told(step) ? question.given : question.steps).push_back(std::move(step));
  const LookUp of_answer = [&](std::string_view name) {
    if (name == "answer") return std::optional<Said>(Said{.words = answer_text(question)});
    const std::optional<Said> cell = said_of(told(result, *place, std::string(name)));
    const std::optional<Said> said = known(name);
    return said ? said : cell;
  };
  for (const std::string& name : exercise.given) {
    if (std::any_of(question.given.begin(), question.given.end(),
                    [&](const Step& step) { return step.symbol == name; }))
      continue;
    if (std::optional<Step> step = told(result, *place, name))
      question.given.push_back(std::move(*step));
    else if (const std::optional<Said> said = known(name))
      question.given.push_back({.symbol = name,
                                .meaning = std::string(find_key(name)->meaning),
                                .value = said->number,
                                .unit = said->unit,
                                .text = said->words});
    else
      throw InputError(fmt::format("its answer has no '{}'", name));
  }
  for (const std::string& sentence : exercise.because)
    question.because.push_back(plain_terms(filled_in(sentence, of_answer)));
  return question;
}

// Whether a GPU's numbers are in it: not where a model takes the machine from its inputs, all of which are
// drawn.
bool is_about_a_gpu(const Model& model, const hwdb::Exercise& exercise) {
  return model.info.gpu == GpuUse::needed || exercise.question.find("{gpu}") != std::string::npos ||
         std::any_of(exercise.given.begin(), exercise.given.end(),
                     [](const std::string& name) { return find_key(name) != nullptr; });
}

} // namespace

std::string example_of(const hwdb::Exercise& exercise) {
  Seeded seeded(1);
  const std::vector<DrawnValue> drawn = drawn_values(model(exercise.model), exercise, seeded);
  std::string text = exercise.question;
  constexpr std::string_view gpu = "an {gpu}";
  for (std::size_t at = 0; (at = text.find(gpu, at)) != std::string::npos;)
    text.replace(at, gpu.size(), "a GPU");
  const LookUp known = what_is_known(drawn, nullptr);
  return plain_terms(filled_in(text, [&](std::string_view name) {
    const std::optional<Said> said = known(name);
    return said ? said : Said{.words = "..."}; // a fact of the GPU
  }));
}

std::string answer_text(const Question& question) { return format_quantity(question.answer, question.unit); }

QuestionMaker::QuestionMaker(const Model& model, std::vector<hwdb::Exercise> exercises, const Gpu* gpu,
                             std::uint64_t seed)
    : model_(model), exercises_(std::move(exercises)), gpu_(gpu), seed_(seed) {}

std::optional<Question> QuestionMaker::next() {
  Seeded seeded(seed_);
  seeded.mix(model_.info.name);
  seeded.mix(asked_);
  std::string why = "it has no such number";
  for (int draw = 0; draw < most_draws; ++draw) {
    try {
      const hwdb::Exercise& exercise = exercises_[seeded.below(exercises_.size())];
      const Gpu* gpu = is_about_a_gpu(model_, exercise) ? gpu_ : nullptr;
      const std::vector<DrawnValue> drawn = drawn_values(model_, exercise, seeded);
      const std::string text = plain_terms(filled_in(exercise.question, what_is_known(drawn, gpu)));
      if (!tried_.insert(text).second) continue;
      std::optional<Question> question = answered(model_, exercise, gpu, drawn, text);
      if (!question) continue;
      ++asked_;
      return question;
    } catch (const InputError& e) { // a point that this GPU refuses
      why = e.what();
    }
  }
  if (asked_ == 0)
    throw InputError(fmt::format("no exercise of {} can be asked about {}: {}", model_.info.name,
                                 gpu_ == nullptr ? "no GPU" : gpu_->name,
                                 exercises_.front().otherwise.empty() ? why : exercises_.front().otherwise));
  return std::nullopt;
}

} // namespace perfmodel::cli
