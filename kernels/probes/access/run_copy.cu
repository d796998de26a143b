// What a copy loses when it writes in runs that nothing completes: it reads a stream, and writes runs of 128
// bytes to 4 KiB, whole lines, in shuffled order. 1 GiB each way: enough to leave L2 out, and little enough
// for the translation of addresses. As in dram_copy.cu, one 16-byte load and store per thread.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/access/shuffled.hpp"
#include "kernels/probes/registry.hpp"

#include <bit>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 128;

struct Destination {
  Shuffled shuffled;     // of the runs
  unsigned vectors_log2; // of a run

  __device__ std::size_t operator()(std::uint32_t vector) const {
    return (std::size_t{shuffled(vector >> vectors_log2)} << vectors_log2) +
           (vector & ((1u << vectors_log2) - 1));
  }
};

__global__ void __launch_bounds__(threads) copy_to_runs(const uint4* in, uint4* out, Destination to) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  store_streaming(out + to(i), load_streaming(in + i));
}

__global__ void count_differences(const uint4* out, Destination to, unsigned long long* differences) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  const uint4 got = out[to(i)], want = pattern_vector(i);
  if (got.x != want.x || got.y != want.y || got.z != want.z || got.w != want.w) atomicAdd(differences, 1ull);
}

ProbeResult run(Session& session) {
  Report report("DRAM copy, written in runs in shuffled order", {{"run", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Buffer<uint4> in(session.buffer_bytes(std::size_t{1} << 30) / sizeof(uint4)), out(in.size());
  Buffer<unsigned long long> differences(1);
  fill_pattern(in.data(), in.size(), session.stream);
  session.stream.synchronize();
  const auto size_log2 = static_cast<unsigned>(std::bit_width(in.size()) - 1); // a power of two
  const auto blocks = static_cast<unsigned>(in.size() / threads);
  for (std::size_t bytes = 128; bytes <= 4096; bytes *= session.quick() ? 32 : 2) {
    session.say("copy in runs of " + std::to_string(bytes) + " B");
    const auto run_log2 = static_cast<unsigned>(std::bit_width(bytes / sizeof(uint4)) - 1);
    const Destination to{{size_log2 - run_log2}, run_log2};
    const auto launch = [&](cudaStream_t stream) {
      copy_to_runs<<<blocks, threads, 0, stream>>>(in.data(), out.data(), to);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    out.poison();
    differences.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
    launch(session.stream);
    count_differences<<<blocks, threads, 0, session.stream>>>(out.data(), to, differences.data());
    session.stream.synchronize();
    if (!report.verify(differences.to_host()[0] == 0, "runs of " + std::to_string(bytes) + " B")) break;
    const Measurement bandwidth = middle_run(
        session, [&] { return rate_of(sample(session, usual(session), launch), 2 * double(in.bytes())); });
    report.row({static_cast<std::int64_t>(bytes)}, bandwidth, pin_limit(session));
    if (bytes == 128) report.constant("sustained.dram.copy_lines", bandwidth);
  }
  return report.take();
}

} // namespace

const Probe run_copy{"run-copy",
                     "",
                     "DRAM copy bandwidth that is left when runs of 128 B to 4 KiB are written in any order",
                     {"sustained.dram.copy_lines"},
                     run};

} // namespace perfmodel::kernels
