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

void Unnamed::give_up(const std::vector<std::size_t>& dots) {
  for (const std::size_t dot : dots) {
    std::erase(numbered, dot);
    nameless.push_back(dot);
  }
}

namespace {
constexpr std::size_t longest_told = 80; // two lines of a column

// The names, or how many there are of them: "lines".
std::string said_of(const std::vector<std::string>& names, std::string what) {
  const std::string all = fmt::format("{}", fmt::join(names, "; "));
  if (all.size() > longest_told && names.size() > 1)
    return fmt::format("{} {} have no room for their names: a larger picture has.", names.size(), what);
  what.front() = static_cast<char>(what.front() - 'a' + 'A');
  return fmt::format("{} without room for their names: {}.", what, all);
}
} // namespace

Chart Unnamed::in(Chart chart) const {
  std::string key;
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    ChartDot& dot = chart.dots[numbered[i]];
    key += fmt::format("{}{}: {}", i ? "; " : "", i + 1, dot.label);
    dot.label = std::to_string(i + 1), dot.is_numbered = true;
  }
  std::vector<std::string> names;
  for (const std::size_t dot : nameless) {
    names.push_back(chart.dots[dot].label);
    chart.dots[dot].label.clear();
  }
  if (!key.empty()) chart.notes.push_back(key + ".");
  if (!names.empty()) chart.notes.push_back(said_of(names, "points"));
  if (!lines.empty()) chart.notes.push_back(said_of(lines, "lines"));
  return chart;
}

} // namespace perfmodel::plots
