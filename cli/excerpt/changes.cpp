#include "rows.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

// "latency-hiding: threads 32, ilp 1": rows that went or came are told apart by their table alone.
Table rows_counted_by_table(const Table& changes) {
  const Column &quantity = changes.at("quantity"), &keys = changes.at("keys"),
               &verdict = changes.at("verdict");
  const auto table_of = [&](std::size_t row) {
    const std::string key = keys.text(row);
    return verdict.text(row) + key.substr(0, key.find(": "));
  };
  std::map<std::string, std::size_t> counts;
  for (std::size_t row = 0; row < changes.rows(); ++row)
    if (quantity.text(row) == "the row") ++counts[table_of(row)];
  Rows first;
  std::vector<std::size_t> count;
  for (std::size_t row = 0; row < changes.rows(); ++row) {
    std::size_t n = 1;
    if (quantity.text(row) == "the row") n = std::exchange(counts[table_of(row)], 0);
    if (n == 0) continue;
    first.push_back(row);
    count.push_back(n);
  }
  Table result = picked(changes, first);
  for (Column& column : result.columns) {
    if (column.name != "quantity" && column.name != "keys") continue;
    auto& cells = std::get<std::vector<std::string>>(column.cells);
    for (std::size_t row = 0; row < cells.size(); ++row) {
      if (count[row] == 1) continue;
      if (column.name == "quantity")
        cells[row] = fmt::format("{} rows", count[row]);
      else
        cells[row].resize(cells[row].find(": "));
    }
  }
  return result;
}

} // namespace

Table excerpt_of_changes(const Table& table) {
  std::map<std::string, std::size_t> total;
  for (std::size_t row = 0; row < table.rows(); ++row) ++total[table.at("verdict").text(row)];
  const Table folded = rows_counted_by_table(table);
  const Column& change = folded.at("change");
  Rows shown;
  std::string note = fmt::format("{} rows:", table.rows());
  constexpr std::pair<const char*, std::size_t> kinds[] = {
      {"worse", most_wrong}, {"changed", few}, {"better", few}, {"new", few}, {"same", 0}};
  for (const auto& [kind, most] : kinds) {
    Rows rows;
    for (std::size_t row = 0; row < folded.rows(); ++row)
      if (folded.at("verdict").text(row) == kind) rows.push_back(row);
    // What has gone or came has no size; it shall not hide the numbers that changed.
    const auto sized = std::stable_partition(rows.begin(), rows.end(),
                                             [&](std::size_t row) { return std::isnan(change.number(row)); });
    Rows changed(sized, rows.end());
    rows.erase(sized, rows.end());
    largest_first(changed, [&](std::size_t row) { return magnitude(change.number(row)); });
    add_first(shown, rows, most);
    add_first(shown, changed, most);
    if (total[kind] > 0) note += fmt::format("{} {} {}", note.back() == ':' ? "" : ",", total[kind], kind);
    if (std::string_view(kind) == "same" && shown.empty()) add_first(shown, changed, few);
  }
  Table result = picked(folded, shown);
  result.notes.push_back(fmt::format("{}. Shown: the largest changes, and rows that went or came counted by "
                                     "table; {}",
                                     note, where_all_are));
  return result;
}

} // namespace perfmodel::cli
