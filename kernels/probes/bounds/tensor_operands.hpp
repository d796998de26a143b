// Operands of the tensor units, per precision.
#pragma once

#include "kernels/probes/bounds/wgmma.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace perfmodel::kernels {

// How a precision stores a number, what the stored number is worth, and how exactly the units add.
template <Format> struct Element;
template <> struct Element<Format::bf16> {
  using Type = __nv_bfloat16;
  static constexpr double tolerance = 1e-5;
};
template <> struct Element<Format::fp16> {
  using Type = __half;
  static constexpr double tolerance = 1e-5;
};
template <> struct Element<Format::tf32> {
  using Type = float;
  static constexpr double tolerance = 1e-5;
};
template <> struct Element<Format::fp8> {
  using Type = __nv_fp8_e4m3;
  static constexpr double tolerance = 5e-3; // fp8 products are added with some 14 bits
};
template <> struct Element<Format::int8> {
  using Type = std::int8_t;
  static constexpr double tolerance = 0;
};

template <Format format> typename Element<format>::Type encode(double x) {
  if constexpr (format == Format::int8)
    return static_cast<std::int8_t>(std::lround(127 * x) | 1);
  else if constexpr (format == Format::tf32)
    return std::nearbyint(static_cast<float>(x) * 1024) / 1024; // 10 bits
  else
    return typename Element<format>::Type(static_cast<float>(x));
}
template <class Type> double decode(Type stored) {
  if constexpr (std::is_same_v<Type, std::int8_t>)
    return stored;
  else
    return static_cast<double>(static_cast<float>(stored));
}

// A matrix whose rows are `row_bytes` long, stored as the tensor units read it, beside what its elements are
// worth. Random, of either sign, and never zero.
template <Format format, int row_bytes> struct Matrix {
  using Type = typename Element<format>::Type;
  static constexpr int k = row_bytes / int(sizeof(Type));
  std::vector<uint4> stored;
  std::vector<double> value;

  Matrix(int height, unsigned seed) : stored(height * row_bytes / 16), value(height * k) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(0.05, 1);
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Type x = encode<format>(generator() % 2 == 0 ? uniform(generator) : -uniform(generator));
      std::memcpy(reinterpret_cast<unsigned char*>(stored.data()) + i * sizeof x, &x, sizeof x);
      value[i] = decode(x);
    }
  }
};

} // namespace perfmodel::kernels
