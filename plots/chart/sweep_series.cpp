#include "sweep_series.hpp"

#include "grade.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace perfmodel::plots {

std::string readable(const std::string& name) {
  constexpr std::string_view shortened[] = {"ilp", "tlp", "sm", "fma", "gpu", "l1", "l2"};
  if (name.find('.') != name.npos) return name; // a fact's path
  std::string text;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    std::string word = name.substr(at, end - at);
    if (std::find(std::begin(shortened), std::end(shortened), word) != std::end(shortened))
      for (char& c : word)
        if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    text += (at == 0 ? "" : " ") + word;
    at = end + 1;
  }
  return text;
}

const Table& charted_table(const Result& result, const ChartChoice& choice) {
  for (const Table& table : result.tables)
    if (table.find(choice.x) && table.find(choice.y)) return table;
  return result.tables.front();
}

namespace {
// Without writing a number down: a table may have a million of them.
template <class Cell> bool is_none([[maybe_unused]] const Cell& cell) {
  if constexpr (std::is_floating_point_v<Cell>)
    return std::isnan(cell);
  else
    return false;
}
template <class Cell> bool alike(const Cell& a, const Cell& b) {
  return a == b || (is_none(a) && is_none(b));
}

bool varies(const Column& column) {
  return std::visit(
      [](const auto& cells) {
        return std::any_of(cells.begin(), cells.end(), [&](const auto& c) { return !alike(c, cells[0]); });
      },
      column.cells);
}

std::string part_of(const Column& column, std::size_t row) {
  if (column.is_text()) return column.text(row);
  const std::string value =
      column.unit.symbol.empty() ? column.text(row) : format_quantity(column.number(row), column.unit);
  return readable(column.name) + " " + value;
}

// Each row's value in a column as the place of that value among those before it.
std::vector<std::size_t> places_of(const Column& column) {
  return std::visit(
      [](const auto& cells) {
        using Cell = typename std::decay_t<decltype(cells)>::value_type;
        std::unordered_map<Cell, std::size_t> known;
        std::vector<std::size_t> places;
        std::optional<std::size_t> none; // NaN, which equals nothing
        for (const Cell& cell : cells)
          if (is_none(cell))
            places.push_back(none ? *none : *(none = known.size()));
          else
            places.push_back(known.emplace(cell, known.size() + (none ? 1 : 0)).first->second);
        return places;
      },
      column.cells);
}

// The rows as groups of equal text in `columns`.
std::vector<std::size_t> groups_of(const Table& table, const std::vector<const Column*>& columns,
                                   std::vector<std::string>& names) {
  std::vector<std::size_t> group(table.rows());
  std::vector<std::size_t> first{0}; // row of each group
  for (const Column* column : columns) {
    const std::vector<std::size_t> places = places_of(*column);
    std::unordered_map<std::size_t, std::size_t> known; // of group and place
    first.clear();
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto [at, is_new] = known.emplace(group[i] * (group.size() + 1) + places[i], first.size());
      if (is_new) first.push_back(i);
      group[i] = at->second;
    }
  }
  // Numbers that are told alike are one series.
  std::unordered_map<std::string, std::size_t> known;
  std::vector<std::size_t> named;
  names.clear();
  for (const std::size_t row : first) {
    if (row >= table.rows()) continue;
    std::string name;
    for (const Column* c : columns) {
      const std::string part = part_of(*c, row);
      if (!part.empty()) name += (name.empty() ? "" : ", ") + part;
    }
    const auto [at, is_new] = known.emplace(name, names.size());
    if (is_new) names.push_back(name);
    named.push_back(at->second);
  }
  for (std::size_t& g : group) g = named[g];
  return group;
}

bool repeats(const std::vector<std::size_t>& group, const std::vector<double>& x) {
  std::vector<std::pair<std::size_t, double>> seen;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(x[i])) seen.emplace_back(group[i], x[i]);
  std::sort(seen.begin(), seen.end());
  return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
}

// Whether rows of one group at one x differ in this column: another that x brings with it tells none apart.
bool parts(const Column& column, const std::vector<std::size_t>& group, const std::vector<double>& x) {
  const std::vector<std::size_t> places = places_of(column);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (std::isfinite(x[i])) rows.push_back(i);
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(group[a], x[a]) < std::tie(group[b], x[b]);
  });
  return std::adjacent_find(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
           return group[a] == group[b] && x[a] == x[b] && places[a] != places[b];
         }) != rows.end();
}

