// Simulated SMs with the blocks and warps on them: what happens next, until all have left (see
// sm_simulation.hpp for what is simulated). A copy goes its own way from there on.
#pragma once

#include "access_queue.hpp"
#include "async_groups.hpp"
#include "open_lines.hpp"
#include "register_ports.hpp"
#include "sm_code.hpp"
#include "sm_units.hpp"
#include "warp_rows.hpp"
#include "warp_turns.hpp"
#include "warp_watch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace perfmodel {

class Sms {
public:
  // `blocks` for all of them. Machine and code outlive it, and who watches.
  Sms(const SmMachine& machine, const SmCode& code, std::size_t resident, std::size_t blocks,
      WarpWatch* watch = nullptr);

  // How far it has come: cycles, until the device's units have done what they were asked for, since nobody
  // waits for what is posted; and what has been issued until then.
  struct Progress {
    double time = 0, issued = 0;
  };
  // Until the last block has been launched.
  Progress launch_all();
  void add_blocks(std::size_t blocks) { to_launch_ += blocks; }

  // Until a warp is to take the last step that its program has in common with the one that is `others` behind
  // it, `common` of each; all blocks have been launched.
  void run_common(const std::vector<std::size_t>& common);
  // Goes on with those programs.
  void change_programs(std::size_t others);

  // Until all have left.
  SmRun take();

private:
  // What every step needs comes first, in one line of a cache.
  struct alignas(64) Warp {
    const SmStep* step = nullptr;        // that is next
    const std::uint32_t* next = nullptr; // its number
    std::array<double, 3> ready{};       // by WarpWait: when what it may wait for is there
    SmUnits::Place place{};
    std::uint32_t number = 0; // among those of its scheduler
    std::uint32_t slot = 0;
    bool plain = false;                          // its next step, whose instruction is there
    bool queued = false;                         // at a unit of its scheduler
    bool has_stored = false, has_loaded = false; // since its last fence beyond the SM
    std::int64_t repeated = 0;
    std::uint32_t loaded = 0, waited = 0, by_chance = 0; // by_chance: loads that took longer so
    std::uint32_t meetings = 0;                          // loads of what others load, too, so far
    std::uint32_t line = ~std::uint32_t{0};              // of the code, that it has come to
    std::size_t row = 0;                                 // of the SM's, where warps that have left make room
    std::array<double, SmCode::most_loads> loads{};      // when each is there, the last of them
    double arrived = 0;                                  // at a barrier
    double stored = 0;                                   // when its last store left the SM
    double fenced = 0;                                   // when its last fence beyond the SM was through
    OpenedLines opened;
    double path_free = 0;              // to shared memory, for accesses that take several turns
    std::array<AsyncGroups, 2> groups; // of copies, of products
  };
  struct Slot {
    std::size_t block = 0;   // that is there: how many were launched before it
    std::size_t running = 0; // warps that have not left
    double start = 0, end = 0;
    double first_store = std::numeric_limits<double>::infinity(), last_store = 0; // that reaches L2
    std::vector<std::size_t> at_barrier;
    // When what a group of warps loads is there, in the order of the loads; not yet asked for: negative.
    std::vector<double> found;
  };

