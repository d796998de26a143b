// Records of pages of memory, in two generations: those made since the last turn, and those of the time
// between the two turns before. A turn forgets the older ones. Each generation is an array in the order of
// arrival; a hash table finds records, and holds none before somebody looks for one that is not the last: a
// stream that only ascends never does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perfmodel {

// Page has a member `page`, the page's number. Pointers hold until the next insert, keep or turn.
template <class Page> class RecentPages {
public:
  Page* find_now(std::uint64_t page) { return now_.find(page); } // nullptr: there is none
  Page* find_before(std::uint64_t page) { return before_.find(page); }
  // For a page that has no record yet.
  Page& insert(const Page& page) { return now_.insert(page); }
  std::span<const Page> now() const { return now_.pages; }
  std::span<const Page> before() const { return before_.pages; }

  // What is now becomes what was before.
  void turn() {
    std::swap(now_, before_);
    now_.clear();
  }

  // Forgets those that do not satisfy `keeps`.
  template <class Keeps> void keep(Keeps keeps) {
    for (Generation* const g : {&now_, &before_}) {
      std::vector<Page> kept;
      for (const Page& page : g->pages)
        if (keeps(page)) kept.push_back(page);
      g->clear();
      for (const Page& page : kept) g->insert(page);
    }
  }

private:
  struct Generation {
    std::vector<Page> pages;
    std::vector<std::uint32_t> places =
        std::vector<std::uint32_t>(std::size_t{1} << first_bits); // number + 1
    std::size_t indexed = 0; // pages that the table holds: the first ones
    int shift = 64 - first_bits;
    std::uint64_t lowest = ~std::uint64_t{0}, highest = 0; // page

    Page* find(std::uint64_t page) {
      if (page < lowest || page > highest) return nullptr;
      if (pages.back().page == page) return &pages.back();
      while (indexed < pages.size()) index_one();
      const std::uint32_t number = places[place_of(page)];
      return number == 0 ? nullptr : &pages[number - 1];
    }
    Page& insert(const Page& page) {
      pages.push_back(page);
      if (page.page < lowest) lowest = page.page;
      if (page.page > highest) highest = page.page;
      return pages.back();
    }
    void clear() {
      pages.clear();
      if (indexed > 0) places.assign(places.size(), 0);
      indexed = 0;
      lowest = ~std::uint64_t{0};
      highest = 0;
    }
    // Where the page's number is, or the free place that it would take.
    std::size_t place_of(std::uint64_t page) const {
      constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u; // 2^64 over the golden ratio: Fibonacci hashing
      std::size_t at = page * golden >> shift;
      while (places[at] != 0 && pages[places[at] - 1].page != page) at = (at + 1) & (places.size() - 1);
      return at;
    }
    void index_one() {
      if (2 * indexed >= places.size()) {
        places.assign(2 * places.size(), 0);
        --shift;
        indexed = 0;
        while (2 * indexed < places.size() / 2) place_next();
      }
      place_next();
    }
    void place_next() {
      places[place_of(pages[indexed].page)] = static_cast<std::uint32_t>(indexed + 1);
      ++indexed;
    }
  };
  static constexpr int first_bits = 4;
  Generation now_, before_;
};

} // namespace perfmodel
