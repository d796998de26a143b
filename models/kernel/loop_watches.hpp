// A warp's loops, each with its watch. Of loops in one another the outermost that is watched has the word:
// those inside it are run trip by trip meanwhile, since their trips belong to its own.
#pragma once

#include "trip_watch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

class LoopWatches {
public:
  void issued() { ++issued_; }
  // All lanes of the warp have gone back in `loop`.
  void arrive(const KernelCode& code, const Loop& loop, WarpState& warp, const BlockRun& run,
              TripFollower& follower);
  bool watches() const { return watching_ < watches_.size(); }
  // While it watches, as TripWatch has them.
  void record(const LaneStep& step, TripChange change) { watches_[watching_].record(step, change); }
  void record(const MemoryAccess& access) { watches_[watching_].record(access); }
  void record(const LaneWords& loaded) { watches_[watching_].record(loaded); }
  void give_up() {
    for (TripWatch& watch : watches_) watch.give_up();
    watching_ = nobody;
  }

private:
  static constexpr std::size_t nobody = ~std::size_t{0};
  std::uint64_t issued_ = 0; // instructions of the warp, with those of trips that were left out
  std::array<TripWatch, Loop::most_inside + 1> watches_; // by how many loops are inside
  std::size_t watching_ = nobody;
};

} // namespace perfmodel
