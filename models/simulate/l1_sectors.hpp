// What L1 holds of global and local memory for one block: sectors of 32 bytes in lines of 128, of the lines
// of a set the one that was used longest ago goes first. What is stored to global memory takes up lines, too
// (write-allocate), of which no load is served. Sets fill unevenly, and blocks out of step take up more than
// their share at times: what a block comes back to is there to the last line after `first` of its share of
// L1, and to none after `last`; in between as many sets have lost it as it lies between them. Lines are dealt
// to the sets in turn. Blocks are taken to share nothing there. What is stored to local memory stays there;
// how much of it has to go with its lines is counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// Shares of a block's part of L1 that its first set, and its last, stand for.
struct L1Spread {
  double first = 1, last = 1;
  friend bool operator==(const L1Spread&, const L1Spread&) = default;
};

class L1Sectors {
public:
  // `room` is what the block has of L1, in bytes. Each set has a line at least, where there is one.
  explicit L1Sectors(double room, L1Spread spread = {}) {
    const double lines = room / line_bytes, first = std::floor(lines * spread.first);
    sets_.resize(spread.first == spread.last ? 1
                                             : static_cast<std::size_t>(std::clamp(first, 1.0, most_sets)));
    const double sets = static_cast<double>(sets_.size());
    for (std::size_t n = 0; n < sets_.size(); ++n) {
      const double between = (static_cast<double>(n) + 0.5) / sets;
      sets_[n].most = static_cast<std::size_t>(lines / sets * std::lerp(spread.first, spread.last, between));
    }
  }

  // Whether it was there; it is there afterwards. `by` says who has fetched the line's last sector.
  bool load(std::uint64_t sector, std::uint64_t by = 0) {
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    Line& line = touch(sector / 4);
    if (!line.held) return false;
    const bool there = (line.sectors & bit) != 0;
    line.sectors = static_cast<std::uint8_t>(line.sectors | bit);
    if (!there) line.by = by;
    return there;
  }
  // A store to global memory takes up its line.
  void store(std::uint64_t sector) { touch(sector / 4); }

  // Whether it is there, which is no use of it.
  bool has(std::uint64_t sector) const {
    const auto at = lines_.find(sector / 4);
    return at != lines_.end() && at->second.held && (at->second.sectors >> (sector % 4) & 1) != 0;
  }
  std::uint64_t fetched_by(std::uint64_t sector) const {
    const auto at = lines_.find(sector / 4);
    return at == lines_.end() || !at->second.held ? 0 : at->second.by;
  }

  // Of a sector that was loaded just before, or is to be overwritten: whether L2 had what L1 has until now.
  bool change(std::uint64_t sector) {
    const auto bit = static_cast<std::uint8_t>(1U << (sector % 4));
    const auto at = lines_.find(sector / 4);
    if (at == lines_.end() || !at->second.held) { // no room at all
      ++written_back_;
      return true;
    }
    const bool is_first = (at->second.changed & bit) == 0;
    at->second.changed = static_cast<std::uint8_t>(at->second.changed | bit);
    return is_first;
  }
  // What a fence does that others' stores may be seen behind: what nobody has changed here is fetched anew.
  void empty() {
    for (Set& set : sets_)
      for (auto at = set.order.begin(); at != set.order.end();) {
        Line& line = lines_.find(*at)->second;
        line.sectors = line.changed;
        line.held = line.changed != 0;
        at = line.held ? std::next(at) : set.order.erase(at);
      }
  }

  // Sectors that were changed and had to go.
  std::size_t written_back() const { return written_back_; }
  // Those that L2 has otherwise, now.
  std::size_t changed() const {
    std::size_t all = 0;
    for (const auto& [number, line] : lines_)
      if (line.held) all += static_cast<std::size_t>(std::popcount(line.changed));
    return all;
  }

  // Whether a line had to go; if none had, the bytes of `first` of the least room in which none would.
  bool lost() const { return lost_; }
  double needed() const {
    std::size_t most = 0;
    for (const Set& set : sets_) most = std::max(most, set.order.size());
    return line_bytes * static_cast<double>(most) * (sets_.size() > 1 ? most_sets : 1);
  }
  double held() const {
    std::size_t lines = 0;
    for (const Set& set : sets_) lines += set.order.size();
    return line_bytes * static_cast<double>(lines);
  }

private:
  static constexpr double line_bytes = 128, most_sets = 8;
  struct Line {
    std::uint8_t sectors = 0, changed = 0;
    bool held = false; // else it had to go
    std::size_t set = 0;
    std::list<std::uint64_t>::iterator place;
    std::uint64_t by = 0;
  };
  struct Set {
    std::size_t most = 0;           // lines
    std::list<std::uint64_t> order; // the one used last comes first
  };
  // The line, which is the one of its set that was used last, and held unless there is no room at all.
  Line& touch(std::uint64_t number) {
    const auto [at, is_new] = lines_.try_emplace(number);
    Line& line = at->second;
    if (is_new) line.set = dealt_++ % sets_.size();
    Set& set = sets_[line.set];
    if (line.held) {
      set.order.splice(set.order.begin(), set.order, line.place);
      return line;
    }
    if (set.order.size() >= set.most) lost_ = true;
    if (set.most == 0) return line;
    if (set.order.size() >= set.most) {
      Line& gone = lines_.find(set.order.back())->second;
      written_back_ += static_cast<std::size_t>(std::popcount(gone.changed));
      gone.held = false;
      set.order.pop_back();
    }
    set.order.push_front(number);
    line = {.sectors = 0, .changed = 0, .held = true, .set = line.set, .place = set.order.begin(), .by = 0};
    return line;
  }

  std::vector<Set> sets_;
  std::size_t dealt_ = 0; // lines to sets
  bool lost_ = false;
  std::size_t written_back_ = 0;
  std::unordered_map<std::uint64_t, Line> lines_; // all that were ever asked for
};

} // namespace perfmodel
