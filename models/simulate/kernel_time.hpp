// The time of a launch of machine code on a GPU: sampled blocks are run (models/kernel), what they ask of
// memory is followed to L2 and device memory, and their warps are simulated on SMs with what each step costs
// there.
//   time = turn of launches + simulated cycles / clock + what the slowest SM takes longer
// Assumes that the kernel has the GPU for itself. Blocks of one SM share what they read in L1
// (sm_neighbours.hpp).
#pragma once

#include "block_trace.hpp"
#include "launch_growth.hpp"
#include "step_cost.hpp"
#include "thought_away.hpp"
#include "timed_by.hpp"
#include "warp_watch.hpp"

#include "models/concurrency/occupancy.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

// What L2 holds when a launch begins: nothing of what it touches; what the same launch left; what the
// launches before it left, as its allocations say.
enum class Caches : std::uint8_t { cold, warm, left };
constexpr auto names(Caches) { return std::to_array<std::string_view>({"cold", "warm", "left"}); }

struct KernelQuestion {
  const KernelCode& code;
  const KernelLaunch& launch;
  Caches caches = Caches::cold;
  LoadedData data;
  // Of the block that comes last, where it finds by a counter that all others are done: it then does more
  // than they do.
  std::optional<LoadedData> last_block;
  bool code_stays = false;                 // valid and as it is: what the launch does is remembered, ..
  std::shared_ptr<const KernelCode> owner; // .. which keeps the code so, where it does not stay for ever
  Count most_resident =
      0; // blocks that an SM is kept to, as by shared memory that nobody uses; 0: all that fit
  std::uint64_t most_steps = TracedBlocks{}.most_steps;
  bool what_if = false; // simulated again for each WhatIf
  bool watch = false;   // an SM with its first blocks
  TimedBy timed = TimedBy::graph;
};

struct KernelTime {
  Seconds time;
  double cycles = 0; // simulated
  std::string bound;
  Count blocks = 0, resident = 0, waves = 0;
  Occupancy occupancy;
  TraceCounts counts; // of the whole launch
  Bytes dram_read{0}, dram_written{0}, l2_read{0};
  Count arrays = 0, arrays_in_l2 = 0; // allocations that it touches; those that L2 has when it begins
  Bytes dram_left{0}; // to be written when the launch has ended: by the next one, where there is one
  Stretches stretches;
  double pieced_lines = 0; // of a typical block: lines of which a sector is written piece by piece
  SmRun run;
  std::vector<std::string> units;      // names, as in run.unit_busy
  std::vector<std::uint64_t> executed; // of each instruction of the code, warps of the middle block
  BlockRun middle;
  std::size_t kinds = 0; // of blocks that were told apart
  bool by_registers = false;
  struct Instead {
    WhatIf what;
    Seconds time;
  };
  std::vector<Instead> instead; // with that thought away
  WarpWatch watched;
};

template <class T> KernelTime kernel_time(const Gpu& gpu, const KernelQuestion& question, T& trace);

} // namespace perfmodel
