// Which roof binds each kernel of a profile: of every roof the share that it reaches, work over time over the
// roof. The largest is the nearest roof, whatever the intensity; a kernel without operations has one as well.
#pragma once

#include "models/bounds/profile_work.hpp"
#include "models/core/gpu.hpp"
#include "models/core/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

// Below this share of the nearest roof it is latency, or too little work, that takes the time: the level from
// which NVIDIA's profiler speaks of a bound.
inline constexpr double bound_from = 0.6;

struct ProfiledRoofs {
  Table table;                       // a row for each kernel, in their order
  std::vector<std::string> verdicts; // a sentence for each row
};

// Kernels of which no time was counted are left out. `basis`: the roofs that the shares are of. Throws
// InputError.
ProfiledRoofs roofs_of(const Gpu& gpu, const std::vector<ProfiledKernel>& kernels,
                       const std::vector<std::string>& names, Basis basis);

} // namespace perfmodel
