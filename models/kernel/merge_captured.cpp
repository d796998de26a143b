#include "captured_launches.hpp"

#include <algorithm>
#include <map>

namespace perfmodel {

namespace {

std::string identity_of(CapturedLaunch launch) {
  launch.count = launch.in_a_row = 0;
  launch.times.reset();
  launch.first_time.reset();
  launch.contents.clear();
  launch.others_since.clear();
  launch.first_others_since.clear();
  return CapturedLaunches{.launches = {std::move(launch)}}.text();
}

// The median of all is not known any more: it is that in the middle of the processes' medians, each as often
// as it stands for runs.
CapturedTimes times_of(std::vector<CapturedTimes> each) {
  std::sort(each.begin(), each.end(),
            [](const CapturedTimes& a, const CapturedTimes& b) { return a.median < b.median; });
  CapturedTimes made{.least = each.front().least};
  for (const CapturedTimes& t : each) {
    made.count += t.count;
    made.least = std::min(made.least, t.least);
  }
  std::uint64_t passed = 0;
  for (const CapturedTimes& t : each) {
    passed += t.count;
    made.median = t.median;
    if (2 * passed >= made.count) break;
  }
  return made;
}

// Of two processes that ended at different clocks the higher is kept: the other GPU may have been idle.
std::uint32_t number_of(const CapturedGpu& gpu, std::vector<CapturedGpu>& all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const CapturedGpu& known) {
    return known.name == gpu.name && known.capability == gpu.capability && known.driver == gpu.driver;
  });
  const auto number = static_cast<std::uint32_t>(found - all.begin());
  if (found == all.end())
    all.push_back(gpu);
  else
    found->clock = std::max(found->clock, gpu.clock);
  return number;
}

} // namespace

CapturedLaunches merged(const std::vector<CapturedLaunches>& processes) {
  CapturedLaunches all;
  std::map<std::string, std::size_t> known;
  std::vector<std::vector<CapturedTimes>> times;
  std::vector<std::uint64_t> most; // launches of the process whose others_since is kept
  for (const CapturedLaunches& process : processes) {
    all.left_out += process.left_out;
    all.complete = all.complete && process.complete;
    for (const std::string& note : process.notes)
      if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) all.notes.push_back(note);
    for (CapturedLaunch launch : process.launches) {
      launch.gpu = number_of(process.gpus.at(launch.gpu), all.gpus);
      const auto [found, is_new] = known.emplace(identity_of(launch), all.launches.size());
      if (is_new) {
        times.emplace_back();
        most.push_back(launch.others_since.empty() ? 0 : launch.count);
        all.launches.push_back(launch);
      } else {
        all.launches[found->second].count += launch.count;
        all.launches[found->second].in_a_row += launch.in_a_row;
        if (launch.count > most[found->second] && !launch.others_since.empty()) {
          all.launches[found->second].others_since = launch.others_since;
          most[found->second] = launch.count;
        }
      }
      if (launch.times) times[found->second].push_back(*launch.times);
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!times[i].empty()) all.launches[i].times = times_of(times[i]);
  return all;
}

} // namespace perfmodel
