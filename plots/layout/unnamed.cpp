#include "unnamed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel::plots {

bool Unnamed::add(const std::vector<std::size_t>& dots) {
  for (const std::size_t dot : dots) {
    const auto known = std::find(numbered.begin(), numbered.end(), dot);
    if (known == numbered.end()) {
      numbered.push_back(dot);
      continue;
    }
    nameless.push_back(dot);
    numbered.erase(known);
  }
  return !dots.empty();
}

Chart Unnamed::in(Chart chart) const {
  std::string key;
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    ChartDot& dot = chart.dots[numbered[i]];
    key += fmt::format("{}{}: {}", i ? "; " : "", i + 1, dot.label);
    dot.label = std::to_string(i + 1), dot.is_numbered = true;
  }
  for (const std::size_t dot : nameless) chart.dots[dot].label.clear();
  if (!key.empty()) chart.notes.push_back(key + ".");
  constexpr std::size_t longest_told = 80; // two lines of a column
  const std::string names = fmt::format("{}", fmt::join(lines, "; "));
  if (names.size() > longest_told)
    chart.notes.push_back(
        fmt::format("{} lines have no room for their names: a larger picture has.", lines.size()));
  else if (!lines.empty())
    chart.notes.push_back(fmt::format("Lines without room for their names: {}.", names));
  return chart;
}

} // namespace perfmodel::plots
