// What a copy loses when it writes in runs that nothing completes: it reads a stream, and writes runs of 128
// bytes to 4 KiB, whole lines, in shuffled order; or it reads such runs, too, in another order. 1 GiB each
// way: enough to leave L2 out, and little enough for the translation of addresses. As in dram_copy.cu, one
// 16-byte load and store per thread. On an H200 runs of 256 bytes and more are all the same.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/access/shuffled.hpp"
#include "kernels/probes/registry.hpp"

#include <bit>
#include <optional>
#include <string>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 128;

struct Runs {
  Shuffled shuffled;
  unsigned vectors_log2; // of a run
  std::uint32_t first;   // run that is the first in the shuffled order

  __device__ std::size_t operator()(std::uint32_t vector) const {
    return (std::size_t{shuffled((vector >> vectors_log2) + first)} << vectors_log2) +
           (vector & ((1u << vectors_log2) - 1));
  }
};

template <bool reads_runs>
__global__ void __launch_bounds__(threads) copy_runs(const uint4* in, uint4* out, Runs from, Runs to) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  store_streaming(out + to(i), load_streaming(in + (reads_runs ? from(i) : i)));
}

template <bool reads_runs>
__global__ void count_differences(const uint4* out, Runs from, Runs to, unsigned long long* differences) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  const uint4 got = out[to(i)], want = pattern_vector(reads_runs ? from(i) : i);
  if (got.x != want.x || got.y != want.y || got.z != want.z || got.w != want.w) atomicAdd(differences, 1ull);
}

class Bench {
public:
  explicit Bench(Session& session)
      : session_(session), in_(session.buffer_bytes(std::size_t{1} << 30) / sizeof(uint4)), out_(in_.size()),
        differences_(1) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    session.stream.synchronize();
  }

  template <bool reads_runs> std::optional<Measurement> bandwidth(Report& report, std::size_t bytes) {
    const auto size_log2 = static_cast<unsigned>(std::bit_width(in_.size()) - 1); // a power of two
    const auto run_log2 = static_cast<unsigned>(std::bit_width(bytes / sizeof(uint4)) - 1);
    const Runs to{{size_log2 - run_log2}, run_log2, 0},
        from{to.shuffled, run_log2, 1u << (size_log2 - run_log2 - 1)};
    const auto blocks = static_cast<unsigned>(in_.size() / threads);
    const auto launch = [&](cudaStream_t stream) {
      copy_runs<reads_runs><<<blocks, threads, 0, stream>>>(in_.data(), out_.data(), from, to);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    out_.poison();
    differences_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize()); // the stream does not wait for what is done beside it
    launch(session_.stream);
    count_differences<reads_runs>
        <<<blocks, threads, 0, session_.stream>>>(out_.data(), from, to, differences_.data());
    session_.stream.synchronize();
    if (!report.verify(differences_.to_host()[0] == 0, "runs of " + std::to_string(bytes) + " B"))
      return std::nullopt;
    return middle_run(session_, [&] {
      return rate_of(sample(session_, usual(session_), launch), 2 * double(in_.bytes()));
    });
  }

private:
  Session& session_;
  Buffer<uint4> in_, out_;
  Buffer<unsigned long long> differences_;
};

ProbeResult run(Session& session) {
  Report report("DRAM copy by runs in shuffled order", {{"scattered", {}}, {"run", unit_of<Bytes>()}},
                "bandwidth", unit_of<BytesPerSecond>());
  Bench bench(session);
  for (const bool reads : {false, true})
    for (std::int64_t bytes = 128; bytes <= (session.quick() ? 256 : 4096); bytes *= 2) {
      const std::string scattered = reads ? "read and written" : "written";
      session.say("copy, runs of " + std::to_string(bytes) + " B " + scattered);
      const auto size = static_cast<std::size_t>(bytes);
      const auto bandwidth =
          reads ? bench.bandwidth<true>(report, size) : bench.bandwidth<false>(report, size);
      if (!bandwidth) return report.take();
      report.row({scattered, bytes}, *bandwidth, pin_limit(session));
      if (bytes == 128)
        report.constant(reads ? "sustained.dram.copy_both_lines" : "sustained.dram.copy_lines", *bandwidth);
      if (bytes == 256 && !reads) report.constant("sustained.dram.copy_runs", *bandwidth);
    }
  return report.take();
}

} // namespace

const Probe run_copy{
    "run-copy",
    "",
    "DRAM copy bandwidth that is left when runs of 128 B to 4 KiB are written, or read, too, in any order",
    {"sustained.dram.copy_lines", "sustained.dram.copy_runs", "sustained.dram.copy_both_lines"},
    run};

} // namespace perfmodel::kernels
