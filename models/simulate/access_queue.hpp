// The way of an SM's accesses of global memory to L2: they leave in the order in which they were issued,
// loads behind stores, and so many wait at most (l1.queue). A store leaves when L2 takes it, a load as soon
// as those before it have left. Own measurement on an H200, 2026-11-22: a load among four warps that store in
// a row, every lane to a line of its own, came back 4.0 to 4.3 thousand cycles after it had issued, which is
// what the 62 stores take that wait there (probe store-queue), 64 cycles each; alone it takes 310.
// Where one scheduler stores 32 wait, where two do 42: each has ten places of its own before those of the SM.
// Not taken apart here.
#pragma once

#include <cstddef>
#include <vector>

namespace perfmodel {

class AccessQueue {
public:
  explicit AccessQueue(std::size_t places) : left_(places) {} // 0: any number waits

  // From when on one more can be issued.
  double open() const { return left_.empty() ? 0 : left_[oldest_]; }
  // When the last that was issued left.
  double last() const { return last_; }
  // The next leaves then, not before last().
  void leave(double time) {
    last_ = time;
    if (left_.empty()) return;
    left_[oldest_] = time;
    oldest_ = (oldest_ + 1) % left_.size();
  }

private:
  double last_ = 0;
  std::size_t oldest_ = 0;
  std::vector<double> left_; // when the last `places` of them left
};

} // namespace perfmodel
