// What the link between host and GPU takes, and leaves of a kernel's gain.
//   T(n) = alpha + n / beta                              R. W. Hockney's alpha and beta; n(1/2) = alpha beta
//   gain = (T + before) / (T + after)                    G. M. Amdahl, 1967: the copies are not made faster
//   T(c) = sum / c + (1 - 1 / c) longest + c k alpha     c chunks, copied while others compute; k copies a
//   chunk
//   T(both) = alpha + n / r + (m - r' n / r) / beta'     copies both ways at once; n is done first, of m the
//   rest follows alone
// sum is that of copy in, kernel and copy out, longest the longest of the three; with one copy engine both
// copies share it. Least at c = sqrt((sum - longest) / (k alpha)). r and r' are max-min fair: each direction
// at its own rate, where what both can take together, the link and the host's memory, is not less. A link
// that is given by hand is taken to carry both. Assumes pinned memory, a kernel whose time is in proportion
// to its data, and a latency that nothing hides. Pageable memory is staged through pinned memory by the
// driver (staged_copy.hpp): the first piece of s bytes has a rate of its own, because nothing overlaps it,
// and the rest is copied at the rate at which the host's caches give it, or beyond them its memory. Both
// belong to the host as much as to the GPU: bandwidths are measured or given, never inherited, and a latency
// that nobody measured is assumed.
#pragma once

#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

// Host memory that a GPU copies by itself, or that the driver copies for it first.
enum class HostMemory { pinned, pageable };
constexpr auto names(HostMemory) { return std::to_array<std::string_view>({"pinned", "pageable"}); }

struct Transfer {
  static constexpr ModelInfo info{
      .name = "transfer",
      .summary = "Transfer: what the link to the host takes, and what it leaves of a kernel's gain",
      .equation = "T = alpha + bytes / beta; T(c) = sum / c + (1 - 1 / c) longest + c alpha",
      .source = "Hockney, Parallel Computing 20(3), 1994; Vuduc 2014, slide 3",
      .reading =
          "Copy less, keep data on the device, copy large pieces, and copy while kernels run: then only "
          "the longest of copy in, kernel and copy out counts.",
      .tolerance = 0.10,
      .chart = ChartKind::lines,
      .x = "bytes",
      .y = "time",
      .series = "gpu",
      .fuller_y = "kernel_gain,total_gain",
      .log_x = true,
      .log_y = true,
      .communication = true,
      .examples = "--hw m2090 --bytes 64MiB --link 6GB/s; --hw m2090 --bytes 64MiB --link 6GB/s --before "
                  "7.7ms --after 0.65ms"};

  struct Input {
    Bytes bytes{67108864}; // 2^24 numbers of 4 B
    std::optional<Bytes> back;
    std::optional<BytesPerSecond> link, both;
    std::optional<Seconds> latency, before, after;
    std::optional<Count> chunks;
    std::optional<Count> engines;
    HostMemory memory = HostMemory::pinned;
    std::optional<Count> copies;
    static void fields(auto& field) {
      field(&Input::bytes, "bytes", "bytes copied to the device");
      field(&Input::back, "back", "bytes copied back (default: none)");
      field(&Input::link, "link",
            "bandwidth of the link in one direction (default: measured, else what PCI "
            "Express carries at most)");
      field(&Input::both, "both",
            "bandwidth of both directions at once, together (default: measured, else assumed; with --link "
            "each direction's)");
      field(&Input::latency, "latency",
            "time of a copy beside its bytes (default: measured, else assumed; with --link none)",
            Range::not_negative);
      field(&Input::before, "before", "time of the kernel before it was made faster");
      field(&Input::after, "after", "time of the kernel after that");
      field(&Input::chunks, "chunks", "pieces in which data are copied while others compute", Range::whole);
      field(&Input::engines, "engines",
            "copy engines: 2 copy both ways at once, 1 does not (default: as many as the GPU has, else 2)",
            Range::whole);
      field(&Input::memory, "memory", "host memory");
      field(&Input::copies, "copies", "pieces that are copied one by one: against all in one copy",
            Range::whole);
    }
  };

