#include "alike_gpus.hpp"

#include "one_bar_each.hpp"

#include "models/core/chart_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace perfmodel::cli {

namespace {

Table* charted(Result& result) {
  for (Table& table : result.tables)
    if (table.find("gpu") != nullptr && table.find(result.chart.x) != nullptr &&
        table.find(columns_named(result.chart.y).front()) != nullptr)
      return &table;
  return nullptr;
}

// All that the chart shows of each GPU, in words that are the same where its numbers are; in the table's
// order.
std::vector<std::pair<std::string, std::string>> shown_of_each(const Table& table, const ChartChoice& chart) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string gpu = table.at("gpu").text(row);
    auto at = std::find_if(shown.begin(), shown.end(), [&](const auto& one) { return one.first == gpu; });
    if (at == shown.end()) at = shown.insert(shown.end(), {gpu, ""});
    for (const Column& column : table.columns)
      if (column.role == Role::key && column.name != "gpu") at->second += column.text(row) + '\n';
    for (const std::string& y : columns_named(chart.y))
      if (const Column* column = table.find(y)) at->second += column->text(row) + '\n';
  }
  return shown;
}

} // namespace

bool needs_alike_joined(const Result& result, std::size_t gpus, const AnswerOptions& answer) {
  return gpus > most_beside_each_other && answer.draws() && answer.is_usual_picture() &&
         (result.chart.kind == ChartKind::bars || result.chart.kind == ChartKind::lines) &&
         result.chart.x != "gpu";
}

bool join_alike(Result& result) {
  Table* table = charted(result);
  if (table == nullptr) return false;
  std::map<std::string, std::vector<std::string>> alike; // by what is shown: the GPUs, in order
  for (const auto& [gpu, shown] : shown_of_each(*table, result.chart)) alike[shown].push_back(gpu);
  bool fewer = false;
  std::map<std::string, std::string> names; // of those whose rows stay
  for (const auto& [shown, gpus] : alike) {
    names[gpus.front()] =
        gpus.size() == 1 ? gpus.front() : fmt::format("{} and {} more", gpus.front(), gpus.size() - 1);
    if (gpus.size() == 1) continue;
    fewer = true;
    result.notes.push_back(fmt::format("The same numbers have {}.", fmt::join(gpus, ", ")));
  }
  *table = rows_where(*table, [&](std::size_t row) { return names.contains(table->at("gpu").text(row)); });
  Column& gpu = *std::find_if(table->columns.begin(), table->columns.end(),
                              [](const Column& column) { return column.name == "gpu"; });
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < gpu.size(); ++row) cells.push_back(names.at(gpu.text(row)));
  gpu.cells = std::move(cells);
  return fewer;
}

} // namespace perfmodel::cli
