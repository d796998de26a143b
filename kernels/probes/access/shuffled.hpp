// A fixed shuffling of the numbers below a power of two, computed and not stored: every step (multiply by an
// odd number, xor the upper half into the lower) can be undone, so no two numbers meet.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace perfmodel::kernels {

struct Shuffled {
  unsigned bits = 2; // 2 to 32

  __host__ __device__ std::uint32_t operator()(std::uint32_t x) const {
    const std::uint32_t mask = ~std::uint32_t{0} >> (32 - bits);
    const unsigned half = bits / 2;
    x = (x * 0x9E3779B1u + 0x7F4A7C15u) & mask;
    x ^= x >> half;
    x = (x * 0x85EBCA6Bu) & mask;
    x ^= x >> half;
    x = (x * 0xC2B2AE35u) & mask;
    return x ^ (x >> half);
  }
};

} // namespace perfmodel::kernels
