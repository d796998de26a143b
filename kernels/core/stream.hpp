// A CUDA stream and the events recorded on it.
#pragma once

#include "kernels/core/check.hpp"

namespace perfmodel::kernels {

class Stream {
public:
  Stream() { PERFMODEL_CUDA(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)cudaStreamDestroy(handle_); }

  operator cudaStream_t() const { return handle_; }
  void synchronize() const { PERFMODEL_CUDA(cudaStreamSynchronize(handle_)); }

private:
  cudaStream_t handle_ = nullptr;
};

} // namespace perfmodel::kernels
