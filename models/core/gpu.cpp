#include "gpu.hpp"

#include "error.hpp"
#include "model.hpp"
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace perfmodel {

double Gpu::capability() const { return std::strtod(architecture.c_str(), nullptr); }

void Gpu::throw_missing(std::string_view path, std::string_view meaning) const {
  if (const auto why = lacks.find(path); why != lacks.end())
    throw InputError(name + " has no units for '" + std::string(path) + "' (" + std::string(meaning) +
                     "): " + why->second);
  throw MissingFact(name + " has no fact '" + std::string(path) + "' (" + std::string(meaning) +
                        "): add it to " + file + ", or give --set " + std::string(path) + "=VALUE",
                    path);
}

std::optional<double> Gpu::basis_of(const KeyInfo& key) const {
  double product = 1;
  const bool all_known = key.every_factor([&](std::string_view path) {
    const std::optional<Gpu::Cost> factor = cost_of(path);
    if (factor) product *= factor->value;
    return factor.has_value();
  });
  if (!all_known) return std::nullopt;
  return product;
}

std::optional<Gpu::Cost> Gpu::cost_of(std::string_view path) const {
  if (const FactRecord* known = record(path); known != nullptr && !known->values.empty())
    return known_cost(*known);
  const auto at = estimates.find(path);
  const KeyInfo* key = at == estimates.end() ? nullptr : find_key(path);
  return key == nullptr ? std::nullopt : estimated(at->second, *key);
}

std::optional<Gpu::Cost> Gpu::estimated(const Estimate& e, const KeyInfo& key) const {
  const std::optional<double> basis = basis_of(key);
  if (!basis) return std::nullopt;
  return Cost{e.value * *basis, e.low * *basis, e.high * *basis, e.grade, nullptr, &e};
}

void Gpu::put(std::string_view path, FactRecord record) {
  FactRecord& slot = facts[path];
  if (!slot.values.empty()) {
    record.rivals = std::move(slot.rivals);
    record.rivals.push_back({slot.values.front(), slot.values.front(), slot.status, slot.source, slot.note});
    record.clock = slot.clock;
  }
  slot = std::move(record);
}

bool differ(const Constant& found, const FactRecord& there) {
  constexpr double much = 0.02;
  if (there.values.size() != 1) return false;
  return std::fabs(found.value - there.values.front()) > much * std::fabs(there.values.front());
}

Gpu with_constants(Gpu gpu, std::span<const Constant> constants, Over over) {
  for (const Constant& c : constants) {
    const auto there = gpu.facts.find(c.path);
    const bool stays =
        there != gpu.facts.end() && (there->second.status != Status::measured || !differ(c, there->second));
    if (stays && over == Over::readings) { // seen beside the value that is used
      there->second.rivals.push_back({c.low, c.high, Status::measured, c.source, ""});
      continue;
    }
    gpu.put(c.path, {.values = {c.value},
                     .status = Status::measured,
                     .layer = Layer::measured,
                     .source = c.source,
                     .place = c.place,
                     .probe = c.probe,
                     .rivals = {},
                     .low = c.low,
                     .high = c.high});
  }
  return gpu;
}

} // namespace perfmodel
