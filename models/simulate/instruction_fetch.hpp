// How an SM gets its instructions: by lines of its code, from two caches and L2. What is in the smaller cache
// is there at once; from the larger one, and from L2, lines come one after the other, those that follow one
// another ahead of the warps. A line is fetched once for all warps that come to it until others have taken
// its place. Of a launch's first trip through its code the larger cache has all, if it is large enough, since
// launches before have left it there.
//
// Probe instruction-fetch on an H200: a loop of so many additions, each of which a warp issues every cycle if
// they fit, takes 1.0 cycles for each up to 2048 of them (32 KiB), 2.4 up to 8192 (128 KiB), and 5.8 beyond,
// whether 1 or 32 warps go through it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

inline constexpr std::size_t instructions_of_line = 8; // of 16 bytes

// Sizes in lines; cycles from a line to the next.
struct FetchCosts {
  std::size_t lines = 0; // of the code; 0: it fits the smaller cache
  std::size_t kept = 0, kept_next = 0;
  double next = 0, l2 = 0;
  friend bool operator==(const FetchCosts&, const FetchCosts&) = default;
};

// Of an SM.
class InstructionFetch {
public:
  explicit InstructionFetch(const FetchCosts& costs) : costs_(costs), lines_(costs.lines) {}

  // When a warp that comes to a line then has its instructions. `follows`: it comes from the line before.
  double line(std::size_t number, bool follows, double time) {
    Line& line = lines_[number];
    const bool is_there = line.used > 0 && fetched_ - line.used < costs_.kept;
    if (!is_there) {
      const bool in_next = line.used > 0 ? fetched_from_l2_ - line.used_next < costs_.kept_next
                                         : costs_.lines <= costs_.kept_next;
      const double asked = follows ? lines_[number - 1].there : time;
      free_ = std::max(asked, free_) + (in_next ? costs_.next : costs_.l2);
      line.there = free_;
      ++fetched_;
      fetched_from_l2_ += in_next ? 0 : 1;
      line.used_next = fetched_from_l2_;
    }
    line.used = fetched_;
    return std::max(time, line.there);
  }

private:
  struct Line {
    double there = 0; // when it came last
    std::uint64_t used = 0,
                  used_next = 0; // how many had been fetched, and of those from L2, when it was last
  };
  FetchCosts costs_;
  std::vector<Line> lines_;
  std::uint64_t fetched_ = 0, fetched_from_l2_ = 0;
  double free_ = 0;
};

} // namespace perfmodel
