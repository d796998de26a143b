// The bandwidth of device memory that an access by many threads is held against: what such a stream sustains
// where somebody measured it, else the one sustained figure there is, else its estimate.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

namespace detail {
template <class T> auto stream_bandwidth(const Gpu& gpu, const Key<BytesPerSecond>& stream, T& trace) {
  const bool one_figure = !gpu.has_own(stream) && gpu.has_own(facts::sustained_dram);
  return trace.cost(gpu, one_figure ? facts::sustained_dram : stream);
}
} // namespace detail

// Throw InputError where device memory is not known at all.
template <class T> auto read_bandwidth(const Gpu& gpu, T& trace) {
  return detail::stream_bandwidth(gpu, facts::sustained_dram_read, trace);
}
template <class T> auto write_bandwidth(const Gpu& gpu, T& trace) {
  return detail::stream_bandwidth(gpu, facts::sustained_dram_write, trace);
}
// Of warps that write a line of 128 B at a time.
template <class T> auto write_lines_bandwidth(const Gpu& gpu, T& trace) {
  return gpu.has_cost(facts::sustained_dram_write_lines) ? trace.cost(gpu, facts::sustained_dram_write_lines)
                                                         : write_bandwidth(gpu, trace);
}
// Bytes read and bytes written.
template <class T> auto copy_bandwidth(const Gpu& gpu, T& trace) {
  return detail::stream_bandwidth(gpu, facts::sustained_dram_copy, trace);
}

// As much of it as comes through L2, where there is one.
template <class T, class Bandwidth>
Bandwidth through_l2(const Gpu& gpu, const Bandwidth& bandwidth, T& trace) {
  return gpu.has_cost(facts::sustained_l2) ? lesser(bandwidth, trace.cost(gpu, facts::sustained_l2))
                                           : bandwidth;
}

} // namespace perfmodel
