// The transpose whose tiles the tensor memory accelerator fetches and writes (cc 9.0 on), written down by
// hand, step by step, after its source (kernels/probes/ladders/transpose_tensor.cuh): the opcodes of tensor
// maps and asynchronous barriers are not understood yet (models/kernel). All other versions are run as
// machine code. Of its machine code count the registers and the shared memory.
//   time = blocks of an SM, simulated warp by warp; device memory at what copies sustain that move tiles of
//   64 words to their transposed places (probe run-copy)
#pragma once

#include "models/concurrency/occupancy.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

#include <string>

namespace perfmodel {

struct BoxTranspose {
  Seconds time; // with the turn of launches
  Bytes dram_bytes{0};
  double wavefronts = 0, least_wavefronts = 0; // of shared memory, by the threads
  Count resident = 0;
  std::string bound;
};

// Registers of a thread and shared memory of a block.
Launch box_launch();

// n: a multiple of 4. Throws InputError: a fact is missing; LaunchError: a block does not fit.
template <class T> BoxTranspose transpose_by_boxes(const Gpu& gpu, std::int64_t n, T& trace);

} // namespace perfmodel
