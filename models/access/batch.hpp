// Work that waits for more of its kind, so that what all of it needs from memory is fetched at a time: one
// by one they would wait for it, and for the translation of its address.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace perfmodel {

template <class Work, std::size_t places> class Batch {
public:
  bool push(const Work& work) { // whether it is full now
    waiting_[count_++] = work;
    return count_ == places;
  }
  std::span<const Work> all() const { return {waiting_.data(), count_}; }
  void clear() { count_ = 0; }

private:
  std::array<Work, places> waiting_;
  std::size_t count_ = 0;
};

} // namespace perfmodel