  struct Copy {
    static constexpr std::string_view title = "copies";
    std::string direction;
    Bytes bytes;
    BytesPerSecond bandwidth;
    Seconds latency{absent}, time;
    BytesPerSecond rate;
    Bytes half{absent};
    static void fields(auto& field) {
      using R = Copy;
      field(&R::direction, "direction", "to the device, back, or both at once", Range::any, Role::key);
      field(&R::bytes, "bytes", "bytes copied", Range::positive, Role::key);
      field(&R::bandwidth, "bandwidth", "bandwidth of the link; of both directions together");
      field(&R::latency, "latency", "time beside the bytes; empty: left out", Range::any, Role::note);
      field(&R::time, "time", "time of the copy");
      field(&R::rate, "rate", "bytes over time");
      field(&R::half, "half_rate_bytes", "bytes that are copied at half the bandwidth");
    }
  };

  struct Gain {
    static constexpr std::string_view title = "what is left of the gain";
    Bytes bytes;
    Seconds before, after, copies;
    double kernel = 0;
    Seconds total_before, total_after;
    double total = 0, most = 0;
    static void fields(auto& field) {
      using R = Gain;
      field(&R::bytes, "bytes", "bytes copied to the device", Range::positive, Role::key);
      field(&R::before, "before", "kernel before", Range::positive, Role::key);
      field(&R::after, "after", "kernel after", Range::positive, Role::key);
      field(&R::kernel, "kernel_gain", "before over after", Range::any, Role::predicted, "times");
      field(&R::copies, "copies", "time of all copies");
      field(&R::total_before, "total_before", "copies and kernel before");
      field(&R::total_after, "total_after", "copies and kernel after");
      field(&R::total, "total_gain", "one over the other", Range::any, Role::predicted, "times");
      field(&R::most, "most_gain", "with a kernel that takes no time", Range::any, Role::predicted, "times");
    }
  };

  struct Overlap {
    static constexpr std::string_view title = "copied in chunks, while others compute";
    std::string kernel;
    Count chunks = 1;
    Seconds time;
    double gain = 1;
    std::string bound;
    static void fields(auto& field) {
      using R = Overlap;
      field(&R::kernel, "kernel", "kernel before or after", Range::any, Role::key);
      field(&R::chunks, "chunks", "pieces", Range::whole, Role::key);
      field(&R::time, "end_to_end", "copies and kernel");
      field(&R::gain, "chunk_gain", "over a single piece", Range::any, Role::predicted, "times");
      field(&R::bound, "longest", "what all others wait for", Range::any, Role::note);
    }
  };

  struct Best {
    static constexpr std::string_view title = "best number of chunks";
    std::string kernel;
    Count chunks = 1;
    Seconds time;
    static void fields(auto& field) {
      using R = Best;
      field(&R::kernel, "kernel", "kernel before or after", Range::any, Role::key);
      field(&R::chunks, "best_chunks", "whole pieces with the least time", Range::any, Role::predicted,
            "chunks");
      field(&R::time, "best_time", "end to end");
    }
  };

  struct Batch {
    static constexpr std::string_view title = "one by one, or all in one copy";
    Count copies = 1;
    Bytes piece;
    Seconds apart, together;
    double gain = 1;
    static void fields(auto& field) {
      using R = Batch;
      field(&R::copies, "copies", "pieces", Range::whole, Role::key);
      field(&R::piece, "piece", "bytes of each");
      field(&R::apart, "apart", "time of all pieces, one by one");
      field(&R::together, "together", "time of one copy of all");
      field(&R::gain, "batch_gain", "one over the other", Range::any, Role::predicted, "times");
    }
  };

  using Tables = std::tuple<std::vector<Copy>, std::vector<Gain>, std::vector<Overlap>, std::vector<Best>,
                            std::vector<Batch>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  // Copies of a few kB start sooner than the line says, and pageable memory is copied at the rate at which
  // the host's caches or its memory give it away.
  static double tolerance(const Gpu& gpu, const Input& in);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
