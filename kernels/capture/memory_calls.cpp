#include "kernels/capture/memory_calls.hpp"

#include <algorithm>
#include <array>

namespace perfmodel::kernels {

namespace {

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
template <class Params, std::size_t element> MemoryCall filled(const void* params) {
  const auto& p = *static_cast<const Params*>(params);
  return with_stream(p, {.to = p.dstDevice, .bytes = element * p.N});
}
MemoryCall not_counted(const void*) { return {.is_known = false}; }

struct ReadCall {
  CUpti_CallbackId call;
  MemoryCall (*read)(const void* params);
};

// With and without the suffix of programs whose default stream is one of each thread: both take the same.
#define PERFMODEL_BOTH(call, suffix, ...)                                                                    \
  ReadCall{CUPTI_DRIVER_TRACE_CBID_##call, __VA_ARGS__}, ReadCall {                                          \
    CUPTI_DRIVER_TRACE_CBID_##call##_##suffix, __VA_ARGS__                                                   \
  }

constexpr std::array read_calls{
    PERFMODEL_BOTH(cuMemcpyHtoD_v2, ptds, copied<cuMemcpyHtoD_v2_params>),
    PERFMODEL_BOTH(cuMemcpyHtoDAsync_v2, ptsz, copied<cuMemcpyHtoDAsync_v2_params>),
    PERFMODEL_BOTH(cuMemcpyDtoD_v2, ptds, copied<cuMemcpyDtoD_v2_params>),
    PERFMODEL_BOTH(cuMemcpyDtoDAsync_v2, ptsz, copied<cuMemcpyDtoDAsync_v2_params>),
    PERFMODEL_BOTH(cuMemcpy, ptds, copied<cuMemcpy_params>),
    PERFMODEL_BOTH(cuMemcpyAsync, ptsz, copied<cuMemcpyAsync_params>),
    PERFMODEL_BOTH(cuMemsetD8_v2, ptds, filled<cuMemsetD8_v2_params, 1>),
    PERFMODEL_BOTH(cuMemsetD8Async, ptsz, filled<cuMemsetD8Async_params, 1>),
    PERFMODEL_BOTH(cuMemsetD32_v2, ptds, filled<cuMemsetD32_v2_params, 4>),
    PERFMODEL_BOTH(cuMemsetD32Async, ptsz, filled<cuMemsetD32Async_params, 4>),
    PERFMODEL_BOTH(cuMemsetD16_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemsetD16Async, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D8_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D8Async, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D16_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D16Async, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D32_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemsetD2D32Async, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemcpy2D_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemcpy2DUnaligned_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemcpy2DAsync_v2, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemcpy3D_v2, ptds, not_counted),
    PERFMODEL_BOTH(cuMemcpy3DAsync_v2, ptsz, not_counted),
    PERFMODEL_BOTH(cuMemcpyPeer, ptds, not_counted),
    PERFMODEL_BOTH(cuMemcpyPeerAsync, ptsz, not_counted),
    PERFMODEL_BOTH(cuGraphLaunch, ptsz, not_counted)};
#undef PERFMODEL_BOTH

constexpr auto calls = [] {
  std::array<CUpti_CallbackId, read_calls.size()> all{};
  std::transform(read_calls.begin(), read_calls.end(), all.begin(),
                 [](const ReadCall& one) { return one.call; });
  return all;
}();

} // namespace

std::span<const CUpti_CallbackId> memory_calls() { return calls; }

std::optional<MemoryCall> memory_call(CUpti_CallbackId call, const void* params) {
  const auto* const found = std::find_if(read_calls.begin(), read_calls.end(),
                                         [&](const ReadCall& one) { return one.call == call; });
  return found != read_calls.end() ? std::optional(found->read(params)) : std::nullopt;
}

} // namespace perfmodel::kernels
