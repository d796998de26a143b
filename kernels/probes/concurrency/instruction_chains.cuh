// Independent chains of one instruction class in the registers of a thread.
#pragma once

#include "instruction_classes.cuh"

#include "kernels/core/report.hpp"
#include "kernels/core/session.hpp"

#include <string>
#include <type_traits>

namespace perfmodel::kernels {

// Written as it is rounded on either side: the compilers would make an FMA of one and not of the other.
template <class T> __host__ __device__ T folded(T all, T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fma(all, T(3), value);
  else
    return all * 3 + value;
}

// The chains of a class. Each class that needs shared memory gets words of its own.
template <class Op, int count> struct Chains {
  using T = typename Op::T;
  T x[count];
  T a;

  __device__ void start(T argument, Word* words) {
    a = argument;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      x[i] = Op::start(threadIdx.x % 32, i);
      if constexpr (Op::in_shared) {
        x[i] = address(words, i);
        words[i * blockDim.x + threadIdx.x] = x[i];
      }
    }
  }
  template <int i> __device__ void step() { Op::step(x[i % count], x[(i + 1) % count], a); }
  __device__ void round() { // a step of every chain
#pragma unroll
    for (int i = 0; i < count; ++i) Op::step(x[i], x[(i + 1) % count], a);
  }
  // A loop whose body is `rounds` rounds.
  template <int rounds> __device__ void loop(int trips) {
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip)
#pragma unroll
      for (int i = 0; i < rounds; ++i) round();
  }
  // One value that every chain's end shows in.
  __device__ T fold(Word* words) const {
    T all{};
#pragma unroll
    for (int i = 0; i < count; ++i) {
      T value = x[i];
      if constexpr (Op::in_shared) value -= address(words, i);
      all = folded(all, value);
    }
    return all;
  }
  // Whether `got` is what the host finds for a lane after `trips` rounds of `steps`, dealt to the chains in
  // turn.
  static bool right(T got, int lane, int trips, int steps) {
    T want{};
    if constexpr (!Op::in_shared) {
      T values[count];
      for (int i = 0; i < count; ++i) values[i] = Op::start(lane, i);
      for (int trip = 0; trip < trips; ++trip)
        for (int i = 0; i < steps; ++i)
          values[i % count] = Op::host(values[i % count], values[(i + 1) % count], T(Op::a));
      for (const T value : values) want = folded(want, value);
    }
    if constexpr (Op::check == Check::bounded) return got == got;
    if constexpr (Op::check == Check::near) return std::fabs(got - want) <= T(1e-4) * std::fabs(want);
    return got == want;
  }
  static constexpr int words_per_thread = Op::in_shared ? count : 0;

private:
  static __device__ Word address(Word* words, int i) {
    return static_cast<Word>(__cvta_generic_to_shared(words + i * blockDim.x + threadIdx.x));
  }
};

// Whether the device has the class; else a note in the report.
template <class Op> bool is_on_device(const Session& session, Report& report) {
  const cudaDeviceProp& properties = session.device.properties;
  if (properties.major * 10 + properties.minor >= Op::capability) return true;
  report.note(std::string(Op::name) + ": not on compute capability " + session.device.compute_capability());
  return false;
}

} // namespace perfmodel::kernels
