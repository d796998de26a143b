// Arrays to add up whose sum is known for every length, without adding them up.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/probes/ladders/reduction_types.cuh"

#include <cstdint>
#include <type_traits>

namespace perfmodel::kernels {

// T is unsigned, whose sums wrap, or float, whose values are small and whole and nearly cancel: every order
// of adding 2^30 of them up is exact, as long as no thread's stride is a multiple of the period. Of 64 bits
// the numbers from 1 on; where the least or the greatest is asked for, so that the last of any length is it.
template <class T> class Summands {
public:
  Summands(std::size_t most, cudaStream_t stream) : data_((most + 3) / 4 * 4) {
    if constexpr (std::is_same_v<T, float>)
      fill_periodic(data_.data(), data_.size(), period(), stream);
    else if constexpr (std::is_same_v<T, unsigned long long>)
      fill_line(data_.data(), data_.size(), 1ull, 1ull, stream);
    else if constexpr (std::is_same_v<T, Max>)
      fill_line(reinterpret_cast<int*>(data_.data()), data_.size(), 1, 1, stream);
    else if constexpr (std::is_same_v<T, Min>)
      fill_line(reinterpret_cast<int*>(data_.data()), data_.size(), -1, -1, stream);
    else
      fill_pattern(reinterpret_cast<uint4*>(data_.data()), data_.size() / 4, stream);
  }

  const T* data() const { return data_.data(); }

  // Of the first n.
  T sum(std::size_t n) const {
    if constexpr (std::is_same_v<T, float>) {
      const std::vector<float> once = period();
      auto total = static_cast<float>(n / once.size());
      for (std::size_t i = 0; i < n % once.size(); ++i) total += once[i];
      return total;
    } else if constexpr (std::is_same_v<T, unsigned long long>) {
      return n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
    } else if constexpr (std::is_same_v<T, Max>) {
      return n == 0 ? neutral<T>() : T{static_cast<int>(n)};
    } else if constexpr (std::is_same_v<T, Min>) {
      return n == 0 ? neutral<T>() : T{-static_cast<int>(n)};
    } else {
      return pattern_sum(0, n);
    }
  }

private:
  // -63 to 63 in some order, and 1 more, so that what a kernel leaves out is missed: the sum of a period
  // is 1.
  static std::vector<float> period() {
    constexpr int length = 127; // a prime, which divides no grid
    std::vector<float> values;
    for (int i = 0; i < length; ++i) values.push_back(static_cast<float>(i * 37 % length - length / 2));
    values.front() += 1;
    return values;
  }

  Buffer<T> data_;
};

} // namespace perfmodel::kernels
