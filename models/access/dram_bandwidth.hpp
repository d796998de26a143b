// The bandwidth of device memory that an access by many threads is held against: what such a stream sustains
// where somebody measured it, else the one sustained figure there is, else the pins'.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"

namespace perfmodel {

Key<BytesPerSecond> copy_bandwidth_key(const Gpu& gpu);
Key<BytesPerSecond> read_bandwidth_key(const Gpu& gpu);

} // namespace perfmodel
