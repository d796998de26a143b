// What device memory loses when blocks change an array in place by parts of its lines of 128 bytes: 1 GiB,
// enough to leave L2 out, each word read, raised by one and written back where it was. Each block changes as
// many bytes of a row, 32 to 128, of many rows; the block that is launched next to it changes what follows,
// at about the same time. Where both have a part of a line, one reads its part from device memory when L2
// holds what the other has changed. (On an H200, 26 November 2026: 2.3 TB/s by 64 bytes, 4.0 by 128. Copies
// to another array by 64 bytes reach 3.8, and so do changes whose block has all of the line or comes long
// after: neither alone is slow.)
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <optional>
#include <string>

namespace perfmodel::kernels {
namespace change_in_place_probe {
namespace {

constexpr int threads = 256, planes = 4;     // words of a thread, a plane apart, so that launches do not bind
constexpr std::size_t row_bytes = 32u << 10; // of the array

struct Part { // of a row
  unsigned words_log2;
  // Where thread and block find their word of 8 bytes in a plane.
  __device__ std::size_t operator()(std::uint32_t thread, std::uint32_t block) const {
    const std::uint32_t parts = row_bytes / sizeof(uint2) >> words_log2, rows = threads >> words_log2;
    const std::size_t row = std::size_t{block / parts} * rows + (thread >> words_log2);
    return row * (row_bytes / sizeof(uint2)) + ((block % parts) << words_log2) +
           (thread & ((1u << words_log2) - 1));
  }
};

__global__ void __launch_bounds__(threads) change(uint2* words, std::size_t plane, Part part) {
  uint2* const mine = words + part(threadIdx.x, blockIdx.x);
  uint2 read[planes];
#pragma unroll
  for (int p = 0; p < planes; ++p) read[p] = mine[p * plane];
#pragma unroll
  for (int p = 0; p < planes; ++p) mine[p * plane] = make_uint2(read[p].x + 1, read[p].y + 1);
}

__global__ void count_differences(const uint2* words, unsigned long long* differences) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x;
  const uint2 got = words[i];
  if (got.x != pattern(2 * i) + 1 || got.y != pattern(2 * i + 1) + 1) atomicAdd(differences, 1ull);
}

class Bench {
public:
  explicit Bench(Session& session)
      : session_(session), words_(session.buffer_bytes(std::size_t{1} << 30) / sizeof(uint4)),
        differences_(1) {}

  std::optional<Measurement> bandwidth(Report& report, std::size_t bytes) {
    unsigned words_log2 = 0;
    while ((sizeof(uint2) << words_log2) < bytes) ++words_log2;
    uint2* const words = reinterpret_cast<uint2*>(words_.data());
    const std::size_t count = words_.bytes() / sizeof(uint2), plane = count / planes;
    const auto blocks = static_cast<unsigned>(plane / threads);
    const auto launch = [&](cudaStream_t stream) {
      change<<<blocks, threads, 0, stream>>>(words, plane, Part{words_log2});
      PERFMODEL_CUDA(cudaGetLastError());
    };
    fill_pattern(words_.data(), words_.size(), session_.stream);
    differences_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize()); // the stream does not wait for what is done beside it
    launch(session_.stream);
    count_differences<<<static_cast<unsigned>(count / threads), threads, 0, session_.stream>>>(
        words, differences_.data());
    session_.stream.synchronize();
    if (!report.verify(differences_.to_host()[0] == 0, "words changed by " + std::to_string(bytes) + " B"))
      return std::nullopt;
    return middle_run(session_, [&] {
      return rate_of(sample(session_, usual(session_), launch), 2 * double(words_.bytes()));
    });
  }

private:
  Session& session_;
  Buffer<uint4> words_;
  Buffer<unsigned long long> differences_;
};

ProbeResult run(Session& session) {
  Report report("DRAM change in place", {{"part", unit_of<Bytes>()}}, "bandwidth", unit_of<BytesPerSecond>());
  Bench bench(session);
  for (const std::int64_t bytes : {64, 128, 32}) {
    session.say("changes in place, " + std::to_string(bytes) + " B of a row");
    const auto bandwidth = bench.bandwidth(report, static_cast<std::size_t>(bytes));
    if (!bandwidth) break;
    report.row({bytes}, *bandwidth, pin_limit(session));
    if (bytes == 64) report.constant("sustained.dram.change_halves", *bandwidth);
  }
  return report.take();
}

} // namespace
} // namespace change_in_place_probe

extern const Probe change_in_place{
    .name = "change-in-place",
    .order = 352,
    .measures = "DRAM bandwidth that is left where blocks change parts of lines in place, 32 to 128 B",
    .provides = {"sustained.dram.change_halves"},
    .run = change_in_place_probe::run};

} // namespace perfmodel::kernels
