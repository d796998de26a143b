// What a cache that writes back leaves of a stream of writes for the memory behind it: sectors, written once
// for all the writes that they meet before they are forgotten, and each read first ("filled") if it was
// written only in part by then. A sector is remembered until at least half as many other ones as the cache
// holds were written, and forgotten when as many were: least recently used, in two generations. Of a large
// launch a sample of memory is followed (page_sample.hpp). It also counts how often a DRAM row has to be
// opened: one opening serves the lines (128 B) written whole of as many consecutive bytes as a row reaches; a
// line that is written in some of its sectors only goes to memory by itself. And the lines with a sector of
// which two requests wrote a part each.
#pragma once

#include "bit_fields.hpp"
#include "page_sample.hpp"
#include "recent_pages.hpp"
#include "transactions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perfmodel {

struct WriteCounts {
  std::int64_t bytes_filled = 0;          // read, because of sectors written in part
  std::int64_t bytes_written = 0;         // in whole sectors
  double rows_read = 0, rows_written = 0; // openings, for fills and for writes
  std::int64_t split_lines = 0;           // with a sector that two requests wrote in part
  std::int64_t shared_fills = 0;          // lines with a sector to be filled, of which two requests wrote
};

__extension__ using Words128 = unsigned __int128;

// Words is a mask with a bit for each word of a page of memory, which is a line at least.
template <class Words> class RecentWrites {
public:
  // Powers of two, in bytes: a word of 1 to 16; `capacity`: what the cache holds; `reach`: of a DRAM row. A
  // generation of `most_pages` is thinned.
  RecentWrites(std::int64_t word, std::int64_t sector, std::int64_t capacity, std::int64_t reach = 128,
               std::size_t most_pages = PageSample::usual_pages);

  // One request: the words that the lanes of `mask` write, at multiples of a word from 0 to 2^47. `sorted`:
  // these addresses.
  void write(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
             const SortedLanes& sorted);
  WriteCounts take(); // at the end: what was written goes to memory
  const PageSample& sample() const { return sample_; }

private:
  struct Run { // what one request writes on one page
    std::uint64_t page;
    Words words;
    std::size_t lanes;
  };
  struct Page {
    std::uint64_t page;
    Words written;
    Words touched, twice, split; // lines, at their highest bit; by two requests; with a sector of both
  };
  struct Row {
    std::uint64_t page;
    bool of_several_pages;
  };
  static constexpr unsigned page_words = 8 * sizeof(Words);

  template <class Use> void each_run(const SortedLanes& sorted, Use use) const;
  void write_now(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
                 const SortedLanes& sorted);
  std::size_t fresh_sectors(const SortedLanes& sorted);
  void touch(const Run& run);
  void take_over(Page& page, const Words& fresh);
  Words in_part(const Words& written) const; // sectors of which some words were written, but not all
  Page& insert(std::uint64_t page);
  void turn();
  void evict(const Page& page);
  Words with_neighbours(const Page& page); // of its lines
  void weigh();                            // the events since it was done
  void thin();                             // the sample

  std::int64_t sector_;
  int word_bits_, page_bits_;
  int row_bits_; // log2 of the pages of a row; 0: it is within one
  double share_; // of an opening, of one among the lines of a row
  BitFields<Words> sectors_, lines_, rows_;
  std::size_t most_, fresh_ = 0; // sectors of one generation
  PageSample sample_;
  RecentPages<Page> pages_;
  RecentPages<Row> large_rows_;
  // Sectors filled and written; lines with a split sector, and filled ones that two requests wrote; lines
  // read and written, alone and beside others.
  enum Event : std::size_t {
    fills,
    writes,
    splits,
    shared_fills,
    alone_read,
    shared_read,
    alone_written,
    shared_written
  };
  using Events = std::array<double, shared_written + 1>;
  Events events_{}, weighed_{}; // in the sample, since it was thinned; before
};

} // namespace perfmodel
