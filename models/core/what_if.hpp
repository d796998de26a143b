// `--set`: the GPU as it would be, had one of its facts another value.
//
// What was measured at the old value does not stay as it was: a fact whose `scale` or `share` in hwdb/facts
// names the one that is set goes along, as the same share of the pins, the same bytes per SM and cycle, as
// many nanoseconds; not where --set gives what was there. It is an estimate then and says so (Estimate::own),
// since nobody has measured it there. What --set gives itself stays as given.
#pragma once

#include "gpu.hpp"

#include <string_view>

namespace perfmodel {

// How far off may be what goes along with a fact that is set.
inline constexpr double what_if_spread = 0.1;

// `--set PATH=TEXT`. Throws InputError: unknown fact (with the nearest), wrong unit, not a plausible
// magnitude's sign.
Gpu with_fact(Gpu gpu, std::string_view path, std::string_view text);
Gpu with_fact(Gpu gpu, std::string_view path, double base_units);

// Whether a fact goes along where `set` is set, itself or by what it goes with.
bool goes_with(std::string_view path, std::string_view set);

// Throws InputError where --set makes a stream of device memory faster than its pins, or a copy than what it
// reads or writes.
void check_streams(const Gpu& gpu);

// Throws what with_fact would throw.
void check_fact(std::string_view path, double base_units);

} // namespace perfmodel
