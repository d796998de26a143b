// The sectors that a block reads, each with how many others it had read before. Blocks read up to millions,
// and each is looked up among those of other blocks: places stand in one table, found by hashing with linear
// probing, since a list for each hash costs an allocation and two misses of the processor's cache a sector.
#pragma once

#include "cache_room.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

class ReadOrder {
public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return entries_.size() * sizeof(Entry); }
  // Adds it behind the others, unless it is there.
  std::size_t place_of(std::uint64_t sector) {
    constexpr std::size_t first_entries = 64;
    if (2 * size_ >= entries_.size()) grow(entries_.empty() ? first_entries : 4 * entries_.size());
    Entry& entry = entries_[at(sector)];
    if (entry.place == nowhere) entry = {sector, size_++};
    return entry.place;
  }
  // No further before or behind that place than L1 holds.
  bool has_near(std::uint64_t sector, std::size_t place, CacheRoom& l1) const {
    if (empty()) return false;
    const std::size_t own = entries_[at(sector)].place;
    if (own == nowhere) return false;
    return l1.holds(32 * static_cast<double>(own > place ? own - place : place - own));
  }
  // The share of the other's sectors that this one reads at about the same time.
  double share_of(const ReadOrder& other, CacheRoom& l1) const {
    std::size_t both = 0;
    for (const Entry& entry : other.entries_)
      both += entry.place != nowhere && has_near(entry.sector, entry.place, l1) ? 1U : 0U;
    return other.empty() ? 0 : static_cast<double>(both) / static_cast<double>(other.size());
  }

private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  struct Entry {
    std::uint64_t sector = 0;
    std::size_t place = nowhere;
  };

  // Of the sector's entry, or of the empty one that it would take.
  std::size_t at(std::uint64_t sector) const {
    const std::size_t mask = entries_.size() - 1; // a power of two of them
    // The sectors of a line, which come together, lie side by side.
    const std::uint64_t line = sector / 4, mixed = line * 0x9E3779B97F4A7C15u;
    std::size_t i = static_cast<std::size_t>((mixed ^ mixed >> 32) << 2 | sector % 4) & mask;
    while (entries_[i].place != nowhere && entries_[i].sector != sector) i = (i + 1) & mask;
    return i;
  }
  void grow(std::size_t entries) {
    const std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(entries));
    for (const Entry& entry : before)
      if (entry.place != nowhere) entries_[at(entry.sector)] = entry;
  }

  std::vector<Entry> entries_; // at most half of them taken
  std::size_t size_ = 0;
};

} // namespace perfmodel
