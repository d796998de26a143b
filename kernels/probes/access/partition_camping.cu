// Whether blocks that read at equal distances camp on few memory partitions: pieces of 256 bytes (the width
// of a partition on G80 and GT200) are read in the order 0, D, 2 D, ... through the whole buffer, then 256,
// D + 256, ... The grid starts its blocks in order, so at any time all pieces in flight lie at multiples of D
// from each other; where the partition is an address modulo a number, a D that is a multiple of the
// partitions meets one of them alone. Every byte is read once whatever D is. 2 GiB: enough to leave L2 out,
// and little enough for the translation of addresses.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/read_order.cuh"

namespace perfmodel::kernels {
namespace partition_camping_probe {
namespace {

constexpr std::size_t piece = 256 / sizeof(uint4); // vectors

struct AtDistance {
  std::size_t distance; // vectors
  std::uint32_t pieces; // at one offset

  __device__ std::size_t operator()(std::size_t n) const {
    const auto index = static_cast<std::uint32_t>(n / piece);
    return index % pieces * distance + index / pieces * piece + n % piece;
  }
};

ProbeResult run(Session& session) {
  Report report("DRAM read at equal distances", {{"distance", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Buffer<uint4> data(session.buffer_bytes(std::size_t{2} << 30) / sizeof(uint4));
  fill_pattern(data.data(), data.size(), session.stream);
  const std::vector<std::size_t> multiples =
      session.quick() ? std::vector<std::size_t>{1, 8, 256}
                      : std::vector<std::size_t>{1,  2,  3,  4,  5,  6,  7,   8,   12,  16, 24,
                                                 32, 47, 48, 64, 94, 96, 128, 188, 192, 256};
  for (const std::size_t multiple : multiples) {
    const auto bytes = static_cast<std::int64_t>(multiple * piece * sizeof(uint4));
    session.say("streams " + std::to_string(bytes) + " B apart");
    // As many pieces at one offset as make every block full.
    const std::size_t distance = multiple * piece, block = order_threads * order_loads / piece;
    const std::size_t pieces = data.size() / distance / block * block;
    const AtDistance order{distance, static_cast<std::uint32_t>(pieces)};
    const auto bandwidth = bandwidth_in_order(session, report, data, pieces * distance, order,
                                              std::to_string(bytes) + " B apart");
    if (!bandwidth) break;
    report.row({bytes}, *bandwidth, pin_limit(session));
  }
  return report.take();
}

} // namespace
} // namespace partition_camping_probe

extern const Probe partition_camping{.name = "partition-camping",
                                     .order = 370,
                                     .model = "partition-camping",
                                     .measures = "DRAM read bandwidth of streams 256 B to 64 KiB apart",
                                     .run = partition_camping_probe::run};

} // namespace perfmodel::kernels
