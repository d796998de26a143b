// Constant memory read at addresses that may differ from lane to lane. The table and its kernels are in
// constant_reads.cu: a table in a header would be another one in every file that includes it.
#pragma once

#include "kernels/probes/access/lane_offsets.hpp"
#include "kernels/probes/access/span_bench.hpp"

#include <cstdint>
#include <functional>

namespace perfmodel::kernels {

// The first `words` words, one after the other round the lanes.
inline LaneOffsets distinct_words(int words) {
  LaneOffsets offsets{};
  for (int lane = 0; lane < lanes_of_warp; ++lane)
    offsets.byte[lane] = static_cast<unsigned>(lane % words) * 4;
  return offsets;
}

enum class ConstantLoads { independent, independent_64, dependent }; // of 32 bits, or of 64 at even words

// One block of some warps on every SM.
class ConstantBench {
public:
  ConstantBench(Session& session, int warps);

  bool right(const LaneOffsets& offsets, ConstantLoads loads);

  // Cycles of an SM per load of one of its warps.
  Measurement cycles(const LaneOffsets& offsets, ConstantLoads loads);

private:
  std::function<void(int)> launch(const LaneOffsets& offsets, ConstantLoads loads);

  SpanBench bench_;
  std::uint32_t base_ = 0;
};

} // namespace perfmodel::kernels
