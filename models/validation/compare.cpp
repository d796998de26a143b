#include "compare.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel {

namespace {

// The key columns that both tables have, but for those that are one value here and another one there: the GPU
// of two predictions, or a fact that was set.
std::vector<std::string> common_keys(const Table& a, const Table& b) {
  const auto constant = [](const Column& c) {
    for (std::size_t row = 1; row < c.size(); ++row)
      if (c.text(row) != c.text(0)) return false;
    return c.size() > 0;
  };
  std::vector<std::string> names;
  for (const Column& column : a.columns) {
    const Column* other = b.find(column.name);
    if (column.role != Role::key || other == nullptr) continue;
    const bool what_differs = constant(column) && constant(*other) && column.text(0) != other->text(0);
    if (!what_differs) names.push_back(column.name);
  }
  return names;
}

std::string rows_text(const Table& table) {
  return fmt::format("{} {}", table.rows(), table.rows() == 1 ? "row" : "rows");
}

std::string keys_text(const Table& table, const std::vector<std::string>& keys, std::size_t row) {
  std::string text;
  for (const std::string& key : keys) {
    const Column& c = table.at(key);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", c.name,
                        c.is_text() ? c.text(row) : format_quantity(c.number(row), c.unit, Prefix::si, 6));
  }
  return text.empty() ? fmt::format("row {}", row + 1) : text;
}

std::map<std::string, std::size_t> rows_by_key(const Table& table, const std::vector<std::string>& keys) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string key = keys_text(table, keys, row);
    if (!rows.emplace(key, row).second) // two rows with the same keys: told apart by their order
      for (int n = 2; !rows.emplace(fmt::format("{} ({})", key, n), row).second;) ++n;
  }
  return rows;
}

// Which way is worse: -1 when lower is (a rate, by second or by clock), +1 when higher is (a time, an energy,
// a power), 0 when neither way is better.
int worse_direction(const Column& column) {
  const auto& e = column.unit.dimension.exponents;
  if (e[4] != 0) return e[4] > 0 ? 1 : -1;
  if (e[3] < 0 || (e[3] == 0 && e[2] < 0)) return -1;
  if (e[3] > 0 || (e[2] > 0 && e[3] == 0)) return 1;
  return 0;
}

double relative(double before, double after) {
  return before == after ? 0 : (after - before) / std::fabs(before);
}

std::string verdict(const Column& column, double before, double after, double tolerance) {
  if (std::isnan(before)) return "new";
  if (std::isnan(after)) return "worse"; // a number has gone
  const double change = relative(before, after);
  if (std::fabs(change) <= tolerance) return "same";
  const int direction = worse_direction(column);
  if (direction == 0) return "changed";
  return (change > 0) == (direction > 0) ? "worse" : "better";
}

bool compared(const Column& column) {
  return !column.is_text() && (column.role == Role::predicted || column.role == Role::measured);
}

struct Change {
  std::string verdict, quantity, before, after, keys;
  double change = absent;
};

// What a reader looks for first.
int rank(const Change& change) {
  constexpr std::string_view order[] = {"worse", "changed", "better", "new", "same"};
  return static_cast<int>(std::find(std::begin(order), std::end(order), change.verdict) - std::begin(order));
}

void compare_rows(const Table& a, std::size_t i, const Table& b, std::size_t j, const std::string& keys,
                  double tolerance, std::vector<Change>& changes) {
  for (const Column& column : a.columns) {
    const Column* counterpart = compared(column) ? b.find(column.name) : nullptr;
    if (counterpart == nullptr) continue;
    const double x = column.number(i), y = counterpart->number(j);
    if (std::isnan(x) && std::isnan(y)) continue;
    changes.push_back({verdict(column, x, y, tolerance), column.name,
                       format_quantity(x, column.unit, Prefix::si, 5),
                       format_quantity(y, column.unit, Prefix::si, 5), keys, relative(x, y)});
  }
}