  // From a row on, where its warps take rows of the SM.
  void launch(std::size_t slot, double earliest, std::size_t row = 0);
  // A block, if the SM has room, where warps that have left make some: whether it had.
  bool launch_where_room_is(std::size_t sm, double earliest);
  void launch_all_that_fit(std::size_t sm, double earliest);
  const SmStep& step_of(const Warp& w) const;
  // When the warp's next instruction is there.
  double fetched(Warp& w, double time);
  void meet(Warp& w, const SmStep& s, Served& served);
  std::size_t meeting_of(const Warp& w) const {
    return w.meetings * code_.groups_of_warps + w.step->group_of_warps;
  }
  // When the results that the step waits for are there, not before `time`.
  double results_there(std::size_t warp, const SmStep& s, double time);
  // The warp's next step, at `time` at the earliest.
  void go_on(std::size_t warp, double time);
  std::size_t warp_of(const WarpTurns::Turn& turn) const {
    return numbers_[turn.scheduler * numbers_of_scheduler_ + turn.warp];
  }
  // The warp whose turn it is: issues, or finds that it has to wait for something else.
  void step(const WarpTurns::Turn& turn);
  // One that is plain (sm_code.hpp).
  void plain_step(const WarpTurns::Turn& turn, std::size_t warp);
  // When the scheduler's unit takes the warp's instruction, which is not issued before. The first time that
  // it is asked the warp queues up; it may then find the unit late, since others had the scheduler's slot.
  double turn_at_unit(const SmStep& s, Warp& w, double time);
  double turn_at(const SmUse& use, Warp& w, double time);
  // The scheduler's slot: when the warp, whose turn it is, has it.
  double issue(const WarpTurns::Turn& turn, std::size_t warp, const SmStep& s, double time);
  Served serve(const SmStep& s, const Warp& w, double time);
  // To the first unit beyond the SM.
  Served leave_sm(const SmStep& s, const SmUse& use, const Warp& w, double time);
  // When its results are there, and when its operands have been read.
  void take_results(std::size_t warp, const SmStep& s, const Served& served);
  static void count_waited(Warp& w, const SmStep& s) {
    if (s.wait == WarpWait::loads) w.waited = w.loaded;
    if (s.wait == WarpWait::load && w.waited < w.loaded) ++w.waited;
  }
  void take_places(std::size_t warp, const SmStep& s, double result, double began);
  static std::size_t group_place(AsyncGroup kind) { return static_cast<std::size_t>(kind) - 1; }
  // When its units have begun with the step.
  void go_on_after(std::size_t warp, const SmStep& s, double issued, double began);
  // At a memory fence.
  void pass_fence(std::size_t warp, const SmStep& s, double issued);
  // At a barrier.
  void arrive(std::size_t warp, double issued);
  // Warps that have left count as arrived.
  void release(Slot& slot, double time);
  void leave(std::size_t warp, double time);
  // For so many cycles before `until`.
  void blame(Stall stall, double cycles, std::size_t warp, double until) {
    run_.stalls[static_cast<std::size_t>(stall)] += cycles;
    if (watch_ != nullptr) tell(stall, cycles, warp, until);
  }
  // To who watches, in an ordinary run nobody: out of the way of what is called for every step.
  [[gnu::cold, gnu::noinline]] void tell(Stall stall, double cycles, std::size_t warp, double until);
  [[gnu::cold, gnu::noinline]] void tell_issue(std::size_t warp, double time, double cycles);
  bool is_watched(std::size_t slot) const { return watch_ != nullptr && slot % machine_.sms == watch_->sm; }

  const SmMachine& machine_;
  const SmCode& code_;
  WarpWatch* watch_;
  std::size_t block_warps_, to_launch_, schedulers_;
  // Of so many warps of an SM side by side each scheduler has one, where that is known; else 1: the numbers
  // of a scheduler's warps are those of its SM, or every so many of them.
  std::size_t apart_, numbers_of_scheduler_;
  std::size_t launched_ = 0;
  std::vector<std::size_t> next_scheduler_; // of each SM
  double launcher_free_ = 0;                // the device's
  std::vector<double> sm_launcher_free_;    // each SM's
  std::vector<double> barriers_free_;
  RegisterPorts registers_;
  static constexpr std::size_t nobody = ~std::size_t{0};
  std::vector<std::size_t> served_last_;   // of each scheduler: the warp whose access left the SM last
  std::vector<InstructionFetch> fetches_;  // of each SM, where the size of the code matters
  std::vector<std::uint32_t> opened_;      // of each SM: lines opened by stores
  std::vector<AccessQueue> queues_;        // of each SM
  std::vector<AccessQueue> access_queues_; // of each scheduler
  SmUnits units_;
  SmRun run_;
  std::vector<Slot> slots_;
  // Of each SM; none where a block's places are free when it has ended.
  std::vector<WarpRows> rows_;
  std::vector<std::vector<std::size_t>> idle_; // slots of each SM
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> numbers_; // among warps_, of each scheduler's warps by their number
  std::vector<double> places_;         // of each warp: when the result that goes there is there
  std::vector<Stall> blames_;          // of each place
  WarpTurns turns_;                    // of each scheduler, whose warps are those of its SM
};

} // namespace perfmodel
