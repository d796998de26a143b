// Blocks on every SM that leave a word of each thread, and when they started and stopped.
#pragma once

#include "kernels/core/pattern.cuh"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <cstdint>
#include <functional>
#include <vector>

namespace perfmodel::kernels {

class SpanBench {
public:
  SpanBench(Session& session, int blocks_per_sm, int threads)
      : session_(session), blocks_per_sm_(blocks_per_sm), threads_(threads),
        blocks_(session.device.sm_count() * blocks_per_sm), out_(std::size_t(blocks_) * std::size_t(threads)),
        spans_(std::size_t(blocks_)) {}

  unsigned blocks() const { return static_cast<unsigned>(blocks_); }
  unsigned threads() const { return static_cast<unsigned>(threads_); }
  cudaStream_t stream() const { return session_.stream; }
  std::uint32_t* out() { return out_.data(); }
  BlockSpan* spans() { return spans_.data(); }
  std::vector<std::uint32_t> words() const { return out_.to_host(); }

  // Whether thread i leaves `want(i)` after `trips` trips.
  template <class Want> bool right(int trips, const std::function<void(int trips)>& launch, Want want) {
    out_.poison();
    launch(trips);
    session_.stream.synchronize();
    const std::vector<std::uint32_t> got = words();
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != want(i)) return false;
    return true;
  }

  // Cycles of an SM per load of one of its warps, each of which has `loads` in a trip.
  Measurement cycles(double loads, const std::function<void(int trips)>& launch) const {
    constexpr int warp = 32;
    Measurement m = cycles_per_trip(session_, spans_, blocks_per_sm_, launch);
    for (double& value : m.values) value /= loads * blocks_per_sm_ * threads_ / warp;
    return m;
  }

private:
  Session& session_;
  int blocks_per_sm_, threads_, blocks_;
  Buffer<std::uint32_t> out_;
  Buffer<BlockSpan> spans_;
};

// The words 0, 1, 2, .. of pattern.cuh for the blocks to read.
inline Buffer<uint4> pattern_of(std::size_t vectors, Session& session) {
  Buffer<uint4> data(vectors);
  fill_pattern(data.data(), data.size(), session.stream);
  session.stream.synchronize();
  return data;
}

} // namespace perfmodel::kernels
