#include "folded.hpp"

#include "cell_text.hpp"
#include "excerpt/excerpt.hpp"
#include "text_lines.hpp"

#include "models/core/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perfmodel::cli {

namespace {

constexpr std::size_t long_advice = 24; // characters from which it stands below the table

bool same_cells(const std::vector<double>& cells) {
  return std::all_of(cells.begin(), cells.end(), [&](double v) {
    return v == cells.front() || (std::isnan(v) && std::isnan(cells.front()));
  });
}
template <class Cell> bool same_cells(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(), [&](const Cell& v) { return v == cells.front(); });
}

bool is_constant(const Column& column) {
  return column.size() > 0 && std::visit([](const auto& cells) { return same_cells(cells); }, column.cells);
}

bool is_about_device(const Column& column) {
  return column.name == "gpu" || find_key(column.name) != nullptr;
}

// "passes 2", but "32 threads" of threads.
void add(std::string& list, const std::string& name, const std::string& value) {
  const bool named = name.empty() || value.ends_with(" " + name);
  list += (list.empty() ? "" : ", ") + (named ? value : name + " " + value);
}

// Advice is for a class of rows, and longer than any number: each of it stands once below the table.
void number_advice(Folded& f) {
  const auto column = std::find_if(f.table.columns.begin(), f.table.columns.end(), [](const Column& c) {
    return c.name == "advice" && c.is_text() && c.role == Role::note;
  });
  if (column == f.table.columns.end() || column->size() < 2) return;
  auto& cells = std::get<std::vector<std::string>>(column->cells);
  if (std::none_of(cells.begin(), cells.end(), [](const auto& c) { return width_of(c) > long_advice; }))
    return;
  std::set<std::string> different(cells.begin(), cells.end());
  different.erase("");
  if (different.size() == 1) { // said of the first row alone
    f.advice.push_back("advice: " +
                       cell_text({.name = "advice", .cells = std::vector{*different.begin()}}, 0));
    f.table.columns.erase(column);
    return;
  }
  std::map<std::string, std::string> numbers;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (cells[row].empty()) continue;
    const auto [at, is_new] = numbers.emplace(cells[row], fmt::format("{}", numbers.size() + 1));
    if (is_new) f.advice.push_back(fmt::format("advice {}: {}", at->second, cell_text(*column, row)));
    cells[row] = at->second;
  }
}

} // namespace

Folded folded(const Table& all, Fold fold, Shown shown) {
  Folded f{.table = shown == Shown::excerpt ? excerpt(all) : all};
  f.integers = integer_rows(f.table);
  const bool several = all.rows() > 1;
  const std::vector<bool> all_integers = integer_rows(all);
  // Where nothing but keys varies, what they leave unchanged is the answer, and stays.
  const bool answers_vary = std::any_of(all.columns.begin(), all.columns.end(), [](const Column& column) {
    return column.role != Role::key && !is_constant(column);
  });
  std::string keys, same;
  for (const Column& column : all.columns) {
    const bool is_key = column.role == Role::key;
    const bool folds =
        is_key ? is_about_device(column) || several : fold == Fold::constants && several && answers_vary;
    if (!folds || !is_constant(column)) continue;
    if (std::erase_if(f.table.columns, [&](const Column& c) { return c.name == column.name; }) == 0)
      continue; // the excerpt has told it in words of its own
    const std::string value = cell_text(column, 0, all_integers.front());
    if (value.empty() || value == "-") continue; // absent
    if (is_key)
      add(keys, column.name == "gpu" ? "" : heading(column.name), value);
    else if (column.name == "advice")
      f.advice.push_back("advice: " + value);
    else
      add(same, heading(column.name), value);
  }
  f.heading = all.title + (keys.empty() ? "" : " (" + keys + ")");
  if (!same.empty()) f.same = "in every row: " + same;
  if (fold == Fold::constants) number_advice(f);
  return f;
}

Fold fold_of(const Result& result) {
  return result.model.empty() || result.model == "rank" ? Fold::keys : Fold::constants; // of lists
}

} // namespace perfmodel::cli
