// Segment rate: device memory opens a row for each isolated run of consecutive bytes, whatever its length.
//   bandwidth(s) = min(B, R x s),   from s = B / R on the bandwidth is full
// R isolated runs per second (constant dram.segment_rate, of all partitions), B the bandwidth of a read-only
// stream, or of a copy where only that is known, and no more than what L2 hands to the SMs. Assumes runs that
// nothing asks for beside them at the same time, aligned and of whole transactions. Our own, on the published
// copy by columns of a GTX 280.
#pragma once

#include "models/core/model.hpp"

#include <string>

namespace perfmodel {

struct SegmentRate {
  static constexpr ModelInfo info{
      .name = "segment-rate",
      .summary = "Segment rate: the bandwidth of device memory for isolated runs of consecutive bytes",
      .equation = "bandwidth = min(B, R x segment)",
      .source = "own; Filipovic 2010, copy by columns",
      .reading = "Below B / R bytes the number of runs decides, not their length.",
      .tolerance = 0.20,
      .chart = ChartKind::lines,
      .x = "segment",
      .y = "bandwidth",
      .series = "gpu",
      .log_x = true,
      .log_y = true,
      .examples = "--hw gtx280,h200 --segment 32:256:*2"};

  struct Input {
    Bytes segment{128};
    static void fields(auto& field) { field(&Input::segment, "segment", "consecutive bytes of a run"); }
  };

  struct Rate {
    static constexpr std::string_view title = "runs of consecutive bytes";
    Bytes segment, full;
    BytesPerSecond bandwidth;
    std::string bound;
    static void fields(auto& field) {
      using R = Rate;
      field(&R::segment, "segment", "consecutive bytes of a run", Range::positive, Role::key);
      field(&R::full, "full_from", "bytes of a run from which the bandwidth is full");
      field(&R::bandwidth, "bandwidth", "bytes of the runs per second");
      field(&R::bound, "bound", "what limits it", Range::any, Role::note);
    }
  };

  template <class T> static Rate predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Rate&);
};

} // namespace perfmodel
