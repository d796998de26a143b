// DRAM write bandwidth of warps that write a line of 128 bytes at a time, a word each lane, again and again:
// a resident grid strides over a large buffer, every word of which is written once.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace dram_write_lines_probe {
namespace {

constexpr int threads = 256, blocks_per_sm = 8;

__global__ void __launch_bounds__(threads) write_words(std::uint32_t* out, std::size_t words) {
  for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < words;
       i += gridDim.x * std::size_t{threads})
    out[i] = pattern(i);
}

ProbeResult run(Session& session) {
  Report report("DRAM write stream, a line of a warp at a time", {{"level", {}}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Buffer<uint4> out(session.buffer_bytes(std::size_t{1} << 30) / sizeof(uint4));
  out.poison();
  const auto blocks = static_cast<unsigned>(session.device.sm_count() * blocks_per_sm);
  const auto launch = [&](cudaStream_t stream) {
    write_words<<<blocks, threads, 0, stream>>>(reinterpret_cast<std::uint32_t*>(out.data()), 4 * out.size());
  };
  launch(session.stream);
  if (!report.verify(pattern_differences(out.data(), out.size(), session.stream) == 0, "words written"))
    return report.take();
  const Measurement bandwidth = middle_run(
      session, [&] { return rate_of(sample(session, usual(session), launch), double(out.bytes())); });
  report.row({"dram"}, bandwidth, pin_limit(session));
  report.constant("sustained.dram.write_lines", bandwidth);
  return report.take();
}

} // namespace
} // namespace dram_write_lines_probe

extern const Probe dram_write_lines{.name = "dram-write-lines",
                                    .order = 402,
                                    .measures = "DRAM bandwidth, writes of a line of a warp at a time",
                                    .provides = {"sustained.dram.write_lines"},
                                    .run = dram_write_lines_probe::run};

} // namespace perfmodel::kernels
