// DRAM write bandwidth: every byte of a large buffer is written once.
// One shot, one 16-byte store per thread: 4706 GB/s on an H200. Tried there: 2 and 4 stores per thread,
// evict-first and write-through stores within 0.2 %, a resident grid and the bulk copy engine 6 % less,
// cudaMemset 2 % less.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace dram_write_probe {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) write_stream(uint4* out) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  out[i] = pattern_vector(i);
}

ProbeResult run(Session& session) {
  Report report("DRAM write stream", {{"ceiling", {}}, {"level", {}}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Buffer<uint4> out(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4));
  out.poison();
  const auto launch = [&](cudaStream_t stream) {
    write_stream<<<static_cast<unsigned>(out.size() / threads), threads, 0, stream>>>(out.data());
  };

  launch(session.stream);
  if (!report.verify(pattern_differences(out.data(), out.size(), session.stream) == 0, "words written"))
    return report.take();

  const Measurement bandwidth = middle_run(
      session, [&] { return rate_of(sample(session, usual(session), launch), double(out.bytes())); });
  report.row({"DRAM write", "dram"}, bandwidth, pin_limit(session));
  report.constant("sustained.dram.write", bandwidth);
  return report.take();
}

} // namespace
} // namespace dram_write_probe

extern const Probe dram_write{.name = "dram-write",
                              .order = 400,
                              .model = "roofline",
                              .measures = "DRAM bandwidth, write-only stream",
                              .provides = {"sustained.dram.write"},
                              .run = dram_write_probe::run};

} // namespace perfmodel::kernels
