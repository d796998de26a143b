// Trips of a loop that do what those before them did. A warp in a loop is watched for two stretches of trips,
// one after the other. Where every register that is known has changed by as much in one as in the other, what
// the warp does is the same until a comparison comes out otherwise: how many stretches that takes follows
// from its operands, and so many can be left out, each register set to where it would be then. Sound for what
// is computed by additions, multiplications by what stays, and shifts to the left; whatever else the loop
// computes must have had the same inputs in both stretches. Loops that use local memory or atomic operations,
// return, or jump by a register are run trip by trip, and so are those in which a function is called.
#pragma once

#include "lane_step.hpp"
#include "run_block.hpp"
#include "trip_change.hpp"
#include "warp_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

// From instruction `target` to the branch at `edge` that leads back to it.
struct Loop {
  static constexpr std::size_t most_inside = 2;
  std::size_t edge = ~std::size_t{0}, target = 0;
  std::size_t inside = 0; // loops in one another that it has inside, up to so many
};

class TripWatch {
public:
  // All lanes of the warp, which has issued so many instructions, go back in `loop`. Returns the instructions
  // of the trips that are left out.
  std::uint64_t arrive(const KernelCode& code, const Loop& loop, std::uint64_t issued, WarpState& warp,
                       const BlockRun& run, TripFollower& follower);
  bool watches() const { return !snapshots_.empty(); }
  // Whether `loop` lies in the one that is watched, whose trip is none too long yet: the warp has issued so
  // many instructions.
  bool has_inside(const Loop& loop, std::uint64_t issued) const {
    return target_ <= loop.target && loop.edge < edge_ && issued - came_ <= most_around;
  }
  // An instruction that is about to be executed, while it watches.
  void record(const LaneStep& step, TripChange change);
  // Of constants, or of words in shared memory that decide a way or an address: it must go to the same
  // places, ..
  void record(const MemoryAccess& access);
  // .. and find the same there, as far as that is known.
  void record(const LaneWords& loaded);
  // The loop goes by what it loads: the next trip may load something else.
  void give_up() {
    forget();
    may_repeat_ = false;
  }

private:
  struct Snapshot {
    std::vector<LaneWords> registers, uniform;
    std::array<Flags, 8> predicates{}, uniform_predicates{};
    std::uint32_t live = 0;
    std::uint64_t tossed = 0; // branches that went by a coin
    std::uint64_t issued = 0;
  };
  struct Compared {
    std::size_t instruction_line = 0;
    bool is_unsigned = false;
    LaneWords a, b;
  };
  // What one stretch computed.
  struct Stretch {
    std::vector<Compared> compared;
    std::vector<std::uint64_t> inputs; // of what does not go in proportion, in one number each
    std::vector<std::array<std::uint64_t, 2>> factors; // of products and shifts, of which one has to stay
  };

  void begin(std::uint64_t issued, const WarpState& warp, const BlockRun& run, TripFollower& follower);
  bool alike() const;
  std::uint64_t times_until_it_changes() const;
  void leave_out(WarpState& warp, std::uint64_t times) const;
  void forget();

  // Of a loop with loops inside, instructions of a trip: these are run trip by trip while it is watched, some
  // 20 times. (A tile of 256 bodies that each attract a thread's own takes 4700.)
  static constexpr std::uint64_t most_around = 6144;

  std::size_t edge_ = ~std::size_t{0}, target_ = 0;
  bool may_repeat_ = false;
  std::uint64_t came_ = 0;            // instructions issued when it was here before
  std::size_t trips_ = 0, begun_ = 0; // of this loop, and when the stretch began
  std::size_t length_ = 0;            // trips of a stretch
  int left_out_ = 0;                  // how often
  std::vector<Snapshot> snapshots_;   // at the ends of the stretches
  std::vector<Stretch> stretches_;
};

} // namespace perfmodel
