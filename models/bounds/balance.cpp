#include "balance.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {
std::string Balance::verdict(const Gpu&, const Input& in, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  const auto is_fp32 = [](const Row& row) { return row.ceiling == "fp32"; };
  const auto fp32 = std::find_if(rows.begin(), rows.end(), is_fp32);
  const auto row = fp32 == rows.end() ? rows.begin() : fp32;
  std::string text = fmt::format(
      "The balance of {} is {}, {} over {} of {}: a kernel that does less for each byte is memory-bound",
      row->ceiling, in_words(row->balance, row->ceiling), in_words(row->rate, row->ceiling),
      in_words(row->bandwidth), names(in.level)[static_cast<std::size_t>(in.level)]);
  if (row + 1 != rows.end() && row[1].ceiling == row->ceiling)
    text += fmt::format(". Measured rates put it at {}", in_words(row[1].balance, row->ceiling));
  return text + ".";
}

template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Plain&);
template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Recorder&);
} // namespace perfmodel
