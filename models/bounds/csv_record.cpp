#include "csv_record.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace perfmodel {

namespace {

// "10 000"
std::string grouped(std::size_t thousands) { return fmt::format("{} 000", thousands / 1'000); }

} // namespace

void refuse(std::size_t line, std::string_view what, std::string_view file) {
  throw InputError(fmt::format("{}, line {}: {}", file, line, what));
}

std::string clean(std::string_view cell) {
  while (!cell.empty() && std::isspace(static_cast<unsigned char>(cell.front()))) cell.remove_prefix(1);
  while (!cell.empty() && std::isspace(static_cast<unsigned char>(cell.back()))) cell.remove_suffix(1);
  return std::string(cell);
}

std::vector<std::string> take_record(std::string_view& text, std::size_t& line, const CsvLimits& limits) {
  const std::size_t first_line = line;
  std::vector<std::string> cells;
  std::string cell;
  bool quoted = false, was_quoted = false;
  std::size_t i = 0;
  const auto end_cell = [&] {
    cells.push_back(was_quoted ? cell : clean(cell));
    cell.clear();
    was_quoted = false;
  };
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') refuse(line, "binary data, not CSV text", limits.file);
    if (quoted) {
      if (c == '\n') ++line;
      if (c != '"')
        cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else
        quoted = false;
    } else if (c == '"' && clean(cell).empty()) {
      cell.clear();
      quoted = was_quoted = true;
    } else if (c == ',') {
      end_cell();
    } else if (c == '\n') {
      break;
    } else if (c != '\r' && !(was_quoted && std::isspace(static_cast<unsigned char>(c)))) {
      cell += c;
    }
    if (cell.size() > limits.cell)
      refuse(first_line, fmt::format("a cell of more than {} characters", grouped(limits.cell)), limits.file);
    if (cells.size() > limits.columns)
      refuse(first_line, fmt::format("more than {} columns", grouped(limits.columns)), limits.file);
  }
  if (quoted) refuse(first_line, "a quote that never closes", limits.file);
  end_cell();
  text.remove_prefix(std::min(i + 1, text.size()));
  ++line;
  return cells;
}

} // namespace perfmodel
