// Local memory of a block's threads, in L1 and beyond.
#include "access_pieces.hpp"
#include "traced_block.hpp"

#include "models/kernel/stack_frame.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace perfmodel {

// Whether L1 has it.
bool BlockTracer::local_sector(std::uint64_t sector, const MemoryAccess& access, State& state) {
  LocalTraffic& traffic = state.made.local;
  const bool is_there = state.l1.load(sector);
  traffic.touched += state.local.insert(sector).second ? 1 : 0;
  traffic.read += !is_there && access.loads ? 1 : 0;
  return is_there;
}

// Words of local memory at one address lie side by side for the lanes of a warp: where each lane takes
// another address, each takes another line.
void BlockTracer::local(MemoryAccess access, std::size_t warp, TracedStep& step, State& state) {
  constexpr std::int64_t of_warp = std::int64_t{1} << 24, frame = stack_top;
  const auto base = std::int64_t{1} << 62 | static_cast<std::int64_t>(warp) * of_warp;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::int64_t at = access.address[lane] & (frame - 1);
    access.address[lane] = base + at / 4 * line_bytes + static_cast<std::int64_t>(lane) * 4 + at % 4;
  }
  const std::int64_t words = std::max(1, access.bytes / 4);
  access.bytes = std::min<std::uint8_t>(access.bytes, 4);
  std::size_t lines = 0, changed = 0;
  std::vector<std::uint64_t> stored, missed;
  if (access.loads) state.opened[warp].clear(); // until it is there, others have stored
  if (access.stores) state.touched.clear();
  for (std::int64_t word = 0; word < words; ++word) { // the next word of each lane lies a line further on
    const std::vector<std::uint64_t> sectors = pieces_of(access, sector_bytes);
    lines += larger_pieces(sectors, line_bytes / sector_bytes);
    for (const std::uint64_t sector : sectors) {
      if (!local_sector(sector, access, state) && access.loads) missed.push_back(sector);
      changed += access.stores && state.l1.change(sector) ? 1U : 0U;
    }
    if (access.stores) stored.insert(stored.end(), sectors.begin(), sectors.end());
    for (std::size_t lane = 0; lane < 32; ++lane)
      if (access.stores && (access.mask >> lane & 1) != 0)
        state.touched.store(access.address[lane], access.bytes);
    for (std::int64_t& address : access.address) address += line_bytes;
  }
  const std::size_t beyond = missed.size(), missed_lines = larger_pieces(missed, line_bytes / sector_bytes);
  step.wavefronts = narrow(std::max<std::size_t>(static_cast<std::size_t>(words), (lines + 3) / 4));
  step.sectors = narrow(access.stores ? stored.size() : beyond);
  step.changed = narrow(changed);
  state.made.local.changed += static_cast<double>(changed);
  state.made.local.read_lines += static_cast<double>(missed_lines);
  if (changed > 0) state.made.local.changed_lines += static_cast<double>(lines);
  step.lines = narrow(access.stores ? lines : std::min(lines, beyond));
  state.made.counts.l2_read_sectors += static_cast<double>(beyond);
  if (!access.stores) return;
  std::sort(stored.begin(), stored.end());
  step.partial = narrow(sectors_in_part(state.touched.stored));
  find_open_lines(warp, stored, step, state);
  const bool in_words = access.bytes < 4; // of the lanes, which lie side by side: others fill them
  if (step.partial == 0 || in_words) goes_on(state);
}

} // namespace perfmodel
