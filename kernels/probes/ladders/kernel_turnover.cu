// What a launch costs beside its work: kernels of one block that does nothing, one after another in a graph,
// so that the host is not waited for. A sum in passes pays it for every pass. And what the first load of a
// kernel costs: every thread reads a word that L2 holds, in one block or in one on each SM, where the slowest
// of them counts.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/graph.hpp"

#include <functional>
#include <string>

namespace perfmodel::kernels {
namespace kernel_turnover_probe {
namespace {

__global__ void do_nothing() {}
__global__ void load_a_word(const unsigned* in, unsigned* out) {
  const unsigned word = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (word != 0) *out = word; // never, while it is timed
}

// Seconds of one of many launches in a row.
Measurement each_in_a_row(Session& session, const std::function<void()>& launch) {
  constexpr int kernels = 500;
  const Graph graph(session.stream, [&] {
    for (int i = 0; i < kernels; ++i) launch();
    PERFMODEL_CUDA(cudaGetLastError());
  });
  const Sampled sampled = sample(session, usual(session), [&](cudaStream_t stream) { graph.launch(stream); });
  Measurement time{sampled.seconds, sampled.sm_clock};
  for (double& value : time.values) value /= kernels;
  return time;
}

ProbeResult run(Session& session) {
  session.say("kernel turn-over");
  Report report("kernel turn-over", {{"work", {}}, {"blocks", {}}, {"threads", {}}}, "time",
                unit_of<Seconds>());
  constexpr int usual_threads = 256;
  const int sms = session.device.sm_count();
  Buffer<unsigned> in(std::size_t(sms) * usual_threads), out(1);
  in.clear();
  out.clear();
  PERFMODEL_CUDA(cudaDeviceSynchronize()); // cleared on a stream of its own
  const auto row = [&](const char* work, int blocks, int threads, const std::function<void()>& launch) {
    const Measurement time = each_in_a_row(session, launch);
    report.row({std::string(work), std::int64_t{blocks}, std::int64_t{threads}}, time);
    return time;
  };
  const auto nothing = [&](int blocks, int threads) {
    return row("nothing", blocks, threads, [&] { do_nothing<<<blocks, threads, 0, session.stream>>>(); });
  };
  const auto load = [&](int blocks) {
    return row("load", blocks, usual_threads,
               [&] { load_a_word<<<blocks, usual_threads, 0, session.stream>>>(in.data(), out.data()); });
  };
  nothing(1, 32);
  report.constant("kernel.turnover", nothing(1, usual_threads));
  nothing(1, 1024);
  const double empty = nothing(sms, usual_threads).median();
  load(1);
  Measurement first_load = load(sms);
  const bool none = out.to_host()[0] == 0;
  in.poison();
  load_a_word<<<sms, usual_threads, 0, session.stream>>>(in.data(), out.data());
  session.stream.synchronize();
  if (!report.verify(none && out.to_host()[0] != 0, "a word is stored where it is not 0"))
    return report.take();
  for (double& value : first_load.values) value -= empty;
  report.constant("kernel.first_load", first_load);
  return report.take();
}

} // namespace
} // namespace kernel_turnover_probe

extern const Probe kernel_turnover{
    .name = "kernel-turnover",
    .order = 160,
    .measures = "seconds from one kernel to the next in a graph, of kernels that do nothing or load a word",
    .provides = {"kernel.turnover", "kernel.first_load"},
    .run = kernel_turnover_probe::run};

} // namespace perfmodel::kernels
