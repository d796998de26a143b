#include "reduction_programs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

using Version = ReductionVersion;

constexpr std::int64_t lanes = 32;
constexpr double word = 4; // bytes

double numbers_per_thread(const ReductionPass& pass) {
  switch (pass.version) {
  case Version::interleaved:
  case Version::strided_index:
  case Version::sequential:
    return 1;
  case Version::first_add:
  case Version::unrolled_warp:
  case Version::unrolled:
    return 2;
  default:
    return pass.n / (reduction_blocks(pass) * static_cast<double>(pass.threads));
  }
}

// Shared memory accesses of a warp in one step of the tree.
struct TreeStep {
  bool active = false;
  double wavefronts = 1;
};

class Block {
public:
  Block(const SmModel& sm, const Banks& banks, const ReductionPass& pass)
      : sm_(sm), banks_(banks), pass_(pass), add_(pass.type == ReductionType::int32 ? "iadd" : "fadd") {}

  // Turns of a thread of the rungs that go through the array in steps of the grid, the mean of all threads.
  double trips() const {
    const double numbers = numbers_per_thread(pass_) / (wide() ? 16 : 2);
    return streams() && !gathers() ? std::max(1.0, numbers) : 1;
  }

  WarpCode warp(std::int64_t number, std::int64_t trips) const {
    WarpCode code(sm_);
    if (gathers()) {
      gather(code, number);
    } else if (streams()) {
      code.enter(14);
      stream(code, trips);
    } else {
      load(code);
    }
    if (pass_.version >= Version::shuffle)
      shuffles(code, number);
    else
      tree(code, number);
    return code;
  }

  void tree(WarpCode& code, std::int64_t warp) const {
    code.barrier();
    const Version version = pass_.version;
    const bool rising = version <= Version::strided_index;
    const bool last_warp = version >= Version::unrolled_warp;
    const bool unrolled = version >= Version::unrolled;
    for (std::int64_t i = pass_.threads / 2, s = 1; i > (last_warp ? lanes : 0); i /= 2, s *= 2) {
      if (version == Version::interleaved) code.run("shift", 1, WarpWait::results).chain("umod").slots(1);
      if (version == Version::strided_index) code.slots(2).run("imad", 1, WarpWait::results);
      if (!unrolled) code.compare().chain("iadd", version == Version::strided_index ? 2 : 1);
      if (version == Version::unrolled_warp || (unrolled && s > 1)) code.slots(1);
      add_partner(code, step(warp, rising ? s : i));
      code.barrier();
      if (!unrolled) code.loop_end(true);
    }
    code.slots(1);
    if (warp > 0) return;
    if (last_warp) fold_last(code);
    write(code, !last_warp);
  }

private:
  Traffic traffic(double bytes) const {
    return {.wavefronts = bytes / sm_.l1_bytes,
            .l2_bytes = bytes,
            .dram_bytes = pass_.in_l2 ? 0 : bytes,
            .registers = bytes / (lanes * word)};
  }

  bool streams() const { return pass_.version >= Version::grid_stride; }

  // The block that was last to store its partial sum adds them all up.
  bool gathers() const { return pass_.version == Version::vector && !pass_.first; }

  // A first one, then four at a time, as nvcc unrolls the loop.
  void gather(WarpCode& code, std::int64_t warp) const {
    constexpr double at_once = 4;
    code.slots(6);
    for (double left = std::ceil((pass_.n - static_cast<double>(warp * lanes)) /
                                 static_cast<double>(pass_.threads)),
                now = 1;
         left > 0; left -= now, now = at_once) {
      code.slots(6);
      for (double i = 0; i < std::min(left, now); ++i) code.load(traffic(lanes * word), WarpWait::nothing);
      code.run(add_, 1, WarpWait::loads).slots(2);
    }
  }

  // One number of each thread, or two.
  void load(WarpCode& code) const {
    constexpr double bytes = lanes * word;
    switch (pass_.version) {
    case Version::interleaved:
    case Version::strided_index:
      code.enter(10);
      break;
    case Version::sequential:
      code.enter(11);
      break;
    default:
      code.enter(pass_.version == Version::first_add       ? 17
                 : pass_.version == Version::unrolled_warp ? 16
                                                           : 12);
    }
    code.compare().constant_load(); // inside of the array? then its address
    code.load(traffic(bytes));
    if (pass_.version < Version::first_add) {
      code.slots(7).shared_store(1, WarpWait::loads);
      return;
    }
    code.slots(1)
        .load(traffic(bytes), WarpWait::nothing)
        .slots(6)
        .run(add_, 1, WarpWait::loads)
        .shared_store();
  }

  bool wide() const { return pass_.version == Version::vector; } // 16 bytes a load

  void stream(WarpCode& code, std::int64_t trips) const {
    const bool integers = pass_.type == ReductionType::int32; // an IADD3 adds two of them to the sum
    const double bytes = lanes * word * (wide() ? 4 : 1);
    WarpCode trip(sm_);
    // In blocks of 1024 threads nvcc finds a shorter way to the address.
    const bool longer = pass_.version == Version::shuffle && pass_.threads < 1024;
    trip.slots(wide() ? 1 : longer ? 3 : 2, WarpWait::results);
    for (int i = 0; i < (wide() ? 4 : 2); ++i) trip.load(traffic(bytes), WarpWait::nothing);
    if (wide()) trip.slots(4).barrier(); // keeps the warps of a block on one stretch
    trip.slots(wide() ? 0 : 1).run(add_, wide() && !integers ? 8 : 1, WarpWait::loads);
    trip.chain(add_, wide()     ? (integers ? 7 : 8)
                     : integers ? 0
                                : 1)
        .slots(wide() && !integers ? 1 : 0)
        .loop_end();
    code.add(trip, trips);
    if (pass_.version == Version::grid_stride) code.slots(12).shared_store(1, WarpWait::results);
  }

