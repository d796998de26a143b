// What a profiler counted of the kernels that a program launched.
#pragma once

#include "models/core/shape.hpp"
#include "models/core/units.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// One number by its metric's name, in the profiler's words without a prefix: "second", "byte", "byte/second",
// "inst", "%", or "" where the profile says none.
struct Counter {
  double value = 0;
  std::string unit;
};
using Counters = std::map<std::string, Counter, std::less<>>; // by metric: "gpu__time_duration.sum"

struct ProfiledLaunch {
  std::string kernel; // as the profiler prints it: "void axpy<float>(int, T1, T1 *)"
  std::optional<Shape> grid, block;
  std::string capability; // "9.0"; "" where the profile says none
  Counters counters;
};

// The launches of one kernel by one grid and block that do as much: where instructions were counted, launches
// with other arguments are told apart by them.
struct ProfiledKernel : ProfiledLaunch {
  std::size_t launches = 0; // each counter is the median over those that have it
};

// Those that take longest, all launches together, first; those of which no time was counted last. Throws
// InputError: a time that is none.
std::vector<ProfiledKernel> by_kernel(const std::vector<ProfiledLaunch>& launches);

// Instructions that its warps issued. Nothing where they were not counted.
std::optional<double> instructions_of(const ProfiledLaunch& launch);

// The time of a launch. Nothing where it was not counted. Throws InputError: its unit is none of time.
std::optional<Seconds> time_of(const ProfiledLaunch& launch);

// A metric of a launch in `unit`, "byte" or "inst": itself, or else its rate times the launch's time, as the
// profiler's roofline sections collect it. Nothing where neither was counted. Throws InputError: another
// unit.
std::optional<double> amount_of(const ProfiledLaunch& launch, const std::string& metric,
                                std::string_view unit);

// Names to tell the kernels apart by, as short as may be: "axpy"; with the grid, or in full, where several
// would have that one.
std::vector<std::string> short_names(const std::vector<ProfiledKernel>& kernels);

// "void ns::axpy<float, (int)4>" of "void ns::axpy<float, (int)4>(int, T1, T1 *)".
std::string_view without_arguments(std::string_view kernel);
// "axpy" of "void ns::axpy<float, (int)4>(int, T1, T1 *)".
std::string function_name(std::string_view kernel);

} // namespace perfmodel
