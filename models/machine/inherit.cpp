#include "inherit.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

namespace {

std::string memory_of(const Gpu& gpu) {
  const auto type = gpu.find(facts::dram_type);
  return type ? type->value : "";
}

// "HBM3e" and "HBM2" are of one family, "GDDR6X" of another.
std::string family_of(const std::string& memory) {
  return memory.substr(0, std::min(memory.find_first_of("0123456789"), memory.size()));
}

bool goes_with_memory(const KeyInfo& key) {
  return key.scale == facts::dram_bandwidth.path || key.scale == facts::sustained_dram_copy.path;
}

// What is known of the cost. Of device memory a stream that nobody says more of stands for reads, writes and
// copies, as it does on the GPU itself.
const FactRecord* known_of(const Gpu& donor, const KeyInfo& key) {
  const FactRecord* known = donor.record(key.path);
  const bool is_stream = key.path == facts::sustained_dram_read.path ||
                         key.path == facts::sustained_dram_write.path ||
                         key.path == facts::sustained_dram_copy.path;
  return known != nullptr || !is_stream ? known : donor.record(facts::sustained_dram.path);
}

// What the value is a multiple of, from facts alone.
std::optional<double> known_basis(const Gpu& gpu, const KeyInfo& key) {
  double product = 1;
  const bool all_known = key.every_factor([&](std::string_view path) {
    const FactRecord* factor = gpu.record(path);
    if (factor == nullptr || factor->values.empty()) return false;
    product *= factor->values.front();
    return true;
  });
  return all_known ? std::optional(product) : std::nullopt;
}

struct Distance {
  int kind = 0; // 0 same chip, 1 same compute capability, 2 same memory, 3 same family of memory, 4 another
  double years = 0; // in compute capability
  friend auto operator<=>(const Distance&, const Distance&) = default;
};

Distance between(const Gpu& gpu, const Gpu& donor, const KeyInfo& key) {
  const double years = std::fabs(gpu.capability() - donor.capability());
  if (!gpu.chip.empty() && gpu.chip == donor.chip) return {0, years};
  if (gpu.architecture == donor.architecture) return {1, years};
  if (goes_with_memory(key)) {
    const std::string mine = memory_of(gpu), theirs = memory_of(donor);
    if (!mine.empty() && mine == theirs) return {2, years};
    if (!mine.empty() && family_of(mine) == family_of(theirs)) return {3, years};
  }
  return {4, years};
}

// What the nearest GPUs have, per basis: of several that are equally near, their geometric mean.
struct Found {
  Distance distance;
  std::vector<double> values;
  std::string donors;

