#include "compare.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel {

namespace {

std::string keys_text(const Table& table, std::size_t row) {
  std::string text;
  for (const Column& c : table.columns)
    if (c.role == Role::key)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", c.name,
                          c.is_text() ? c.text(row) : format_quantity(c.number(row), c.unit, Prefix::si, 6));
  return text.empty() ? fmt::format("row {}", row + 1) : text;
}

std::map<std::string, std::size_t> rows_by_key(const Table& table) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string key = keys_text(table, row);
    if (!rows.emplace(key, row).second) // two rows with the same keys: told apart by their order
      for (int n = 2; !rows.emplace(fmt::format("{} ({})", key, n), row).second;) ++n;
  }
  return rows;
}

// Which way is worse: -1 when lower is (a rate), +1 when higher is (a time, an energy, a power), 0 when any
// change counts.
int worse_direction(const Column& column) {
  const auto& e = column.unit.dimension.exponents;
  if (e[4] != 0) return e[4] > 0 ? 1 : -1;
  if (e[3] < 0) return -1;
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
  return direction == 0 || (change > 0) == (direction > 0) ? "worse" : "better";
}

bool compared(const Column& column) {
  return !column.is_text() && (column.role == Role::predicted || column.role == Role::measured);
}

struct Changes {
  Table table{.title = "changes"};
  std::size_t rows = 0;
  Changes() {
    for (const char* name : {"table", "keys", "quantity", "before", "after"})
      table.columns.push_back({.name = name, .role = Role::key, .cells = std::vector<std::string>{}});
    table.columns.push_back(
        {.name = "change", .unit = {"fraction", {}}, .role = Role::note, .cells = std::vector<double>{}});
    table.columns.push_back({.name = "verdict", .role = Role::note, .cells = std::vector<std::string>{}});
  }
  void add(const Table& of, const std::string& keys, const Column& column, double before, double after,
           double tolerance) {
    const std::string cells[] = {of.title, keys, column.name,
                                 format_quantity(before, column.unit, Prefix::si, 5),
                                 format_quantity(after, column.unit, Prefix::si, 5)};
    for (std::size_t c = 0; c < 5; ++c) append(table.columns[c], cells[c]);
    append(table.columns[5], relative(before, after));
    append(table.columns[6], verdict(column, before, after, tolerance));
  }
};

} // namespace

Result compare(const Result& before, const Result& after, double tolerance) {
  Result result{.kind = Kind::comparison, .model = "compare", .title = "before and after"};
  Changes changes;
  std::vector<const Table*> met;
  for (const Table& a : before.tables)
    for (const Table& b : after.tables) {
      if (a.title != b.title || std::find(met.begin(), met.end(), &b) != met.end()) continue;
      met.push_back(&b);
      const auto rows_b = rows_by_key(b);
      for (const auto& [keys, row] : rows_by_key(a)) {
        const auto other = rows_b.find(keys);
        if (other == rows_b.end()) {
          result.notes.push_back(fmt::format("only before: {}, {}", a.title, keys));
          continue;
        }
        for (const Column& column : a.columns) {
          const Column* counterpart = compared(column) ? b.find(column.name) : nullptr;
          if (counterpart == nullptr) continue;
          const double x = column.number(row), y = counterpart->number(other->second);
          if (std::isnan(x) && std::isnan(y)) continue;
          changes.add(a, keys, column, x, y, tolerance);
        }
      }
      const auto rows_a = rows_by_key(a);
      for (const auto& [keys, row] : rows_b)
        if (!rows_a.contains(keys)) result.notes.push_back(fmt::format("only after: {}, {}", b.title, keys));
      break;
    }
  if (changes.table.rows() == 0) throw InputError("the two results have no table, row and number in common");
  result.tables.push_back(std::move(changes.table));
  return result;
}

std::size_t worse_rows(const Result& comparison) {
  std::size_t worse = 0;
  const Column& verdicts = comparison.tables.front().at("verdict");
  for (std::size_t row = 0; row < verdicts.size(); ++row) worse += verdicts.text(row) == "worse" ? 1 : 0;
  return worse;
}

} // namespace perfmodel
