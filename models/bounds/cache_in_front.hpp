// Z: the cache in front of device memory, as models of reuse take it.
#pragma once

#include "models/access/transactions.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <optional>

namespace perfmodel {

// [B] As given; else L2, or, where loads go past it (before cc 2.0), what programs keep in shared memory.
// Throws InputError naming the fact that is missing.
template <class T> auto cache_in_front(const Gpu& gpu, std::optional<Bytes> given, T& trace) {
  if (given) return trace.input("Z", *given);
  // Where nothing is published about the rule, what is called L2 is taken for what it says.
  const bool unknown = gpu.record(facts::coalescing_class) == nullptr;
  if (unknown || coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard).cached)
    return trace.define("Z", "cache in front of memory", trace.fact(gpu, facts::l2_size));
  return trace.define("Z", "no cache: what programs keep in shared memory, all SMs",
                      trace.fact(gpu, facts::sm_count) * trace.fact(gpu, facts::shared_per_sm));
}

} // namespace perfmodel
