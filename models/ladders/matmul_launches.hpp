// The launches of a matrix product by a kernel without tensor units: which kernel of hwdb/kernels/matmul a
// version is, and with which grid, block and arguments it is launched for n x n matrices.
#pragma once

#include "matmul_rung.hpp"

#include "models/kernel/launch_arguments.hpp"

#include <cstdint>
#include <string>

namespace perfmodel {

// A part of the kernel's name that no other of the family has, for a GPU of that compute capability.
// Before 7.5 today's compiler does not write what we launch: there it is the kernel that lectures print, in
// tiles of 16 and without a test where the matrix ends, if n is a multiple of that.
std::string matmul_kernel(const MatmulRung& rung, std::int64_t n, double capability);

KernelLaunch matmul_launch(const MatmulRung& rung, std::int64_t n);

} // namespace perfmodel
