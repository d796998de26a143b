#include "figure.hpp"

#include "cell_text.hpp"
#include "models/core/chart_choice.hpp"
#include "plots/chart/sweep_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_sources = 3, most_gpus = 6, many_gpus = 12;

void add_once(std::vector<std::string>& words, std::string word) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
    words.push_back(std::move(word));
}

std::vector<std::string> devices_of(const Result& result) {
  std::vector<std::string> names;
  const auto add_those_of = [&](const Table& table) {
    if (const Column* gpu = table.find("gpu"); gpu != nullptr && gpu->is_text())
      for (std::size_t row = 0; row < gpu->size(); ++row) add_once(names, gpu->text(row));
  };
  const bool of_one_table = result.chart.kind == ChartKind::bars || result.chart.kind == ChartKind::lines;
  if (of_one_table && !result.tables.empty()) add_those_of(plots::charted_table(result, result.chart));
  if (names.empty()) std::for_each(result.tables.begin(), result.tables.end(), add_those_of);
  return names;
}

// Of a drawing of places and links: whose they are.
std::vector<std::string> nodes_of(const Result& result) {
  std::vector<std::string> names;
  if (result.chart.kind == ChartKind::diagram)
    for (const Table& table : result.tables)
      if (const Column* node = table.find("node"); node != nullptr && node->is_text())
        for (std::size_t row = 0; row < node->size(); ++row) add_once(names, node->text(row));
  return names;
}

std::string in_caption(const std::vector<std::string>& names, const Result& result) {
  if (names.size() > most_gpus && result.chart.x == "gpu") // they stand below their bars
    return fmt::format("{} GPUs", plots::charted_table(result, result.chart).rows());
  if (names.size() > most_gpus && result.chart.series == "gpu") return ""; // and here in the legend
  if (names.size() > many_gpus) return fmt::format("{} GPUs", names.size());
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_one_value(const Column& column) {
  return column.size() > 0 && std::visit(
                                  [](const auto& cells) {
                                    return std::all_of(cells.begin(), cells.end(),
                                                       [&](const auto& c) { return c == cells.front(); });
                                  },
                                  column.cells);
}

// Whether all that is drawn is of known costs: others that went in move none of it by more than 2 %.
bool draws_known(const Result& result) {
  if (result.tables.empty()) return false;
  const Column* grades = plots::charted_table(result, result.chart).find("grade");
  if (grades == nullptr || !grades->is_text() || grades->size() == 0) return false;
  for (std::size_t row = 0; row < grades->size(); ++row)
    if (grades->text(row) != name_of(Grade::known)) return false;
  return true;
}

// "its probes on NVIDIA H200", of a source that also says when and at which clock.
std::string probes_of(const std::string& source) {
  const std::size_t on = source.find(" on ");
  if (on == std::string::npos) return "its probes";
  return "its probes" + source.substr(on, source.find(',', on) - on);
}

// Who a constant comes from, in the fewest words.
std::string origin_of(const Step& constant, bool all_known) {
  if (constant.grade != Grade::known)
    return fmt::format("{} costs{}", name_of(constant.grade),
                       all_known ? " (they move it by under 2 %)" : "");
  return constant.probe.empty() ? constant.source : probes_of(constant.source);
}

// Whose numbers are drawn over the chart.
std::vector<std::string> laid_over(const Result& result, const std::vector<Result>& measured) {
  std::vector<std::string> sources;
  for (const Result& other : measured) {
    const bool is_drawn = result.chart.kind == ChartKind::roofline ||
                          std::any_of(other.tables.begin(), other.tables.end(), [&](const Table& table) {
                            const std::vector<std::string> drawn = columns_named(result.chart.y);
                            return table.find(result.chart.x) != nullptr &&
                                   std::any_of(drawn.begin(), drawn.end(), [&](const std::string& column) {
                                     return table.find(column) != nullptr;
                                   });
                          });
    if (!is_drawn || other.notes.empty()) continue;
    const std::string& source = other.notes.front();
    add_once(sources, source.starts_with("our probe") ? probes_of(source) : source);
  }
  return sources;
}

std::string sources_of(const Result& result, const std::vector<Result>& measured) {
  const std::vector<std::string> over = laid_over(result, measured);
  const auto is_said = [&](const std::string& origin) { // with the slide beside it
    return std::any_of(over.begin(), over.end(), [&](const auto& said) { return said.starts_with(origin); });
  };
  std::vector<std::pair<std::string, std::size_t>> sources; // with the number of constants of each
  const bool all_known = draws_known(result);
  for (const Step& constant : result.constants) {
    const std::string origin = origin_of(constant, all_known);
    if (is_said(origin)) continue;
    const auto known =
        std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.first == origin; });
    if (known == sources.end())
      sources.emplace_back(origin, 1);
    else
      ++known->second;
  }
  std::stable_sort(sources.begin(), sources.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  auto first = sources.begin();
  for (const std::string& source : over) first = std::next(sources.insert(first, {source, 0}));
  std::string out;
  for (std::size_t i = 0; i < std::min(sources.size(), most_sources); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : "; ", sources[i].first);
  if (sources.size() > most_sources) out += fmt::format("; {} more", sources.size() - most_sources);
  return out;
}

// "m2090, n 16. Source: perfmodel 0.1.0 (1234abcd)"
std::string said_by(const std::vector<std::string>& parts, const std::string& version,
                    const std::string& commit) {
  std::string out = fmt::format("{}", fmt::join(parts, ", "));
  out += fmt::format("{}Source: perfmodel {}", out.empty() ? "" : ". ", version);
  return commit == "unknown" ? out : out + fmt::format(" ({})", commit);
}

} // namespace

std::vector<std::string> held_fixed(const Result& result) {
  const ChartChoice& chart = result.chart;
  if (chart.kind != ChartKind::lines && chart.kind != ChartKind::bars) return {};
  std::vector<std::string> values;
  const Table& table = plots::charted_table(result, chart);
  for (const Column& column : table.columns) {
    if (column.role != Role::key || column.name == "gpu" || column.name == chart.x || !is_one_value(column))
      continue;
    const std::string name = plots::readable(column.name), value = cell_text(column, 0);
    if (value.empty() || value == "-") continue;
    values.push_back(value.ends_with(" " + name) ? value : name + " = " + value);
  }
  return values;
}

std::string caption_of(const Result& result, const std::vector<Result>& measured, const std::string& version,
                       const std::string& commit) {
  std::vector<std::string> parts = held_fixed(result);
  const std::vector<std::string> devices = devices_of(result), nodes = nodes_of(result);
  parts.insert(parts.begin(), nodes.begin(), nodes.end());
  const std::string sources = sources_of(result, measured), named = in_caption(devices, result);
  if (!named.empty()) parts.insert(parts.begin(), named);
  std::string out = said_by(parts, version, commit);
  if (!devices.empty()) out += ", its hardware database";
  if (!nodes.empty()) out += ", its description of the node";
  return out + (sources.empty() ? "." : fmt::format("; {}.", sources));
}

std::string caption_of(const std::vector<std::string>& inputs, bool of_a_gpu, const std::string& version,
                       const std::string& commit) {
  return said_by(inputs, version, commit) + (of_a_gpu ? ", its hardware database." : ".");
}

} // namespace perfmodel::cli
