// A block while it is traced: what was made of it so far, and what its caches and queues hold.
#pragma once

#include "access_pieces.hpp"
#include "block_trace.hpp"
#include "filled_sectors.hpp"
#include "l1_sectors.hpp"
#include "open_lines.hpp"
#include "sm_neighbours.hpp"
#include "touched_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace perfmodel {

// A store that opens lines, with its place in its warp's list of steps; how many others have opened before
// it.
struct OpeningStore {
  std::vector<std::uint64_t> sectors;
  std::size_t lines = 0, warp = 0, place = 0, before = 0;
};

struct BlockTracer::State {
  BlockTrace made;
  L1Sectors l1;
  SmNeighbours neighbours;
  TouchedLines lines; // of L2
  FilledSectors filled;
  std::size_t lines_opened = 0; // by stores
  std::vector<std::vector<OpeningStore>>
      opened; // of each warp its last ones to other lines, the last one last
  // The first time that each warp makes each store; the stores of an instruction that have opened lines so.
  std::unordered_set<std::uint64_t> stores_made;
  std::unordered_map<std::uint32_t, std::vector<OpeningStore>> stored_beside;
  std::unordered_set<std::uint64_t> pieced; // lines
  std::unordered_set<std::uint64_t> local;  // sectors
  std::vector<LastLoads> last_loads;        // of each instruction
  std::vector<OpenedRow> rows;              // of each warp
  // Of the last access: sectors that it looked for in L1, and atoms that it read beyond, with those that the
  // block has not stored itself; sectors that it
  // stored to, with a bit for each byte, and lines of them that are filled piece by piece. The warp, where it
  // has stored parts of lines.
  struct Touched {
    std::vector<std::uint64_t> looked_for, fetched, read;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> stored;
    std::size_t stored_bytes = 0;
    std::uint32_t in_part = StoredSector::whole;
    std::vector<std::uint64_t> pieced;
    std::optional<std::pair<std::size_t, std::size_t>>
        opened_at; // warp and place of the store that opened them

    void clear() { // their memory is used again
      looked_for.clear(), fetched.clear(), read.clear(), stored.clear(), pieced.clear();
      stored_bytes = 0;
      in_part = StoredSector::whole;
      opened_at.reset();
    }
    // Each sector once, ascending, with all its bytes.
    void merge() {
      std::sort(stored.begin(), stored.end());
      std::size_t last = 0;
      for (std::size_t n = 1; n < stored.size(); ++n)
        if (stored[n].first == stored[last].first)
          stored[last].second |= stored[n].second;
        else
          stored[++last] = stored[n];
      if (!stored.empty()) stored.resize(last + 1);
    }
    void store(std::int64_t address, std::int64_t bytes) {
      for (std::int64_t byte = address; byte < address + bytes; ++byte) {
        const std::uint64_t sector = sector_of(byte);
        if (stored.empty() || stored.back().first != sector) stored.emplace_back(sector, 0U);
        stored.back().second |= std::uint32_t{1} << (byte & (sector_bytes - 1));
      }
      stored_bytes += static_cast<std::size_t>(bytes);
    }
  } touched;
};

// Sectors, each once or more with a bit for each byte, of which not all bytes are there.
std::size_t sectors_in_part(std::vector<std::pair<std::uint64_t, std::uint32_t>> stored);

// A count that a step has room for.
inline std::uint16_t narrow(std::size_t n) {
  return static_cast<std::uint16_t>(std::min<std::size_t>(n, 0xffff));
}

} // namespace perfmodel
