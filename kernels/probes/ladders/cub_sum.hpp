// CUB's sum of an array, the yardstick of the reduction ladder. In a file of its own: CUB compiles slowly.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace perfmodel::kernels {

// Whether the toolkit that this was built with has CUB.
bool has_cub();

// Bytes of scratch memory that a sum of n elements needs.
template <class T> std::size_t cub_scratch(std::size_t n);

// The sum of in[0] to in[n - 1] to *out; T is unsigned or float. Only where there is CUB.
template <class T>
void cub_sum(void* scratch, std::size_t scratch_bytes, const T* in, std::size_t n, T* out,
             cudaStream_t stream);

} // namespace perfmodel::kernels
