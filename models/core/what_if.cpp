#include "what_if.hpp"

#include "error.hpp"
#include "facts.hpp"
#include "model.hpp"
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

const KeyInfo& key_named(std::string_view path) {
  if (const KeyInfo* key = find_key(path)) return *key;
  std::vector<std::string> names;
  for (const KeyInfo& k : all_keys()) names.emplace_back(k.path);
  throw InputError("unknown fact '" + std::string(path) + "'" + suggestion(path, names) +
                   "; 'perfmodel hw keys' lists them");
}

// Whether `ask` holds for one of the facts that the key's value goes with.
template <class Ask> bool any_factor(const KeyInfo& key, const Ask& ask) {
  return !key.every_factor([&](std::string_view factor) { return !ask(factor); });
}

Estimate share_of(const FactRecord& seen, const KeyInfo& key, std::string_view path, double basis) {
  const double share = seen.values.front() / basis;
  return {.value = share,
          .low = share / (1 + what_if_spread),
          .high = share * (1 + what_if_spread),
          .grade = Grade::inherited,
          .from = fmt::format(
              "{} before --set {}, with which it goes",
              format_quantity(seen.values.front(), {base_symbol(key.dimension), key.dimension}), path),
          .own = true};
}

// To be called while the fact still has its old value: what goes with it becomes a multiple of it.
void let_follow(Gpu& gpu, std::string_view path) {
  for (const KeyInfo& key : all_keys()) {
    if (!key.follows || !any_factor(key, [&](std::string_view factor) { return factor == path; })) continue;
    const FactRecord* seen = gpu.record(key.path);
    if (seen == nullptr && gpu.cost_of(key.path))
      let_follow(gpu, key.path); // an estimate goes along by itself
    if (seen == nullptr || seen->values.empty() || seen->layer == Layer::set) continue;
    const std::optional<double> basis = gpu.basis_of(key);
    if (!basis || !(*basis > 0)) continue;
    let_follow(gpu, key.path);
    gpu.estimates[key.path] = share_of(*seen, key, path, *basis);
    gpu.facts.erase(gpu.facts.find(key.path));
  }
}

FactRecord set_to(std::vector<double> values) {
  return {.values = std::move(values),
          .status = Status::unverified,
          .layer = Layer::set,
          .source = "--set",
          .place = "--set"};
}

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

bool goes_with(std::string_view path, std::string_view set) {
  const KeyInfo* key = find_key(path);
  return key != nullptr && key->follows &&
         any_factor(*key, [&](std::string_view factor) { return factor == set || goes_with(factor, set); });
}

void check_fact(std::string_view path, double base_units) {
  const KeyInfo& key = key_named(path);
  if (key.kind == FactKind::text)
    throw InputError("the fact '" + std::string(path) + "' is a word, not a number");
  const bool zero_fits = key.least <= 0 || (key.assumed_high > 0 && key.assumed_low <= 0);
  if (!(base_units > 0 || (zero_fits && base_units == 0)))
    throw InputError("--set " + std::string(path) + ": the value must be " +
                     (zero_fits ? "zero or more" : "above zero"));
  const bool counted = key.dimension == Dimension{} && !key.is_cost(); // a cost may be the mean of several
  if (counted && base_units != std::floor(base_units))
    throw InputError("--set " + std::string(path) + ": a whole number is expected");
}

void check_streams(const Gpu& gpu) {
  using namespace facts;
  const auto text = [](double value) { return format_quantity(value, unit_of<BytesPerSecond>()); };
  const auto is_set = [&](const Key<BytesPerSecond>& key) {
    const FactRecord* record = gpu.record(key);
    return record != nullptr && record->layer == Layer::set;
  };
  const auto value_of = [&](const Key<BytesPerSecond>& key) {
    const std::optional<Gpu::Cost> cost = gpu.cost_of(key.path);
    return cost ? cost->value : absent;
  };
  const double pins = value_of(dram_bandwidth), copy = value_of(sustained_dram_copy);
  for (const auto& stream : {sustained_dram, sustained_dram_read, sustained_dram_write, sustained_dram_copy,
                             sustained_dram_triad, sustained_dram_memcpy})
    if (is_set(stream) && value_of(stream) > pins)
      throw InputError(fmt::format("--set {}: {} is more than the pins of {} carry, {}; set {} as well",
                                   stream.path, text(value_of(stream)), gpu.name, text(pins),
                                   dram_bandwidth.path));
  for (const auto& [half, does] :
       {std::pair(sustained_dram_read, "reads"), std::pair(sustained_dram_write, "writes")})
    if ((is_set(half) || is_set(sustained_dram_copy)) && copy / 2 > value_of(half))
      throw InputError(fmt::format("--set {}: a copy of {} {} at {}, more than {}; set {} as well",
                                   is_set(half) ? half.path : sustained_dram_copy.path, text(copy), does,
                                   text(copy / 2), text(value_of(half)),
                                   is_set(half) ? sustained_dram_copy.path : half.path));
}

Gpu with_fact(Gpu gpu, std::string_view path, double base_units) {
  check_fact(path, base_units);
  const FactRecord* there = gpu.record(path);
  const bool as_it_is = there != nullptr && there->values == std::vector{base_units};
  if (!as_it_is) let_follow(gpu, path);
  gpu.put(path, set_to({base_units}));
  return gpu;
}

Gpu with_fact(Gpu gpu, std::string_view path, std::string_view text) {
  const KeyInfo& key = key_named(path);
  if (key.kind == FactKind::list) {
    gpu.put(path, set_to(parse_list(key, text)));
    return gpu;
  }
  if (key.kind != FactKind::text)
    return with_fact(std::move(gpu), path,
                     parse_quantity_as(text, {base_symbol(key.dimension), key.dimension}));
  gpu.put(path, {.text = std::string(text), .layer = Layer::set, .source = "--set", .place = "--set"});
  return gpu;
}

} // namespace perfmodel
