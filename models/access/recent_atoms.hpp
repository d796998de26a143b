// Sets of atoms, 16 on a page of memory, in two generations: those added since the last turn, and those of
// the time between the two turns before. A turn forgets the older ones at no cost. Pages beyond all others
// are put on a list first, and into a hash table when somebody asks for any but the last of them: a stream
// that only ascends or descends never does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

// Pages are numbers below 2^40.
class RecentAtoms {
public:
  static constexpr int atoms_of_a_page = 16;
  using Atoms = std::uint32_t; // a bit for each

  // What there is of a page, and its slot in the table, if it has one or could: until the next add or turn.
  struct Found {
    std::uint64_t* slot = nullptr;
    Atoms now = 0, before = 0;
  };
  Found find(std::uint64_t page) {
    if (is_beyond(page)) return {};
    if (const std::vector<Listed>& list = generations_[now_].list; !list.empty() && list.back().page == page)
      return {.now = list.back().atoms}; // it was beyond all others, so there is nothing of it before
    return find_in_table(page);
  }
  void add(const Found& found, std::uint64_t page, Atoms atoms) {
    Generation& now = generations_[now_];
    if (found.now == 0) {
      if (page < now.lowest) now.lowest = page;
      if (page > now.highest) now.highest = page;
    }
    if (found.slot != nullptr) {
      now.used += static_cast<std::size_t>(found.now == 0);
      *found.slot = key(now_, page) | found.now | atoms;
    } else if (found.now != 0) {
      now.list.back().atoms |= atoms;
    } else {
      now.list.push_back({page, atoms});
    }
  }

  // The memory that a search will start with, to be fetched: many waits for memory at a time are one.
  // nullptr: there is none. (A function that only fetched it would be optimized away.)
  const void* where(std::uint64_t page) const { return is_beyond(page) ? nullptr : &buckets_[home(page)]; }

  // What is now becomes what was before.
  void turn() {
    now_ = 1 - now_;
    Generation& now = generations_[now_];
    now.list.clear();
    now.lowest = ~std::uint64_t{0};
    now.highest = 0;
    now.used = 0;
    now.epoch = (now.epoch + one_epoch) & epochs;
    if (now.epoch != 0) return;
    for (Bucket& bucket : buckets_) bucket[now_].fill(0);
    now.epoch = one_epoch;
  }

private:
  // A slot is one word: a page, the epoch of its generation, from 1, so that a turn need not clear the table,
  // and the atoms.
  static constexpr std::uint64_t all_atoms = 0xFFFF, one_epoch = 0x10000, epochs = 0xFF0000;
  static constexpr std::size_t bucket_slots = 4;
  // A cache line: both generations are asked for the same page. Slots are taken in order.
  struct alignas(64) Bucket : std::array<std::array<std::uint64_t, bucket_slots>, 2> {};
  struct Listed {
    std::uint64_t page;
    Atoms atoms;
  };
  struct Generation {
    std::vector<Listed> list;
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0, epoch = one_epoch;
    std::size_t used = 0; // slots
  };

  bool is_beyond(std::uint64_t page) const {
    const auto& [a, b] = generations_;
    return (page > a.highest && page > b.highest) || (page < a.lowest && page < b.lowest);
  }

  std::uint64_t key(std::size_t g, std::uint64_t page) const { return page << 24 | generations_[g].epoch; }
  Atoms atoms_of(std::size_t g, std::uint64_t slot) const {
    return (slot & epochs) == generations_[g].epoch ? static_cast<Atoms>(slot & all_atoms) : 0;
  }

  // The bucket to look in first. Pages of one neighbourhood stay close together, as streams touch them;
  // neighbourhoods are spread by Fibonacci hashing, which keeps those that follow one another apart.
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u; // 2^64 over the golden ratio
  static constexpr int neighbourhood_bits = 6;
  std::size_t home(std::uint64_t page) const {
    const std::uint64_t first = (page >> neighbourhood_bits) * golden >> shift_;
    return static_cast<std::size_t>(first + page % (1u << neighbourhood_bits)) & (buckets_.size() - 1);
  }
  // An odd number of buckets farther, it meets every one.
  std::size_t next(std::size_t at, std::uint64_t page) const {
    const auto spread = static_cast<std::size_t>((page >> neighbourhood_bits) * golden >> 20);
    return (at + (spread | 33)) & (buckets_.size() - 1);
  }

  Found find_in_table(std::uint64_t page) {
    for (std::size_t g = 0; g < 2; ++g)
      if (!generations_[g].list.empty()) take_list(g);
    if (2 * generations_[now_].used >= bucket_slots * buckets_.size()) grow();
    const std::size_t at = home(page);
    std::uint64_t& now = look(now_, page, at);
    return {&now, atoms_of(now_, now), atoms_of(1 - now_, look(1 - now_, page, at))};
  }
  // The page's slot, or the free one that it would take.
  std::uint64_t& look(std::size_t g, std::uint64_t page, std::size_t at) {
    const std::uint64_t wanted = key(g, page);
    for (;; at = next(at, page))
      for (std::uint64_t& slot : buckets_[at][g])
        if (const std::uint64_t differs = slot ^ wanted; differs <= all_atoms || (differs & epochs) != 0)
          return slot;
  }

  void take_list(std::size_t g) {
    Generation& generation = generations_[g];
    for (const Listed& listed : generation.list) {
      if (2 * generation.used++ >= bucket_slots * buckets_.size()) grow();
      look(g, listed.page, home(listed.page)) = key(g, listed.page) | listed.atoms;
    }
    generation.list.clear();
  }
  void grow() {
    std::vector<Bucket> old(2 * buckets_.size());
    std::swap(old, buckets_);
    --shift_;
    for (const Bucket& bucket : old)
      for (std::size_t g = 0; g < 2; ++g)
        for (const std::uint64_t slot : bucket[g])
          if (atoms_of(g, slot) != 0) look(g, slot >> 24, home(slot >> 24)) = slot;
  }

  static constexpr int first_bits = 8;
  int shift_ = 64 - first_bits;
  std::array<Generation, 2> generations_;
  std::size_t now_ = 0;
  std::vector<Bucket> buckets_{std::size_t{1}
                               << first_bits}; // at most half of a generation's slots are taken
};

} // namespace perfmodel
