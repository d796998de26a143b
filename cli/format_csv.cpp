#include "format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace perfmodel::cli {

namespace {

void add_text(fmt::memory_buffer& out, const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void add_cell(fmt::memory_buffer& out, const Column& column, std::size_t row) {
  if (const auto* d = std::get_if<std::vector<double>>(&column.cells)) {
    if (!std::isnan((*d)[row])) fmt::format_to(std::back_inserter(out), "{}", (*d)[row]);
  } else if (const auto* i = std::get_if<std::vector<std::int64_t>>(&column.cells)) {
    fmt::format_to(std::back_inserter(out), "{}", (*i)[row]);
  } else {
    add_text(out, std::get<std::vector<std::string>>(column.cells)[row]);
  }
}

} // namespace

std::string to_csv(const Result& result) {
  fmt::memory_buffer out;
  for (const Table& table : result.tables) {
    if (&table != &result.tables.front()) out.push_back('\n');
    if (result.tables.size() > 1) fmt::format_to(std::back_inserter(out), "# {}\n", table.title);
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) out.push_back(',');
      const std::string& unit = column.unit.symbol;
      add_text(out, unit.empty() || unit == "fraction" ? column.name : column.name + " [" + unit + "]");
    }
    out.push_back('\n');
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (const Column& column : table.columns) {
        if (&column != &table.columns.front()) out.push_back(',');
        add_cell(out, column, row);
      }
      out.push_back('\n');
    }
  }
  return fmt::to_string(out);
}

} // namespace perfmodel::cli
