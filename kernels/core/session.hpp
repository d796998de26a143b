// One GPU opened for measuring: what every probe gets.
#pragma once

#include "kernels/core/counters.hpp"
#include "kernels/core/device.hpp"
#include "kernels/core/nvml.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/stream.hpp"

namespace perfmodel::kernels {

struct Session {
  explicit Session(Options given);

  Options options;
  Device device;
  std::shared_ptr<const Cupti> cupti; // only in a session for counters: times are taken without it
  Stream stream;
  Nvml nvml;
  DeviceState under_load; // while the last timed kernel was running

  bool quick() const { return options.quick; }
  void say(std::string_view what) const {
    if (options.progress) options.progress(what);
  }
  // The largest power of two that is at most `wanted` and a fifth of the free memory, so that three buffers
  // fit.
  std::size_t buffer_bytes(std::size_t wanted) const;
};

} // namespace perfmodel::kernels
