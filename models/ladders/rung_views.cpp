#include "rung_views.hpp"

#include "models/core/error.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/simulate/run_shares.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfmodel {

void RungViews::add(std::string_view version, const KernelCode& kernel, const KernelTime& launch) {
  const std::string name(version);
  if (shows(RungView::stalls))
    for (StallShare& of : stall_shares(launch))
      stalls.push_back({name, std::move(of.stall), of.share, of.per_instruction});
  if (shows(RungView::pipes))
    for (UnitShare& of : unit_shares(launch)) pipes.push_back({name, std::move(of.unit), of.busy});
  if (shows(RungView::code)) add_code(code, version, known_ptx(kernel), kernel, launch);
  if (shows(RungView::timeline)) add_timeline(timeline, version, launch);
  for (const KernelTime::Instead& one : launch.instead)
    instead.push_back({name, std::string(names(one.what)[static_cast<std::size_t>(one.what)]), one.time,
                       launch.time / one.time});
}

std::string not_viewed(RungView view, const std::vector<std::string>& versions) {
  if (view == RungView::summary || versions.empty()) return "";
  return fmt::format(" The view lacks {}: counted, not simulated.", fmt::join(versions, " and "));
}

void RungViews::check_any(std::string_view why) const {
  if (view != RungView::summary && stalls.empty() && pipes.empty() && instead.empty() &&
      code.counts.empty() && timeline.strips.empty())
    throw LaunchError(fmt::format("--view {}: {}", names(view)[static_cast<std::size_t>(view)], why));
}

} // namespace perfmodel
