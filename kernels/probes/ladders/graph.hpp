// Launches recorded once and enqueued together: one starts as the one before it has ended, without the host
// between them, who takes longer to launch a short kernel than the kernel to run.
#pragma once

#include "kernels/core/check.hpp"

#include <functional>

namespace perfmodel::kernels {

class Graph {
public:
  // `enqueue` is called once; it enqueues on that stream alone and neither allocates nor waits.
  Graph(cudaStream_t stream, const std::function<void()>& enqueue) {
    PERFMODEL_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    enqueue();
    cudaGraph_t recorded = nullptr;
    PERFMODEL_CUDA(cudaStreamEndCapture(stream, &recorded));
    const cudaError_t status = cudaGraphInstantiate(&runnable_, recorded, 0);
    (void)cudaGraphDestroy(recorded);
    PERFMODEL_CUDA(status);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { (void)cudaGraphExecDestroy(runnable_); } // the next checked call reports

  void launch(cudaStream_t stream) const { PERFMODEL_CUDA(cudaGraphLaunch(runnable_, stream)); }

private:
  cudaGraphExec_t runnable_ = nullptr;
};

} // namespace perfmodel::kernels
