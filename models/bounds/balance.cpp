#include "balance.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {
namespace {

bool sustained(const Gpu& gpu, std::string_view ceiling) {
  for (const ArithmeticUnit* unit : units_of(gpu, std::nullopt))
    if (unit->name == ceiling) return has_sustained(gpu, *unit);
  return false;
}

// Of how many of several ceilings the measured balance has a specified rate, behind a semicolon.
std::string not_measured(const Gpu& gpu, const std::vector<Balance::Row>& rows) {
  std::size_t measured = 0, specified = 0;
  for (const Balance::Row& row : rows)
    if (row.basis == Basis::measured) {
      ++measured;
      specified += sustained(gpu, row.ceiling) ? 0U : 1U;
    }
  if (specified == 0 || measured < 2) return "";
  if (specified == measured) return "; no rate was measured";
  return fmt::format("; {} of {} rates were not measured", specified, measured);
}

} // namespace

namespace {
// fp32 where it is among them.
auto row_told(const std::vector<Balance::Row>& rows) {
  const auto is_fp32 = [](const Balance::Row& row) { return row.ceiling == "fp32"; };
  const auto fp32 = std::find_if(rows.begin(), rows.end(), is_fp32);
  return fp32 == rows.end() ? rows.begin() : fp32;
}
} // namespace

const void* Balance::said(const Input&, const std::vector<Row>& rows) {
  return rows.empty() ? nullptr : &row_told(rows)->balance;
}

std::string Balance::verdict(const Gpu& gpu, const Input& in, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  const auto row = row_told(rows);
  std::string text = fmt::format(
      "The balance of {} is {}, {} over {} of {}: a kernel that does less for each byte is memory-bound",
      row->ceiling, in_words(row->balance, row->ceiling), in_words(row->rate, row->ceiling),
      in_words(row->bandwidth), names(in.level)[static_cast<std::size_t>(in.level)]);
  if (row + 1 != rows.end() && row[1].ceiling == row->ceiling)
    text += fmt::format(". The measured {} put{} it at {}",
                        sustained(gpu, row->ceiling) ? "rate and bandwidth" : "bandwidth",
                        sustained(gpu, row->ceiling) ? "" : "s", in_words(row[1].balance, row->ceiling));
  return text + not_measured(gpu, rows) + ".";
}

template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Plain&);
template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Recorder&);
} // namespace perfmodel
