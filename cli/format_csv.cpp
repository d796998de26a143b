#include "format.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace perfmodel::cli {

namespace {

void add_text(std::string& out, const std::string& text) {
  bool quotes = false;
  for (const char c : text) quotes = quotes || c == ',' || c == '"' || c == '\n' || c == '\r';
  if (!quotes) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// One column being written. Sweeps are long and many of their columns stand still, so a number that repeats
// the one above is not turned into text again.
class Writer {
public:
  explicit Writer(const Column& column)
      : doubles_(std::get_if<std::vector<double>>(&column.cells)),
        integers_(std::get_if<std::vector<std::int64_t>>(&column.cells)),
        texts_(std::get_if<std::vector<std::string>>(&column.cells)) {}

  void add(std::string& out, std::size_t row) {
    if (texts_ != nullptr) return add_text(out, (*texts_)[row]);
    if (row == 0 || !repeats(row))
      size_ = integers_ != nullptr           ? write((*integers_)[row])
              : std::isnan((*doubles_)[row]) ? 0
                                             : write((*doubles_)[row]);
    out.append(last_, size_);
  }

private:
  bool repeats(std::size_t row) const {
    if (integers_ != nullptr) return (*integers_)[row] == (*integers_)[row - 1];
    const double now = (*doubles_)[row], above = (*doubles_)[row - 1];
    return (now == above && std::signbit(now) == std::signbit(above)) ||
           (std::isnan(now) && std::isnan(above));
  }
  template <class T> std::size_t write(T value) {
    return static_cast<std::size_t>(fmt::format_to(last_, FMT_COMPILE("{}"), value) - last_);
  }

  const std::vector<double>* doubles_;
  const std::vector<std::int64_t>* integers_;
  const std::vector<std::string>* texts_;
  char last_[40] = {};
  std::size_t size_ = 0;
};

void add_table(std::string& out, const Table& table) {
  std::vector<Writer> writers;
  for (const Column& column : table.columns) {
    if (!writers.empty()) out += ',';
    const std::string& unit = column.unit.symbol;
    add_text(out, unit.empty() || unit == "fraction" ? column.name : column.name + " [" + unit + "]");
    writers.emplace_back(column);
  }
  out += '\n';
  const std::size_t start = out.size(), rows = table.rows();
  constexpr std::size_t probe = 1000; // rows that tell how long the others will be
  for (std::size_t row = 0; row < rows; ++row) {
    if (row == probe) out.reserve(start + (out.size() - start + probe) / probe * rows * 9 / 8);
    for (std::size_t c = 0; c < writers.size(); ++c) {
      if (c > 0) out += ',';
      writers[c].add(out, row);
    }
    out += '\n';
  }
}

} // namespace

std::string to_csv(const Result& result) {
  std::string out;
  for (const Table& table : result.tables) {
    if (&table != &result.tables.front()) out += '\n';
    if (result.tables.size() > 1) out += "# " + table.title + "\n";
    add_table(out, table);
  }
  return out;
}

} // namespace perfmodel::cli
