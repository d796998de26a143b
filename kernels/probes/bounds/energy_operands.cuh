// What the kernels of the energy probes compute with.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/probes/bounds/intensity_kernel.cuh"

#include <cstdint>
#include <vector>

namespace perfmodel::kernels {

// Bits at random in [1/2, 1): energy goes into wires that change, and equal or round numbers change few.
template <class T> __host__ __device__ T scattered(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return T(0.5) + T(static_cast<double>((x ^ (x >> 31)) >> 12) * 0x1p-53);
}
template <class T> T scattered_word(std::size_t i) { return scattered<T>(i % period); }

// Fills an array with one period of them, again and again.
template <class T> void fill_scattered(Buffer<T>& array, cudaStream_t stream) {
  std::vector<T> one_period;
  for (int i = 0; i < period; ++i) one_period.push_back(scattered_word<T>(i));
  fill_periodic(array.data(), array.size(), one_period, stream);
}

} // namespace perfmodel::kernels