  void add(double value, const std::string& donor) {
    values.push_back(value);
    donors += (donors.empty() ? "" : ", ") + donor;
  }
  double least() const { return *std::min_element(values.begin(), values.end()); }
  double most() const { return *std::max_element(values.begin(), values.end()); }
  double mean() const {
    if (least() == most() || !(least() > 0)) return values.front();
    double logarithms = 0;
    for (const double value : values) logarithms += std::log(value);
    return std::exp(logarithms / static_cast<double>(values.size()));
  }
};

// Another vendor's architecture has no compute capability, and no cost here is near to it.
bool is_related(const Gpu& gpu) { return gpu.capability() > 0; }

std::optional<Found> nearest_known(const Gpu& gpu, const KeyInfo& key, std::span<const Gpu> donors) {
  std::optional<Found> best;
  for (const Gpu& donor : donors) {
    const FactRecord* known = known_of(donor, key);
    const bool itself = donor.name == gpu.name && donor.file == gpu.file; // a user's file may have any name
    if (itself || known == nullptr || known->values.empty() || !is_related(donor)) continue;
    // What was fitted to results on one GPU may stand for more than its name says.
    if (known->status == Status::fitted && donor.architecture != gpu.architecture) continue;
    const std::optional<double> basis = known_basis(donor, key);
    if (!basis || !(*basis > 0)) continue;
    const Distance distance = between(gpu, donor, key);
    if (donor.record(key.path) == nullptr && distance.kind > 2) continue; // so far away a stream says little
    if (!best || distance < best->distance) best = Found{.distance = distance};
    if (distance == best->distance) best->add(known->values.front() / *basis, donor.name);
  }
  return best;
}

std::string how(std::string_view scale) {
  if (scale == "same") return "the same";
  if (scale == facts::clock.path) return "in proportion to the clock";
  if (scale == "sm_count clock") return "the same per SM and cycle";
  if (scale == facts::dram_bandwidth.path) return "the same share of the pin bandwidth";
  std::string factors(scale);
  for (std::size_t at = 0; (at = factors.find(' ', at)) != std::string::npos; at += 3)
    factors.replace(at, 1, " x ");
  return "in proportion to " + factors;
}

Estimate inherited(const Found& found, const KeyInfo& key) {
  const double spread = found.distance.kind == 0   ? chip_spread
                        : found.distance.kind == 1 ? architecture_spread
                                                   : memory_spread;
  return {.value = found.mean(),
          .low = std::min(found.mean() / (1 + spread), found.least()),
          .high = std::max(found.mean() * (1 + spread), found.most()),
          .grade = Grade::inherited,
          .from = fmt::format("{}: {}", found.donors, how(key.scale))};
}

Estimate assumed(const std::optional<Found>& found, const KeyInfo& key) {
  const double low = key.assumed_low, high = key.assumed_high;
  const double middle = low > 0 ? std::sqrt(low * high) : (low + high) / 2;
  const double value = found ? std::clamp(found->mean(), low, high) : middle;
  return {.value = value,
          .low = low,
          .high = high,
          .grade = Grade::assumed,
          .from = found ? fmt::format("{}; {}: {}", key.why, found->donors, how(key.scale))
                        : std::string(key.why)};
}

// Held above what passes through it, where that is known.
Estimate held_above(Estimate estimate, const Gpu& gpu, const KeyInfo& key) {
  const FactRecord* passing = key.above.empty() ? nullptr : gpu.record(key.above);
  const std::optional<double> basis = known_basis(gpu, key);
  if (passing == nullptr || passing->values.empty() || !basis || !(*basis > 0)) return estimate;
  const double least = passing->values.front() / *basis;
  if (estimate.value < least)
    estimate.from += fmt::format("; no less than {}, which passes through it", key.above);
  estimate.value = std::max(estimate.value, least);
  estimate.low = std::max(estimate.low, least);
  estimate.high = std::max(estimate.high, least);
  return estimate;
}

} // namespace

Gpu without_probes(Gpu gpu, std::span<const std::string> probes, const Gpu& files) {
  for (const std::string& probe : probes) {
    std::vector<std::string> known;
    bool found = false;
    for (const KeyInfo& key : all_keys()) {
      if (key.probe.empty()) continue;
      if (std::find(known.begin(), known.end(), key.probe) == known.end()) known.emplace_back(key.probe);
      if (probe != "all" && key.probe != probe) continue;
      found = true;
      const auto at = gpu.facts.find(key.path);
      if (at == gpu.facts.end()) continue;
      const bool has_rule = key.is_cost(), found_by_probe = !at->second.probe.empty();
      if (!has_rule && !found_by_probe) continue;
      gpu.facts.erase(at);
      if (const FactRecord* printed = files.record(key.path); printed != nullptr && !has_rule)
        gpu.facts.try_emplace(key.path, *printed);
    }
    if (!found)
      throw InputError(
          fmt::format("no fact is found by a probe '{}'{}", probe.substr(0, 60), suggestion(probe, known)));
  }
  return gpu;
}

Gpu with_estimates(Gpu gpu, std::span<const Gpu> donors) {
  gpu.estimates.clear();
  if (!is_related(gpu)) return gpu;
  for (const KeyInfo& key : all_keys()) {
    if (!key.is_cost() || key.kind != FactKind::number || gpu.record(key.path) != nullptr ||
        gpu.lacks.find(key.path) != gpu.lacks.end() || gpu.capability() < key.since)
      continue;
    const std::optional<Found> found = nearest_known(gpu, key, donors);
    if (found && found->distance.kind <= 2)
      gpu.estimates.try_emplace(key.path, held_above(inherited(*found, key), gpu, key));
    else if (key.assumed_high > 0)
      gpu.estimates.try_emplace(key.path, held_above(assumed(found, key), gpu, key));
  }
  return gpu;
}

} // namespace perfmodel
