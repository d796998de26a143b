// What a cache that writes back leaves of a stream of writes for the memory behind it: sectors, written once
// for all the writes that they meet before they are forgotten, and each read first ("filled") if it was
// written only in part by then. A sector is remembered until at least half as many other ones as the cache
// holds were written, and forgotten when as many were: least recently used, in two generations, so that
// memory is bounded by the cache, whatever the stream. It also counts how often a DRAM row has to be opened:
// one opening serves the lines (128 B) written whole of as many consecutive bytes as a row reaches; a line
// that is written in some of its sectors only goes to memory by itself. And the lines with a sector of which
// two requests wrote a part each.
#pragma once

#include "launch.hpp"
#include "two_generations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfmodel {

class RecentWrites {
public:
  // Powers of two, in bytes: a word of 1 to 16; `capacity`: what the cache holds; `reach`: of a DRAM row.
  RecentWrites(std::int64_t word, std::int64_t sector, std::int64_t capacity, std::int64_t reach = 128);

  // One request: the words that the lanes of `mask` write. Addresses are multiples of a word.
  void write(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask);
  void forget_all(); // at the end: what was written goes to memory

  std::int64_t bytes_filled() const { return sector_ * fills_; }   // read, because of sectors written in part
  std::int64_t bytes_written() const { return sector_ * writes_; } // in whole sectors
  double rows_read() const { return rows_read_; }                  // openings for fills
  double rows_written() const { return rows_written_; }
  std::int64_t split_lines() const { return splits_; }

private:
  using Words = std::array<std::uint64_t, 2>; // a bit for each word of a page
  struct Page {
    std::int64_t start;
    Words written;
    std::uint16_t lines, split; // a bit for each line: touched; with a sector that two requests wrote
    std::uint32_t visit;        // of the last request that met it, if that is the present one
  };
  struct Request;
  struct Run;

  std::int64_t page_of(std::int64_t address) const { return address & ~(page_bytes_ - 1); }
  std::uint64_t sectors_with_any(std::uint64_t words) const; // at a sector's first bit
  bool write_new_lines(Request& request, Run& run);
  void write_word(Request& request, Run& run, unsigned word);
  Page& touch(Run& run, unsigned word);
  void insert(Run& run);
  void turn();
  void evict(const Page& page);
  bool has_neighbour(const Page& page, unsigned line); // among the pages of before

  std::int64_t sector_, page_bytes_, reach_;
  int word_bits_;
  unsigned sector_words_, line_words_, row_lines_; // of a row, the lines on one page
  std::uint64_t sector_ones_, line_ones_, sector_starts_;
  std::size_t most_, sectors_ = 0;        // of one generation
  TwoGenerations<std::uint32_t> numbers_; // of pages
  std::vector<Page> now_, before_; // in the order of their arrival: a walk over them is one over memory
  std::int64_t fills_ = 0, writes_ = 0, splits_ = 0;
  double rows_read_ = 0, rows_written_ = 0;
};

} // namespace perfmodel
