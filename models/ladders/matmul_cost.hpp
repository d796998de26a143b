// What a matrix product without tensor units takes: its machine code, simulated, or the busiest partition of
// device memory where blocks go through k in step and no cache stands before it.
#pragma once

#include "ladder_question.hpp"
#include "matmul_rung.hpp"

#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"
#include "models/simulate/kernel_time.hpp"

#include <string>

namespace perfmodel {

struct MatmulCost {
  KernelTime launch;
  Seconds time{0};
  std::string bound;
};

// n x n matrices, of a version that the GPU can run. Throws InputError: a fact is missing.
template <class T>
MatmulCost matmul_cost(const Gpu& gpu, const MatmulRung& rung, Count n, SimulatedViews views, T& trace);

// The machine code of a version without tensor units.
const KernelCode& matmul_code(const Gpu& gpu, const MatmulRung& rung, Count n);

// Why the GPU cannot run a version; empty where it can.
std::string matmul_refused(const Gpu& gpu, const MatmulRung& rung);

// A block of the naive version where none is asked for.
Shape naive_block_of(const Gpu& gpu);

} // namespace perfmodel
