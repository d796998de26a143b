// What L2 keeps of data that all SMs read: each SM reads the same array again and again, one launch a pass.
// Where L2 has two halves either keeps a copy of what its SMs read, so that about half of L2 is left to them.
// Counted are the sectors that come from device memory in each pass after the first.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>

namespace perfmodel::kernels {
namespace l2_shared_probe {
namespace {

constexpr unsigned threads = 1024;
constexpr int passes = 4; // counted, after one that is not

__global__ void __launch_bounds__(threads)
    read_all(const uint4* data, std::size_t vectors, std::uint32_t* total, bool report) {
  std::uint32_t sum = 0;
#pragma unroll 4
  for (std::size_t i = threadIdx.x; i < vectors; i += threads)
    sum += sum_of(__ldcg(data + i)); // not kept in L1
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

class Shared {
public:
  explicit Shared(Session& session)
      : session_(session), blocks_(static_cast<unsigned>(session.device.sm_count())),
        l2_(static_cast<std::size_t>(session.device.properties.l2CacheSize)), data_(l2_ / sizeof(uint4)),
        total_(1) {
    fill_pattern(data_.data(), data_.size(), session.stream);
    session.stream.synchronize();
  }

  std::size_t l2() const { return l2_; }
  void pass(std::size_t bytes, bool with_sum = false) {
    read_all<<<blocks_, threads, 0, session_.stream>>>(data_.data(), bytes / sizeof(uint4), total_.data(),
                                                       with_sum);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  bool right(std::size_t bytes) {
    total_.clear();
    pass(bytes, true);
    session_.stream.synchronize();
    return total_.to_host()[0] == blocks_ * pattern_sum(0, bytes / 4);
  }
  unsigned blocks() const { return blocks_; }

private:
  Session& session_;
  unsigned blocks_;
  std::size_t l2_;
  Buffer<uint4> data_;
  Buffer<std::uint32_t> total_;
};

// Of L2: steps of a thirtieth.
std::vector<std::size_t> footprints(const Shared& shared, bool quick) {
  std::vector<std::size_t> list;
  for (std::size_t part = 8; part <= 30; part += quick ? 6 : 1)
    list.push_back(shared.l2() / 30 * part / threads * threads);
  return list;
}
const std::vector<KeyColumn> keys{{"bytes", unit_of<Bytes>()}};

ProbeResult run(Session& session) {
  session.say("L2: what all SMs read");
  Report report("array that every SM reads", keys, "bandwidth", unit_of<BytesPerSecond>());
  Shared shared(session);
  for (const std::size_t bytes : footprints(shared, session.quick())) {
    if (!report.verify(shared.right(bytes), "sum of " + std::to_string(bytes) + " B")) break;
    const auto launch = [&](cudaStream_t) { shared.pass(bytes); };
    report.row({static_cast<std::int64_t>(bytes)},
               rate_of(sample(session, usual(session), launch), double(bytes) * shared.blocks()));
  }
  return report.take();
}

ProbeResult count(Session& session) {
  session.say("counting: what L2 keeps of what all SMs read");
  Report report("sectors that L2 had not kept of an array that every SM reads", keys, {{"share", {}}});
  Shared shared(session);
  Counters counters(session, {"lts__d_sectors_fill_device.sum"});
  double kept = 0, before = 0; // bytes, share
  bool half = false;
  for (const std::size_t bytes : footprints(shared, session.quick())) {
    if (!report.verify(shared.right(bytes), "sum of " + std::to_string(bytes) + " B")) break;
    const auto once = [&] {
      for (int i = 0; i < passes; ++i) shared.pass(bytes);
    };
    const double share = counters.count(once, [&] { shared.pass(bytes); })[0] * 32 / (double(bytes) * passes);
    report.row({static_cast<std::int64_t>(bytes)}, {share});
    if (share < 0.5 && !half) kept = double(bytes), before = share;
    // Between the last that was mostly kept and the first that was not, where half of it is.
    if (share >= 0.5 && !half && kept > 0)
      half = true, kept += (double(bytes) - kept) * (0.5 - before) / (share - before);
  }
  if (half) report.constant("l2.shared_capacity", {{kept}, {}});
  return report.take();
}

} // namespace
} // namespace l2_shared_probe

extern const Probe l2_shared{.name = "l2-shared",
                             .order = 460,
                             .measures = "bytes per second at which all SMs read one array from L2",
                             .provides = {"l2.shared_capacity"},
                             .run = l2_shared_probe::run,
                             .count = l2_shared_probe::count,
                             .counts = "share of an array that all SMs read and L2 does not keep"};

} // namespace perfmodel::kernels
