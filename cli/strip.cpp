#include "strip.hpp"

#include "cell_text.hpp"
#include "text_lines.hpp"

#include <algorithm>

namespace perfmodel::cli {

namespace {

Strip text_strip(const Column& column) {
  Strip strip{.head = {heading(column.name)}, .text = true};
  strip.width = width_of(strip.head.front());
  for (std::size_t row = 0; row < column.size(); ++row) {
    strip.cells.push_back({cell_text(column, row)});
    strip.width = std::max(strip.width, width_of(strip.cells.back().front()));
  }
  return strip;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, width_of(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

} // namespace

void narrow(Strip& strip, std::size_t width) {
  if (!strip.text || strip.width <= width) return;
  std::size_t least = width_of(strip.head.front());
  for (const auto& cell : strip.cells)
    least = std::max(least, std::min<std::size_t>(longest_word(cell.front()), 34));
  strip.width = std::max(width, least);
  for (auto& cell : strip.cells) cell = wrapped(cell.front(), strip.width);
}

Strip strip_of(const Column& column, const std::vector<bool>& integers) {
  if (column.is_text()) return text_strip(column);
  Strip strip{.head = {heading(column.name)}};
  std::vector<std::pair<std::string, std::string>> parts; // number, unit
  std::size_t number_width = 0, unit_width = 0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    std::string cell = cell_text(column, row, row < integers.size() && integers[row]), unit;
    const std::size_t at = cell.find_first_not_of("0123456789.-+ einf");
    const std::size_t space = at == std::string::npos ? std::string::npos : cell.rfind(' ', at);
    if (space != std::string::npos) unit = cell.substr(space), cell.resize(space);
    number_width = std::max(number_width, width_of(cell));
    unit_width = std::max(unit_width, width_of(unit));
    parts.emplace_back(std::move(cell), std::move(unit));
  }
  strip.width = std::max(width_of(strip.head.front()), number_width + unit_width);
  for (const auto& [number, unit] : parts)
    strip.cells.push_back(
        {padded(padded(number, number_width, true) + padded(unit, unit_width), strip.width, true)});
  return strip;
}

void narrow_head(Strip& strip) {
  if (strip.text) return;
  std::size_t least = longest_word(strip.head.front());
  for (const auto& cell : strip.cells) {
    const std::string& text = cell.front(); // padded to the strip's width
    least = std::max(least, strip.width - std::min(text.find_first_not_of(' '), strip.width));
  }
  for (auto& cell : strip.cells) cell.front().erase(0, strip.width - least);
  strip.head = wrapped(strip.head.front(), least);
  strip.width = least;
}

} // namespace perfmodel::cli
