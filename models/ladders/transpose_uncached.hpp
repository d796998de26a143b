// The time of one version of the transpose where loads and stores pass no L2, before compute capability 2.0.
//   time = a block's launch, load and store + (t_memory^2 + t_shared^2)^(1/2)
//   t_memory: the busiest partition of device memory, window after window (partitions.hpp); what is stored
//     behind a barrier no other block completes, as blocks reach their barriers one by one
//   t_shared: what the launch asks of shared memory and of the way to global memory
// What each launch asks for its machine code says. Its time is not simulated: it was compiled for another
// machine, whose addresses have 64 bits and whose integers multiply in one instruction, and there a bank
// conflict's replays hold up the scheduler, which the simulation does not have. p = 2 is a fitted constant,
// the best whole number for four published series, bank conflicts of this lecture's transposes among them.
#pragma once

#include "transpose_launches.hpp"

#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"
#include "models/simulate/block_trace.hpp"

#include <string>

namespace perfmodel {

struct UncachedTranspose {
  Seconds time;
  Bytes dram_bytes;
  Count resident = 0;
  std::string bound;
};

// Registers that are assumed of a thread: nvcc took 8 to 32 for kernels like these, which limits no such GPU
// to fewer blocks than shared memory and threads do.
inline constexpr Count uncached_registers = 16;

// `asked`: of the whole launch; `shared`: bytes of a block. Throws InputError: a fact is missing.
template <class T>
UncachedTranspose uncached_transpose(const Gpu& gpu, TransposeVersion version, const TransposeSize& size,
                                     const TraceCounts& asked, Bytes shared, T& trace);

} // namespace perfmodel
