// The way of an SM's accesses of global memory to L2: they leave in the order in which they were issued,
// loads behind stores, and so many wait at most, each scheduler's in a few places of its own until they come
// to one of those that the SM has for all (issue.memory_queue, l1.queue). A store leaves when L2 takes it, a
// load as soon as those before it have left. Own measurements on an H200, 2026-11-22: of stores in a row,
// every lane to a line of its own, 32 wait where one scheduler stores, 42 where two do and 62 where all four
// do (probe store-queue); a load among four warps that store so came back 4.0 to 4.3 thousand cycles after it
// had issued, which is what 62 stores take, 64 cycles each; alone it takes 310.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfmodel {

struct QueuePlaces {
  std::size_t own = 0;    // of each scheduler; 0: none, its accesses go to those of the SM at once
  std::size_t shared = 0; // of the SM; 0: any number waits
};

class AccessQueue {
public:
  AccessQueue(std::size_t schedulers, QueuePlaces places)
      : own_(schedulers, Ring(places.shared == 0 ? 0 : places.own)), shared_(places.shared) {}

  // From when on the scheduler can issue one more.
  double open(std::size_t scheduler) const {
    return own_[scheduler].size() == 0 ? shared_.free() : own_[scheduler].free();
  }
  // One that it issues then leaves the SM no sooner than this.
  double enter(std::size_t scheduler, double time) {
    own_[scheduler].add(std::max({time, own_[scheduler].last(), shared_.free()}));
    return std::max(own_[scheduler].last(), shared_.last());
  }
  // That one leaves then.
  void leave(double time) { shared_.add(time); }

private:
  // When the last `size` accesses left their places.
  class Ring {
  public:
    explicit Ring(std::size_t size) : left_(size) {}
    std::size_t size() const { return left_.size(); }
    double last() const { return last_; }
    double free() const { return left_.empty() ? 0 : left_[oldest_]; }
    void add(double time) {
      last_ = time;
      if (left_.empty()) return;
      left_[oldest_] = time;
      oldest_ = (oldest_ + 1) % left_.size();
    }

  private:
    double last_ = 0;
    std::size_t oldest_ = 0;
    std::vector<double> left_;
  };

  std::vector<Ring> own_; // of each scheduler
  Ring shared_;
};

} // namespace perfmodel
