#include "band_words.hpp"

#include "draw.hpp"
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr double aside = 0.1; // of a number, between it and its band's median

// A row with a band, whose number has the name that the band's columns begin with.
struct Banded {
  std::string number, gpu, goes_with;
  Unit unit;
  double value = absent, low = absent, median = absent, high = absent;

  double distance() const { return std::fabs(std::log(median / value)); }
  bool is_aside() const {
    return value > 0 && median > 0 &&
           (value < low || value > high || std::fabs(median - value) > aside * value);
  }
};

std::vector<Banded> rows_of(const Table& table) {
  std::vector<Banded> rows;
  const Column *goes_with = table.find("goes_with"), *gpu = table.find("gpu");
  if (goes_with == nullptr) return rows;
  for (const Column& low : table.columns) {
    if (low.role != Role::low || !low.name.ends_with("_low")) continue;
    const std::string name = low.name.substr(0, low.name.size() - 4);
    const Column *number = table.find(name), *median = table.find(name + "_median"),
                 *high = table.find(name + "_high");
    if (number == nullptr || median == nullptr || high == nullptr) continue;
    for (std::size_t row = 0; row < low.size(); ++row)
      rows.push_back({.number = name,
                      .gpu = gpu == nullptr ? "" : gpu->text(row),
                      .goes_with = goes_with->text(row),
                      .unit = number->unit,
                      .value = number->number(row),
                      .low = low.number(row),
                      .median = median->number(row),
                      .high = high->number(row)});
  }
  return rows;
}

// Of several GPUs the constants of one name say at their places whose they are.
const Step* constant_of(const Result& result, const std::string& symbol, const std::string& gpu) {
  const Step* any = nullptr;
  for (const Step& constant : result.constants) {
    if (constant.symbol != symbol || std::isnan(constant.low) || std::isnan(constant.high)) continue;
    if (!gpu.empty() && constant.place.find(gpu) != std::string::npos) return &constant;
    if (any == nullptr) any = &constant;
  }
  return any;
}

// "block.device_interval" of "block.device_interval 63 %, l2.latency 30 %".
std::string first_cost(const std::string& goes_with) { return goes_with.substr(0, goes_with.find(' ')); }

std::string because(const Banded& row, const Result& result) {
  const std::string cost = first_cost(row.goes_with);
  if (cost.empty())
    return "no single cost explains a quarter of it: many are open at a time, and most of them to one side";
  const std::string share = row.goes_with.substr(0, row.goes_with.find(','));
  std::string text = fmt::format("it goes most with {} of the variance", share);
  const Step* constant = constant_of(result, cost, row.gpu);
  if (constant == nullptr) return text;
  const double place = (constant->value - constant->low) / (constant->high - constant->low);
  text += fmt::format(", {} as {} in a range from {} to {}", name_of(constant->grade),
                      format_quantity(constant->value, constant->unit),
                      format_quantity(constant->low, constant->unit),
                      format_quantity(constant->high, constant->unit));
  if (place < 0.4) text += ", most of which is above that";
  if (place > 0.6) text += ", most of which is below that";
  return text;
}

} // namespace

std::string what_bands_are(const Result& result) {
  const auto has_bands = [](const Table& table) {
    const std::vector<Banded> rows = rows_of(table);
    return std::any_of(rows.begin(), rows.end(), [](const Banded& row) { return !std::isnan(row.low); });
  };
  // Rows that went on to a file are not here to look at.
  const bool kept = std::any_of(result.tables.begin(), result.tables.end(),
                                [](const Table& table) { return table.rows() > 0; });
  if (kept && std::none_of(result.tables.begin(), result.tables.end(), has_bands))
    return "Bands: none: what is told here goes with no cost that is known as a range.";
  return fmt::format(
      "Bands: 5 to 95 % of {} answers, each with every cost somewhere in its range, and the median; goes "
      "with: which costs, and how much of the variance each explains.",
      draws);
}

std::string why_band_is_aside(const Result& result) {
  std::vector<Banded> rows;
  for (const Table& table : result.tables)
    for (Banded& row : rows_of(table))
      if (row.is_aside()) rows.push_back(std::move(row));
  if (rows.empty()) return "";
  const Banded& worst = *std::max_element(
      rows.begin(), rows.end(), [](const Banded& a, const Banded& b) { return a.distance() < b.distance(); });
  const auto words = [&](double value) { return format_quantity(value, worst.unit); };
  const std::string where = worst.value < worst.low      ? "below"
                            : worst.value > worst.high   ? "above"
                            : worst.value < worst.median ? "in the lower half of"
                                                         : "in the upper half of";
  return fmt::format(
      "{}{} {}, with every cost at its own value, lies {} its band, {} to {} with a median of {}: {}.",
      worst.gpu.empty() ? "" : worst.gpu + ": ", worst.number, words(worst.value), where, words(worst.low),
      words(worst.high), words(worst.median), because(worst, result));
}

} // namespace perfmodel
