#include "segment_rate.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

template <class T> SegmentRate::Rate SegmentRate::predict(const Gpu& gpu, const Input& in, T& trace) {
  const bool read = gpu.record(facts::sustained_dram_read.path) != nullptr;
  const auto beta = trace.fact(gpu, read ? read_bandwidth_key(gpu) : copy_bandwidth_key(gpu));
  if (gpu.record(facts::dram_segment_rate.path) == nullptr)
    return {in.segment, Bytes(absent), BytesPerSecond(absent),
            "not known: nobody has measured dram.segment_rate (perfmodel measure sector-gather)"};
  const auto rate = trace.fact(gpu, facts::dram_segment_rate);
  const auto full = trace.define("full_from", "bytes of a run from which the bandwidth is full", beta / rate);
  const auto bandwidth = trace.define("bandwidth", "bytes of the runs per second",
                                      lesser(beta, rate * trace.input("segment", in.segment)));
  return {in.segment, value_of(full), value_of(bandwidth),
          in.segment < value_of(full) ? "number of runs" : "bandwidth"};
}

template SegmentRate::Rate SegmentRate::predict(const Gpu&, const Input&, Plain&);
template SegmentRate::Rate SegmentRate::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
