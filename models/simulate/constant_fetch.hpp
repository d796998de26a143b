// The constant cache of an SM, for launches that walk through more of constant memory than it holds. It serves
// one read after the other, whichever warp's, in the order in which they were issued; one whose line is not
// there keeps those behind it waiting until the line has come from the next cache, but for reads that its own
// warp had issued by then: their lines come together. It keeps the lines that were read last. As many reads
// wait in a scheduler as accesses of shared memory do (issue.access_queue); then its youngest warps go first.
//
// So a warp that finds what it reads gets it no sooner than one that does not: warps that have come apart stay
// apart, and few, whose reads never fill the queues, stay together. On an H200 32 warps that walk through N
// lines of 64 bytes, of which the cache has 32, take 65 to 70 cycles of the SM for each read, times 1 - 32 / N,
// for N of 128 to 1024, as if each were somewhere by chance, and 8 warps hardly more than one (30 November
// 2026).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

struct ConstantFetchCosts {
  std::size_t kept = 0; // lines that it holds; 0: all that the launch reads
  // Cycles by which a read is later whose line it does not hold, and for which others wait.
  double latency = 0, interval = 0;
  friend bool operator==(const ConstantFetchCosts&, const ConstantFetchCosts&) = default;
};

// Lines that a step reads, by number from 1; 0: none.
struct ConstantLines {
  std::uint16_t first = 0, last = 0;
  friend bool operator==(const ConstantLines&, const ConstantLines&) = default;
};

// Of an SM.
class ConstantFetch {
public:
  explicit ConstantFetch(const ConstantFetchCosts& costs) : costs_(costs) { lines_.reserve(costs.kept); }

  struct Read {
    double later = 0, busy = 0; // cycles by which its result is later, and for which others wait
  };
  // By a warp, that was issued at one time and served at another.
  Read read(const ConstantLines& asked, std::size_t warp, double issued, double served) {
    bool missed = false;
    for (std::uint16_t number = asked.first; number <= asked.last; ++number) {
      Line* line = find(number);
      missed = missed || line == nullptr;
      if (line == nullptr) line = &oldest();
      *line = {.number = number, .used = ++reads_};
    }
    if (!missed) return {};
    const bool together = warp == last_ && issued < there_;
    last_ = warp;
    there_ = std::max(there_, served + (together ? 0 : costs_.interval));
    return together ? Read{} : Read{.later = costs_.latency, .busy = costs_.interval};
  }

private:
  struct Line {
    std::uint16_t number = 0;
    std::uint64_t used = 0; // how many lines had been read
  };
  Line* find(std::uint16_t number) {
    const auto at =
        std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.number == number; });
    return at == lines_.end() ? nullptr : &*at;
  }
  // Or a place that is free.
  Line& oldest() {
    if (lines_.size() < costs_.kept) return lines_.emplace_back();
    return *std::min_element(lines_.begin(), lines_.end(),
                             [](const Line& a, const Line& b) { return a.used < b.used; });
  }

  ConstantFetchCosts costs_;
  std::vector<Line> lines_;
  std::uint64_t reads_ = 0;
  std::size_t last_ = ~std::size_t{0}; // warp that waited for a line
  double there_ = 0;                   // when that had come
};

} // namespace perfmodel
