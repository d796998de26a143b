// DRAM read bandwidth: every byte of a large buffer is read once.
// One shot, 8 loads of 16 bytes per thread, evict first: 4707 GB/s on an H200, whose pins give 4815. Tried
// there: 1 to 4 loads 0.1 to 0.5 % less, a grid that stays resident and loops 1 % less, default loads 1 %
// less, the bulk copy engine with 64 KiB stages the same.
#include "kernels/probes/bounds/dram_read.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/vector_access.cuh"

namespace perfmodel::kernels {
namespace {

constexpr int threads = 256, loads = 8;

// The sum is stored on request, and else if it has one unlikely value: the loads cannot be dropped.
__global__ void __launch_bounds__(threads) read_stream(const uint4* in, std::uint32_t* total, bool report) {
  in += blockIdx.x * std::size_t{threads * loads} + threadIdx.x;
  uint4 v[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) v[i] = load_streaming(in + i * threads);
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < loads; ++i) sum += sum_of(v[i]);
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

ProbeResult run(Session& session) {
  Report report("DRAM read stream", {{"ceiling", {}}, {"level", {}}}, "bandwidth", unit_of<BytesPerSecond>());
  const auto bandwidth = dram_read_bandwidth(session);
  if (!report.verify(bandwidth.has_value(), "sum of the words read")) return report.take();
  report.row({"DRAM read", "dram"}, *bandwidth, pin_limit(session));
  report.constant("sustained.dram.read", *bandwidth);
  return report.take();
}

} // namespace

std::optional<Measurement> dram_read_bandwidth(Session& session) {
  Buffer<uint4> in(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4));
  Buffer<std::uint32_t> total(1);
  fill_pattern(in.data(), in.size(), session.stream);
  const auto launch = [&](cudaStream_t stream, bool with_sum) {
    read_stream<<<static_cast<unsigned>(in.size() / (threads * loads)), threads, 0, stream>>>(
        in.data(), total.data(), with_sum);
  };

  session.stream.synchronize();
  total.clear();
  launch(session.stream, true);
  session.stream.synchronize();
  if (total.to_host()[0] != pattern_sum(0, 4 * in.size())) return {};
  return middle_run(session, [&] {
    return rate_of(sample(session, usual(session), [&](cudaStream_t s) { launch(s, false); }),
                   double(in.bytes()));
  });
}

extern const Probe dram_read{.name = "dram-read",
                             .order = 390,
                             .model = "roofline",
                             .measures = "DRAM bandwidth, read-only stream",
                             .provides = {"sustained.dram.read"},
                             .run = run};

} // namespace perfmodel::kernels
