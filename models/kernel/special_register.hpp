// What S2R reads: where a thread is in its block, a block in its grid, a lane in its warp.
#pragma once

#include "lane_step.hpp"

#include <string_view>

namespace perfmodel {

// The special register of that name, such as SR_TID.X; unknown where it depends on time or place.
LaneWords special_register(std::string_view name, const LaneStep& step);

} // namespace perfmodel
