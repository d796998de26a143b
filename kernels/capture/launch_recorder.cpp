#include "kernels/capture/launch_recorder.hpp"

#include <algorithm>
#include <limits>

namespace perfmodel::kernels {

namespace {

// What counts of where a pointer lies in its allocation: whole lines of memory apart is the same.
constexpr std::uint64_t alignment = 256;

std::string shape_key(const std::string& kernel, const Shape& grid, const Shape& block,
                      std::uint64_t dynamic_shared) {
  std::string key = kernel;
  for (const std::int64_t side : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    key += " " + std::to_string(side);
  return key + " " + std::to_string(dynamic_shared);
}

// The launch as text, where of pointers there is only what makes it another launch: which allocation, how
// they are aligned, and which of them are equal.
std::string identity_of(CapturedLaunch launch) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> seen;
  for (CapturedArgument& argument : launch.arguments)
    for (CapturedPointer& pointer : argument.pointers) {
      const std::pair place(pointer.allocation, pointer.offset);
      const auto same = std::find(seen.begin(), seen.end(), place);
      pointer.offset =
          pointer.offset % alignment + alignment * static_cast<std::uint64_t>(same - seen.begin());
      if (same == seen.end()) seen.push_back(place);
    }
  launch.count = launch.in_a_row = 0;
  launch.contents.clear();
  launch.others_since.clear();
  launch.first_others_since.clear();
  return CapturedLaunches{.launches = {std::move(launch)}}.text();
}

std::uint64_t median_of(std::vector<std::uint64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// What was never used before was used longest ago.
std::vector<std::optional<std::uint64_t>>
median_since(const std::vector<std::vector<std::optional<std::uint64_t>>>& launches,
             std::size_t allocations) {
  constexpr auto never = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::optional<std::uint64_t>> made(allocations);
  for (std::size_t i = 0; i < allocations; ++i) {
    std::vector<std::uint64_t> each;
    for (const auto& since : launches)
      if (since.size() != allocations)
        return {};
      else
        each.push_back(since[i].value_or(never));
    if (each.empty()) return {};
    const auto middle = each.begin() + static_cast<std::ptrdiff_t>((each.size() - 1) / 2);
    std::nth_element(each.begin(), middle, each.end());
    if (*middle != never) made[i] = *middle;
  }
  return made;
}

} // namespace

bool LaunchRecorder::knows(const CapturedLaunch& launch) const {
  const std::string identity = identity_of(launch);
  const std::scoped_lock lock(mutex_);
  return launches_.size() >= most_launches || by_identity_.contains(identity);
}

bool LaunchRecorder::launched(CapturedLaunch launch, std::uint32_t correlation, bool counts) {
  const std::string identity = identity_of(launch);
  const std::uint32_t gpu = launch.gpu;
  const std::scoped_lock lock(mutex_);
  auto found = by_identity_.find(identity);
  const bool first = found == by_identity_.end();
  if (first && launches_.size() >= most_launches) {
    left_out_.insert(std::hash<std::string>()(identity));
    if (counts) {
      untimed_.insert(correlation);
      latest_.erase(gpu);
    }
    return false;
  }
  if (first) {
    found = by_identity_.emplace(identity, launches_.size()).first;
    by_shape_[shape_key(launch.kernel, launch.grid, launch.block, launch.dynamic_shared)].push_back(
        launches_.size());
    launch.count = launch.in_a_row = 0;
    launches_.push_back(launch);
    times_.emplace_back();
    since_.emplace_back();
    if (counts) times_.back().first_correlation = correlation;
  }
  if (!counts) return first;
  CapturedLaunch& known = launches_[found->second];
  ++known.count;
  if (auto& since = since_[found->second]; since.size() < most_since)
    since.push_back(std::move(launch.others_since));
  const auto [latest, is_new] = latest_.try_emplace(gpu, found->second);
  if (!is_new && latest->second == found->second) ++known.in_a_row;
  latest->second = found->second;
  waiting_[correlation] = found->second;
  return first;
}

void LaunchRecorder::ran(const TimedRun& run) {
  const std::scoped_lock lock(mutex_);
  if (untimed_.erase(run.correlation) > 0) return;
  std::size_t which = 0;
  if (const auto found = waiting_.find(run.correlation); found != waiting_.end()) {
    which = found->second;
    waiting_.erase(found);
  } else {
    // Of a graph that was launched as a whole: its kernels are told apart by their shapes.
    const auto like_it = by_shape_.find(shape_key(run.kernel, run.grid, run.block, run.dynamic_shared));
    if (like_it == by_shape_.end() || like_it->second.size() != 1) return;
    which = like_it->second.front();
    ++launches_[which].count;
  }
  Timed& times = times_[which];
  if (times.first_correlation == run.correlation) {
    times.first = run.nanoseconds;
    times.first_correlation.reset();
  }
  times.least = times.count == 0 ? run.nanoseconds : std::min(times.least, run.nanoseconds);
  ++times.count;
  ++timed_;
  if (times.some.size() < most_times) times.some.push_back(run.nanoseconds);
}

std::size_t LaunchRecorder::timed() const {
  const std::scoped_lock lock(mutex_);
  return timed_;
}

void LaunchRecorder::note(const std::string& sentence) {
  const std::scoped_lock lock(mutex_);
  if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(sentence);
}

CapturedLaunches LaunchRecorder::so_far() const {
  const std::scoped_lock lock(mutex_);
  CapturedLaunches made{.launches = launches_, .left_out = left_out_.size(), .notes = notes_};
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    if (times_[i].count > 0)
      made.launches[i].times = {times_[i].count, times_[i].least, median_of(times_[i].some)};
    made.launches[i].others_since = median_since(since_[i], launches_[i].allocations.size());
    if (times_[i].first > 0) made.launches[i].first_time = times_[i].first;
    if (!since_[i].empty()) made.launches[i].first_others_since = since_[i].front();
  }
  return made;
}

} // namespace perfmodel::kernels
