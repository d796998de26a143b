#include "common_launches.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace perfmodel::cli {

namespace {

std::set<std::int64_t> common_to_all(const std::vector<LaunchTimes>& times) {
  std::set<std::int64_t> common;
  bool first = true;
  for (const LaunchTimes& one : times) {
    if (one.empty()) continue;
    if (std::exchange(first, false))
      for (const auto& launch : one) common.insert(launch.first);
    std::erase_if(common, [&](std::int64_t number) { return one.count(number) == 0; });
  }
  return common;
}

void add_up(const LaunchTimes& times, const std::set<std::int64_t>& common,
            const std::map<std::int64_t, double>& counts, RankedGpu& ranked) {
  ranked.time = ranked.low = ranked.high = ranked.energy = 0;
  double longest = 0;
  for (const std::int64_t number : common) {
    const LaunchTime& one = times.at(number);
    const auto count = counts.find(number);
    const double runs = count == counts.end() ? 1 : count->second;
    ranked.time += runs * one.time;
    ranked.low += runs * one.low;
    ranked.high += runs * one.high;
    ranked.energy += runs * one.energy; // not known of all where it is not of one
    if (runs * one.time <= longest) continue;
    longest = runs * one.time;
    ranked.bound = one.bound;
  }
}

} // namespace

std::string add_up_common(const std::vector<LaunchTimes>& times, const std::map<std::int64_t, double>& counts,
                          std::vector<RankedGpu>& ranked) {
  const std::set<std::int64_t> common = common_to_all(times);
  for (std::size_t i = 0; i < ranked.size(); ++i)
    if (common.empty() && ranked[i].why_not.empty())
      ranked[i].why_not = "no launch is understood on all of these GPUs";
    else if (!common.empty() && !times[i].empty())
      add_up(times[i], common, counts, ranked[i]);
  if (common.size() >= counts.size()) return "";
  return fmt::format("Of {} launches the {} are added up that are understood on each of these GPUs.",
                     counts.size(), common.size());
}

} // namespace perfmodel::cli
