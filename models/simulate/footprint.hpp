// What blocks touch of each allocation, and how much of it comes from device memory.
// The distinct bytes of one block, and what each neighbour adds to them, give those of any box of blocks:
//   D(bx, by, bz) = D(1, 1, 1) (1 + gx (bx - 1)) (1 + gy (by - 1)) (1 + gz (bz - 1)), at most the allocation
// gx, gy, gz: the share of a neighbour's bytes that are new. Cold, all of them are read from device memory
// once; where what all blocks touch is more than L2 holds, what one wave of resident blocks has read must be
// read again by the next one that needs it. Where an index says what is read, and blocks add more than the
// allocation holds, though no two that are near one another share it, they come back to it at any time.
// Between two reads of a byte L2 takes up
//   distance = (what all blocks move) (the allocation's bytes) / (those that blocks read of it)
// in the mean, and still has it with the chance 1 - exp(-L2 / distance).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// Of one block, by allocation.
struct BlockFootprint {
  // Atoms that are read, each with the bytes that the block had moved to and from L2 when it last read it.
  std::vector<std::unordered_map<std::uint64_t, double>> loads;
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> stores; // sectors, with a bit for each byte
  explicit BlockFootprint(std::size_t allocations = 0) : loads(allocations), stores(allocations) {}
};

// The blocks that the others are judged by: one, those that follow it in x, those that follow in y and in z,
// and those in front of it, which may fill up its lines.
struct Neighbours {
  const BlockFootprint* block = nullptr;
  std::vector<const BlockFootprint*> right, below, behind, before;
  std::vector<const BlockFootprint*> beside; // launched shortly before it and after
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
  bool by_data = false;       // data that are loaded say what is read
  // Blocks along x after which they come back to what they have read, and the share that is new then; 0: they
  // do not.
  double period = 0, new_after_period = 1;
  // Bytes for which device memory takes as long as for a byte that is asked for: more than one where lines
  // are touched in part, and the opening of a row costs more than the bytes.
  double per_byte = 1;
  double filled = 0; // of stores: share of the sectors that are written in part, and read before
  // Of loads: bytes of a block that it reads again after it has moved more than its share of L2.
  double lost = 0;
  // Share of the bytes in stretches of memory that no block launched next goes on with: shorter than a row's
  // reach, as long or longer.
  double short_stretches = 0, long_stretches = 0;
  // Of stores: share of the bytes that are loaded and stored in place, in lines of which a block beside it
  // loads the rest.
  double changed_beside = 0;
  // Different bytes of a box of blocks, at most the allocation.
  double of(double bx, double by, double bz = 1) const;
  // As if the allocation had no end: what is more than it holds is read again by blocks far from one another.
  double without_end(double bx, double by, double bz = 1) const;
  // Whether that is clearly more; halos add a little, too.
  bool comes_back(double bx, double by, double bz = 1) const {
    return without_end(bx, by, bz) > 1.5 * of(bx, by, bz);
  }
};

// Rows of device memory: bytes for which it takes as long as for opening one. Reads of `row_reach`
// consecutive bytes share an opening; a line of 128 that is written in part has one for itself, which the
// read that fills it shares.
struct Rows {
  double row_reach = 256, read_row = 0, written_row = 0;
};

// `atom` bytes are read at least.
Growth growth_of_loads(const Neighbours& blocks, std::size_t allocation, double atom, const Rows& memory,
                       double most);
Growth growth_of_stores(const Neighbours& blocks, std::size_t allocation, double atom, const Rows& memory,
                        double most);
// Of loads all of which the blocks next to one another share: blocks further along x, at so many blocks from
// it, that show whether these read something else.
struct Further {
  double distance = 0;
  const BlockFootprint* block = nullptr;
};
void set_growth_from_afar(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                          const Further& further);
// Of loads that come back to what `block` has read.
void set_recurrence(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                    const Recurrence& recurrence);

struct GridShape {
  double x = 1, y = 1, z = 1; // blocks; of a grid of one row z counts as y
  double wave = 1;            // resident on the whole device
};

struct DeviceTraffic {
  std::vector<double> read; // bytes of each allocation from device memory
  double filled = 0;        // bytes read because their sectors are written in part
  double written = 0;
  double left = 0;    // bytes that L2 has yet to write when the launch ends
  double touched = 0; // different bytes; what is loaded and stored in one allocation counts once
};

// Bytes of L2. Where it has halves, each keeps a copy of what its SMs read of the other: of data that all SMs
// read it holds only `shared`; a line that one SM reads or writes takes, on average, 2 - shared / all times
// its size. (On an H200, 2026-11-24, launches in a row: 40 MiB read, 16 and 16 MiB copied and 32 MiB changed
// in place stay there; 48, 24 and 24, 48 do not.)
struct L2Room {
  double shared = 0, all = shared;
};

// Where L2 has halves: chance that data that it has lie in the far one alone, when a launch reads each line
// `times` times. A half keeps a copy of what its SMs have read; so a line's other half is asked once, by the
// first SM beyond it. `fetched`: the first read was served by device memory, and has left a copy on its way.
double far_chance(double times, bool fetched);

DeviceTraffic device_traffic(std::span<const Growth> loads, std::span<const Growth> stores,
                             const GridShape& grid, const L2Room& l2, bool warm);

} // namespace perfmodel
