#include "chart_choice.hpp"

#include "swept_names.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel {

namespace {

bool is_numeric(const Axis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(), [](const Value& v) { return v.text.empty(); });
}

bool varies(const Column& column) {
  for (std::size_t row = 1; row < column.size(); ++row)
    if (column.is_text() ? column.text(row) != column.text(0) : column.number(row) != column.number(0))
      return true;
  return false;
}

// At least three values above zero, each the one before it times the same factor.
bool is_geometric(const Axis& axis) {
  if (axis.values.size() < 3 || !is_numeric(axis) || !(axis.values[0].number > 0)) return false;
  const double factor = axis.values[1].number / axis.values[0].number;
  for (std::size_t i = 1; i < axis.values.size(); ++i)
    if (std::fabs(axis.values[i].number / axis.values[i - 1].number / factor - 1) > 1e-9) return false;
  return factor != 1;
}

// Values above zero, the largest more than a hundred times the smallest: on a linear axis most would be flat.
bool spans_decades(const Column& column) {
  double low = INFINITY, high = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double value = column.number(row);
    if (!std::isfinite(value)) continue;
    if (value <= 0) return false;
    low = std::min(low, value), high = std::max(high, value);
  }
  return high > 100 * low;
}

// Whether y differs between rows that differ in x alone.
bool depends_on(const Table& table, const Column& y, const Column& x) {
  std::map<std::string, double> first;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string keys;
    for (const Column& column : table.columns)
      if (column.role == Role::key && &column != &x) keys += column.text(row) + '\n';
    const double value = y.number(row);
    if (!std::isfinite(value)) continue;
    if (first.emplace(std::move(keys), value).first->second != value) return true;
  }
  return false;
}

// To another column, unless it is the first of those that were chosen.
void change_y(ChartChoice& choice, const Column& y) {
  if (columns_named(choice.y).front() != y.name) choice.y = y.name;
}

const Column* column_that_depends_on(const Result& result, const std::string& x, const std::string& wanted) {
  for (const bool any : {false, true})
    for (const Table& table : result.tables) {
      const Column* at = table.find(x);
      if (at == nullptr) continue;
      for (const Column& column : table.columns)
        if (column.role == Role::predicted && !column.is_text() &&
            (any || column.name == columns_named(wanted).front()) && depends_on(table, column, *at))
          return &column;
    }
  return nullptr;
}

// The inputs and facts that have several values, names of --let each by itself.
std::vector<Axis> swept_axes(const Model& model, const Request& request) {
  std::vector<Axis> swept;
  const auto add = [&](const Axis& axis) {
    if (axis.values.size() > 1) swept.push_back(axis);
  };
  for (const Axis& axis : request.inputs) {
    if (model.find(axis.name)->kind != OptionKind::bindings)
      add(axis);
    else if (axis.values.size() > 1)
      for (const Axis& name : swept_names(model, axis)) add(name);
  }
  for (const Axis& axis : request.facts) add(axis);
  return swept;
}

bool counts(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row)
    if (column.is_text() && column.text(row).find_first_not_of("0123456789") != std::string::npos)
      return false;
  return true;
}

// A key whose values differ and are numbers, such as the steps of one question: keys that are no input are
// texts.
const Column* ladder_of(const Result& result) {
  for (const Table& table : result.tables)
    for (const Column& column : table.columns)
      if (column.role == Role::key && varies(column) && counts(column)) return &column;
  return nullptr;
}

// What one bar each is drawn of: the GPUs, or where there is none the first words that rows are told apart
// by.
std::string things_of(const Result& result) {
  for (const Table& table : result.tables) {
    if (table.find("gpu") != nullptr) return "gpu";
    for (const Column& column : table.columns)
      if (column.role == Role::key && column.is_text()) return column.name;
  }
  return "gpu";
}

// Where no table has the model's own x: over `swept`, over a ladder of the answer's own, or one bar.
ChartChoice without_own_x(ChartChoice choice, const std::vector<Axis>& swept, const Result& result) {
  choice.kind = ChartKind::lines;
  choice.series = swept.size() > 1 ? swept[1].name : "";
  choice.log_x = choice.log_y = choice.steps = false;
  if (!swept.empty() && is_numeric(swept[0])) {
    choice.x = swept[0].name, choice.log_x = is_geometric(swept[0]);
    return choice; // y depends on nothing: a level line is the answer
  }
  if (const Column* x = ladder_of(result))
    if (const Column* y = column_that_depends_on(result, x->name, choice.y)) {
      choice.x = x->name, change_y(choice, *y);
      choice.series = swept.empty() ? "" : swept[0].name;
      return choice;
    }
  choice.kind = ChartKind::bars;
  choice.x = swept.empty() ? things_of(result) : swept[0].name;
  const auto has_both = [&](const Table& table) {
    return table.find(choice.x) != nullptr && table.find(columns_named(choice.y).front()) != nullptr;
  };
  if (std::any_of(result.tables.begin(), result.tables.end(), has_both)) return choice;
  for (const Table& table : result.tables) // the first number that it says of anything
    for (const Column& column : table.columns)
      if (table.find(choice.x) != nullptr && column.role == Role::predicted && !column.is_text()) {
        choice.y = column.name;
        return choice;
      }
  return choice;
}

