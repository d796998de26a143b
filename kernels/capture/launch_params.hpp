// The driver's calls that launch kernels, and what CUPTI tells of them.
#pragma once

#include "kernels/capture/launch_recorder.hpp"

#include <cupti.h>

#include <optional>
#include <span>

namespace perfmodel::kernels {

// What is asked for in a call that launches. `each` and `extra` are the arguments, one way or the other.
struct LaunchParams {
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  void **each = nullptr, **extra = nullptr;
  CapturedLaunch launch; // its shape and shared memory
};

std::span<const CUpti_CallbackId> launching_calls();
// After these a context is gone.
std::span<const CUpti_CallbackId> ending_calls();

// Empty where the call is none that launches.
std::optional<LaunchParams> launch_params(CUpti_CallbackId call, const void* params);

// Of a record of a kernel; empty where its times are not known.
std::optional<TimedRun> timed_run(const CUpti_Activity* record);

} // namespace perfmodel::kernels
