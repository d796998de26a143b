// What a cost is taken to be where nobody has measured it on this GPU. Absent is not zero: a number without a
// source carries its range, its grade and where it comes from.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>

namespace perfmodel {

// known: a fact with a source, or one of our probes. inherited: measured on another GPU of the same
// architecture, or on the same kind of memory, and scaled by the fact's rule. assumed: a range with its
// reason (hwdb/facts). In the order of trust: an answer is as good as the worst cost that it is sensitive to.
enum class Grade { known, inherited, assumed };
inline constexpr std::string_view grade_names[] = {"known", "inherited", "assumed"};
constexpr std::string_view name_of(Grade grade) { return grade_names[static_cast<std::size_t>(grade)]; }
constexpr Grade worse(Grade a, Grade b) { return a < b ? b : a; }

// value, low and high are multiples of what the fact scales with (KeyInfo::scale): a share of the pin
// bandwidth, bytes per SM and cycle, cycles. So they follow when --set changes the clock. `own`: known on
// this GPU until --set changed what it goes with (what_if.hpp).
struct Estimate {
  double value = 0, low = 0, high = 0;
  Grade grade = Grade::assumed;
  std::string from; // "h200, as many cycles", "30 to 80 cycle: shared memory since Kepler"
  bool own = false;
};

// Which costs an answer is computed with: their values; or, of one grade, the least or the most that they
// could be, to see whether the answer is sensitive to them; or, for its band, each somewhere in its range.
struct Shift {
  Grade grade = Grade::known; // known: nothing is shifted
  bool high = false;
  int draw = 0; // which of the draws (draw.hpp), from 1; 0: none
};

// The grades of the estimates that an answer was computed with; of a draw also which costs these were.
class Grades {
public:
  void add(Grade grade) { seen_[static_cast<std::size_t>(grade)] = true; }
  void add(const Grades& more) {
    for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = seen_[i] || more.seen_[i];
    costs_.insert(more.costs_.begin(), more.costs_.end());
  }
  void add_cost(int index) { costs_.insert(index); }
  const std::set<int>& costs() const { return costs_; } // by their places in all_keys()
  bool has(Grade grade) const { return seen_[static_cast<std::size_t>(grade)]; }
  Grade worst() const {
    return has(Grade::assumed) ? Grade::assumed : has(Grade::inherited) ? Grade::inherited : Grade::known;
  }

private:
  std::array<bool, 3> seen_{};
  std::set<int> costs_;
};

} // namespace perfmodel
