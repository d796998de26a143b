#include "segment_rate.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

template <class T> SegmentRate::Rate SegmentRate::predict(const Gpu& gpu, const Input& in, T& trace) {
  const auto memory = read_bandwidth(gpu, trace);
  const auto beta = through_l2(gpu, memory, trace);
  const auto rate = trace.cost(gpu, facts::dram_segment_rate);
  const auto full = trace.define("full_from", "bytes of a run from which the bandwidth is full", beta / rate);
  const auto bandwidth = trace.define("bandwidth", "bytes of the runs per second",
                                      lesser(beta, rate * trace.input("segment", in.segment)));
  return {in.segment, value_of(full), value_of(bandwidth),
          in.segment < value_of(full)         ? "number of runs"
          : value_of(beta) < value_of(memory) ? "bandwidth of L2"
                                              : "bandwidth"};
}

std::string SegmentRate::verdict(const Gpu&, const Input&, const Rate& rows) {
  if (std::isnan(rows.bandwidth.value))
    return fmt::format("What runs of {} get is not known: nobody has measured dram.segment_rate.",
                       in_words(rows.segment));
  if (rows.segment < rows.full)
    return fmt::format("Runs of {} get {}, {} of full bandwidth, which takes runs of {}.",
                       in_words(rows.segment), in_words(rows.bandwidth), in_percent(rows.segment / rows.full),
                       in_words(rows.full));
  return fmt::format("Runs of {} get full bandwidth, {}: {} are enough.", in_words(rows.segment),
                     in_words(rows.bandwidth), in_words(rows.full));
}

template SegmentRate::Rate SegmentRate::predict(const Gpu&, const Input&, Plain&);
template SegmentRate::Rate SegmentRate::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
