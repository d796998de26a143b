// What the matrices of the ladder hold, and copies of them with longer rows.
#pragma once

#include <cstddef>

namespace perfmodel::kernels {

// In (-1, 1), never zero.
static __global__ void fill_uniform(float* data, std::size_t count, unsigned long long seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned long long h = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    data[i] = float((double(h >> 11) + 0.5) / 4503599627370496.0 - 1);
  }
}

// n rows of n elements into rows of `pitch`, rounded to the type; a block per row. Zeros behind them.
template <class To> __global__ void copy_rows(const float* from, int n, To* to, int pitch) {
  for (int column = threadIdx.x; column < pitch; column += blockDim.x)
    to[std::size_t(blockIdx.x) * pitch + column] =
        column < n ? To(from[std::size_t(blockIdx.x) * n + column]) : To(0.0f);
}

} // namespace perfmodel::kernels
