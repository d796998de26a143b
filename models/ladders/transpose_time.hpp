// The time of one version of the transpose, and what binds it.
// The blocks of an SM are simulated warp by warp. Not before compute capability 2.0, where a bank conflict's
// replays hold up the scheduler, which the simulation does not have: memory and shared memory are combined
// there as (t_memory^2 + t_shared^2)^(1/2), behind a block's launch, load and store. p = 2 is a fitted
// constant, the best whole number for four published series, bank conflicts of this lecture's transposes
// among them.
#pragma once

#include "transpose_programs.hpp"

#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

#include <string>

namespace perfmodel {

struct TransposeTime {
  Seconds time;
  std::string bound;
  double sent_early = 0; // of sectors written word by word, the share that leaves L2 before it is whole
};

// `tiles`: of the whole matrix, not all of them full; `resident`: blocks of an SM.
template <class T>
TransposeTime transpose_time(const Gpu& gpu, const TransposeMachine& machine, const BlockProgram& program,
                             const TransposeMemory& memory, double tiles, double resident, T& trace);

} // namespace perfmodel
