#include "pairs.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace perfmodel::cli {

namespace {

std::string inputs_of(const Table& table, std::size_t row) {
  std::string text;
  for (const Column& column : table.columns)
    if (column.role == Role::key)
      text += fmt::format("{}{}={}", text.empty() ? "" : ";", column.name, column.text(row));
  return text;
}

} // namespace

Table pairs_of(const Result& validation) {
  Table pairs{.title = "pairs"};
  const auto add = [&](const char* name, Role role, auto cells, const char* unit = "") {
    pairs.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = std::move(cells)});
  };
  for (const char* name : {"model", "quantity", "inputs"}) add(name, Role::key, std::vector<std::string>{});
  add("unit", Role::note, std::vector<std::string>{});
  add("predicted", Role::predicted, std::vector<double>{});
  add("measured", Role::measured, std::vector<double>{});
  for (const char* name : {"error", "tolerance"}) add(name, Role::note, std::vector<double>{}, "fraction");
  for (const char* name : {"verdict", "evidence", "grade", "source"})
    add(name, Role::note, std::vector<std::string>{});
  for (const Table& table : validation.tables) {
    if (table.find("predicted") == nullptr || table.find("verdict") == nullptr) continue;
    const std::string of = table.title.substr(0, table.title.find(':')); // "coalescing bandwidth"
    const std::string model = of.substr(0, of.find(' '));
    const std::string quantity = of.size() > model.size() ? of.substr(model.size() + 1) : "";
    const std::string source = table.notes.empty() ? "" : table.notes.front();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::size_t at = 0;
      const auto next = [&](auto value) { append(pairs.columns[at++], std::move(value)); };
      next(model), next(quantity), next(inputs_of(table, row)), next(table.at("measured").unit.symbol);
      for (const char* name : {"predicted", "measured", "error", "tolerance"})
        next(table.at(name).number(row));
      for (const char* name : {"verdict", "evidence", "grade"}) next(table.at(name).text(row));
      next(source);
    }
  }
  return pairs;
}

} // namespace perfmodel::cli
