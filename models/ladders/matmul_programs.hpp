// The steps of the warps of a matrix product, as nvcc of CUDA 13.0 makes them for sm_90; the instructions
// that make no product were counted in its output.
#pragma once

#include "matmul_traffic.hpp"
#include "models/simulate/warp_code.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

// Instruction classes that the programs use on this GPU.
std::span<const std::string_view> matmul_classes(const Gpu& gpu);

// Steps of k between two turns of a kernel's loop: nvcc unrolls naive 16 times, tiles of up to 4 four times
// and those of up to 8 twice.
std::int64_t matmul_trip(const MatmulRung& rung);

// What the FMAs of a register tile wait for their operands. Of two banks each delivers one in a cycle; an FMA
// whose operands will not all be there a cycle later holds up all warps of its scheduler: R. Huerta et al.,
// Analyzing Modern NVIDIA GPU cores, arXiv 2503.20481, 2025. Worked out for the registers of the 512 FMAs of
// the loop's SASS (CUDA 13.0, sm_90), those left out that the operand cache holds: 2.24 are read for an FMA.
struct RegisterReads {
  double waits = 0.273;      // cycles of the scheduler, for an FMA
  double bank_per_cycle = 0; // operands; 0: not known, no limit
};

// A block that goes through `trips` turns of its loop.
BlockProgram matmul_program(const SmModel& sm, const MatmulRung& rung, const MatmulTraffic& traffic,
                            const RegisterReads& reads, bool shared_operands, std::int64_t trips);

} // namespace perfmodel
