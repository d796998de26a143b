#include "hw.hpp"

#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::cli::hw {

// Buses and pins are counted in bits by everybody.
std::string value_text(const KeyInfo& key, const FactRecord& fact) {
  if (key.kind == FactKind::text) return fact.text;
  if (key.path == facts::dram_data_rate.path) return fmt::format("{:.4g} Gbit/s", 8e-9 * fact.values.front());
  if (key.path == facts::dram_bus.path || key.path == facts::dram_partition_width.path)
    return fmt::format("{} bit", 8 * fact.values.front());
  Unit unit{base_symbol(key.dimension), key.dimension};
  if (counts_integers(key.path)) unit = as_operations(unit);
  // Sizes that are whole numbers of KiB are meant so.
  const bool binary = unit.symbol == "B" && std::all_of(fact.values.begin(), fact.values.end(),
                                                        [](double v) { return std::fmod(v, 1024) == 0; });
  std::string text;
  for (const double value : fact.values)
    text += (text.empty() ? "" : ", ") + format_quantity(value, unit, binary ? Prefix::binary : Prefix::si);
  return text;
}

double base_value(const KeyInfo& key, const FactRecord& fact) {
  return key.kind == FactKind::number ? fact.values.front() : absent;
}

std::string base_text(const KeyInfo& key, const FactRecord& fact) {
  if (key.kind == FactKind::number) return "";
  return key.kind == FactKind::text ? fact.text : fmt::format("{}", fmt::join(fact.values, ", "));
}

} // namespace perfmodel::cli::hw
