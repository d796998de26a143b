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

// The values of one column that an entry names, as the column has them: words, or numbers in its unit.
class NamedValues {
public:
  NamedValues(const Column& column, const std::vector<std::string>& values) : column_(column) {
    for (const std::string& value : values) {
      if (column.is_text()) {
        words_.push_back(&value);
        continue;
      }
      try {
        numbers_.push_back(parse_quantity_as(value, column.unit));
      } catch (const InputError&) { // of another column with this name, in another table
      }
    }
  }

  bool has_row(std::size_t row) const {
    if (row >= column_.size()) return false;
    if (column_.is_text()) {
      const std::string text = column_.text(row);
      return std::any_of(words_.begin(), words_.end(),
                         [&](const std::string* word) { return matches(text, *word); });
    }
    const double held = column_.number(row);
    return std::any_of(numbers_.begin(), numbers_.end(),
                       [&](double number) { return std::abs(held - number) <= 1e-9 * std::abs(number); });
  }

private:
  const Column& column_;
  std::vector<const std::string*> words_;
  std::vector<double> numbers_;
};

bool any_row(const Table& table, std::span<const std::string> gpus, const hwdb::SlipMet& met) {
  const Column* device = table.find("gpu");
  std::vector<NamedValues> named;
  for (const auto& [name, values] : met.row) {
    const Column* column = table.find(name);
    if (column == nullptr) return false;
    named.emplace_back(*column, values);
  }
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (std::all_of(named.begin(), named.end(), [&](const NamedValues& of) { return of.has_row(row); }) &&
        (device == nullptr || row >= device->size() ||
         std::find(gpus.begin(), gpus.end(), device->text(row)) != gpus.end()))
      return true;
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

SlipsMet::SlipsMet(std::string_view model, std::span<const Gpu> gpus, const std::vector<hwdb::Slip>& slips) {
  for (const hwdb::Slip& slip : slips)
    for (const hwdb::SlipMet& met : slip.met) {
      if (met.model != model) continue;
      std::vector<std::string> concerned;
      for (const Gpu& gpu : gpus)
        if ((met.cc.empty() || is_one_of(gpu.architecture, met.cc)) &&
            (met.gpus.empty() || is_one_of(gpu.name, met.gpus)))
          concerned.push_back(gpu.name);
      if (!concerned.empty()) entries_.push_back({&slip, &met, std::move(concerned), met.row.empty()});
    }
}

void SlipsMet::look(const Table& rows) {
  for (Entry& entry : entries_) entry.is_met = entry.is_met || any_row(rows, entry.gpus, *entry.met);
}

void SlipsMet::note(Result& result) const {
  const hwdb::Slip* noted = nullptr;
  for (const Entry& entry : entries_) {
    if (!entry.is_met || entry.slip == noted) continue;
    noted = entry.slip;
    result.notes.push_back(note_of(*noted));
  }
}

} // namespace perfmodel::cli
