// The steps of the warps of a matrix product, as nvcc of CUDA 13.0 makes them for sm_90; the instructions
// that make no product were counted in its output.
#pragma once

#include "matmul_traffic.hpp"
#include "warp_code.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

// Instruction classes that the programs use on this GPU.
std::span<const std::string_view> matmul_classes(const Gpu& gpu);

// Steps of k between two turns of a kernel's loop: nvcc unrolls naive 16 times, tiles of up to 4 four times
// and those of up to 8 twice.
std::int64_t matmul_trip(const MatmulRung& rung);

// What a scheduler reads for the FMAs of a register tile. An FMA whose operands are not there yet holds up
// all warps of its scheduler: R. Huerta et al., Analyzing Modern NVIDIA GPU cores, arXiv 2503.20481, 2025.
struct RegisterReads {
  double per_fma = 2.211; // counted in the SASS of the loop: the others are in the operand cache
  double per_cycle = 0;   // of a scheduler; 0: not known, no limit
};

// A block that goes through `trips` turns of its loop.
BlockProgram matmul_program(const SmModel& sm, const MatmulRung& rung, const MatmulTraffic& traffic,
                            const RegisterReads& reads, bool shared_operands, std::int64_t trips);

} // namespace perfmodel