// Lines of one point each are a bar for each of them.
ChartChoice bars_of_series(ChartChoice choice, const Result& result) {
  if (choice.kind != ChartKind::lines || choice.series == "gpu") return choice;
  for (const Table& table : result.tables) {
    const Column *x = table.find(choice.x), *series = table.find(choice.series), *gpu = table.find("gpu");
    if (x == nullptr || series == nullptr || table.find(columns_named(choice.y).front()) == nullptr) continue;
    if (varies(*x) || !varies(*series)) return choice;
    choice.kind = ChartKind::bars;
    choice.x = choice.series;
    choice.series = gpu != nullptr && varies(*gpu) ? "gpu" : "";
    choice.log_x = choice.steps = false;
    return choice;
  }
  return choice;
}

} // namespace

std::vector<std::string> columns_named(std::string_view y) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= y.size();) {
    const std::size_t end = std::min(y.find(',', at), y.size());
    names.emplace_back(y.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

void choose_y(ChartChoice& choice, const Result& result, std::string y) {
  if (choice.y == y) return;
  choice.y = std::move(y), choice.log_y = false;
  for (const std::string& name : columns_named(choice.y))
    for (const Table& table : result.tables)
      if (const Column* column = table.find(name); column != nullptr && table.find(choice.x) != nullptr) {
        choice.log_y = choice.log_y || spans_decades(*column);
        break;
      }
}

ChartChoice chart_choice(const Model& model, const Request& request, const Result& result) {
  const ModelInfo& info = model.info;
  ChartChoice choice{info.chart, std::string(info.x), std::string(info.y), std::string(info.series),
                     info.log_x, info.log_y,          info.steps};
  if (choice.kind == ChartKind::none || choice.kind == ChartKind::roofline ||
      choice.kind == ChartKind::diagram)
    return choice;
  if (!info.fuller_y.empty())
    for (const Table& table : result.tables)
      if (table.rows() > 0 && table.find(columns_named(info.fuller_y).front()) != nullptr)
        choose_y(choice, result, std::string(info.fuller_y));

  std::vector<Axis> swept = swept_axes(model, request); // most values first
  std::stable_sort(swept.begin(), swept.end(), [](const Axis& a, const Axis& b) {
    return std::pair(is_numeric(a), a.values.size()) > std::pair(is_numeric(b), b.values.size());
  });
  const auto own = std::find_if(swept.begin(), swept.end(), [&](const Axis& a) { return a.name == info.x; });
  if (own != swept.end()) {
    choice.log_x = choice.log_x || is_geometric(*own);
    return choice;
  }
  const bool is_ladder = std::any_of(result.tables.begin(), result.tables.end(), [&](const Table& table) {
    const Column* x = table.find(info.x);
    return x != nullptr && table.find(columns_named(choice.y).front()) != nullptr && varies(*x);
  });
  const bool shown = std::any_of(result.tables.begin(), result.tables.end(),
                                 [&](const Table& table) { return table.find(info.x) != nullptr; });
  const auto otherwise = [&] {
    if (!shown) return without_own_x(choice, swept, result);
    return swept.empty() ? bars_of_series(choice, result) : choice;
  };
  if (swept.empty() || !is_numeric(swept[0]) || (is_ladder && swept[0].values.size() < 3)) return otherwise();
  const Column* y = column_that_depends_on(result, swept[0].name, choice.y);
  if (y == nullptr) return otherwise();

  choice.kind = ChartKind::lines;
  choice.steps = choice.steps && y->name == choice.y; // what is rounded up over one input is over all
  choice.x = swept[0].name, change_y(choice, *y);
  choice.series = swept.size() > 1 ? swept[1].name : "";
  choice.log_x = is_geometric(swept[0]), choice.log_y = spans_decades(*y);
  return choice;
}

} // namespace perfmodel
