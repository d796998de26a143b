// Written lines that L2 keeps, and sends to device memory as evenly as it can: when it needs their room, long
// after they were stored. A store therefore does not meet the loads of its own block and of those that began
// with it, but any loads.
#pragma once

#include <algorithm>
#include <cstddef>

namespace perfmodel {

class WrittenLines {
public:
  // Cycles that a line is kept, in the mean. Chosen: longer than most blocks live. With 4000 to 16 000 the
  // times of 34 streams that load and store, with one to eight blocks of an SM, change by 0.4 % in the mean.
  static constexpr double kept = 4000;

  // One more, for which a bank will need so many cycles.
  void add(double cycles) {
    lines_ += 1;
    cycles_ = cycles;
  }
  // Calls send(time, cycles) for each that leaves until then.
  template <class Send> void until(double time, const Send& send) {
    const double passed = time - last_;
    if (passed <= 0) return;
    const double first = last_, due = lines_ * std::min(1.0, passed / kept) + part_;
    const auto leave = static_cast<std::size_t>(due);
    last_ = time;
    part_ = due - static_cast<double>(leave);
    lines_ -= static_cast<double>(leave);
    const double apart = passed / static_cast<double>(leave);
    for (std::size_t i = 0; i < leave; ++i) send(first + (static_cast<double>(i) + 0.5) * apart, cycles_);
  }
  // Cycles that banks will need for those that are kept.
  double owed() const { return lines_ * cycles_; }

private:
  double lines_ = 0, cycles_ = 0; // that are kept; of the last
  double last_ = 0, part_ = 0;    // until when they have left; of a line that has yet to leave
};

} // namespace perfmodel
