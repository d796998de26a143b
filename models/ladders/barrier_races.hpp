// What a block's threads read of shared memory when a barrier is left out: its machine code is run, and what
// it then stores and loads is done again in an order that the barriers which are left allow.
//   read too early   a barrier behind stores is left out: a word is read before another thread has written it
//                    (read after write)
//   written too early   a barrier behind loads is left out: a word is overwritten while others have still to
//                    read it (write after read)
// Threads, or warps whose lanes go together, run one after the other, each as far as the barriers that are
// left let it: the first one first, or the last one first, whichever spoils what more threads compute. A load
// is wrong where it finds another store's word than with all barriers; what its thread computes is then
// wrong.
#pragma once

#include "models/kernel/launch_arguments.hpp"

#include <cstdint>
#include <vector>

namespace perfmodel {

struct OmittedBarriers {
  bool behind_stores = false, behind_loads = false; // which barriers
  friend bool operator==(const OmittedBarriers&, const OmittedBarriers&) = default;
};

struct RaceResult {
  std::int64_t wrong_loads = 0; // words, lane by lane
  std::vector<bool> wrong;      // of each thread of the block: a load of it was wrong
  std::int64_t wrong_threads() const;
};

// One block of a launch, run once and asked about barriers as often as is wanted.
class SharedReplay {
public:
  // Throws InputError: what the kernel does is not understood.
  SharedReplay(const KernelCode& code, const KernelLaunch& launch, std::int64_t block);

  // `apart`: lanes of a warp go their own ways, as they may from compute capability 7.0 on.
  RaceResult without(OmittedBarriers barriers, bool apart) const;

private:
  struct Event {
    enum class Kind : std::uint8_t { load, store, barrier } kind = Kind::barrier;
    bool after_stores = false;       // of a barrier: what the warp did since the one before
    std::vector<std::int32_t> words; // of each lane as many; -1: the lane takes no part
  };
  struct Agent {
    std::size_t warp = 0;
    std::uint32_t lanes = 0;
  };
  using Found = std::vector<std::int64_t>; // the store that each load of a word found; 0: none

  Found replay(const std::vector<Agent>& agents, OmittedBarriers barriers) const;

  std::vector<std::vector<Event>> warps_;
  std::vector<std::vector<std::size_t>>
      first_;           // of each event: where in Found and among stores its words begin
  std::size_t all_ = 0; // of both
};

} // namespace perfmodel
