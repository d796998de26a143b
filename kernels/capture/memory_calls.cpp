#include "kernels/capture/memory_calls.hpp"

#include <array>

namespace perfmodel::kernels {

namespace {

// With and without the suffix of programs whose default stream is one of each thread: both take the same.
#define PERFMODEL_BOTH(call, suffix) CUPTI_DRIVER_TRACE_CBID_##call, CUPTI_DRIVER_TRACE_CBID_##call##_##suffix

constexpr std::array counted{
    PERFMODEL_BOTH(cuMemcpyHtoD_v2, ptds), PERFMODEL_BOTH(cuMemcpyHtoDAsync_v2, ptsz),
    PERFMODEL_BOTH(cuMemcpyDtoD_v2, ptds), PERFMODEL_BOTH(cuMemcpyDtoDAsync_v2, ptsz),
    PERFMODEL_BOTH(cuMemcpy, ptds),        PERFMODEL_BOTH(cuMemcpyAsync, ptsz),
    PERFMODEL_BOTH(cuMemsetD8_v2, ptds),   PERFMODEL_BOTH(cuMemsetD8Async, ptsz),
    PERFMODEL_BOTH(cuMemsetD32_v2, ptds),  PERFMODEL_BOTH(cuMemsetD32Async, ptsz)};
constexpr std::array not_counted{
    PERFMODEL_BOTH(cuMemsetD16_v2, ptds),     PERFMODEL_BOTH(cuMemsetD16Async, ptsz),
    PERFMODEL_BOTH(cuMemsetD2D8_v2, ptds),    PERFMODEL_BOTH(cuMemsetD2D8Async, ptsz),
    PERFMODEL_BOTH(cuMemsetD2D16_v2, ptds),   PERFMODEL_BOTH(cuMemsetD2D16Async, ptsz),
    PERFMODEL_BOTH(cuMemsetD2D32_v2, ptds),   PERFMODEL_BOTH(cuMemsetD2D32Async, ptsz),
    PERFMODEL_BOTH(cuMemcpy2D_v2, ptds),      PERFMODEL_BOTH(cuMemcpy2DUnaligned_v2, ptds),
    PERFMODEL_BOTH(cuMemcpy2DAsync_v2, ptsz), PERFMODEL_BOTH(cuMemcpy3D_v2, ptds),
    PERFMODEL_BOTH(cuMemcpy3DAsync_v2, ptsz), PERFMODEL_BOTH(cuMemcpyPeer, ptds),
    PERFMODEL_BOTH(cuMemcpyPeerAsync, ptsz),  PERFMODEL_BOTH(cuGraphLaunch, ptsz)};
#undef PERFMODEL_BOTH

template <std::size_t n, std::size_t m>
constexpr std::array<CUpti_CallbackId, n + m> joined(const std::array<CUpti_driver_api_trace_cbid, n>& a,
                                                     const std::array<CUpti_driver_api_trace_cbid, m>& b) {
  std::array<CUpti_CallbackId, n + m> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < m; ++i) all[n + i] = b[i];
  return all;
}
constexpr auto all_calls = joined(counted, not_counted);

// Their parameters have the same names, where they have them.
template <class Params> MemoryCall with_stream(const Params& p, MemoryCall call) {
  if constexpr (requires { p.hStream; }) call.stream = p.hStream;
  return call;
}
template <class Params> MemoryCall copied(const void* params) {
  const auto& p = *static_cast<const Params*>(params);
  MemoryCall call{.bytes = p.ByteCount, .copies = true};
  if constexpr (requires { p.dstDevice; })
    call.to = p.dstDevice;
  else
    call.to = p.dst;
  if constexpr (requires { p.srcDevice; })
    call.from = p.srcDevice;
  else if constexpr (requires { p.src; })
    call.from = p.src;
  return with_stream(p, call);
}
template <class Params> MemoryCall filled(const void* params, std::size_t element) {
  const auto& p = *static_cast<const Params*>(params);
  return with_stream(p, {.to = p.dstDevice, .bytes = element * p.N});
}

} // namespace

std::span<const CUpti_CallbackId> memory_calls() { return all_calls; }

std::optional<MemoryCall> memory_call(CUpti_CallbackId call, const void* params) {
  switch (call) {
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds:
    return copied<cuMemcpyHtoD_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz:
    return copied<cuMemcpyHtoDAsync_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2_ptds:
    return copied<cuMemcpyDtoD_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz:
    return copied<cuMemcpyDtoDAsync_v2_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpy:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpy_ptds:
    return copied<cuMemcpy_params>(params);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync:
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz:
    return copied<cuMemcpyAsync_params>(params);
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
    for (const CUpti_CallbackId other : not_counted)
      if (call == other) return MemoryCall{.is_known = false};
    return std::nullopt;
  }
}

} // namespace perfmodel::kernels
