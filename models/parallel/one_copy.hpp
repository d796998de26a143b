// Time of one copy over the host link, term by term, for transfer.cpp, which explains each: templates,
// because a trace may record them.
#pragma once

#include "transfer.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

namespace perfmodel::one_copy {

// Which way the bytes go.
enum class Direction { in, back };
inline std::string with(const char* symbol, Direction way) {
  return std::string(symbol).append(way == Direction::in ? "(in)" : "(back)"); // of every point of a sweep
}

inline const Key<Seconds>& latency_key(const Transfer::Input& in, Direction way) {
  const bool pinned = in.memory == HostMemory::pinned;
  return way == Direction::in ? (pinned ? facts::host_in_latency : facts::host_in_pageable_latency)
                              : (pinned ? facts::host_back_latency : facts::host_back_pageable_latency);
}
inline const Key<BytesPerSecond>& bandwidth_key(const Transfer::Input& in, Direction way) {
  const bool pinned = in.memory == HostMemory::pinned;
  return way == Direction::in ? (pinned ? facts::host_in_bandwidth : facts::host_in_pageable_bandwidth)
                              : (pinned ? facts::host_back_bandwidth : facts::host_back_pageable_bandwidth);
}

// A link that is given by hand is taken as it is: with the latency that is given, or none.
inline bool has_alpha(const Gpu& gpu, const Transfer::Input& in, Direction way) {
  return in.latency || (!in.link && gpu.has_cost(latency_key(in, way)));
}
template <class T> auto alpha(const Gpu& gpu, const Transfer::Input& in, Direction way, T& trace) {
  return in.latency ? trace.input("alpha", *in.latency)
                    : trace.define(with("alpha", way), "time of a copy beside its bytes",
                                   trace.cost(gpu, latency_key(in, way)));
}

// What is known of how the driver stages pageable memory (staged_copy.hpp).
struct Staging {
  const Key<Bytes>& piece;
  const Key<BytesPerSecond>&first, &cached;
};
inline Staging staging(Direction way) {
  return way == Direction::in
             ? Staging{facts::host_in_pageable_piece, facts::host_in_pageable_piece_bandwidth,
                       facts::host_in_pageable_cached_bandwidth}
             : Staging{facts::host_back_pageable_piece, facts::host_back_pageable_piece_bandwidth,
                       facts::host_back_pageable_cached_bandwidth};
}
inline bool is_staged(const Gpu& gpu, const Transfer::Input& in, Direction way) {
  const Staging known = staging(way);
  return in.memory == HostMemory::pageable && !in.link && gpu.find(known.piece) && gpu.find(known.first);
}
inline Bytes bytes_of(const Transfer::Input& in, Direction way) {
  return way == Direction::in ? in.bytes : *in.back;
}

template <class T> auto beta(const Gpu& gpu, const Transfer::Input& in, Direction way, T& trace) {
  if (in.link) return trace.input("beta", *in.link);
  if (is_staged(gpu, in, way) && gpu.find(staging(way).cached) && gpu.find(facts::host_cache)) {
    const auto cache = trace.define("C", "bytes that the host's caches keep from copy to copy",
                                    trace.fact(gpu, facts::host_cache));
    if (bytes_of(in, way) <= value_of(cache))
      return trace.define(with("beta", way), "bandwidth of copies from and to the host's caches",
                          trace.fact(gpu, staging(way).cached));
  }
  const Key<BytesPerSecond>& measured = bandwidth_key(in, way);
  if (in.memory == HostMemory::pageable || gpu.has_own(measured))
    return trace.define(with("beta", way), "bandwidth of the link, one direction", trace.cost(gpu, measured));
  return trace.define("beta", "bandwidth of the link, one direction", trace.fact(gpu, facts::pcie_bandwidth));
}

// What the link takes for the bytes, without the latency.
template <class T> auto carried(const Gpu& gpu, const Transfer::Input& in, Direction way, T& trace) {
  const auto n = trace.input(with("n", way), bytes_of(in, way));
  if (!is_staged(gpu, in, way))
    return trace.define(with("t", way), "bytes over bandwidth", n / beta(gpu, in, way, trace));
  const auto piece = trace.define(with("s", way), "bytes that the driver stages in one piece",
                                  trace.fact(gpu, staging(way).piece));
  const auto first = lesser(n, piece) / trace.fact(gpu, staging(way).first);
  return trace.define(with("t", way), "the first piece, which nothing overlaps, and the rest",
                      value_of(n) <= value_of(piece) ? first
                                                     : first + (n - piece) / beta(gpu, in, way, trace));
}

template <class T> auto copy_time(const Gpu& gpu, const Transfer::Input& in, Direction way, T& trace) {
  const auto bytes = carried(gpu, in, way, trace);
  return trace.define(with("T", way), "time of the copy",
                      has_alpha(gpu, in, way) ? alpha(gpu, in, way, trace) + bytes : bytes);
}

// n / T(n) = beta / 2: at alpha beta, or, where the first piece is slower than the rest, later.
template <class T, class Alpha, class Beta>
Bytes half_rate_bytes(const Gpu& gpu, const Transfer::Input& in, Direction way, const Alpha& start,
                      const Beta& bandwidth, T& trace) {
  const char* const meaning = "bytes copied at half the bandwidth";
  if (!is_staged(gpu, in, way)) return value_of(trace.define("n(1/2)", meaning, start * bandwidth));
  const auto piece = trace.fact(gpu, staging(way).piece);
  const auto first = trace.fact(gpu, staging(way).first);
  const auto late = (start + piece / first) * bandwidth - piece;
  if (value_of(late) >= value_of(piece)) return value_of(trace.define("n(1/2)", meaning, late));
  const auto per_byte = trace.number(2.0) / bandwidth - trace.number(1.0) / first;
  return value_of(trace.define("n(1/2)", meaning, start / per_byte));
}

template <class T> Transfer::Copy copy(const Gpu& gpu, const Transfer::Input& in, Direction way, T& trace) {
  const Seconds time = value_of(copy_time(gpu, in, way, trace));
  const auto bandwidth = beta(gpu, in, way, trace);
  Transfer::Copy row{.direction = way == Direction::in ? "to the device" : "back",
                     .bytes = way == Direction::in ? in.bytes : *in.back,
                     .bandwidth = value_of(bandwidth),
                     .time = time};
  row.rate = row.bytes / time;
  if (!has_alpha(gpu, in, way)) return row;
  const auto start = alpha(gpu, in, way, trace);
  row.latency = value_of(start);
  row.half = half_rate_bytes(gpu, in, way, start, bandwidth, trace);
  return row;
}

} // namespace perfmodel::one_copy
