// The matrix products on Hopper's tensor units, as launches; compiled for sm_90a alone.
#pragma once

#include "kernels/core/timing.hpp"
#include "kernels/probes/ladders/product_check.hpp"

namespace perfmodel::kernels {

// C = times A B, as sums `times` as long; rows of whole 16 bytes: a pitch that is a multiple of 8 elements of
// bf16, or of 4 of fp32. Throws MachineError. Launches stay valid as long as the matrices do.
Launch tensor_bf16_product(const StoredMatrix& a, const StoredMatrix& b, void* c, int times = 1);
Launch tensor_tf32_product(const StoredMatrix& a, const StoredMatrix& b, float* c,
                           int times = 1); // fp32 in memory

} // namespace perfmodel::kernels
