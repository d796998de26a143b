// Copies in chunks beside a kernel: one chunk is copied in while another is computed and a third copied back.
#pragma once

#include "one_copy.hpp"
#include "transfer.hpp"

#include "models/core/trace.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::copy_pipeline {

using namespace one_copy;

inline constexpr Count shown_chunks[] = {1, 2, 4, 8, 16};

// Whether copies wait for the kernel and for one another: there is no engine for them, or the host has a part
// in them.
inline bool overlaps_nothing(const Transfer::Input& in) {
  return in.engines == 0 || in.memory == HostMemory::pageable;
}

// Whether copies run both ways at once: through two engines, from memory that the GPU reads and writes
// itself.
inline bool has_both(const Transfer::Input& in) {
  return in.back && in.engines == 2 && in.memory == HostMemory::pinned;
}
// Whether both together are limited by more than each by itself.
inline bool shares(const Gpu& gpu, const Transfer::Input& in) {
  return has_both(in) && (in.both || (!in.link && gpu.has_cost(facts::host_both_bandwidth)));
}
template <class T> auto together(const Gpu& gpu, const Transfer::Input& in, T& trace) {
  return in.both ? trace.input("B", *in.both)
                 : trace.define("B", "bandwidth of both directions together",
                                trace.cost(gpu, facts::host_both_bandwidth));
}

struct Kernel {
  const char* name; // "before" or "after"
  Seconds time;
};

struct Pipeline {
  Seconds time, sum, longest;
  const char* bound;
};

// The latencies of one chunk's copies.
template <class T> auto per_chunk(const Gpu& gpu, const Transfer::Input& in, T& trace) {
  const auto to = alpha(gpu, in, Direction::in, trace);
  return in.back ? to + alpha(gpu, in, Direction::back, trace) : to;
}

// One chunk is copied in while another is computed and a third is copied back.
template <class T>
Pipeline pipeline(const Gpu& gpu, const Transfer::Input& in, Kernel of, Count chunks, T& trace) {
  const auto to = carried(gpu, in, Direction::in, trace);
  const auto kernel = trace.input(of.name, of.time);
  const auto back = in.back ? carried(gpu, in, Direction::back, trace) : to;
  const auto c = trace.input("c", chunks), one = trace.number(1.0);
  const auto sum =
      trace.define("sum", "copy in, kernel and copy back", in.back ? to + kernel + back : to + kernel);
  const auto each = !in.back ? to : in.engines == 1 ? to + back : greater(to, back);
  const auto copies =
      shares(gpu, in) ? greater(each, (trace.input("n(in)", in.bytes) + trace.input("n(back)", *in.back)) /
                                          together(gpu, in, trace))
                      : each;
  const auto longest = trace.define("longest", "of those that run at the same time", greater(copies, kernel));
  const auto flow = sum / c + (one - one / c) * longest;
  const auto time =
      trace.define("T(c)", "end to end in c chunks",
                   has_alpha(gpu, in, Direction::in) ? flow + c * per_chunk(gpu, in, trace) : flow);
  const char* bound = value_of(kernel) >= value_of(copies) ? "the kernel"
                      : in.back && in.engines == 1         ? "both copies"
                      : value_of(copies) > value_of(each)  ? "both copies, which share the link"
                      : value_of(to) >= value_of(back)     ? "the copy to the device"
                                                           : "the copy back";
  return {value_of(time), value_of(sum), value_of(longest), bound};
}

// The whole number beside the real one at which the derivative vanishes.
template <class Time> Count best_chunks(const Pipeline& p, Seconds latency, Count most, Time time) {
  const Count low =
      std::clamp(std::floor(std::sqrt((p.sum - p.longest) / latency)), 1.0, std::max(1.0, most));
  const Count high = std::clamp(low + 1, 1.0, std::max(1.0, most));
  return time(low) <= time(high) ? low : high;
}

// Time in more and more chunks, and the best of all.
template <class T>
void add_overlaps(const Gpu& gpu, const Transfer::Input& in, Kernel kernel, Transfer::Tables& tables,
                  T& trace) {
  auto& overlaps = std::get<std::vector<Transfer::Overlap>>(tables);
  Plain plain;
  const auto in_chunks = [&](Count c) { return pipeline(gpu, in, kernel, c, plain); };
  const Pipeline serial = in_chunks(1);
  const auto add = [&](Count c) {
    const Pipeline p = in_chunks(c);
    overlaps.push_back({kernel.name, c, p.time, serial.time / p.time, p.bound});
  };
  if (in.chunks) add(*in.chunks);
  for (const Count c : shown_chunks)
    if (!in.chunks && c <= (overlaps_nothing(in) ? 1 : std::max(1.0, in.bytes.value))) add(c);
  pipeline(gpu, in, kernel, overlaps.back().chunks, trace); // one is explained, the last
  if (!has_alpha(gpu, in, Direction::in) || overlaps_nothing(in)) return;
  const Seconds latency = per_chunk(gpu, in, plain);
  if (!(latency > Seconds(0))) return; // without it more chunks are always better
  const Count c =
      best_chunks(serial, latency, in.bytes.value, [&](Count chunks) { return in_chunks(chunks).time; });
  std::get<std::vector<Transfer::Best>>(tables).push_back({kernel.name, c, in_chunks(c).time});
}

} // namespace perfmodel::copy_pipeline