// Every row of `a` beside its counterpart; a row that has gone is worse, one that came is new.
void compare_tables(const Table& a, const Table& b, double tolerance, std::vector<Change>& changes) {
  const std::vector<std::string> keys = common_keys(a, b);
  const auto rows_a = rows_by_key(a, keys), rows_b = rows_by_key(b, keys);
  for (const auto& [key, row] : rows_a) {
    const std::string name = a.title + ": " + key;
    const auto other = rows_b.find(key);
    if (other == rows_b.end())
      changes.push_back({"worse", "the row", "there", "gone", name});
    else
      compare_rows(a, row, b, other->second, name, tolerance, changes);
  }
  for (const auto& [key, row] : rows_b)
    if (!rows_a.contains(key)) changes.push_back({"new", "the row", "", "there", b.title + ": " + key});
}

Table table_of(std::vector<Change> changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return rank(a) < rank(b); });
  Table table{.title = "changes"};
  const auto text = [&](const char* name, Role role, std::string Change::*member) {
    std::vector<std::string> cells;
    for (const Change& change : changes) cells.push_back(change.*member);
    table.columns.push_back({.name = name, .role = role, .cells = std::move(cells)});
  };
  text("verdict", Role::note, &Change::verdict);
  std::vector<double> sizes;
  for (const Change& change : changes) sizes.push_back(change.change);
  table.columns.push_back(
      {.name = "change", .unit = {"fraction", {}}, .role = Role::note, .cells = std::move(sizes)});
  text("quantity", Role::key, &Change::quantity);
  text("before", Role::note, &Change::before);
  text("after", Role::note, &Change::after);
  text("keys", Role::key, &Change::keys);
  return table;
}

// "3 of 120 numbers are worse by more than 5 %, 1 better; the largest change is -12 % (bandwidth, ...)."
std::string verdict_of(const Table& changes, double tolerance) {
  std::map<std::string, std::size_t> counts;
  const Column& verdicts = changes.at("verdict");
  for (std::size_t row = 0; row < changes.rows(); ++row) ++counts[verdicts.text(row)];
  std::string text = fmt::format("{} of {} numbers are worse by more than {}", counts["worse"],
                                 changes.rows(), in_percent(tolerance));
  for (const char* kind : {"changed", "better", "new"})
    if (counts[kind] > 0) text += fmt::format(", {} {}", counts[kind], kind);
  const Column& change = changes.at("change");
  std::size_t largest = changes.rows();
  for (std::size_t row = 0; row < changes.rows(); ++row)
    if (std::isfinite(change.number(row)) &&
        (largest == changes.rows() || std::fabs(change.number(row)) > std::fabs(change.number(largest))))
      largest = row;
  if (largest != changes.rows() && change.number(largest) != 0)
    text +=
        fmt::format("; the largest change is {} ({}, {})", in_percent(change.number(largest)),
                    changes.at("quantity").text(largest), shortened(changes.at("keys").text(largest), 80));
  return text + ".";
}

} // namespace

Result compare(const Result& before, const Result& after, double tolerance) {
  Result result{.kind = Kind::comparison, .model = "compare", .title = "before and after"};
  std::vector<Change> changes;
  std::vector<const Table*> met;
  for (const Table& a : before.tables) {
    const auto other = std::find_if(after.tables.begin(), after.tables.end(), [&](const Table& b) {
      return b.title == a.title && std::find(met.begin(), met.end(), &b) == met.end();
    });
    if (other == after.tables.end()) {
      changes.push_back({"worse", "the table", rows_text(a), "gone", a.title});
      continue;
    }
    met.push_back(&*other);
    compare_tables(a, *other, tolerance, changes);
  }
  if (met.empty()) throw InputError("the two results have no table in common");
  for (const Table& b : after.tables)
    if (std::find(met.begin(), met.end(), &b) == met.end())
      changes.push_back({"new", "the table", "", rows_text(b), b.title});
  if (changes.empty()) throw InputError("the two results have no number in common");
  result.tables.push_back(table_of(std::move(changes)));
  result.verdict.push_back(verdict_of(result.tables.back(), tolerance));
  return result;
}

namespace {
std::size_t rows_called(const Result& comparison, std::string_view verdict) {
  std::size_t rows = 0;
  const Column& verdicts = comparison.tables.front().at("verdict");
  for (std::size_t row = 0; row < verdicts.size(); ++row) rows += verdicts.text(row) == verdict ? 1 : 0;
  return rows;
}
} // namespace

std::size_t worse_rows(const Result& comparison) { return rows_called(comparison, "worse"); }

std::size_t changed_rows(const Result& comparison) { return rows_called(comparison, "changed"); }

} // namespace perfmodel
