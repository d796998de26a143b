#include "profile.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace perfmodel {

namespace {

std::string grid_of(const ProfiledLaunch& launch) { return launch.grid ? launch.grid->text() : ""; }
std::string block_of(const ProfiledLaunch& launch) { return launch.block ? launch.block->text() : ""; }

Counters medians_of(const std::vector<const ProfiledLaunch*>& launches) {
  std::map<std::string, std::vector<double>, std::less<>> values;
  Counters medians;
  for (const ProfiledLaunch* launch : launches)
    for (const auto& [metric, counter] : launch->counters) {
      values[metric].push_back(counter.value);
      medians.try_emplace(metric, counter);
    }
  for (auto& [metric, counter] : medians) counter.value = median(values[metric]);
  return medians;
}

// Launches whose instructions differ by little, as they do from run to run where warps wait for one another,
// are together; those of the fewest instructions come first.
std::vector<std::vector<const ProfiledLaunch*>> alike(const std::vector<const ProfiledLaunch*>& launches) {
  constexpr double most_apart = 1.05;
  std::vector<std::pair<double, const ProfiledLaunch*>> counted;
  for (const ProfiledLaunch* launch : launches) {
    const std::optional<double> count = instructions_of(*launch);
    if (!count) return {launches};
    counted.emplace_back(*count, launch);
  }
  std::stable_sort(counted.begin(), counted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<const ProfiledLaunch*>> groups;
  double last = 0;
  for (const auto& [count, launch] : counted) {
    if (groups.empty() || count > last * most_apart) groups.emplace_back();
    groups.back().push_back(launch);
    last = count;
  }
  return groups;
}

std::optional<double> counted(const ProfiledLaunch& launch, const std::string& metric,
                              std::string_view unit) {
  const auto found = launch.counters.find(metric);
  if (found == launch.counters.end()) return std::nullopt;
  const auto& [value, own] = found->second;
  if (own != unit && !(own.empty() && unit != "second"))
    throw InputError(fmt::format("{} of {} is in {}, where {} is expected", metric,
                                 quoted(function_name(launch.kernel)), own.empty() ? "no unit" : quoted(own),
                                 unit));
  if (!(value >= 0) || value > 1e300)
    throw InputError(fmt::format("{} of {} is no number that can be counted", metric,
                                 quoted(function_name(launch.kernel))));
  return value;
}

} // namespace

std::vector<ProfiledKernel> by_kernel(const std::vector<ProfiledLaunch>& launches) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> known;
  std::vector<std::vector<const ProfiledLaunch*>> groups;
  for (const ProfiledLaunch& launch : launches) {
    const auto [at, is_new] = known.try_emplace(
        {launch.kernel, grid_of(launch), block_of(launch), launch.capability}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&launch);
  }
  std::vector<ProfiledKernel> kernels;
  std::vector<std::vector<const ProfiledLaunch*>> told_apart;
  for (const auto& group : groups)
    for (auto& part : alike(group)) told_apart.push_back(std::move(part));
  for (const auto& group : told_apart) {
    const ProfiledLaunch& first = *group.front();
    ProfiledKernel kernel;
    kernel.kernel = first.kernel, kernel.grid = first.grid, kernel.block = first.block;
    kernel.capability = first.capability;
    kernel.counters = medians_of(group);
    kernel.launches = group.size();
    kernels.push_back(std::move(kernel));
  }
  const auto total = [](const ProfiledKernel& kernel) {
    return static_cast<double>(kernel.launches) * time_of(kernel).value_or(Seconds(0)).value;
  };
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](const ProfiledKernel& a, const ProfiledKernel& b) { return total(a) > total(b); });
  return kernels;
}

std::optional<double> instructions_of(const ProfiledLaunch& launch) {
  for (const char* metric : {"smsp__inst_executed.sum", "sm__inst_executed.sum"})
    if (const auto found = launch.counters.find(metric); found != launch.counters.end())
      return found->second.value;
  return std::nullopt;
}

std::optional<Seconds> time_of(const ProfiledLaunch& launch) {
  std::optional<double> time = counted(launch, "gpu__time_duration.sum", "second");
  if (!time) time = counted(launch, "time", "second"); // as a benchmark tells it
  if (!time || *time <= 0) return std::nullopt;
  constexpr double longest = 1e9; // s, thirty years
  if (*time > longest)
    throw InputError(fmt::format("the time of {}, {:g} s, is longer than any launch",
                                 quoted(function_name(launch.kernel)), *time));
  return Seconds(*time);
}

std::optional<double> amount_of(const ProfiledLaunch& launch, const std::string& metric,
                                std::string_view unit) {
  if (const auto sum = counted(launch, metric, unit)) return sum;
  const std::optional<Seconds> time = time_of(launch);
  if (!time) return std::nullopt;
  if (const auto rate = counted(launch, metric + ".per_second", fmt::format("{}/second", unit)))
    return *rate * time->value;
  const auto rate = counted(launch, metric + ".per_cycle_elapsed", fmt::format("{}/cycle", unit));
  const auto cycles = launch.counters.find("smsp__cycles_elapsed.avg.per_second");
  if (!rate || cycles == launch.counters.end()) return std::nullopt;
  return *rate * cycles->second.value * time->value; // cycle/second or hz: the same number
}

std::string_view without_arguments(std::string_view kernel) {
  // What the last parentheses at the outermost level hold: "(anonymous namespace)::f(int)".
  std::size_t depth = 0;
  for (std::size_t i = kernel.size(); i-- > 0;) {
    if (kernel[i] == ')') ++depth;
    if (kernel[i] == '(' && depth > 0 && --depth == 0) return kernel.substr(0, i);
  }
  return kernel;
}

std::string function_name(std::string_view kernel) {
  std::string_view name = without_arguments(kernel);
  // "<unnamed>::f" begins a name, "f<int>" ends one.
  for (std::size_t angle = name.find('<'); angle != std::string_view::npos; angle = name.find('<', angle + 1))
    if (angle > 0 && name[angle - 1] != ':' && name[angle - 1] != ' ') {
      name = name.substr(0, angle);
      break;
    }
  const std::size_t start = name.find_last_of(" :>");
  const std::string_view own = start == std::string_view::npos ? name : name.substr(start + 1);
  return std::string(own.empty() ? kernel : own);
}

std::vector<std::string> short_names(const std::vector<ProfiledKernel>& kernels) {
  std::vector<std::string> names;
  for (const ProfiledKernel& kernel : kernels) names.push_back(function_name(kernel.kernel));
  const auto lengthen = [&](auto longer) {
    std::map<std::string, std::size_t> uses;
    for (const std::string& name : names) ++uses[name];
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (uses[names[i]] > 1) names[i] = longer(kernels[i], names[i]);
  };
  lengthen([](const ProfiledKernel& k, const std::string& name) {
    return k.grid ? fmt::format("{} of {}", name, k.grid->text()) : name;
  });
  lengthen([](const ProfiledKernel& k, const std::string& name) {
    const std::optional<double> count = instructions_of(k);
    return count ? fmt::format("{}, {}", name, in_words(*count, "instructions")) : name;
  });
  lengthen([](const ProfiledKernel& k, const std::string&) {
    return fmt::format("{} of {}, {}", k.kernel, grid_of(k), block_of(k));
  });
  return names;
}

} // namespace perfmodel