  // Step `s` of the tree, at which partners are `distance` apart.
  TreeStep step(std::int64_t warp, std::int64_t distance) const {
    std::array<std::int64_t, warp_lanes> address{};
    std::uint32_t mask = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t tid = warp * lanes + lane;
      std::int64_t index = tid;
      bool active = tid < distance;
      if (pass_.version == Version::interleaved) active = tid % (2 * distance) == 0;
      if (pass_.version == Version::strided_index) {
        index = 2 * distance * tid;
        active = index < pass_.threads;
      }
      if (!active) continue;
      mask |= 1u << lane;
      address[static_cast<std::size_t>(lane)] = index * static_cast<std::int64_t>(word);
    }
    if (mask == 0) return {};
    const BankSteps steps =
        bank_steps(banks_, address, mask, static_cast<std::int64_t>(word), SharedAccess::load);
    return {true, static_cast<double>(steps.wavefronts)};
  }

  // Without active lanes its instructions are issued all the same, and do nothing.
  void add_partner(WarpCode& code, const TreeStep& at) const {
    if (!at.active) {
      code.predicated_off(2).run(add_, 1, WarpWait::results).predicated_off(1);
      return;
    }
    code.shared_load(at.wavefronts)
        .shared_load(at.wavefronts, WarpWait::nothing)
        .run(add_, 1, WarpWait::results);
    code.shared_store(at.wavefronts);
  }

  // The last 64 numbers by one warp.
  void fold_last(WarpCode& code) const {
    code.slots(1).shared_load().shared_load(1, WarpWait::nothing).run(add_, 1, WarpWait::results);
    for (int i = 0; i < 5; ++i)
      code.shared_store().slots(1).shared_load(1, WarpWait::nothing).slots(1).run(add_, 1, WarpWait::results);
  }

  void shuffles(WarpCode& code, std::int64_t warp) const {
    const bool whole = pass_.version == Version::vector && pass_.type == ReductionType::int32;
    const auto in_warp = [&] {
      if (whole) {
        code.run("shuffle", 1, WarpWait::results); // __reduce_add_sync: one instruction of the same pipe
        return;
      }
      for (int i = 0; i < 5; ++i) code.run("shuffle", 1, WarpWait::results).run(add_, 1, WarpWait::results);
    };
    code.slots(wide() ? 22 : 15);
    in_warp();
    code.shared_store().barrier().slots(2);
    const bool counts = pass_.version == Version::vector && pass_.first;
    if (warp == 0) {
      code.slots(whole ? 4 : 8).shared_load();
      in_warp();
      if (counts) count_block(code);
    }
    if (counts) code.barrier().shared_load(); // whether this is the last block
    code.slots(wide() ? 6 : 3);
    if (warp == 0 && !counts) write(code, false);
  }

  // The partial sum to L2, the fence that waits for it, the counter of the blocks that are done; twice there
  // and back.
  void count_block(WarpCode& code) const {
    const Traffic word_in_l2{.wavefronts = 1, .l2_bytes = lanes, .dram_bytes = 0};
    code.store(word_in_l2).load(word_in_l2).slots(3, WarpWait::loads).count_up().slots(4, WarpWait::loads);
    code.shared_store();
  }

  void write(WarpCode& code, bool from_shared) const {
    code.slots(from_shared ? 6 : 4);
    if (from_shared) code.shared_load();
    code.store({.wavefronts = 1, .l2_bytes = lanes, .dram_bytes = 0});
  }

  const SmModel& sm_;
  const Banks& banks_;
  const ReductionPass& pass_;
  std::string_view add_;
};

} // namespace

std::span<const std::string_view> reduction_classes() {
  static constexpr std::array<std::string_view, 7> all{"iadd",  "fadd",    "imad", "compare",
                                                       "shift", "shuffle", "umod"};
  return all;
}

double reduction_blocks(const ReductionPass& pass) {
  const auto threads = static_cast<double>(pass.threads);
  switch (pass.version) {
  case Version::interleaved:
  case Version::strided_index:
  case Version::sequential:
    return std::ceil(pass.n / threads);
  case Version::first_add:
  case Version::unrolled_warp:
  case Version::unrolled:
    return std::ceil(pass.n / (2 * threads));
  default:
    if (!pass.first) return 1; // a wave leaves few partial sums
    return std::min(std::ceil(pass.n / ((pass.version == Version::vector ? 32 : 2) * threads)),
                    pass.sms * pass.resident);
  }
}

BlockCode reduction_block(const SmModel& sm, const Banks& banks, const ReductionPass& pass) {
  const Block block(sm, banks, pass);
  const double trips = block.trips(), most = std::ceil(trips), fewer = most - trips; // share of the threads
  BlockCode made;
  for (std::int64_t warp = 0; warp < pass.threads / lanes; ++warp) {
    const WarpCode code = block.warp(warp, static_cast<std::int64_t>(most));
    made.add(code);
    if (fewer == 0) continue;
    const WarpCode less = block.warp(warp, static_cast<std::int64_t>(most) - 1);
    made.counts.instructions += fewer * (less.counts().instructions - code.counts().instructions);
  }
  return made;
}

void add_tree(WarpCode& code, const SmModel& sm, const Banks& banks, const ReductionPass& pass,
              std::int64_t number) {
  Block(sm, banks, pass).tree(code, number);
}

} // namespace perfmodel
