// Contents for streamed buffers whose sum is known without adding them up, and the checks that go with them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace perfmodel::kernels {

// Word i of a patterned buffer (mod 2^32): looks random to the memory, so data lines toggle as real data's
// do.
inline constexpr std::uint32_t pattern_step = 2654435761u;

// Sum mod 2^32 of `count` words from word `first` on.
std::uint32_t pattern_sum(std::uint64_t first, std::uint64_t count);

void fill_pattern(uint4* data, std::size_t vectors, cudaStream_t stream);
// How many words differ from the pattern.
std::uint64_t pattern_differences(const uint4* data, std::size_t vectors, cudaStream_t stream);

// Element i = first + i * step.
template <class T> void fill_line(T* data, std::size_t count, T first, T step, cudaStream_t stream);

// Element i = period[i % period.size()].
template <class T>
void fill_periodic(T* data, std::size_t count, const std::vector<T>& period, cudaStream_t stream);
template <class T>
std::uint64_t periodic_differences(const T* data, std::size_t count, const std::vector<T>& period,
                                   cudaStream_t stream);

} // namespace perfmodel::kernels
