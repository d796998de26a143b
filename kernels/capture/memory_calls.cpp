#include "kernels/capture/memory_calls.hpp"

#include <array>

namespace perfmodel::kernels {

namespace {

// The suffixes are those of programs whose default stream is one of each thread.
constexpr std::array<CUpti_CallbackId, 16> calls{
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,      CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,      CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2_ptds,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2,        CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2_ptds,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,      CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2,       CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2_ptds,
    CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,     CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async_ptsz};

template <class Params> MemoryCall copied_from_host(const void* params) {
  const auto& p = *static_cast<const Params*>(params);
  return {.to = p.dstDevice, .bytes = p.ByteCount, .from_host = true};
}
template <class Params> MemoryCall copied(const void* params) {
  const auto& p = *static_cast<const Params*>(params);
  return {.to = p.dstDevice, .from = p.srcDevice, .bytes = p.ByteCount};
}
template <class Params> MemoryCall filled(const void* params, std::size_t element) {
  const auto& p = *static_cast<const Params*>(params);
  return {.to = p.dstDevice, .bytes = element * p.N};
}

} // namespace

std::span<const CUpti_CallbackId> memory_calls() { return calls; }

std::optional<MemoryCall> memory_call(CUpti_CallbackId call, const void* params) {
  // The calls with a suffix take the same.
  switch (call) {
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds:
    return copied_from_host<cuMemcpyHtoD_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz:
    return copied_from_host<cuMemcpyHtoDAsync_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2_ptds:
    return copied<cuMemcpyDtoD_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz:
    return copied<cuMemcpyDtoDAsync_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2_ptds:
    return filled<cuMemsetD8_v2_params>(params, 1);
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async:
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async_ptsz:
    return filled<cuMemsetD8Async_params>(params, 1);
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2_ptds:
    return filled<cuMemsetD32_v2_params>(params, 4);
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async:
  case CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async_ptsz:
    return filled<cuMemsetD32Async_params>(params, 4);
  default:
    return std::nullopt;
  }
}

} // namespace perfmodel::kernels
