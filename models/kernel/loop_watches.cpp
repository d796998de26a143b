#include "loop_watches.hpp"

namespace perfmodel {

void LoopWatches::arrive(const KernelCode& code, const Loop& loop, WarpState& warp, const BlockRun& run,
                         TripFollower& follower) {
  if (watches() && watching_ > loop.inside) return;
  for (std::size_t n = 0; n < loop.inside; ++n) watches_[n] = {};
  TripWatch& watch = watches_[loop.inside];
  issued_ += watch.arrive(code, loop, issued_, warp, run, follower);
  watching_ = watch.watches() ? loop.inside : nobody;
}

} // namespace perfmodel
