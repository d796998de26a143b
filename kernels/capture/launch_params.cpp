#include "kernels/capture/launch_params.hpp"

#include <array>

namespace perfmodel::kernels {

namespace {

// The suffix _ptsz is that of programs whose default stream is one of each thread.
constexpr std::array<CUpti_CallbackId, 6> launching{CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                                    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                                    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                                    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz};
constexpr std::array<CUpti_CallbackId, 4> ending{
    CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy, CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2,
    CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset, CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2};

Shape shape_of(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

// Calls and their configuration have sides and shared memory by the same names.
template <class Sides> LaunchParams with_shape(const Sides& p) {
  LaunchParams made;
  made.stream = p.hStream;
  made.launch.grid = shape_of(p.gridDimX, p.gridDimY, p.gridDimZ);
  made.launch.block = shape_of(p.blockDimX, p.blockDimY, p.blockDimZ);
  made.launch.dynamic_shared = p.sharedMemBytes;
  return made;
}

LaunchParams plain(const cuLaunchKernel_params& p) {
  LaunchParams made = with_shape(p);
  made.function = p.f;
  made.each = p.kernelParams;
  made.extra = p.extra;
  return made;
}

LaunchParams cooperative(const cuLaunchCooperativeKernel_params& p) {
  LaunchParams made = with_shape(p);
  made.function = p.f;
  made.each = p.kernelParams;
  made.launch.cooperative = true;
  return made;
}

LaunchParams configured(const cuLaunchKernelEx_params& p) {
  LaunchParams made = with_shape(*p.config);
  made.function = p.f;
  made.each = p.kernelParams;
  made.extra = p.extra;
  for (unsigned i = 0; p.config->attrs != nullptr && i < p.config->numAttrs; ++i) {
    const CUlaunchAttribute& attribute = p.config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      made.launch.cooperative = attribute.value.cooperative != 0;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      made.launch.cluster =
          shape_of(attribute.value.clusterDim.x, attribute.value.clusterDim.y, attribute.value.clusterDim.z);
  }
  return made;
}

} // namespace

std::span<const CUpti_CallbackId> launching_calls() { return launching; }
std::span<const CUpti_CallbackId> ending_calls() { return ending; }

std::optional<LaunchParams> launch_params(CUpti_CallbackId call, const void* params) {
  // The calls with _ptsz take the same.
  switch (call) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    return plain(*static_cast<const cuLaunchKernel_params*>(params));
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    return configured(*static_cast<const cuLaunchKernelEx_params*>(params));
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
    return cooperative(*static_cast<const cuLaunchCooperativeKernel_params*>(params));
  default:
    return std::nullopt;
  }
}

std::optional<TimedRun> timed_run(const CUpti_Activity* record) {
  // Later versions of this record begin as this one does.
  const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel5*>(record);
  if (kernel->start == 0 || kernel->end <= kernel->start) return std::nullopt;
  return TimedRun{.correlation = kernel->correlationId,
                  .nanoseconds = kernel->end - kernel->start,
                  .kernel = kernel->name != nullptr ? kernel->name : "",
                  .grid = {kernel->gridX, kernel->gridY, kernel->gridZ},
                  .block = {kernel->blockX, kernel->blockY, kernel->blockZ},
                  .dynamic_shared = static_cast<std::uint64_t>(kernel->dynamicSharedMemory)};
}

} // namespace perfmodel::kernels
