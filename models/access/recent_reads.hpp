// What a cache leaves of a stream of reads for the memory behind it: the different atoms (the least piece
// that is fetched) among those touched last. An atom is remembered until at least half as many other ones as
// the cache holds were touched, and forgotten when as many were: least recently used, in two generations, so
// that memory is bounded by the cache, whatever the stream, and each access costs a few steps. It also counts
// how often a DRAM row has to be opened: once for as many consecutive bytes as a row reaches, in each
// generation.
#pragma once

#include "batch.hpp"
#include "recent_atoms.hpp"
#include "transactions.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace perfmodel {

class RecentReads {
public:
  // Powers of two; an atom of 16 B at least. `capacity` in bytes: what the cache holds; `reach`: of a DRAM
  // row, in bytes.
  RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach = 128);

  // The transactions of one load: each starts at a multiple of its bytes, which are 16 atoms at most, from 0
  // to 2^47. They count later.
  void read(std::span<const Transaction> all);
  void count_all();

  std::int64_t bytes_read() const { return atom_ * reads_; }
  double rows_read() const { return static_cast<double>(rows_); } // openings

private:
  using Atoms = RecentAtoms::Atoms;
  struct Run { // of one load, on one page
    std::uint64_t page;
    Atoms wanted;
  };

  Atoms row_of(Atoms atom) const;         // all of it
  Atoms rows_with_any(Atoms atoms) const; // at a row's first atom
  void touch(const Run& run);
  void touch_one(const Run& run, Atoms atom);
  bool opens_a_row(std::uint64_t page, Atoms atom, Atoms now);

  std::int64_t atom_;
  int atom_bits_;
  std::size_t most_, atoms_ = 0; // of one generation
  int row_atoms_;                // of a row, or of as much of it as a page has
  int row_bits_;                 // log2 of the pages of a row; 0: it is within one
  Atoms row_ones_, row_starts_;
  RecentAtoms touched_;
  RecentAtoms rows_open_; // that are larger than a page
  Batch<Run, 128> waiting_;
  std::int64_t reads_ = 0, rows_ = 0;
};

} // namespace perfmodel
