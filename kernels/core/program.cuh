// What a program that launches kernels and checks their answers needs: device memory with contents, repeated
// launches, and an exit with one sentence where something is wrong. For programs that run under
// `perfmodel capture`, which have no other part of this tool in them.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace perfmodel::program {

constexpr int times = 11; // each launch, so that a capture has a median

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

inline void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "%s: wrong answer\n", what);
  std::exit(1);
}

inline bool close(double found, double expected, double tolerance) {
  return std::fabs(found - expected) <= tolerance * (1 + std::fabs(expected));
}

// Device memory that holds `host`, or `count` zeros.
template <class T> struct Array {
  T* data = nullptr;
  size_t count;
  explicit Array(const std::vector<T>& host) : Array(host.size()) {
    check(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  explicit Array(size_t n) : count(n) {
    check(cudaMalloc(&data, count * sizeof(T)), "memory of the GPU");
    check(cudaMemset(data, 0, count * sizeof(T)), "memory of the GPU");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> all(count);
    check(cudaMemcpy(all.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return all;
  }
};

// One element of it, without the others.
template <class T> T at(const Array<T>& array, size_t i) {
  T value;
  check(cudaMemcpy(&value, array.data + i, sizeof(T), cudaMemcpyDeviceToHost), "copy of an element");
  return value;
}

// From 0 to 1, in an order that shows an element taken for another.
inline float element(size_t i) { return static_cast<float>(i * 2654435761U % 1024) / 1024.0F; }

inline std::vector<float> elements(size_t n) {
  std::vector<float> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = element(i);
  return all;
}

// base + scale * element(i).
template <class T> std::vector<T> numbers(size_t n, T base, T scale) {
  std::vector<T> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = base + scale * static_cast<T>(element(i));
  return all;
}

inline unsigned blocks_of(size_t n, size_t block) { return static_cast<unsigned>((n + block - 1) / block); }

template <class Launch> void repeat(const char* what, Launch launch) {
  for (int i = 0; i < times; ++i) launch();
  check(cudaGetLastError(), what);
  check(cudaDeviceSynchronize(), what);
}

} // namespace perfmodel::program
