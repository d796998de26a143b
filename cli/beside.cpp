#include "beside.hpp"

#include "models/core/chart_choice.hpp"
#include "models/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

namespace perfmodel::cli {

namespace {

// Whether the table that is drawn tells rows apart by this key.
bool is_charted(const Result& predicted, const std::string& key) {
  return std::any_of(predicted.tables.begin(), predicted.tables.end(), [&](const Table& table) {
    const std::vector<std::string> ys = columns_named(predicted.chart.y);
    return !ys.empty() && table.find(predicted.chart.x) != nullptr && table.find(ys.front()) != nullptr &&
           table.find(key) != nullptr;
  });
}

// The rows measured at the defaults of what was not asked for, which the predicted line is drawn with,
// without the words that say no more than that ("load" of loads, "identity"); all, where there are none.
Table rows_at_defaults(const Model& model, const Request& request, const Table& table,
                       const Result& predicted) {
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
  if (rows.rows() == 0) return table;
  std::erase_if(rows.columns, [&](const Column& column) {
    return column.is_text() && !is_charted(predicted, column.name) &&
           std::any_of(defaults.begin(), defaults.end(),
                       [&](const auto& d) { return d.first->name == column.name; });
  });
  return rows;
}

// The table of an answer that its chart is of; nullptr where it has none.
const Table* drawn_table(const Result& result, const ChartChoice& chart) {
  const std::vector<std::string> ys = columns_named(chart.y);
  for (const Table& table : result.tables)
    if (!ys.empty() && table.find(chart.x) != nullptr && table.find(ys.front()) != nullptr) return &table;
  return nullptr;
}

// Whether the chart would be the same, were the choice named.
bool draws_alike(const Table& drawn, const Result& named, const ChartChoice& chart) {
  const Table* other = drawn_table(named, chart);
  if (other == nullptr || other->rows() != drawn.rows()) return false;
  for (const std::string& y : columns_named(chart.y))
    for (std::size_t row = 0; row < drawn.rows(); ++row) {
      const double one = drawn.at(y).number(row), two = other->find(y) ? other->at(y).number(row) : absent;
      if (one != two && !(std::isnan(one) && std::isnan(two))) return false;
    }
  return true;
}

// Those choices that the answer has made without a word: of `divergence`, which kernel's branch.
class ChoicesMade {
public:
  ChoicesMade(const Model& model, std::span<const Gpu> gpus, const Request& request, const Result& predicted)
      : model_(model), gpus_(gpus), request_(request), predicted_(predicted) {}

  // The rows of those that were made, without their names, which the chart has not.
  // Numbers of their own have only those that go with such a choice.
  Table rows_of(Table table) {
    bool chosen = false;
    for (const Option& option : model_.options) {
      const Column* key = table.find(option.name);
      const bool is_word = option.kind == OptionKind::choice;
      const bool is_number = option.kind == OptionKind::number && chosen;
      const bool unsaid = key != nullptr && key->role == Role::key && (is_word || is_number) &&
                          key->is_text() == is_word && option.default_text.empty() &&
                          !is_charted(predicted_, option.name);
      if (!unsaid) continue;
      const auto value_of = [&](std::size_t row) {
        return is_word ? Value{.text = key->text(row)} : Value{.number = key->number(row)};
      };
      std::vector<char> made;
      for (std::size_t row = 0; row < table.rows(); ++row)
        made.push_back(is_made(option.name, value_of(row)) ? 1 : 0);
      if (std::find(made.begin(), made.end(), 1) == made.end()) continue;
      chosen = true;
      table = rows_where(table, [&](std::size_t row) { return made[row] != 0; });
      std::erase_if(table.columns, [&](const Column& column) { return column.name == option.name; });
    }
    return table;
  }

private:
  const Model& model_;
  std::span<const Gpu> gpus_;
  const Request& request_;
  const Result& predicted_;
  std::vector<std::tuple<std::string, Value, bool>> known_;

