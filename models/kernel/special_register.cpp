#include "special_register.hpp"

namespace perfmodel {

LaneWords special_register(std::string_view name, const LaneStep& step) {
  const BlockState& b = step.block;
  const auto starts = [&](std::string_view with) { return name.substr(0, with.size()) == with; };
  const auto axis = [&](std::size_t from) {
    return name.size() > from ? static_cast<std::size_t>(name[from] - 'X') : 3;
  };
  if (starts("SR_TID.") && axis(7) < 3) {
    LaneWords made{.known = all_lanes};
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const auto thread = static_cast<std::uint32_t>(step.warp.number * 32 + lane);
      const std::uint32_t place[] = {thread % b.block[0], thread / b.block[0] % b.block[1],
                                     thread / b.block[0] / b.block[1]};
      made.at[lane] = place[axis(7)];
    }
    return made;
  }
  if (starts("SR_CTAID.") && axis(9) < 3) return LaneWords::of(b.at[axis(9)]);
  if (starts("SR_NTID.") && axis(8) < 3) return LaneWords::of(b.block[axis(8)]);
  if (starts("SR_NCTAID.") && axis(10) < 3) return LaneWords::of(b.grid[axis(10)]);
  if (name == "SR_LANEID") {
    LaneWords made{.known = all_lanes};
    for (std::uint32_t lane = 0; lane < 32; ++lane) made.at[lane] = lane;
    return made;
  }
  if (starts("SR_EQMASK") || starts("SR_LTMASK") || starts("SR_LEMASK") || starts("SR_GTMASK") ||
      starts("SR_GEMASK")) {
    LaneWords made{.known = all_lanes};
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t self = 1U << lane, less = self - 1;
      made.at[lane] = starts("SR_EQ")   ? self
                      : starts("SR_LT") ? less
                      : starts("SR_LE") ? less | self
                      : starts("SR_GT") ? ~(less | self)
                                        : ~less;
    }
    return made;
  }
  if (name == "SRZ") return LaneWords::of(0);
  // A window of shared memory in the generic address space; where it lies is as good as any.
  if (name == "SR_SWINHI") return LaneWords::of(0x7e00);
  if (name == "SR_CgaCtaId" || name == "SR_CGACTAID") return LaneWords::of(0);
  return {}; // clocks, the SM's number, ...
}

} // namespace perfmodel
