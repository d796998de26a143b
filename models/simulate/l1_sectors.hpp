// What L1 holds of global and local memory for one block: sectors of 32 bytes in lines of 128, the line that
// was used longest ago goes first. Blocks are taken to share nothing there, and each to have its share of L1.
// What is stored to local memory stays there, too; how much of it has to go with its lines is counted.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

namespace perfmodel {

class L1Sectors {
public:
  explicit L1Sectors(double bytes) : most_(static_cast<std::size_t>(bytes / 128)) {}

  // Whether it was there; it is there afterwards. `by` says who has fetched the line's last sector.
  bool load(std::uint64_t sector, std::uint64_t by = 0) {
    const std::uint64_t line = sector / 4;
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    const auto at = lines_.find(line);
    if (at != lines_.end()) {
      order_.splice(order_.begin(), order_, at->second.place);
      const bool there = (at->second.sectors & bit) != 0;
      at->second.sectors = static_cast<std::uint8_t>(at->second.sectors | bit);
      if (!there) at->second.by = by;
      return there;
    }
    if (most_ == 0) {
      lost_ = true;
      return false;
    }
    if (lines_.size() >= most_) {
      lost_ = true;
      const auto gone = lines_.find(order_.back());
      written_back_ += static_cast<std::size_t>(std::popcount(gone->second.changed));
      lines_.erase(gone);
      order_.pop_back();
    }
    order_.push_front(line);
    lines_.emplace(line, Line{bit, 0, order_.begin(), by});
    return false;
  }

  std::uint64_t fetched_by(std::uint64_t sector) const {
    const auto at = lines_.find(sector / 4);
    return at == lines_.end() ? 0 : at->second.by;
  }

  // Of a sector that was loaded just before, or is to be overwritten: whether L2 had what L1 has until now.
  bool change(std::uint64_t sector) {
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    const auto at = lines_.find(sector / 4);
    if (at == lines_.end()) { // no room at all
      ++written_back_;
      return true;
    }
    const bool is_first = (at->second.changed & bit) == 0;
    at->second.changed = static_cast<std::uint8_t>(at->second.changed | bit);
    return is_first;
  }
  // What a fence does that others' stores may be seen behind: what nobody has changed here is fetched anew.
  void empty() {
    for (auto at = order_.begin(); at != order_.end();) {
      Line& line = lines_.find(*at)->second;
      line.sectors = line.changed;
      if (line.changed != 0) {
        ++at;
        continue;
      }
      lines_.erase(*at);
      at = order_.erase(at);
    }
  }

  // Sectors that were changed and had to go.
  std::size_t written_back() const { return written_back_; }
  // Those that L2 has otherwise, now.
  std::size_t changed() const {
    std::size_t all = 0;
    for (const auto& [number, line] : lines_) all += static_cast<std::size_t>(std::popcount(line.changed));
    return all;
  }

  // Whether a line had to go; if none had, how many bytes it holds.
  bool lost() const { return lost_; }
  double held() const { return 128 * static_cast<double>(lines_.size()); }

private:
  struct Line {
    std::uint8_t sectors, changed;
    std::list<std::uint64_t>::iterator place;
    std::uint64_t by;
  };
  std::size_t most_;
  bool lost_ = false;
  std::size_t written_back_ = 0;
  std::list<std::uint64_t> order_; // the one used last comes first
  std::unordered_map<std::uint64_t, Line> lines_;
};

} // namespace perfmodel
