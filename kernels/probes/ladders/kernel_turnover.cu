// What a launch costs beside its work: kernels of one block that does nothing, one after another in a graph,
// so that the host is not waited for. A sum in passes pays it for every pass.
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/graph.hpp"
#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {
namespace {

__global__ void do_nothing() {}

ProbeResult run(Session& session) {
  Report report("kernel turn-over", {{"threads", {}}}, "time", unit_of<Seconds>());
  constexpr int kernels = 500;
  for (const int threads : {32, 256, 1024}) {
    const Graph graph(session.stream, [&] {
      for (int i = 0; i < kernels; ++i) do_nothing<<<1, threads, 0, session.stream>>>();
      PERFMODEL_CUDA(cudaGetLastError());
    });
    const Sampled sampled =
        sample(session, usual(session), [&](cudaStream_t stream) { graph.launch(stream); });
    Measurement time{sampled.seconds, sampled.sm_clock};
    for (double& value : time.values) value /= kernels;
    report.row({std::int64_t{threads}}, time);
    if (threads == 256) report.constant("kernel.turnover", time);
  }
  return report.take();
}

} // namespace

const Probe kernel_turnover{
    "kernel-turnover",
    "",
    "seconds from one kernel to the next in a graph, kernels of a block that does nothing",
    {"kernel.turnover"},
    run};

} // namespace perfmodel::kernels