// Text becomes its place among the categories, which grow.
std::vector<double> numbers_of(const Column& column, bool as_text, std::vector<std::string>& categories) {
  std::unordered_map<std::string, double> place;
  for (std::size_t i = 0; i < categories.size(); ++i) place.emplace(categories[i], static_cast<double>(i));
  std::vector<double> numbers(column.size());
  for (std::size_t i = 0; i < column.size(); ++i) {
    numbers[i] = column.number(i);
    if (!as_text || (!column.is_text() && !std::isfinite(numbers[i]))) continue;
    const std::string name = column.is_text() ? column.text(i) : format_quantity(numbers[i], column.unit);
    const auto [at, is_new] = place.emplace(name, static_cast<double>(categories.size()));
    if (is_new) categories.push_back(at->first);
    numbers[i] = at->second;
  }
  return numbers;
}

const Column* with_role(const Table& table, Role role) {
  for (const Column& c : table.columns)
    if (c.role == role) return &c;
  return nullptr;
}
} // namespace

Sweep sweep_of(const Result& result, const ChartChoice& choice, const Sweep* like) {
  if (result.tables.empty()) throw InputError("a chart needs a table, and this result has none");
  if (choice.x.empty() || choice.y.empty()) throw InputError("a chart needs a column for x and one for y");
  const Table& table = charted_table(result, choice);
  const Column &x = table.at(choice.x), &y = table.at(choice.y);
  if (y.is_text()) throw InputError("the column '" + y.name + "' is text: y must be a number");

  Sweep sweep;
  sweep.x = {x.name, x.unit, x.role, {}}, sweep.y = {y.name, y.unit, y.role, {}};
  if (like) sweep.categories = like->categories;
  const bool as_text = x.is_text() || choice.kind == ChartKind::bars;
  const std::vector<double> xs = numbers_of(x, as_text, sweep.categories);

  const Column* gpu = table.find("gpu");
  if (gpu && gpu->size() > 0 && !varies(*gpu)) sweep.gpu = gpu->text(0);
  std::vector<const Column*> split;
  if (like) {
    for (const std::string& name : like->split)
      if (const Column* c = table.find(name)) split.push_back(c);
  } else {
    if (gpu && gpu != &x && varies(*gpu)) split.push_back(gpu);
    if (!choice.series.empty() && choice.series != "gpu") split.push_back(&table.at(choice.series));
  }
  std::vector<std::string> names;
  std::vector<std::size_t> group = groups_of(table, split, names);
  for (const Column& c : table.columns) {
    if (like || c.role != Role::key || &c == &x || !varies(c) ||
        std::find(split.begin(), split.end(), &c) != split.end())
      continue;
    if (!repeats(group, xs)) break;
    if (!parts(c, group, xs)) continue;
    split.push_back(&c);
    group = groups_of(table, split, names);
  }
  // One value of the chosen key names no line where others do: what is published of them need not say it.
  if (!like && split.size() > 1 && std::erase_if(split, [](const Column* c) { return !varies(*c); }) > 0)
    group = groups_of(table, split, names);

  for (const Column* c : split) sweep.split.push_back(c->name);
  const Column *low = with_role(table, Role::low), *high = with_role(table, Role::high);
  const std::vector<Grade> grades = grades_of(table);
  const bool predicted = result.kind != Kind::measured && result.kind != Kind::published;
  for (std::string& name : names) sweep.series.push_back({std::move(name), {}});
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const SweepRow row{xs[i], y.number(i), low ? low->number(i) : absent, high ? high->number(i) : absent,
                       predicted ? grades[i] : Grade::known};
    const bool fits = std::isfinite(row.x) && std::isfinite(row.y) &&
                      (!choice.log_x || as_text || row.x > 0) && (!choice.log_y || row.y > 0);
    if (fits)
      sweep.series[group[i]].rows.push_back(row);
    else
      ++sweep.dropped;
  }
  for (SweepSeries& s : sweep.series)
    std::stable_sort(s.rows.begin(), s.rows.end(),
                     [](const SweepRow& a, const SweepRow& b) { return a.x < b.x; });
  return sweep;
}

} // namespace perfmodel::plots
