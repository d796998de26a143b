#include "memory_level.hpp"

#include "models/core/error.hpp"

namespace perfmodel {

std::span<const BandwidthFact> bandwidth_facts() {
  using namespace facts;
  static const BandwidthFact all[] = {
      {Level::dram, "DRAM pin", dram_bandwidth, Basis::spec},
      {Level::dram, "DRAM measured", sustained_dram, Basis::measured},
      {Level::dram, "DRAM read", sustained_dram_read, Basis::measured},
      {Level::dram, "DRAM write", sustained_dram_write, Basis::measured},
      {Level::dram, "DRAM copy", sustained_dram_copy, Basis::measured},
      {Level::dram, "DRAM triad", sustained_dram_triad, Basis::measured},
      {Level::dram, "cudaMemcpy", sustained_dram_memcpy, Basis::measured},
      {Level::l2, "L2 read", sustained_l2, Basis::measured},
      {Level::l1, "L1 read", sustained_l1, Basis::measured},
      {Level::shared, "shared read", sustained_shared, Basis::measured},
  };
  return all;
}

bool has_shared_banks(const Gpu& gpu) {
  return gpu.record(facts::shared_banks) != nullptr && gpu.record(facts::shared_bank_width) != nullptr &&
         gpu.record(facts::shared_cycles_per_request) != nullptr;
}

bool holds(const Gpu& gpu, const BandwidthFact& fact) {
  using namespace facts;
  if (!gpu.has_own(fact.key)) return false;
  const FactRecord* record = gpu.record(fact.key);
  const bool given = record != nullptr && record->layer == Layer::set;
  if (given || fact.level != Level::shared || !has_shared_banks(gpu) ||
      !any_set(gpu, {shared_banks.path, shared_bank_width.path, shared_cycles_per_request.path}))
    return true;
  Plain plain;
  return gpu.cost(fact.key).value <= base_value(shared_bandwidth(gpu, plain));
}

bool has_bandwidth(const Gpu& gpu, Level level, Basis basis) {
  if (level == Level::shared && basis == Basis::spec && has_shared_banks(gpu)) return true;
  for (const BandwidthFact& fact : bandwidth_facts())
    if (fact.level == level && fact.basis == basis && holds(gpu, fact)) return true;
  return false;
}

Key<BytesPerSecond> bandwidth_key(const Gpu& gpu, Level level, Basis basis) {
  for (const BandwidthFact& fact : bandwidth_facts())
    if (fact.level == level && fact.basis == basis && holds(gpu, fact)) return fact.key;
  for (const BandwidthFact& fact : bandwidth_facts())
    if (fact.level == level && holds(gpu, fact)) return fact.key;
  for (const BandwidthFact& fact : bandwidth_facts())
    if (fact.level == level) {
      gpu.at(fact.key); // throws the sentence about the missing fact
    }
  throw InputError(gpu.name + " has no bandwidth for that level");
}

} // namespace perfmodel
