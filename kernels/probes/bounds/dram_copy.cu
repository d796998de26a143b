// DRAM copy bandwidth, bytes read plus bytes written, by a kernel and by cudaMemcpy in the same run.
// One shot, one 16-byte load and store per thread, blocks of 128: 4301 GB/s on an H200, cudaMemcpy 4282.
// Reads and writes share the bus and turning it round costs 9 %. More loads per thread widen the distance
// between the two streams and lose: 2 loads 1 %, 4 loads 4 %; a resident grid 7 %, the bulk copy engine 6 %.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"

namespace perfmodel::kernels {
namespace dram_copy_probe {
namespace {

constexpr int threads = 128;

__global__ void __launch_bounds__(threads) copy_stream(const uint4* in, uint4* out) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  store_streaming(out + i, load_streaming(in + i));
}

ProbeResult run(Session& session) {
  Report report("DRAM copy", {{"ceiling", {}}, {"level", {}}}, "bandwidth", unit_of<BytesPerSecond>());
  Buffer<uint4> in(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4)), out(in.size());
  fill_pattern(in.data(), in.size(), session.stream);
  const auto measured = [&](std::string name, std::string_view constant, const Launch& launch) {
    session.stream.synchronize();
    out.poison();
    launch(session.stream);
    if (!report.verify(pattern_differences(out.data(), out.size(), session.stream) == 0, "words of " + name))
      return;
    const Measurement bandwidth = middle_run(
        session, [&] { return rate_of(sample(session, usual(session), launch), 2 * double(in.bytes())); });
    report.row({std::move(name), "dram"}, bandwidth, pin_limit(session));
    report.constant(constant, bandwidth);
  };

  measured("DRAM copy", "sustained.dram.copy", [&](cudaStream_t stream) {
    copy_stream<<<static_cast<unsigned>(in.size() / threads), threads, 0, stream>>>(in.data(), out.data());
  });
  measured("cudaMemcpy", "sustained.dram.memcpy", [&](cudaStream_t stream) {
    PERFMODEL_CUDA(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice, stream));
  });
  return report.take();
}

} // namespace
} // namespace dram_copy_probe

extern const Probe dram_copy{.name = "dram-copy",
                             .order = 410,
                             .model = "roofline",
                             .measures =
                                 "DRAM bandwidth, copy kernel and cudaMemcpy, bytes read plus bytes written",
                             .provides = {"sustained.dram.copy", "sustained.dram.memcpy"},
                             .run = dram_copy_probe::run};

} // namespace perfmodel::kernels
