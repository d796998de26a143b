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

constexpr std::size_t names_in_legend = 2; // in a legend

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

std::string join_alike(Result& result) {
  Table* table = charted(result);
  if (table == nullptr) return "";
  std::map<std::string, std::vector<std::string>> alike; // by what is shown: the GPUs, in order
  const auto each = shown_of_each(*table, result.chart);
  for (const auto& [gpu, shown] : each) alike[shown].push_back(gpu);
  if (alike.size() == each.size()) return "";
  std::map<std::string, std::string> names; // of those whose rows stay
  std::vector<std::string> joined;
  for (const auto& [gpu, shown] : each) {
    const std::vector<std::string>& gpus = alike[shown];
    if (gpus.front() != gpu) continue;
    names[gpu] = gpus.size() <= names_in_legend ? fmt::format("{}", fmt::join(gpus, ", "))
                                                : fmt::format("{} and {} more", gpu, gpus.size() - 1);
    if (gpus.size() > 1) joined.push_back(fmt::format("{}", fmt::join(gpus, ", ")));
  }
  const std::string who = alike.size() == 1
                              ? fmt::format("All {} GPUs have the same numbers.", each.size())
                              : fmt::format("With the same numbers: {}.", fmt::join(joined, "; "));
  *table = rows_where(*table, [&](std::size_t row) { return names.contains(table->at("gpu").text(row)); });
  Column& gpu = *std::find_if(table->columns.begin(), table->columns.end(),
                              [](const Column& column) { return column.name == "gpu"; });
  std::vector<std::string> cells;
  for (std::size_t row = 0; row < gpu.size(); ++row) cells.push_back(names.at(gpu.text(row)));
  gpu.cells = std::move(cells);
  result.notes.push_back(who);
  return who;
}

} // namespace perfmodel::cli
