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

namespace {
// What an estimate is a multiple of: the product of the costs that the key names; empty where one is missing.
std::optional<double> basis_of(const Gpu& gpu, const KeyInfo& key) {
  double product = 1;
  for (std::string_view left = key.scale == "same" ? "" : key.scale; !left.empty();) {
    const std::size_t end = std::min(left.find(' '), left.size());
    const std::optional<Gpu::Cost> factor = gpu.cost_of(left.substr(0, end));
    if (!factor) return std::nullopt;
    product *= factor->value;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return product;
}
} // namespace

std::optional<Gpu::Cost> Gpu::cost_of(std::string_view path) const {
  if (const FactRecord* known = record(path); known != nullptr && !known->values.empty())
    return known_cost(*known);
  const auto at = estimates.find(path);
  const KeyInfo* key = at == estimates.end() ? nullptr : find_key(path);
  const std::optional<double> basis = key == nullptr ? std::nullopt : basis_of(*this, *key);
  if (!basis) return std::nullopt;
  const Estimate& e = at->second;
  return Cost{e.value * *basis, e.low * *basis, e.high * *basis, e.grade, nullptr, &e};
}

namespace {
const KeyInfo& key_named(std::string_view path) {
  if (const KeyInfo* key = find_key(path)) return *key;
  std::vector<std::string> names;
  for (const KeyInfo& k : all_keys()) names.emplace_back(k.path);
  throw InputError("unknown fact '" + std::string(path) + "'" + suggestion(path, names) +
                   "; 'perfmodel hw keys' lists them");
}

// The old record stays visible as a rival of the new one.
void override_record(Gpu& gpu, std::string_view path, FactRecord record) {
  FactRecord& slot = gpu.facts[path];
  if (!slot.values.empty()) {
    record.rivals = std::move(slot.rivals);
    record.rivals.push_back({slot.values.front(), slot.values.front(), slot.status, slot.source, slot.note});
    record.clock = slot.clock;
  }
  slot = std::move(record);
}
} // namespace

Gpu with_fact(Gpu gpu, std::string_view path, double base_units) {
  const KeyInfo& key = key_named(path);
  if (key.kind == FactKind::text)
    throw InputError("the fact '" + std::string(path) + "' is a word, not a number");
  const bool zero_fits = key.least <= 0 || (key.assumed_high > 0 && key.assumed_low <= 0);
  if (!(base_units > 0 || (zero_fits && base_units == 0)))
    throw InputError("--set " + std::string(path) + ": the value must be " +
                     (zero_fits ? "zero or more" : "above zero"));
  const bool counted = key.dimension == Dimension{} && key.scale.empty(); // a cost may be the mean of several
  if (counted && base_units != std::floor(base_units))
    throw InputError("--set " + std::string(path) + ": a whole number is expected");
  override_record(gpu, path,
                  {.values = {base_units},
                   .status = Status::unverified,
                   .layer = Layer::set,
                   .source = "--set",
                   .place = "--set"});
  return gpu;
}

namespace {
// "0 B, 8 KiB, 16 KiB", as it is printed.
std::vector<double> parse_list(const KeyInfo& key, std::string_view text) {
  std::vector<double> values;
  try {
    values = parse_quantities(text, {base_symbol(key.dimension), key.dimension});
  } catch (const InputError& e) {
    throw InputError(fmt::format("--set {}: {}", key.path, e.what()));
  }
  for (const double value : values)
    if (!(value >= key.least && value <= key.most))
      throw InputError(
          fmt::format("--set {}: {:g} is outside {:g} to {:g}", key.path, value, key.least, key.most));
  return values;
}
} // namespace

Gpu with_fact(Gpu gpu, std::string_view path, std::string_view text) {
  const KeyInfo& key = key_named(path);
  if (key.kind == FactKind::list) {
    override_record(gpu, path,
                    {.values = parse_list(key, text),
                     .status = Status::unverified,
                     .layer = Layer::set,
                     .source = "--set",
                     .place = "--set"});
    return gpu;
  }
  if (key.kind != FactKind::text)
    return with_fact(std::move(gpu), path,
                     parse_quantity_as(text, {base_symbol(key.dimension), key.dimension}));
  override_record(gpu, path,
                  {.text = std::string(text), .layer = Layer::set, .source = "--set", .place = "--set"});
  return gpu;
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
    override_record(gpu, c.path,
                    {.values = {c.value},
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
