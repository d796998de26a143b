// What the steps of a trace cost on a GPU: the units that they use, the latency of their results, and what
// they wait for. Loads of an allocation of which a share comes from device memory miss L2 in turn, as often
// as that.
#pragma once

#include "block_trace.hpp"
#include "memory_shares.hpp"
#include "sm_model.hpp"

#include <vector>

namespace perfmodel {

// Beside SmModel: what only machine code asks for.
struct KernelCosts {
  SmModel sm;
  std::vector<OlderInstruction> older; // of each instruction of the code
  double l1_latency = 0;               // of a hit
  double constant_per_word = 0, constant_latency_per_word = 0;
  double line_store = 0, sector_store = 0; // cycles of an SM's path to L2
  bool local_goes_on = false;              // what is stored to local memory goes to L2 at once
  // Cycles for each sector of an atomic operation: of an SM's path to L2; of L2, and of what holds a KiB of
  // it.
  double sm_atomic = 0;
  struct OfL2 {
    double all = 0, kib = 0;
  };
  OfL2 atomic, double_atomic, swap;
  double result_atomic = 0;    // of L2, where the old values go back
  double sector_atomic = 0;    // of L2, for each turn of a sector that takes several
  double l2_together = 0;      // cycles per byte from L2, at least, of lines that SMs ask for together
  double float_counter = 0;    // cycles of L2 for a floating-point addition to a word that all add to
  double special_interval = 0; // cycles of an SM from one read of a special register to the next
  double bytes_per_gather = 0; // of L2, that a request takes at least
  // Of L2, for a line that is loaded where stores are of parts of lines: requests come to it one by one, and
  // these take several turns.
  double request_cycles = 0;
  // Of L2: what a line costs beyond its sectors of 32 bytes where not all four are stored; where sectors are
  // stored in part, a line and each such sector.
  double bytes_per_line = 0, bytes_per_line_in_part = 0, bytes_per_sector_in_part = 0;
  // Of a memory fence, by its scope, in cycles: of the warp, and of the SM from one to the next.
  struct OfFence {
    double latency = 0, interval = 0;
  };
  OfFence block_fence, gpu_fence, system_fence;
  // Of a commit of copies to shared memory, in cycles: of the warp that waits for it, with nothing under way,
  // and of the SM's path to memory.
  double commit_latency = 0, commit_interval = 0;
  // By which atomic operations of shared memory take longer than loads: compare-and-swap, and others.
  double shared_swap = 0, shared_atomic = 0;
  double swap_interval = 0; // cycles of shared memory for a wavefront of a compare-and-swap
  // What a place in device memory takes longer by chance: mean, in cycles, of an exponential distribution.
  double dram_tail = 0;
  // Of a scheduler's register file.
  unsigned register_banks = 1; // of a scheduler
  double tensor_flops = 0;     // of a scheduler's tensor unit in a cycle, fp16 of four warps; 0: none
  // The same for products of single warps, by what they multiply; from one to the next in a chain, of
  // 16 x 8 x 16 halves and of those that come as fast as any do, in cycles.
  double mma_fp16 = 0, mma_tf32 = 0, mma_int8 = 0, mma_fp64 = 0, mma_latency = 0;
  double mma_least = 0, mma_least_latency = 0;
  std::size_t tensor = 0, constants = 0, special_registers = 0, fences = 0; // units
};

// The mean of the largest of so many that are distributed exponentially, each of mean 1.
inline double slowest_of(std::size_t places) {
  double sum = 0;
  for (std::size_t i = 1; i <= places; ++i) sum += 1 / static_cast<double>(i);
  return sum;
}

// With a share of the trips that the traces have left out.
TracedBlocks costed(const KernelCosts& costs, const KernelCode& code, const std::vector<TracedStep>& steps,
                    const std::vector<const BlockTrace*>& kinds, const MemoryShares& shares,
                    bool by_registers, double share);

} // namespace perfmodel
