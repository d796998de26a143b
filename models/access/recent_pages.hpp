// Records of pages of memory, in two generations: those made since the last turn, and those of the time
// between the two turns before. A turn forgets the older ones at no cost. Each generation is an array in the
// order of arrival, so that a walk over it is one over memory. A hash table finds records; it holds none that
// nobody looked for: a stream that only ascends or descends never does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

// Page has a member `page`, the page's number. Pointers hold until the next insert or turn.
template <class Page> class RecentPages {
public:
  Page* find_now(std::uint64_t page) { return find(now_, page); } // nullptr: there is none
  Page* find_before(std::uint64_t page) { return find(1 - now_, page); }
  // For a page that has no record yet.
  Page& insert(const Page& page) {
    Generation& now = generations_[now_];
    now.pages.push_back(page);
    if (page.page < now.lowest) now.lowest = page.page;
    if (page.page > now.highest) now.highest = page.page;
    return now.pages.back();
  }
  const std::vector<Page>& before() const { return generations_[1 - now_].pages; }

  // The memory that a search will start with, to be fetched: many waits for memory at a time are one.
  // nullptr: there is nothing to search. (A function that only fetched it would be optimized away.)
  const void* where(std::uint64_t page) const {
    return generations_[0].may_hold(page) || generations_[1].may_hold(page) ? &buckets_[home(page)] : nullptr;
  }

  // What is now becomes what was before.
  void turn() {
    now_ = 1 - now_;
    Generation& now = generations_[now_];
    now.pages.clear();
    now.lowest = ~std::uint64_t{0};
    now.highest = 0;
    now.indexed = 0;
    now.epoch = (now.epoch + one_epoch) & epochs;
    if (now.epoch != 0) return;
    for (Bucket& bucket : buckets_) bucket[now_].fill(0);
    now.epoch = one_epoch;
  }

private:
  // One word: a page's lower 24 bits, the epoch of its generation, from 1, so that a turn need not clear the
  // table, and where its record is, 32 bits.
  using Slot = std::uint64_t;
  static constexpr std::uint64_t numbers = UINT32_MAX, one_epoch = std::uint64_t{1} << 32,
                                 epochs = std::uint64_t{255} << 32;
  struct Generation {
    std::vector<Page> pages;
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0; // page
    std::size_t indexed = 0;                               // pages that the table holds: the first ones
    Slot epoch = one_epoch;
    bool may_hold(std::uint64_t page) const { return page >= lowest && page <= highest; }
  };
  static constexpr std::size_t bucket_slots = 4;
  // A cache line: both generations are asked for the same page. Slots are taken in order.
  struct alignas(64) Bucket : std::array<std::array<Slot, bucket_slots>, 2> {};

  Slot key(std::size_t generation, std::uint64_t page) const {
    return page << 40 | generations_[generation].epoch;
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

  Page* find(std::size_t g, std::uint64_t page) {
    Generation& generation = generations_[g];
    if (!generation.may_hold(page)) return nullptr;
    if (generation.pages.back().page == page) return &generation.pages.back();
    while (generation.indexed < generation.pages.size()) index_one(g);
    const Slot wanted = key(g, page);
    for (std::size_t at = home(page);; at = next(at, page))
      for (const Slot slot : buckets_[at][g]) {
        const Slot differs = slot ^ wanted;
        if (differs <= numbers && generation.pages[slot & numbers].page == page)
          return &generation.pages[slot & numbers];
        if ((differs & epochs) != 0) return nullptr;
      }
  }

  void index_one(std::size_t g) {
    Generation& generation = generations_[g];
    if (2 * generation.indexed >= bucket_slots * buckets_.size()) grow();
    place(g, generation.indexed++);
  }

  void place(std::size_t g, std::size_t number) {
    const std::uint64_t page = generations_[g].pages[number].page;
    const Slot wanted = key(g, page);
    for (std::size_t at = home(page);; at = next(at, page))
      for (Slot& slot : buckets_[at][g]) {
        if (((slot ^ wanted) & epochs) == 0) continue;
        slot = wanted | number;
        return;
      }
  }

  void grow() {
    buckets_.assign(2 * buckets_.size(), {});
    --shift_;
    for (std::size_t g = 0; g < 2; ++g)
      for (std::size_t number = 0; number < generations_[g].indexed; ++number) place(g, number);
  }

  static constexpr int first_bits = 8;
  int shift_ = 64 - first_bits;
  std::vector<Bucket> buckets_{std::size_t{1}
                               << first_bits}; // at most half of a generation's slots are taken
  std::array<Generation, 2> generations_;
  std::size_t now_ = 0;
};

} // namespace perfmodel
