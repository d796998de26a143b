// Pi by the trapezoidal rule, and what the summation inside of a block is worth where each thread has much or
// little to add up before:
//   pi = 4 h (1/2 + sum over i = 1 .. n - 1 of sqrt(1 - (i h)^2)),   h = 1/n
// One wave of blocks, the points of a thread a grid apart; each block adds up its threads, one more block
// the sums of the blocks. The kernels of both launches are machine code, as nvcc made it of the tool's own
// (hwdb/kernels/pi); they are run and simulated as any kernel is (kernel_time.hpp).
// J. Verschelde, MCS 572, has both summations (the first and third version of `reduction`) and asks
// what they are worth here. The rule's error: 4 |zeta(-1/2)| sqrt(2) n^(-3/2), as sqrt(1 - x) has no
// derivative at its end (I. Navot, J. Math. Phys. 40, 1961). Assumes fp32, which adds an error of about 1e-7,
// and points whose square root is no special case.
#pragma once

#include "rung_views.hpp"

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

enum class PiVersion { interleaved, sequential, unsummed };
constexpr auto names(PiVersion) {
  return std::to_array<std::string_view>({"interleaved", "sequential", "unsummed"});
}

struct Pi {
  static constexpr ModelInfo info{
      .name = "pi",
      .summary = "Pi by the trapezoidal rule: what a block's summation costs beside the work of its threads",
      .equation = "time = two launches, simulated warp by warp; share = 1 - T(unsummed) / T(version)",
      .source = "Verschelde, MCS 572; Navot 1961",
      .reading = "Unsummed is the first launch without a summation: what there is to gain. Share is all that "
                 "the summation takes, the second launch with it.",
      .tolerance = 0.15,
      .chart = ChartKind::lines,
      .x = "n",
      .y = "share",
      .series = "version",
      .log_x = true,
      .simulated = true,
      .examples = "--hw h200 --n 65536"};

  struct Input {
    std::optional<PiVersion> version;
    Count n = 16777216;
    Count threads = 256;
    RungView view = RungView::summary;
    static void fields(auto& field) {
      field(&Input::version, "version", "one summation (default: both, and none)");
      field(&Input::n, "n", "intervals, at most 2^31", Range::whole);
      field(&Input::threads, "threads", "threads of a block, a power of two from 32 to 1024", Range::whole);
      field(&Input::view, "view", rung_view_help);
    }
  };

  struct Row {
    static constexpr std::string_view title = "versions";
    PiVersion version{};
    Count n = 0, threads = 0;
    Seconds time;
    double share = 0, gain = absent, rate = 0;
    Count blocks = 0;
    double per_thread = 0, instructions = 0, rule_error = 0;
    std::string bound;
    static void fields(auto& field) {
      using R = Row;
      field(&R::version, "version", "how a block adds up its threads", Range::any, Role::key);
      field(&R::n, "n", "intervals", Range::whole, Role::key);
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::time, "time", "of both launches");
      field(&R::share, "share", "of the time that the summation takes", Range::any, Role::predicted,
            "fraction");
      field(&R::gain, "gain", "speed-up over the version before");
      field(&R::rate, "rate", "intervals over time", Range::any, Role::predicted, "intervals/s");
      field(&R::blocks, "blocks", "of the first launch", Range::any, Role::predicted, "blocks");
      field(&R::per_thread, "per_thread", "intervals of a thread", Range::any, Role::predicted, "intervals");
      field(&R::instructions, "instructions", "of warps", Range::any, Role::predicted, "instructions");
      field(&R::rule_error, "rule_error", "by which the rule misses pi, were its sums exact");
      field(&R::bound, "bound", "what holds the first launch there", Range::any, Role::note);
    }
  };

  // Throws InputError: more intervals than a thread can count, blocks that no tree adds up, a missing fact;
  // LaunchError: blocks that do not launch.
  using Tables = LadderTables<Row>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
