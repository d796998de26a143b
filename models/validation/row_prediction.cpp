#include "row_prediction.hpp"

#include "models/core/error.hpp"
#include "models/core/what_if.hpp"

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

// What one row of a series asks its model, and the keys that pick a row of the answer.
struct RowQuestion {
  Request request;
  std::vector<const Column*> picks;
};

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

std::vector<std::string> words_of(const Model& model, const Request& request) {
  std::vector<std::string> words{std::string(model.info.name), request.points_only ? "points" : "all"};
  for (const std::vector<Axis>* axes : {&request.inputs, &request.facts})
    for (const Axis& axis : *axes) {
      const Value& value = axis.values.front();
      words.push_back(axis.name);
      words.push_back(value.text.empty() ? fmt::format("{}", value.number) : value.text);
    }
  return words;
}

struct Picked {
  double value = absent;
  std::string grade;
};

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
      const Column* grade = table.find("grade");
      if (match) return Picked{value->number(i), grade != nullptr ? grade->text(i) : ""};
    }
  }
  return std::nullopt;
}

std::optional<double> value_in(const Result& answer, const RowQuestion& asked, const Series& series,
                               std::size_t row) {
  const std::optional<Picked> picked = picked_in(answer, asked, series, row);
  return picked ? std::optional(picked->value) : std::nullopt;
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

bool names_nothing_of(const Model& model, const Column& key) {
  const Option* option = key.role == Role::key ? model.find(key.name) : nullptr;
  if (option == nullptr || option->kind != OptionKind::choice || !key.is_text()) return false;
  for (std::size_t row = 0; row < key.size(); ++row)
    if (std::find(option->choices.begin(), option->choices.end(), key.text(row)) != option->choices.end())
      return false;
  return key.size() > 0;
}

bool is_yardstick(const Model& model, const Series& series) {
  return series.kind == Kind::measured &&
         std::any_of(series.table.columns.begin(), series.table.columns.end(),
                     [&](const Column& key) { return names_nothing_of(model, key); });
}

RowPredictions::Device& RowPredictions::assuming(const Assumed& facts) {
  const auto there = devices_.find(facts);
  if (there != devices_.end()) return there->second;
  Gpu gpu = gpu_;
  for (const auto& [path, text] : facts) gpu = with_fact(std::move(gpu), path, std::string_view(text));
  return devices_.emplace(facts, Device{.gpu = std::move(gpu), .answers = {}}).first->second;
}

const Result& RowPredictions::ask(Device& device, const Model& model, const Request& request) {
  std::optional<Result>& answer = device.answers[words_of(model, request)];
  if (!answer) answer = predict(model, std::span(&device.gpu, 1), request);
  return *answer;
}

const std::optional<Result>& RowPredictions::ask_without(Device& device, const Model& model,
                                                         const Request& request,
                                                         std::span<const Step> constants) {
  Question question = words_of(model, request);
  question.push_back("without");
  for (const Step& constant : constants) question.push_back(constant.symbol);
  const auto [at, is_new] = device.answers.try_emplace(std::move(question));
  if (!is_new) return at->second;
  std::vector<decltype(Gpu::facts)::node_type> taken;
  for (const Step& constant : constants) taken.push_back(device.gpu.facts.extract(constant.symbol));
  try {
    at->second = predict(model, std::span(&device.gpu, 1), request);
  } catch (const InputError&) {
    at->second.reset();
  }
  for (auto& fact : taken) device.gpu.facts.insert(std::move(fact));
  return at->second;
}

RowPrediction RowPredictions::of(const Model& model, const Series& series, std::size_t row,
                                 std::span<const Step> known) {
  Device& device = assuming(series.facts);
  RowQuestion asked = asked_by(model, series, row, Rows::asked_for);
  // The machine's tables cost more than a point: they are asked for where the value stands in one of them.
  asked.request.points_only = true;
  asked.request.quick_grades = quick_;
  const Result* answer = &ask(device, model, asked.request);
  std::optional<Picked> picked = picked_in(*answer, asked, series, row);
  if (!picked) {
    asked.request.points_only = false;
    answer = &ask(device, model, asked.request);
    picked = picked_in(*answer, asked, series, row);
  }
  // What a row gains over another is known beside that one alone.
  if (RowQuestion whole = asked_by(model, series, row, Rows::all);
      picked && std::isnan(picked->value) && whole.picks.size() > asked.picks.size()) {
    whole.request.quick_grades = quick_;
    const Result& all = ask(device, model, whole.request);
    if (auto beside = picked_in(all, whole, series, row)) {
      picked = std::move(beside);
      answer = &all;
      asked = std::move(whole);
    }
  }
  if (!picked)
    throw InputError(fmt::format("{}: the model '{}' has no row with the keys of row {} and a column '{}'",
                                 series.place, series.model, row + 1, series.value));
  const double value = picked->value;
  RowPrediction prediction{.value = value, .tolerance = series.tolerance, .grade = picked->grade};
  for (const std::string& note : answer->notes) // its rows have their grades
    if (!note.starts_with(mixed_grades)) prediction.notes.push_back(note);
  if (std::isnan(prediction.tolerance))
    prediction.tolerance =
        model.tolerance ? model.tolerance(model, device.gpu, asked.request) : model.info.tolerance;
  if (std::isnan(prediction.value)) return prediction; // rests on nothing
  const auto named = [&](const Step& c) {
    return (series.probe.empty() || c.probe != series.probe) &&
           std::any_of(known.begin(), known.end(),
                       [&](const Step& k) { return k.symbol == c.symbol && k.place == c.place; });
  };
  std::vector<Step> tried;
  for (const Step& constant : answer->constants) {
    if (named(constant)) continue;
    const bool has_part =
        model.info.simulated || constant.grade != Grade::known || (constant.is_fitted && !constant.is_fact);
    (has_part ? prediction.constants : tried).push_back(constant);
  }
  // Taking them away changes the value, or leaves no answer.
  const auto matter = [&](std::span<const Step> constants) {
    if (constants.empty()) return false;
    const std::optional<Result>& without = ask_without(device, model, asked.request, constants);
    return !without || value_in(*without, asked, series, row) != value;
  };
  if (!matter(tried)) return prediction;
  for (const Step& constant : tried)
    if (matter({&constant, 1})) prediction.constants.push_back(constant);
  return prediction;
}

} // namespace perfmodel
