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
  bool is_done() const { return cudaEventQuery(handle_) == cudaSuccess; }
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
