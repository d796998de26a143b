#include "one_bar_each.hpp"

#include "models/bounds/balance.hpp"
#include "models/core/facts.hpp"
#include "models/ladders/matmul.hpp"
#include "models/ladders/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_beside_each_other = 9;

// The word that most rows have in this column; of several the first.
std::string usual_word(const Column& column) {
  std::map<std::string, std::size_t> uses;
  for (std::size_t row = 0; row < column.size(); ++row) ++uses[column.text(row)];
  std::string usual;
  std::size_t most = 0;
  for (std::size_t row = 0; row < column.size(); ++row)
    if (const std::size_t n = uses[column.text(row)]; n > most) most = n, usual = column.text(row);
  return usual;
}

double year_of(const Gpu& gpu) {
  const auto year = gpu.find(facts::year);
  return year ? static_cast<double>(year->value) : absent;
}

// Those whose y is the greatest of their GPU's.
Table fastest_of_each(const Table& table, std::string_view y) {
  const Column &gpu = table.at("gpu"), &rate = table.at(y);
  std::map<std::string, double> most;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double& of = most[gpu.text(row)];
    of = std::fmax(of, rate.number(row));
  }
  return rows_where(table, [&](std::size_t row) { return rate.number(row) == most[gpu.text(row)]; });
}

// Of each column of words what most rows have.
Table usual_of_each(Table table, std::string& left) {
  std::vector<std::string> names;
  for (const Column& column : table.columns)
    if (column.role == Role::key && column.is_text() && column.name != "gpu") names.push_back(column.name);
  for (const std::string& name : names) {
    const Column& column = table.at(name);
    const std::string usual = usual_word(column);
    Table kept = rows_where(table, [&](std::size_t row) { return column.text(row) == usual; });
    if (kept.rows() < table.rows()) left += fmt::format("{}{} {}", left.empty() ? "" : ", ", name, usual);
    table = std::move(kept);
  }
  return table;
}

} // namespace

bool needs_one_bar_each(const Model& model, std::span<const Gpu> gpus, const Request& request,
                        const AnswerOptions& answer) {
  constexpr auto models = std::to_array<std::string_view>(
      {Balance::info.name, Reduction::info.name, Matmul::info.name}); // the fastest transpose is a copy
  const auto swept = [](const Axis& axis) { return axis.values.size() > 1; };
  return std::find(models.begin(), models.end(), model.info.name) != models.end() &&
         gpus.size() > most_beside_each_other && answer.draws() && answer.is_usual_picture() &&
         std::none_of(request.inputs.begin(), request.inputs.end(), swept) &&
         std::none_of(request.facts.begin(), request.facts.end(), swept);
}

std::vector<Gpu> by_year(std::vector<Gpu> gpus) {
  std::stable_sort(gpus.begin(), gpus.end(), [](const Gpu& a, const Gpu& b) {
    return year_of(a) < year_of(b) || (std::isnan(year_of(b)) && !std::isnan(year_of(a)));
  });
  return gpus;
}

void ask_for_specified(const Model& model, Request& request) {
  if (model.find("basis") == nullptr) return;
  const auto is_basis = [](const Axis& axis) { return axis.name == "basis"; };
  if (std::none_of(request.inputs.begin(), request.inputs.end(), is_basis))
    request.inputs.push_back({"basis", parse_values(*model.find("basis"), "spec")});
}

std::string draw_one_bar_each(Result& result, std::span<const Gpu> gpus) {
  Table& table = result.tables.front();
  const bool of_versions = table.find("version") != nullptr;
  std::string left = of_versions ? "the fastest version of each" : "";
  table = of_versions ? fastest_of_each(table, result.chart.y) : usual_of_each(std::move(table), left);
  result.title = fmt::format("{} of {} GPUs", result.title.substr(0, result.title.find(':')), table.rows());
  if (const double first = year_of(gpus.front()), last = year_of(gpus.back()); first < last)
    result.title += fmt::format(", {:g} to {:g}", first, last);
  if (of_versions) result.title += ", " + left;
  result.chart = {
      .kind = ChartKind::bars, .x = "gpu", .y = result.chart.y, .log_y = of_versions}; // from GB/s to TB/s
  return left;
}

} // namespace perfmodel::cli
