// What a cache leaves of a stream of reads for the memory behind it: the different atoms (the least piece
// that is fetched) among those touched last. An atom is remembered until at least half as many other ones as
// the cache holds were touched, and forgotten when as many were: least recently used, in two generations, so
// that memory is bounded by the cache, whatever the stream, and each access costs a few steps. It also counts
// how often a DRAM row has to be opened: once for as many consecutive bytes as a row reaches, in each
// generation.
#pragma once

#include "transactions.hpp"
#include "two_generations.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace perfmodel {

class RecentReads {
public:
  // Powers of two. `capacity` in bytes: what the cache holds; `reach`: of a DRAM row, in bytes.
  RecentReads(std::int64_t atom, std::int64_t capacity, std::int64_t reach = 128);

  // The transactions of one load: each starts at a multiple of its bytes, which are 64 atoms at most.
  void read(std::span<const Transaction> all);

  std::int64_t bytes_read() const { return atom_ * reads_; }
  double rows_read() const { return static_cast<double>(rows_); } // openings

private:
  std::int64_t page_of(std::int64_t address) const { return address & ~(page_bytes_ - 1); }
  std::uint64_t atoms_of(const Transaction& t) const;     // on its page
  std::uint64_t rows_with_any(std::uint64_t atoms) const; // at a row's first atom
  void look_up(std::int64_t start);
  void touch(std::uint64_t wanted);
  void touch_one(std::uint64_t atom);
  void turn();
  void keep(); // the bits of the page that was touched last
  bool row_is_open_elsewhere();

  std::int64_t atom_, page_bytes_, reach_;
  int atom_bits_;
  std::size_t most_, atoms_ = 0; // of one generation
  int row_atoms_;                // of a row, or of as much of it as a page has
  std::uint64_t row_starts_;
  TwoGenerations<std::uint64_t> touched_; // a bit for each atom of a page
  // The page that was touched last: where its bits are kept, and what they are.
  std::int64_t start_ = 1; // no page starts there
  std::uint64_t* kept_ = nullptr;
  std::uint64_t now_ = 0, before_ = 0;
  std::int64_t reads_ = 0, rows_ = 0;
};

} // namespace perfmodel
