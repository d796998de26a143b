#include "loop_watches.hpp"

namespace perfmodel {

void LoopWatches::arrive(const KernelCode& code, const Loop& loop, WarpState& warp, const BlockRun& run,
                         TripFollower& follower) {
  if (watches() && watching_ > loop.inside) {
    if (watches_[watching_].has_inside(loop, issued_)) return;
    watches_[watching_].give_up(); // it was left, or its trips have become long
  }
  for (std::size_t n = 0; n < loop.inside; ++n) watches_[n] = {};
  TripWatch& watch = watches_[loop.inside];
  issued_ += watch.arrive(code, loop, issued_, warp, run, follower);
  watching_ = watch.watches() ? loop.inside : nobody;
}

} // namespace perfmodel
