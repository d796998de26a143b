// A point on a stream whose device time can be read.
#pragma once

#include "kernels/core/check.hpp"

namespace perfmodel::kernels {

class Event {
public:
  Event() { PERFMODEL_CUDA(cudaEventCreate(&handle_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { (void)cudaEventDestroy(handle_); }

  void record(cudaStream_t stream) const { PERFMODEL_CUDA(cudaEventRecord(handle_, stream)); }
  // Throws where the device failed: then it would never be done. "Not ready" is no error, and must not be
  // found by who asks for the last one.
  bool is_done() const {
    const cudaError_t status = cudaEventQuery(handle_);
    if (status == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    PERFMODEL_CUDA(status);
    return true;
  }
  void synchronize() const { PERFMODEL_CUDA(cudaEventSynchronize(handle_)); }

  // Waits for both events. Resolution about half a microsecond: time regions of a millisecond or more.
  friend double seconds_between(const Event& start, const Event& stop) {
    stop.synchronize();
    float milliseconds = 0;
    PERFMODEL_CUDA(cudaEventElapsedTime(&milliseconds, start.handle_, stop.handle_));
    return static_cast<double>(milliseconds) * 1e-3;
  }

private:
  cudaEvent_t handle_ = nullptr;
};

} // namespace perfmodel::kernels
