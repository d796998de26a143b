#include "slips.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace perfmodel::cli {

namespace {

// '*' stands for any characters.
bool matches(std::string_view text, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return text == pattern;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  for (std::size_t from = star; from <= text.size(); ++from)
    if (matches(text.substr(from), pattern.substr(star + 1))) return true;
  return false;
}

bool holds(const Column& column, std::size_t row, const std::string& value) {
  if (column.is_text()) return matches(column.text(row), value);
  try {
    const double number = parse_quantity_as(value, column.unit);
    return std::abs(column.number(row) - number) <= 1e-9 * std::abs(number);
  } catch (const InputError&) { // of another column with this name, in another table
    return false;
  }
}

bool any_row(const Table& table, std::span<const std::string> gpus, const hwdb::SlipMet& met) {
  const Column* device = table.find("gpu");
  std::vector<const Column*> columns;
  for (const auto& [name, values] : met.row) {
    columns.push_back(table.find(name));
    if (columns.back() == nullptr) return false;
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (device != nullptr && row < device->size() &&
        std::find(gpus.begin(), gpus.end(), device->text(row)) == gpus.end())
      continue;
    std::size_t held = 0;
    while (held < columns.size() && row < columns[held]->size() &&
           std::any_of(met.row[held].second.begin(), met.row[held].second.end(),
                       [&](const std::string& value) { return holds(*columns[held], row, value); }))
      ++held;
    if (held == columns.size()) return true;
  }
  return false;
}

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

std::string note_of(const hwdb::Slip& slip) {
  return fmt::format("{} ({}) prints: {}. Right: {}. Why: {}. See 'perfmodel slips {}'.", slip.author(),
                     slip.where, slip.printed, slip.right, slip.why, slip.id);
}

bool meets(const Result& result, std::span<const Gpu> gpus, const hwdb::SlipMet& met) {
  if (met.model != result.model) return false;
  std::vector<std::string> concerned;
  for (const Gpu& gpu : gpus)
    if ((met.cc.empty() || is_one_of(gpu.architecture, met.cc)) &&
        (met.gpus.empty() || is_one_of(gpu.name, met.gpus)))
      concerned.push_back(gpu.name);
  if (concerned.empty()) return false;
  return met.row.empty() || std::any_of(result.tables.begin(), result.tables.end(),
                                        [&](const Table& table) { return any_row(table, concerned, met); });
}

void note_slips(Result& result, std::span<const Gpu> gpus, const std::vector<hwdb::Slip>& slips) {
  for (const hwdb::Slip& slip : slips)
    if (std::any_of(slip.met.begin(), slip.met.end(),
                    [&](const hwdb::SlipMet& met) { return meets(result, gpus, met); }))
      result.notes.push_back(note_of(slip));
}

} // namespace perfmodel::cli