  bool is_made(const std::string& option, const Value& choice) {
    if (choice.text.empty() && std::isnan(choice.number)) return true; // it is not told
    for (const auto& [name, value, made] : known_)
      if (name == option && value.text == choice.text &&
          (!choice.text.empty() || value.number == choice.number))
        return made;
    const bool made = has_made(option, choice);
    known_.emplace_back(option, choice, made);
    return made;
  }

  bool has_made(const std::string& option, const Value& choice) const {
    const bool asked = std::any_of(request_.inputs.begin(), request_.inputs.end(),
                                   [&](const Axis& axis) { return axis.name == option; });
    const Table* drawn = drawn_table(predicted_, predicted_.chart);
    if (asked || drawn == nullptr) return false;
    Request named = request_;
    named.inputs.push_back({option, {choice}});
    named.points_only = named.quick_grades = true, named.bands = false;
    try {
      return draws_alike(*drawn, predict(model_, gpus_, named), predicted_.chart);
    } catch (const InputError&) { // it goes with nothing that was asked
      return false;
    }
  }
};

// What a series says nothing of has its default there, as where it is validated: of words of 4, 8 and 16 B
// that are asked for, copies of words of no stated size are those of 4 B.
void add_defaults(const Model& model, const Request& request, Table& table) {
  for (const Axis& axis : request.inputs) {
    const Option* option = model.find(axis.name);
    if (option == nullptr || option->default_text.empty() || table.find(axis.name) != nullptr) continue;
    const bool is_number = option->kind == OptionKind::number;
    if (!is_number && option->kind != OptionKind::choice) continue;
    const Value value = parse_values(*option, option->default_text).front();
    Column key{.name = axis.name, .unit = option->unit, .role = Role::key, .cells = {}};
    if (is_number)
      key.cells = std::vector<double>(table.rows(), value.number);
    else
      key.cells = std::vector<std::string>(table.rows(), value.text);
    table.columns.insert(table.columns.begin(), std::move(key));
  }
}

} // namespace

void draw_what_was_measured(Result& result, const std::vector<Series>& series) {
  const auto draws = [&](const Series& s, const std::string& y) {
    return s.value == y && s.table.find(result.chart.x) != nullptr;
  };
  for (const std::string& y : columns_named(result.chart.y))
    if (std::any_of(series.begin(), series.end(), [&](const Series& s) { return draws(s, y); })) return;
  const Series* drawn = nullptr; // a time, else the first
  for (const Series& s : series)
    for (const Table& table : result.tables) {
      const Column* y = table.find(s.value);
      if (y == nullptr || y->role != Role::predicted || table.find(result.chart.x) == nullptr ||
          !draws(s, s.value))
        continue;
      if (drawn == nullptr || (s.value == "time" && drawn->value != "time")) drawn = &s;
    }
  if (drawn != nullptr) choose_y(result.chart, result, drawn->value);
}

std::vector<Result> charted(const Model& model, std::span<const Gpu> gpus, const Request& request,
                            const std::vector<Series>& series, const Result& predicted) {
  std::vector<Result> results;
  ChoicesMade made(model, gpus, request, predicted);
  for (const Series& s : series) {
    const bool is_roofline = model.info.chart == ChartKind::roofline;
    Table table = is_roofline ? s.table : rows_at_defaults(model, request, made.rows_of(s.table), predicted);
    if (!is_roofline) add_defaults(model, request, table);
    if (table.find("gpu") == nullptr && s.gpu != any_gpu) // a count is that of every one
      table.columns.insert(
          table.columns.begin(),
          {.name = "gpu", .role = Role::key, .cells = std::vector<std::string>(table.rows(), s.gpu)});
    results.push_back({.kind = s.kind,
                       .model = s.model,
                       .title = s.quantity,
                       .tables = {std::move(table)},
                       .notes = {s.source}});
  }
  return results;
}

} // namespace perfmodel::cli
