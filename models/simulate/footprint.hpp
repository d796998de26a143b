// What blocks touch of each allocation. The distinct bytes of one block, and what each neighbour adds to
// them, give those of any box of blocks:
//   D(bx, by, bz) = D(1, 1, 1) (cx + cy - 1 + a (cx - 1) (cy - 1)) (1 + gz (bz - 1)), at most the allocation
//   cx = 1 + gx (bx - 1), cy = 1 + gy (by - 1)
// gx, gy, gz: the share of a neighbour's bytes that are new; a: 1 where what is new in x and in y multiplies,
// as in tiles of a plane, 0 where it adds up. Where blocks are cheap to run, a row of them shows cx instead:
// what they share with blocks further away than the next few counts there.
#pragma once

#include "added_words.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// A sector that a block stores to.
struct StoredSector {
  static constexpr std::uint32_t whole = 0xfffffffe, several = 0xffffffff;
  std::uint32_t bytes = 0;  // a bit for each
  std::uint32_t by = whole; // the warp that stores a part of its line; several; or all stores fill lines
  std::uint32_t access = 0; // of the block, the last that stored to it
  std::uint32_t pieces = 0; // stores to it
  double store_of_warp = 0; // the last of them, among those of its warp

  void store(std::uint32_t more, std::uint32_t warp, std::uint32_t now) {
    bytes |= more;
    if (by == whole)
      by = warp;
    else if (warp != whole && warp != by)
      by = several;
    access = now;
    ++pieces;
  }
};

// Of one block, by allocation.
struct BlockFootprint {
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>>
      loads; // atoms, with the last access that reads each
  std::vector<std::unordered_map<std::uint64_t, StoredSector>> stores; // sectors
  std::vector<AddedWords> adds;                                        // atomic operations
  explicit BlockFootprint(std::size_t allocations = 0)
      : loads(allocations), stores(allocations), adds(allocations) {}
};

// The blocks that the others are judged by: one, those that follow it in x, those that follow in y and in z,
// and those in front of it, which may fill up its lines.
struct Neighbours {
  const BlockFootprint* block = nullptr;
  std::vector<const BlockFootprint*> right, below, behind, before;
  std::vector<const BlockFootprint*> beside; // launched shortly before it and after
  std::vector<const BlockFootprint*> row; // the block, and 2^n - 1 more along x; empty where they take long
  // As far along x as along y: the one there in x, that in y, and that in both; null where there is none.
  std::array<const BlockFootprint*, 3> square{};
  // Those launched next to it.
  const std::vector<const BlockFootprint*>& next() const {
    return !right.empty() ? right : !before.empty() ? before : below;
  }
};

// Blocks further along x that read again what one reads, and how far apart they are; 0: none is known.
struct Recurrence {
  double period = 0;
  std::vector<const BlockFootprint*> blocks; // at multiples of it
};

// How much of device memory an allocation takes.
struct Growth {
  double one = 0;             // bytes of one block
  double x = 0, y = 0, z = 0; // share that is new in the next block in x, in y, in z
  double most = 0;            // bytes of the allocation
  std::vector<double> row;    // bytes of 1, 2, 4, .. blocks along x; empty: `x` says it
  // What a block that is next in x and in y adds, as a share of x y: 1 where tiles of a plane adjoin, 0 where
  // a block reads one part by its place in x and another by its place in y, both of one allocation.
  double across = 1;
  bool by_data = false; // data that are loaded say what is read
  // Blocks along x after which they come back to what they have read, and the share that is new then; 0: they
  // do not.
  double period = 0, new_after_period = 1;
  // Bytes for which device memory takes as long as for a byte that is asked for: more than one where lines
  // are touched in part, and the opening of a row costs more than the bytes.
  double per_byte = 1;
  double per_byte_alone = 1; // of stores: the same in a launch that reads next to nothing else
  double filled = 0;         // of stores: share of the sectors that are written in part, and read before
  double in_lines = 1;       // bytes of the lines of 128 in which L2 keeps a byte that is touched
  // Bytes of a block that it reads, or stores, again after it has touched more than its share of L2 holds,
  // and what a byte of them stands for: where an atom, or a sector, comes alone, it opens a row of device
  // memory, and so does what a sector lacks of which L2 had a part.
  double lost = 0, per_byte_lost = 1;
  double refilled = 0; // of stores: of the lost, those of which L2 had a part, and read the rest
  // Share of the bytes in stretches of memory that no block launched next goes on with: shorter than a row's
  // reach, as long or longer.
  double short_stretches = 0, long_stretches = 0;
  // Of stores: share of the bytes that are loaded and stored in place, in lines of which a block beside it
  // loads the rest, or another warp stores it.
  double changed_beside = 0;
  AddedPlaces added{}; // of stores: where atomic operations of the launch go
  // Different bytes of a box of blocks, at most the allocation.
  double of(double bx, double by, double bz = 1) const;
  // As if the allocation had no end: what is more than it holds is read again by blocks far from one another.
  double without_end(double bx, double by, double bz = 1) const;
  // Whether that is clearly more; halos add a little, too.
  bool comes_back(double bx, double by, double bz = 1) const {
    return without_end(bx, by, bz) > 1.5 * of(bx, by, bz);
  }
  // Bytes of blocks along x, in those of one.
  double along_x(double bx) const;
  // Of stores that others complete while L2 has the sector: nothing is written in part.
  void complete() { per_byte = per_byte_alone = 1, filled = 0; }
};

// Rows of device memory: bytes for which it takes as long as for opening one. Reads of `row_reach`
// consecutive bytes share an opening; a line of 128 that is written in part has one for itself. What fills it
// is read beside that in its time, but where no other fill shares its reach: that one opens a row, too. In a
// launch that only stores, fills are the only reads, and take their own time. (Strides of 1 to 96 words, 1 to
// 8 words of each thread, H200, 28 November 2026.)
struct Rows {
  double row_reach = 256, read_row = 0, written_row = 0;
};

// `atom` bytes are read at least.
Growth growth_of_loads(const Neighbours& blocks, std::size_t allocation, double atom, const Rows& memory,
                       double most);
Growth growth_of_stores(const Neighbours& blocks, std::size_t allocation, double atom, const Rows& memory,
                        double most);
// Bytes from the first that these blocks touch of an allocation to the last, and a little more for those of
// other blocks; without an end where one of them touches nothing of it, or there are none.
double span_of_loads(const std::vector<const BlockFootprint*>& blocks, std::size_t allocation, double atom);
double span_of_stores(const std::vector<const BlockFootprint*>& blocks, std::size_t allocation);

// Of loads all of which the blocks next to one another share: blocks further along x, at so many blocks from
// it, that show whether these read something else.
struct Further {
  double distance = 0;
  const BlockFootprint* block = nullptr;
};
void set_growth_from_afar(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                          const Further& further);
// Of loads that come back to what `block` has read, and of stores that come back to its sectors.
void set_recurrence_of_loads(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                             const Recurrence& recurrence);
void set_recurrence_of_stores(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                              const Recurrence& recurrence);

} // namespace perfmodel
