#include "row_question.hpp"

#include "models/core/error.hpp"
#include "models/core/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

bool same_key(const Column& a, std::size_t i, const Column& b, std::size_t j) {
  if (a.is_text() || b.is_text()) return a.text(i) == b.text(j);
  const double x = a.number(i), y = b.number(j);
  return x == y || std::fabs(x - y) <= 1e-9 * std::fabs(y);
}

// A choice without a default, such as one version of a ladder: without it the answer has a row for each.
bool narrows(const Option& option) {
  return option.kind == OptionKind::choice && option.default_text.empty();
}

enum class Rows { asked_for, all }; // all: what narrows the answer picks one of its rows instead

RowQuestion asked_by(const Model& model, const Series& series, std::size_t row, Rows rows) {
  RowQuestion asked;
  for (const Column& column : series.table.columns) {
    if (column.role != Role::key || column.name == "gpu") continue;
    Axis axis{column.name, {{column.number(row), column.is_text() ? column.text(row) : ""}}};
    const Option* option = model.find(column.name);
    if (option != nullptr && !(rows == Rows::all && narrows(*option)))
      asked.request.inputs.push_back(std::move(axis));
    else if (find_key(column.name) != nullptr)
      asked.request.facts.push_back(std::move(axis));
    else
      asked.picks.push_back(&column);
  }
  // A measurement is held against what other probes measured, unless it says otherwise.
  if (series.kind == Kind::measured && model.find("basis") != nullptr &&
      series.table.find("basis") == nullptr)
    asked.request.inputs.push_back({"basis", {{.text = "measured"}}});
  // In any order it is the same question.
  const auto by_name = [](const Axis& a, const Axis& b) { return a.name < b.name; };
  std::sort(asked.request.inputs.begin(), asked.request.inputs.end(), by_name);
  std::sort(asked.request.facts.begin(), asked.request.facts.end(), by_name);
  return asked;
}

// What the row that is picked holds; empty when the answer has no such row.
std::optional<Picked> picked_in(const Result& answer, const RowQuestion& asked, const Series& series,
                                std::size_t row) {
  for (const Table& table : answer.tables) {
    const Column* value = table.find(series.value);
    if (value == nullptr) continue;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const bool match = std::all_of(asked.picks.begin(), asked.picks.end(), [&](const Column* pick) {
        const Column* key = table.find(pick->name);
        return key != nullptr && same_key(*key, i, *pick, row);
      });
      if (!match) continue;
      const Column *grade = table.find("grade"), *low = table.find(series.value + "_low"),
                   *high = table.find(series.value + "_high");
      return Picked{.value = value->number(i),
                    .grade = grade != nullptr ? grade->text(i) : "",
                    .band = {.predicted = value->number(i),
                             .low = low != nullptr && high != nullptr ? low->number(i) : absent,
                             .high = low != nullptr && high != nullptr ? high->number(i) : absent}};
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<double> value_in(const Result& answer, const RowQuestion& asked, const Series& series,
                               std::size_t row) {
  const std::optional<Picked> picked = picked_in(answer, asked, series, row);
  return picked ? std::optional(picked->value) : std::nullopt;
}

Answered answered(const Model& model, const Series& series, std::size_t row, const Request& how,
                  const std::function<const Result&(const Request&)>& ask) {
  const auto set = [&](RowQuestion& asked) {
    asked.request.quick_grades = how.quick_grades;
    asked.request.bands = how.bands;
  };
  RowQuestion asked = asked_by(model, series, row, Rows::asked_for);
  set(asked);
  // The machine's tables cost more than a point: they are asked for where the value stands in one of them.
  asked.request.points_only = true;
  const Result* answer = &ask(asked.request);
  std::optional<Picked> picked = picked_in(*answer, asked, series, row);
  if (!picked) {
    asked.request.points_only = false;
    answer = &ask(asked.request);
    picked = picked_in(*answer, asked, series, row);
  }
  // What a row gains over another is known beside that one alone.
  if (RowQuestion whole = asked_by(model, series, row, Rows::all);
      picked && std::isnan(picked->value) && whole.picks.size() > asked.picks.size()) {
    set(whole);
    const Result& all = ask(whole.request);
    if (auto beside = picked_in(all, whole, series, row)) {
      picked = std::move(beside);
      answer = &all;
      asked = std::move(whole);
    }
  }
  if (!picked)
    throw InputError(fmt::format("{}: the model '{}' has no row with the keys of row {} and a column '{}'",
                                 series.place, series.model, row + 1, series.value));
  return {.asked = std::move(asked), .answer = answer, .picked = *std::move(picked)};
}

} // namespace perfmodel
