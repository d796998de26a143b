// One warp on its way through a kernel: which lanes go on, and where they meet again.
#pragma once

#include "loop_watches.hpp"
#include "run_block.hpp"

#include <array>
#include <functional>
#include <vector>

namespace perfmodel {

class WarpRunner {
public:
  // `threads`: of the block, from this warp's first on.
  WarpRunner(const KernelRunner& kernel, BlockState& block, std::size_t number, std::int64_t threads,
             Unknown unknown, const std::function<void(const Executed&)>& see, BlockRun& sum,
             TripFollower* follower);

  // To its next barrier, its end, or where it waits behind a load of global memory, so that warps load in
  // turns as they would on an SM, whose schedulers stay with a warp until it waits. Whether anything was
  // issued.
  bool go_on();
  bool ended() const { return warp_.live == 0; }
  int barrier() const { return warp_.barrier; }                    // that it waits at; -1: none
  std::size_t expected() const { return expected_; }               // warps that this barrier is for; 0: all
  std::size_t arrived(const std::vector<WarpRunner>& warps) const; // that went on without waiting (BAR.ARV)
  void spend(int barrier);                                         // an arrival at it, if there is one
  void pass();

private:
  bool waits(const LaneGroup& group) const;
  void issue(LaneGroup& group);
  void control(LaneGroup& group, const Instruction& i, const KernelRunner::Ready& ready, std::uint32_t mask,
               std::uint32_t maybe);
  void jump(LaneGroup& group, const Instruction& i, const KernelRunner::Ready& ready, std::uint32_t mask,
            std::uint32_t maybe);
  void stop_waiting(const LaneGroup& group, const WaitingBranch& at, std::uint32_t& taken,
                    std::uint32_t& open);
  void divide_products(const Instruction& i, const KernelRunner::Ready& ready, std::uint32_t& taken,
                       std::uint32_t& open);
  void vote(const Instruction& i, std::uint32_t mask);
  void jump_to_register(LaneGroup& group, const Instruction& i, std::uint32_t mask);
  void branch(LaneGroup& group, std::size_t target, std::uint32_t mask);
  void wait_for_warp(LaneGroup& group, const Instruction& i, std::uint32_t mask);
  void wait_for_block(LaneGroup& group, const Instruction& i, std::uint32_t mask);
  void leave(LaneGroup& group, std::uint32_t mask);
  void meet();
  void went_back(const Loop& loop);
  LaneGroup* next_group();
  Flags guard_of(const Instruction& i) const;
  Flags predicates_of(const Instruction& i) const;
  std::uint32_t coins() const;
  [[noreturn]] void refuse(const Instruction& i, std::string_view why) const;

  const KernelRunner& kernel_;
  BlockState& block_;
  Unknown unknown_;
  const std::function<void(const Executed&)>& see_;
  BlockRun& sum_;
  WarpState warp_;
  std::size_t expected_ = 0;
  std::array<std::uint8_t, 16> arrivals_{}; // by barrier, not counted yet
  bool loaded_ = false;
  LongProducts products_;
  TripFollower* follower_; // or none
  LoopWatches loops_;
};

} // namespace perfmodel
