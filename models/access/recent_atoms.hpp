// What a cache leaves of a stream of accesses for the memory behind it: the different atoms (the least piece
// that is fetched) among those touched last, and which of their bytes were written.
// An atom is remembered until at least half as many other ones as the cache holds were touched, and forgotten
// when as many were: least recently used, in two generations, so that memory is bounded and each access costs
// a few steps. A sector that was written only in part when it is forgotten has to be filled by a read.
// It also counts how often a DRAM row has to be opened: one opening serves the reads, and the lines written
// whole, of as many consecutive bytes as a row reaches; a line (128 B) that is written in some of its sectors
// only goes to memory by itself. And the lines with a sector of which two requests wrote a part each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

class RecentAtoms {
public:
  // Powers of two; an atom of 16 to 64 B. `capacity` in bytes: what the cache holds; `reach`: of a DRAM row.
  RecentAtoms(std::int64_t atom, std::int64_t sector, std::int64_t capacity, std::int64_t reach = 128);

  void next_request() { ++request_; }
  void read(std::int64_t address, std::int64_t bytes);
  void write(std::int64_t address, std::int64_t bytes); // within one atom
  void forget_all();                                    // at the end: what was written goes to memory

  std::int64_t bytes_read() const { return atom_ * reads_; }       // fills included
  std::int64_t bytes_filled() const { return atom_ * fills_; }     // because of sectors written in part
  std::int64_t bytes_written() const { return sector_ * writes_; } // in whole sectors
  double rows_read() const { return rows_read_; }                  // openings, those for fills included
  double rows_written() const { return rows_written_; }
  std::int64_t split_lines() const { return splits_; }

private:
  // Atoms are kept by pages: neighbours are mostly touched together.
  static constexpr int page_bits = 7;
  struct Page {
    std::int64_t number;
    std::array<std::uint64_t, 2> written; // a bit for each byte
    std::uint32_t touched;                // a bit for each atom
    std::uint32_t epoch;                  // of the generation that it belongs to
    std::int64_t writer;                  // the last request that wrote to it
    std::array<std::uint64_t, 2> earlier; // written before that request
    bool split;                           // a sector of it was written by two requests
  };
  struct Generation {
    std::vector<Page> pages; // a hash table: a power of two, at most half of it used
    std::size_t used = 0, atoms = 0;
    std::uint32_t epoch = 1; // pages of another one are free
    bool any_written = false;
  };

  void touch(std::int64_t address, bool is_read);
  static Page* find(Generation& generation, std::int64_t number);
  static Page& insert(Generation& generation, std::int64_t number);
  bool has_neighbour(Generation& generation, std::int64_t number) const; // within reach
  void retire(Generation& generation);
  void evict(Generation& generation, const Page& page);

  std::int64_t atom_, sector_;
  int atom_bits_;
  std::size_t most_;            // atoms of one generation
  std::int64_t pages_in_reach_; // a power of two
  Generation now_, before_;
  Page* last_ = nullptr; // of now_
  std::int64_t reads_ = 0, fills_ = 0, writes_ = 0, splits_ = 0, request_ = 0;
  double rows_read_ = 0, rows_written_ = 0;
};

} // namespace perfmodel
