// What the DRAM read stream reaches, for the probes that draw a share of it.
#pragma once

#include "kernels/core/report.hpp"

#include <optional>

namespace perfmodel::kernels {

// Bytes per second; nothing where the words read were not those written. Takes a third of a second on an
// H200.
std::optional<Measurement> dram_read_bandwidth(Session& session);

} // namespace perfmodel::kernels
