#include "pi_programs.hpp"

#include "reduction_programs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = 32;
constexpr double word = 4; // bytes

// x = i h, y = sqrt(1 - x^2), sum += y.
WarpCode point(const SmModel& sm) {
  WarpCode code(sm);
  code.run("i2f", 1, WarpWait::results).run("fmul", 1, WarpWait::results).run("ffma", 1, WarpWait::results);
  return code.run("sqrtf", 1, WarpWait::results).run("fadd", 1, WarpWait::results).loop_end();
}

void sum_up(WarpCode& code, const SmModel& sm, const Banks& banks, const PiLaunch& launch,
            std::int64_t warp) {
  const bool sequential = launch.version == PiVersion::sequential;
  code.slots(7, WarpWait::results).shared_store(1, WarpWait::results);
  add_tree(code, sm, banks,
           {.version = sequential ? ReductionVersion::sequential : ReductionVersion::interleaved,
            .type = ReductionType::fp32,
            .threads = launch.threads},
           warp);
}

} // namespace

std::span<const std::string_view> pi_classes() {
  static constexpr std::array<std::string_view, 9> all{"i2f",     "fmul",  "ffma", "sqrtf", "fadd",
                                                       "compare", "shift", "umod", "iadd"};
  return all;
}

BlockCode pi_points(const SmModel& sm, const Banks& banks, const PiLaunch& launch, double most) {
  const auto warps = launch.threads / lanes;
  const double threads = launch.blocks * static_cast<double>(launch.threads);
  const double whole = std::floor(launch.points / threads);
  const double more = std::ceil(static_cast<double>(warps) * (launch.points / threads - whole));
  const WarpCode trip = point(sm);
  BlockCode block;
  for (std::int64_t warp = 0; warp < warps; ++warp) {
    WarpCode code(sm);
    const bool summed = launch.version != PiVersion::unsummed;
    const double trips = std::min(whole, most) + (static_cast<double>(warp) < more ? 1 : 0);
    code.enter(summed ? 10 : 7).compare().slots(1, WarpWait::results); // are there points for this thread?
    if (trips > 0) code.slots(summed ? 4 : 6).add(trip, static_cast<std::int64_t>(trips));
    if (summed)
      sum_up(code, sm, banks, launch, warp);
    else
      code.slots(1, WarpWait::results).compare().slots(1, WarpWait::results);
    block.add(code);
  }
  return block;
}

BlockCode pi_totals(const SmModel& sm, const Banks& banks, const PiLaunch& launch) {
  WarpCode trip(sm);
  trip.slots(1, WarpWait::results).load({.wavefronts = lanes * word / sm.l1_bytes, .l2_bytes = lanes * word});
  trip.run("fadd", 1, WarpWait::loads).loop_end();
  BlockCode block;
  for (std::int64_t warp = 0; warp < launch.threads / lanes; ++warp) {
    WarpCode code(sm);
    const double first = static_cast<double>(warp * lanes);
    const double trips =
        std::ceil(std::max(0.0, launch.blocks - first) / static_cast<double>(launch.threads));
    code.enter(5).compare().slots(1, WarpWait::results);
    if (trips > 0) code.slots(3).constant_load().add(trip, static_cast<std::int64_t>(trips));
    sum_up(code, sm, banks, launch, warp);
    if (warp == 0) code.slots(1).run("fadd", 1, WarpWait::results).run("fmul", 1, WarpWait::results);
    block.add(code);
  }
  return block;
}

} // namespace perfmodel
