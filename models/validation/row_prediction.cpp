#include "row_prediction.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace perfmodel {

namespace {

bool same_key(const Column& a, std::size_t i, const Column& b, std::size_t j) {
  if (a.is_text() || b.is_text()) return a.text(i) == b.text(j);
  const double x = a.number(i), y = b.number(j);
  return x == y || std::fabs(x - y) <= 1e-9 * std::fabs(y);
}

// One row of a series as a question to its model.
struct Question {
  Request request;
  std::vector<const Column*> picks; // keys of the answer's row
};

Question question_of(const Model& model, const Series& series, std::size_t row) {
  Question question;
  for (const Column& column : series.table.columns) {
    if (column.role != Role::key || column.name == "gpu") continue;
    Axis axis{column.name, {{column.number(row), column.is_text() ? column.text(row) : ""}}};
    if (model.find(column.name) != nullptr)
      question.request.inputs.push_back(std::move(axis));
    else if (find_key(column.name) != nullptr)
      question.request.facts.push_back(std::move(axis));
    else
      question.picks.push_back(&column);
  }
  // A measurement is held against what other probes measured, unless it says otherwise.
  if (series.kind == Kind::measured && model.find("basis") != nullptr &&
      series.table.find("basis") == nullptr)
    question.request.inputs.push_back({"basis", {{.text = "measured"}}});
  return question;
}

// The value in the row that the question picks; empty when the answer has no such row.
std::optional<double> value_in(const Result& answer, const Question& question, const Series& series,
                               std::size_t row) {
  for (const Table& table : answer.tables) {
    const Column* value = table.find(series.value);
    if (value == nullptr) continue;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const bool match = std::all_of(question.picks.begin(), question.picks.end(), [&](const Column* pick) {
        const Column* key = table.find(pick->name);
        return key != nullptr && same_key(*key, i, *pick, row);
      });
      if (match) return value->number(i);
    }
  }
  return std::nullopt;
}

// Taking the constant away changes the answer, or leaves none.
bool rests_on(const Step& constant, const Model& model, Gpu gpu, const Question& question,
              const Series& series, std::size_t row, double value) {
  if (model.info.simulated || (constant.is_fitted && !constant.is_fact)) return true;
  gpu.facts.erase(constant.symbol);
  try {
    return value_in(predict(model, std::span(&gpu, 1), question.request), question, series, row) != value;
  } catch (const InputError&) {
    return true;
  }
}

} // namespace

bool covers(const Model& model, const Series& series) {
  const auto has_output = [&](const std::string& name) {
    return std::find(model.outputs.begin(), model.outputs.end(), name) != model.outputs.end();
  };
  const auto known = [&](const Column& c) {
    return c.role != Role::key || c.name == "gpu" || model.find(c.name) != nullptr ||
           find_key(c.name) != nullptr || has_output(c.name);
  };
  return has_output(series.value) &&
         std::all_of(series.table.columns.begin(), series.table.columns.end(), known);
}

RowPrediction predict_row(const Model& model, const Gpu& gpu, const Series& series, std::size_t row,
                          std::span<const Step> known) {
  Question question = question_of(model, series, row);
  // The machine's tables cost more than a point: they are asked for where the value stands in one of them.
  question.request.points_only = true;
  Result answer = predict(model, std::span(&gpu, 1), question.request);
  std::optional<double> value = value_in(answer, question, series, row);
  if (!value) {
    question.request.points_only = false;
    answer = predict(model, std::span(&gpu, 1), question.request);
    value = value_in(answer, question, series, row);
  }
  if (!value)
    throw InputError(fmt::format("{}: the model '{}' has no row with the keys of row {} and a column '{}'",
                                 series.place, series.model, row + 1, series.value));
  RowPrediction prediction{.value = *value, .tolerance = series.tolerance, .notes = std::move(answer.notes)};
  if (std::isnan(prediction.tolerance))
    prediction.tolerance =
        model.tolerance ? model.tolerance(model, gpu, question.request) : model.info.tolerance;
  const auto named = [&](const Step& c) {
    return (series.probe.empty() || c.probe != series.probe) &&
           std::any_of(known.begin(), known.end(),
                       [&](const Step& k) { return k.symbol == c.symbol && k.place == c.place; });
  };
  for (Step& constant : answer.constants)
    if (!named(constant) && rests_on(constant, model, gpu, question, series, row, *value))
      prediction.constants.push_back(std::move(constant));
  return prediction;
}

} // namespace perfmodel
