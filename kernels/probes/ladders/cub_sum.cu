#include "kernels/probes/ladders/cub_sum.hpp"

#include "kernels/core/check.hpp"

#if __has_include(<cub/device/device_reduce.cuh>)
#define PERFMODEL_HAS_CUB
#include <cub/device/device_reduce.cuh>
#endif

namespace perfmodel::kernels {

#ifdef PERFMODEL_HAS_CUB

bool has_cub() { return true; }

template <class T> std::size_t cub_scratch(std::size_t n) {
  std::size_t bytes = 0;
  PERFMODEL_CUDA(
      cub::DeviceReduce::Sum(nullptr, bytes, static_cast<const T*>(nullptr), static_cast<T*>(nullptr), n));
  return bytes;
}

template <class T>
void cub_sum(void* scratch, std::size_t scratch_bytes, const T* in, std::size_t n, T* out,
             cudaStream_t stream) {
  PERFMODEL_CUDA(cub::DeviceReduce::Sum(scratch, scratch_bytes, in, out, n, stream));
}

#else

bool has_cub() { return false; }

template <class T> std::size_t cub_scratch(std::size_t) { return 0; }

template <class T> void cub_sum(void*, std::size_t, const T*, std::size_t, T*, cudaStream_t) {
  throw MachineError("this build's CUDA toolkit has no CUB");
}

#endif

template std::size_t cub_scratch<unsigned>(std::size_t);
template std::size_t cub_scratch<float>(std::size_t);
template void cub_sum(void*, std::size_t, const unsigned*, std::size_t, unsigned*, cudaStream_t);
template void cub_sum(void*, std::size_t, const float*, std::size_t, float*, cudaStream_t);

} // namespace perfmodel::kernels
