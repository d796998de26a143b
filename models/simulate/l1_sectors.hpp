// What L1 holds of global memory for one block: sectors of 32 bytes in lines of 128, the line that was used
// longest ago goes first. Blocks are taken to share nothing there, and each to have its share of L1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

namespace perfmodel {

class L1Sectors {
public:
  explicit L1Sectors(double bytes) : most_(static_cast<std::size_t>(bytes / 128)) {}

  // Whether it was there; it is there afterwards.
  bool load(std::uint64_t sector) {
    const std::uint64_t line = sector / 4;
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    const auto at = lines_.find(line);
    if (at != lines_.end()) {
      order_.splice(order_.begin(), order_, at->second.place);
      const bool there = (at->second.sectors & bit) != 0;
      at->second.sectors = static_cast<std::uint8_t>(at->second.sectors | bit);
      return there;
    }
    if (most_ == 0) {
      lost_ = true;
      return false;
    }
    if (lines_.size() >= most_) {
      lost_ = true;
      lines_.erase(order_.back());
      order_.pop_back();
    }
    order_.push_front(line);
    lines_.emplace(line, Line{bit, order_.begin()});
    return false;
  }

  // Whether a line had to go; if none had, how many bytes it holds.
  bool lost() const { return lost_; }
  double held() const { return 128 * static_cast<double>(lines_.size()); }

private:
  struct Line {
    std::uint8_t sectors;
    std::list<std::uint64_t>::iterator place;
  };
  std::size_t most_;
  bool lost_ = false;
  std::list<std::uint64_t> order_; // the one used last comes first
  std::unordered_map<std::uint64_t, Line> lines_;
};

} // namespace perfmodel
