// Which launches of a process are the same, how often each came and how long it took. Knows no CUDA. Any
// thread may call.
#pragma once

#include "models/kernel/captured_launches.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace perfmodel::kernels {

// One run of a kernel as the GPU's clock saw it.
struct TimedRun {
  std::uint32_t correlation = 0; // of the launch that it belongs to
  std::uint64_t nanoseconds = 0;
  std::string kernel; // with the next three, for what was launched as part of a graph
  Shape grid, block;
  std::uint64_t dynamic_shared = 0;
};

class LaunchRecorder {
public:
  static constexpr std::size_t most_launches = 1000; // distinct ones; the others are only counted
  static constexpr std::size_t most_times = 65536;   // of a launch, of which the median is taken
  static constexpr std::size_t most_since = 255;     // the same of what was used since

  // `correlation` will be that of its TimedRun; `counts`: whether it runs now, and is not put into a graph.
  // True: no launch like it came before.
  bool launched(CapturedLaunch launch, std::uint32_t correlation, bool counts = true);
  bool knows(const CapturedLaunch& launch) const; // whether one like it came before, or would be left out
  void ran(const TimedRun& run);
  std::size_t timed() const;              // runs so far, of all launches
  void note(const std::string& sentence); // once, however often it is said

  // Without GPUs and command, which are not known here.
  CapturedLaunches so_far() const;

private:
  struct Timed {
    std::uint64_t count = 0, least = 0, first = 0;
    std::optional<std::uint32_t> first_correlation; // of the launch that came first, until it is timed
    std::vector<std::uint64_t> some;
  };
  using Since = std::vector<std::optional<std::uint64_t>>; // of each allocation, as CapturedLaunch has it

  mutable std::mutex mutex_;
  std::vector<CapturedLaunch> launches_;
  std::vector<Timed> times_;                                 // of each of launches_
  std::vector<std::vector<Since>> since_;                    // the same, of some of its launches
  std::unordered_map<std::string, std::size_t> by_identity_; // all that makes a launch distinct
  std::unordered_map<std::string, std::vector<std::size_t>>
      by_shape_;                                           // kernel, grid, block and shared memory
  std::unordered_map<std::uint32_t, std::size_t> waiting_; // correlation of what is not timed yet
  std::unordered_map<std::uint32_t, std::size_t> latest_;  // launch of each GPU, unless that was left out
  std::unordered_set<std::size_t> left_out_;               // hashes
  std::unordered_set<std::uint32_t> untimed_;              // correlations of what is left out
  std::vector<std::string> notes_;
  std::size_t timed_ = 0;
};

} // namespace perfmodel::kernels
