// Bandwidth of the levels of the memory hierarchy, as their pins and banks allow and as kernels sustain.
#pragma once

#include "models/bounds/peak.hpp"

#include <span>

namespace perfmodel {

enum class Level { dram, l2, l1, shared };
constexpr auto names(Level) { return std::to_array<std::string_view>({"dram", "l2", "l1", "shared"}); }

// In a sentence.
constexpr std::string_view called(Level level) {
  constexpr std::string_view words[] = {"DRAM", "L2", "L1", "shared memory"};
  return words[static_cast<std::size_t>(level)];
}

struct BandwidthFact {
  Level level;
  std::string_view name; // "DRAM read"
  Key<BytesPerSecond> key;
  Basis basis;
};

// Every bandwidth that a fact may state, pin bandwidth first.
std::span<const BandwidthFact> bandwidth_facts();

// Whether the banks of shared memory are known well enough to say what they can deliver.
bool has_shared_banks(const Gpu& gpu);

// Whether a bandwidth is known and, where it was measured, could be reached: not where `--set` has put the
// banks of shared memory below it.
bool holds(const Gpu& gpu, const BandwidthFact& fact);

// Whether a level's bandwidth is specified, or measured, by any fact.
bool has_bandwidth(const Gpu& gpu, Level level, Basis basis);

// [B/s] Shared memory of all SMs = SMs x banks x bank width / cycles per request x clock.
template <class T> auto shared_bandwidth(const Gpu& gpu, T& trace) {
  return trace.define("B(shared)", "what the banks of all SMs deliver",
                      trace.fact(gpu, facts::sm_count) * trace.fact(gpu, facts::shared_banks) *
                          trace.fact(gpu, facts::shared_bank_width) /
                          trace.fact(gpu, facts::shared_cycles_per_request) * trace.fact(gpu, facts::clock));
}

// The fact a level's bandwidth is read from. On the measured basis: the one figure published as measured,
// else our read stream; the specification where nothing was measured. Throws InputError when the device has
// neither.
Key<BytesPerSecond> bandwidth_key(const Gpu& gpu, Level level, Basis basis);

template <class T> auto bandwidth(const Gpu& gpu, Level level, Basis basis, T& trace) {
  const bool banks = level == Level::shared && has_shared_banks(gpu);
  if (banks && (basis == Basis::spec || !has_bandwidth(gpu, level, Basis::measured)))
    return shared_bandwidth(gpu, trace);
  return trace.cost(gpu, bandwidth_key(gpu, level, basis));
}

} // namespace perfmodel
