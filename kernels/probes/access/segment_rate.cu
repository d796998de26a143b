// DRAM read bandwidth over the length of contiguous segments: 8 GiB are read once, segment after segment in
// shuffled order, a segment's 16-byte vectors by neighbouring threads. Segments are aligned to their length.
// The rate of isolated segments is not taken from here but from sector_gather.cu, so that these rows are
// predicted.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/read_order.cuh"
#include "kernels/probes/access/shuffled.hpp"

#include <bit>

namespace perfmodel::kernels {
namespace segment_rate_probe {
namespace {

struct ShuffledSegments {
  Shuffled shuffled;
  unsigned vectors_log2; // of a segment

  __device__ std::size_t operator()(std::size_t n) const {
    const auto segment = static_cast<std::uint32_t>(n >> vectors_log2);
    const std::size_t vector = n & ((std::size_t{1} << vectors_log2) - 1);
    return (std::size_t{shuffled(segment)} << vectors_log2) + vector;
  }
};

ProbeResult run(Session& session) {
  Report report("DRAM read by segments in shuffled order", {{"segment", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Buffer<uint4> data(session.buffer_bytes(std::size_t{8} << 30) / sizeof(uint4));
  fill_pattern(data.data(), data.size(), session.stream);
  const auto size_log2 = static_cast<unsigned>(std::bit_width(data.size()) - 1); // a power of two
  for (std::int64_t segment = 32; segment <= 4096; segment *= session.quick() ? 4 : 2) {
    session.say("segments of " + std::to_string(segment) + " B");
    const auto vectors_log2 =
        static_cast<unsigned>(std::bit_width(static_cast<std::size_t>(segment) / sizeof(uint4)) - 1);
    const ShuffledSegments order{{size_log2 - vectors_log2}, vectors_log2};
    const auto bandwidth = bandwidth_in_order(session, report, data, data.size(), order,
                                              "segments of " + std::to_string(segment) + " B");
    if (!bandwidth) break;
    report.row({segment}, *bandwidth, pin_limit(session));
  }
  return report.take();
}

} // namespace
} // namespace segment_rate_probe

extern const Probe segment_rate{
    .name = "segment-rate",
    .order = 360,
    .model = "segment-rate",
    .measures = "DRAM read bandwidth of contiguous segments in shuffled order, 32 B to 4 KiB",
    .run = segment_rate_probe::run};

} // namespace perfmodel::kernels
