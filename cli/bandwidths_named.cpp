#include "bandwidths_named.hpp"

#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

namespace {

// Whether the answer tells a share of a bandwidth of device memory; matmul's of_roof is of arithmetic.
bool tells_a_share(const Result& result) {
  constexpr auto shares = std::to_array<std::string_view>({"of_roof", "share_of_roof", "of_pin", "of_dram"});
  return result.model != "matmul" &&
         std::any_of(result.tables.begin(), result.tables.end(), [&](const Table& table) {
           return std::any_of(shares.begin(), shares.end(), [&](std::string_view name) {
             const Column* column = table.find(name);
             return column != nullptr && column->role == Role::predicted;
           });
         });
}

// The roofline's ceilings: of the pins (spec) and measured.
bool has_both(const Table& table) {
  const Column* basis = table.find("basis");
  if (basis == nullptr || !basis->is_text() || table.find("bandwidth") == nullptr) return false;
  const auto has = [&](std::string_view word) {
    for (std::size_t row = 0; row < basis->size(); ++row)
      if (basis->text(row) == word) return true;
    return false;
  };
  return has("spec") && has("measured");
}

// "4.619 TB/s reading, 4.298 TB/s copying": those that are known, else the estimate of a read with its grade.
std::string reached(const Gpu& gpu) {
  constexpr auto streams = std::to_array<std::pair<const char*, const char*>>(
      {{"sustained.dram.read", " reading"}, {"sustained.dram.copy", " copying"}, {"sustained.dram", ""}});
  std::string text;
  for (const auto& [path, how] : streams) {
    const auto cost = gpu.cost_of(path);
    const bool last = path == streams.back().first;
    if (!cost || cost->grade != Grade::known || (last && !text.empty())) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", in_words(BytesPerSecond{cost->value}), how);
  }
  if (!text.empty()) return text;
  const auto estimate = gpu.cost_of(streams.front().first);
  if (!estimate) return "";
  return fmt::format("{} reading ({})", in_words(BytesPerSecond{estimate->value}), name_of(estimate->grade));
}

} // namespace

void name_bandwidths(Result& result, std::span<const Gpu> gpus, std::span<const Axis> facts) {
  if (!tells_a_share(result) || std::any_of(result.tables.begin(), result.tables.end(), has_both)) return;
  std::string text;
  for (Gpu gpu : gpus) {
    for (const Axis& axis : facts) {
      if (axis.values.size() > 1) return;
      const Value& value = axis.values.front();
      gpu = value.text.empty() ? with_fact(std::move(gpu), axis.name, value.number)
                               : with_fact(std::move(gpu), axis.name, std::string_view(value.text));
    }
    const auto pins = gpu.find(facts::dram_bandwidth);
    const std::string streams = reached(gpu);
    if (!pins || streams.empty()) continue;
    text += fmt::format("{} of {}: {} at the pins, of which streams reach {}",
                        text.empty() ? "Device memory" : ";", gpu.name, in_words(pins->value), streams);
  }
  if (!text.empty()) result.notes.push_back(text + ".");
}

} // namespace perfmodel::cli
