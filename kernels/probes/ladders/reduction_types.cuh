// What the ladder reduces: sums of unsigned (int32), unsigned long long (int64) and float, and the least or
// the greatest of integers, whose + is the smaller or the larger of two: so each rung is one kernel for all.
#pragma once

#include <climits>
#include <cstdint>

namespace perfmodel::kernels {

template <bool greatest> struct Extreme { int value; };
using Min = Extreme<false>;
using Max = Extreme<true>;

template <bool greatest>
__device__ inline Extreme<greatest> operator+(Extreme<greatest> a, Extreme<greatest> b) {
  return {greatest ? max(a.value, b.value) : min(a.value, b.value)};
}
template <bool greatest>
__device__ inline Extreme<greatest>& operator+=(Extreme<greatest>& a, Extreme<greatest> b) {
  return a = a + b;
}
template <bool greatest> bool operator==(Extreme<greatest> a, Extreme<greatest> b) {
  return a.value == b.value;
}

// What changes nothing when it is added.
template <class T> __host__ __device__ inline T neutral() { return T{}; }
template <> __host__ __device__ inline Min neutral<Min>() { return {INT_MAX}; }
template <> __host__ __device__ inline Max neutral<Max>() { return {INT_MIN}; }

template <class T> __device__ inline T shuffled_down(T from, unsigned lanes) {
  return __shfl_down_sync(~0u, from, lanes);
}
template <bool greatest>
__device__ inline Extreme<greatest> shuffled_down(Extreme<greatest> from, unsigned lanes) {
  return {__shfl_down_sync(~0u, from.value, lanes)};
}

// From and to memory, at each call.
template <class T> __device__ inline T read(const volatile T* from) { return *from; }
template <bool greatest> __device__ inline Extreme<greatest> read(const volatile Extreme<greatest>* from) {
  return {from->value};
}
template <class T> __device__ inline void write(volatile T* to, T v) { *to = v; }
template <bool greatest> __device__ inline void write(volatile Extreme<greatest>* to, Extreme<greatest> v) {
  to->value = v.value;
}

// Past L1, where it may be stale.
template <class T> __device__ inline T read_from_l2(const T* from) { return __ldcg(from); }
template <bool greatest> __device__ inline Extreme<greatest> read_from_l2(const Extreme<greatest>* from) {
  return {__ldcg(&from->value)};
}

// Of the elements in 16 bytes.
__device__ inline unsigned added(unsigned sum, uint4 v) { return sum + (v.x + v.y + v.z + v.w); }
__device__ inline float added(float sum, uint4 v) {
  return sum +
         ((__uint_as_float(v.x) + __uint_as_float(v.y)) + (__uint_as_float(v.z) + __uint_as_float(v.w)));
}
__device__ inline unsigned long long added(unsigned long long sum, uint4 v) {
  const auto word = [](unsigned low, unsigned high) { return std::uint64_t{high} << 32 | low; };
  return sum + (word(v.x, v.y) + word(v.z, v.w));
}
template <bool greatest> __device__ inline Extreme<greatest> added(Extreme<greatest> sum, uint4 v) {
  const auto element = [](unsigned word) { return Extreme<greatest>{static_cast<int>(word)}; };
  return sum + ((element(v.x) + element(v.y)) + (element(v.z) + element(v.w)));
}

} // namespace perfmodel::kernels
