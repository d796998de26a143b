#include "one_bar_each.hpp"

#include "models/access/coalescing.hpp"
#include "models/access/partition_camping.hpp"
#include "models/access/segment_rate.hpp"
#include "models/bounds/balance.hpp"
#include "models/bounds/energy.hpp"
#include "models/concurrency/instruction_throughput.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/core/facts.hpp"
#include "models/ladders/matmul.hpp"
#include "models/ladders/pi.hpp"
#include "models/ladders/reduction.hpp"
#include "models/ladders/suffix_sums.hpp"
#include "models/ladders/transpose.hpp"
#include "models/parallel/shared_memory.hpp"
#include "models/views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace perfmodel::cli {

namespace {

// The word that most rows have in this column; of several `preferred`, else the first.
std::string usual_word(const Column& column, std::string_view preferred) {
  std::map<std::string, std::size_t> uses;
  for (std::size_t row = 0; row < column.size(); ++row) ++uses[column.text(row)];
  if (const auto at = uses.find(std::string(preferred)); at != uses.end()) ++at->second;
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

enum class Kept { usual, fastest };

// What is drawn of a model: the words that most GPUs have a row of, or the fastest version of each.
struct OneBar {
  std::string_view model;
  Kept kept = Kept::usual;
  std::string_view y; // instead of the chart's own, where that is of several points; "": always that
  bool log_y = false;
  std::string_view title = "";     // in front of "28 GPUs"; "": the model's
  std::string_view preferred = ""; // of words that are as usual as one another
  std::string_view given = "";     // where this is given alone; else the usual picture has lines
};
constexpr auto drawn_so =
    std::to_array<OneBar>({{Balance::info.name},
                           {Energy::info.name, Kept::usual, "best_efficiency", true, "Best efficiency of"},
                           {PartitionCamping::info.name, Kept::usual, "", true},
                           {SegmentRate::info.name, Kept::usual, "", true},
                           {SharedMemory::info.name, Kept::usual, "", true, "", "gpus"},
                           {InstructionThroughput::info.name, Kept::usual, "mix_cycles"},
                           {Reduction::info.name, Kept::fastest, "", true},
                           {Pi::info.name},
                           {SuffixSums::info.name},
                           {Transpose::info.name, Kept::fastest, "", true},
                           {Matmul::info.name, Kept::fastest, "", true},
                           {KernelModel::info.name, Kept::usual, "", true, "Time of a launch on"},
                           {.model = Coalescing::info.name, .given = "stride"},
                           {.model = OccupancyModel::info.name, .given = "threads"}});

const OneBar* one_bar_of(std::string_view model) {
  const auto* found =
      std::find_if(drawn_so.begin(), drawn_so.end(), [&](const OneBar& one) { return one.model == model; });
  return found == drawn_so.end() ? nullptr : found;
}

// The fastest of the transposes is none that copies.
Table without_copies(const Table& table) {
  constexpr auto copies = std::to_array<std::string_view>({"copy", "tile-copy", "strided-both"});
  const Column& version = table.at("version");
  return rows_where(table, [&](std::size_t row) {
    return std::find(copies.begin(), copies.end(), version.text(row)) == copies.end();
  });
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
Table usual_of_each(Table table, std::string_view preferred, std::string& left) {
  std::vector<std::string> names;
  for (const Column& column : table.columns)
    if (column.role == Role::key && column.is_text() && column.name != "gpu") names.push_back(column.name);
  for (const std::string& name : names) {
    const Column& column = table.at(name);
    const std::string usual = usual_word(column, preferred);
    Table kept = rows_where(table, [&](std::size_t row) { return column.text(row) == usual; });
    if (kept.rows() < table.rows()) left += fmt::format("{}{} {}", left.empty() ? "" : ", ", name, usual);
    table = std::move(kept);
  }
  return table;
}

// Whether the chart's own table has a row for each of several points on a GPU.
bool charts_several_points(const Result& result, std::size_t gpus) {
  return std::any_of(result.tables.begin(), result.tables.end(), [&](const Table& table) {
    return table.find(result.chart.x) != nullptr && table.find(result.chart.y) != nullptr &&
           table.rows() > gpus;
  });
}

// The first that tells this of each GPU.
Table& table_with(Result& result, std::string_view y) {
  const auto tells = [&](const Table& table) {
    return table.find("gpu") != nullptr && table.find(std::string(y)) != nullptr;
  };
  const auto found = std::find_if(result.tables.begin(), result.tables.end(), tells);
  return found == result.tables.end() ? result.tables.front() : *found;
}

} // namespace

bool needs_one_bar_each(const Model& model, std::span<const Gpu> gpus, const Request& request,
                        const AnswerOptions& answer) {
  const auto swept = [](const Axis& axis) { return axis.values.size() > 1; };
  const OneBar* one = one_bar_of(model.info.name);
  const auto is_it = [&](const Axis& axis) { return axis.name == one->given; };
  if (one != nullptr && !one->given.empty() &&
      std::none_of(request.inputs.begin(), request.inputs.end(), is_it))
    return false;
  return one != nullptr && gpus.size() > most_beside_each_other && answer.draws() &&
         answer.is_usual_picture() && std::none_of(request.inputs.begin(), request.inputs.end(), swept) &&
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

std::string draw_one_bar_each(const Model& model, Result& result, std::span<const Gpu> gpus) {
  const OneBar& one = *one_bar_of(model.info.name);
  const bool is_of_its_own = !one.y.empty() && charts_several_points(result, gpus.size());
  const std::string y = is_of_its_own ? std::string(one.y) : result.chart.y;
  Table& table = table_with(result, y);
  std::string left = one.kept == Kept::fastest ? "the fastest version of each" : "";
  if (model.info.name == Transpose::info.name) table = without_copies(table);
  table = one.kept == Kept::fastest ? fastest_of_each(table, y)
                                    : usual_of_each(std::move(table), one.preferred, left);
  if (is_of_its_own) left = fmt::format("{}{}the column {}", left, left.empty() ? "" : ", ", y);
  const std::string model_title = fmt::format("{} of", result.title.substr(0, result.title.find(':')));
  const bool has_title = !one.title.empty() && (one.y.empty() || is_of_its_own);
  result.title = fmt::format("{} {} GPUs", has_title ? one.title : model_title, table.rows());
  if (const double first = year_of(gpus.front()), last = year_of(gpus.back()); first < last)
    result.title += fmt::format(", {:g} to {:g}", first, last);
  if (one.kept == Kept::fastest) result.title += ", " + left;
  result.chart = {.kind = ChartKind::bars, .x = "gpu", .y = y, .log_y = one.log_y}; // from GB/s to TB/s
  return left;
}

} // namespace perfmodel::cli
