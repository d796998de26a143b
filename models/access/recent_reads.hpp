// What a cache leaves of a stream of reads for the memory behind it: the different atoms (the least piece
// that is fetched) among those touched last. An atom is remembered until at least half as many other ones as
// the cache holds were touched, and forgotten when as many were: least recently used, in two generations. Of
// a large launch a sample of memory is followed (page_sample.hpp). It also counts how often a DRAM row has to
// be opened: once for as many consecutive bytes as a row reaches, in each generation.
#pragma once

#include "page_sample.hpp"
#include "recent_pages.hpp"
#include "transactions.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perfmodel {

class RecentReads {
public:
  // Powers of two; an atom of 16 B at least. `capacity` in bytes: what the cache holds; `reach`: of a DRAM
  // row, in bytes. A generation of `most_pages` is thinned.
  RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach = 128,
              std::size_t most_pages = PageSample::usual_pages);

  // The transactions of one load: each starts at a multiple of its bytes, which are 16 atoms at most, from 0
  // to 2^47.
  void read(std::span<const Transaction> all);

  std::int64_t bytes_read() const { return atom_ * std::llround(weighed_reads_ + sample_.weight() * reads_); }
  double rows_read() const { return weighed_rows_ + sample_.weight() * rows_; } // openings
  const PageSample& sample() const { return sample_; }

private:
  using Atoms = std::uint32_t; // a bit for each of a page
  struct Page {
    std::uint64_t page;
    Atoms touched;
  };
  struct Row {
    std::uint64_t page;
  };

  std::uint64_t page_of(const Transaction& t) const;
  Atoms atoms_of(const Transaction& t) const;
  Atoms row_of(Atoms atom) const;         // all of it
  Atoms rows_with_any(Atoms atoms) const; // at a row's first atom
  void touch(std::uint64_t page, Atoms wanted);
  void touch_one(std::uint64_t page, Atoms atom);
  bool opens_a_row(std::uint64_t page, Atoms atom, Atoms now);
  void thin(); // of the sample

  std::int64_t atom_;
  int atom_bits_;
  std::size_t most_, atoms_ = 0; // of one generation
  int row_atoms_;                // of a row, or of as much of it as a page has
  int row_bits_;                 // log2 of the pages of a row; 0: it is within one
  Atoms row_ones_, row_starts_;
  PageSample sample_;
  RecentPages<Page> pages_;
  RecentPages<Row> rows_open_;                  // that are larger than a page
  double reads_ = 0, rows_ = 0;                 // in the sample, since it was thinned
  double weighed_reads_ = 0, weighed_rows_ = 0; // before
};

} // namespace perfmodel
