#include "dram_bandwidth.hpp"

namespace perfmodel {

namespace {

Key<BytesPerSecond> first_of(const Gpu& gpu, const Key<BytesPerSecond>& wanted) {
  for (const auto& key : {wanted, facts::sustained_dram})
    if (gpu.record(key.path) != nullptr) return key;
  return facts::dram_bandwidth;
}

} // namespace

Key<BytesPerSecond> copy_bandwidth_key(const Gpu& gpu) { return first_of(gpu, facts::sustained_dram_copy); }
Key<BytesPerSecond> read_bandwidth_key(const Gpu& gpu) { return first_of(gpu, facts::sustained_dram_read); }

} // namespace perfmodel
