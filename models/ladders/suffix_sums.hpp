// Suffix sums in a block, a[t] = a[t] + .. + a[n - 1], by the exercise's steps s = 1, 2, 4, .. below n:
//   if (t + s < n) a[t] += a[t + s]
// and what keeps the threads in step: two barriers around each store, two buffers and one barrier, nothing,
// or warps that exchange registers and meet once. J. Verschelde, "Warps and Reduction Algorithms"; the step
// is W. D. Hillis' and G. L. Steele's, CACM 29(12), 1986: ceil(lg n) steps, n ceil(lg n) - 2^ceil(lg n) + 1
// additions where a serial sum needs n - 1.
// Launches are those of kernels/probes/ladders/suffix_sums.cu, run from their machine code
// (hwdb/kernels/suffix-sums, simulate/kernel_time.hpp). `cycles` is one scan of several in a row, from
// register to register, by a block that has its SM for itself; `time` is a launch of `blocks` blocks that
// load their numbers, scan and store them. Assumes an array that an earlier launch left in L2 where it fits
// there.
#pragma once

#include "rung_views.hpp"

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

enum class ScanVersion { two_barriers, two_buffers, unsynchronised, warps };
constexpr auto names(ScanVersion) {
  return std::to_array<std::string_view>({"two-barriers", "two-buffers", "unsynchronised", "warps"});
}

struct SuffixSums {
  static constexpr ModelInfo info{
      .name = "suffix-sums",
      .summary = "Suffix sums in a block: what synchronisation costs, and when the answer is right without",
      .equation = "lg n steps a[t] += a[t + s]; time = blocks of an SM, simulated warp by warp",
      .source = "Verschelde, Warps and Reduction Algorithms; Hillis, Steele 1986",
      .reading = "Cycles are those of one scan of several in a row, time that of a launch. Serially the sums "
                 "take n - 1 additions: work is how many times that.",
      .tolerance = 0.15,
      .chart = ChartKind::lines,
      .x = "n",
      .y = "cycles",
      .series = "version",
      .log_x = true,
      .simulated = true,
      .examples = "--hw h200 --n 32,1024"};

  struct Input {
    std::optional<ScanVersion> version;
    Count n = 512;
    Count blocks = 1;
    RungView view = RungView::summary;
    static void fields(auto& field) {
      field(&Input::version, "version", "one version (default: all)");
      field(&Input::n, "n", "numbers of a block, one of each thread", Range::whole);
      field(&Input::blocks, "blocks", "blocks, each with numbers of its own", Range::whole);
      field(&Input::view, "view", rung_view_help);
    }
  };

  struct Row {
    static constexpr std::string_view title = "versions";
    ScanVersion version{};
    Count n = 0, blocks = 0;
    Cycles cycles;
    double gain = absent;
    Seconds time;
    Count steps = 0, barriers = 0, additions = 0;
    double work = absent, wavefronts = 0, instructions = 0;
    Count resident = 0;
    std::string bound, right;
    static void fields(auto& field) {
      using R = Row;
      field(&R::version, "version", "how its threads keep in step", Range::any, Role::key);
      field(&R::n, "n", "numbers of a block", Range::whole, Role::key);
      field(&R::blocks, "blocks", "of the launch", Range::whole, Role::key);
      field(&R::cycles, "cycles", "of one scan by a block alone on its SM");
      field(&R::gain, "gain", "speed-up of that over the version before");
      field(&R::time, "time", "of the launch");
      field(&R::steps, "steps", "additions one after the other", Range::any, Role::predicted);
      field(&R::barriers, "barriers", "of a block", Range::any, Role::predicted);
      field(&R::additions, "additions", "by the threads of a block", Range::any, Role::predicted);
      field(&R::work, "work", "additions over those of a serial sum; empty: there is nothing to add");
      field(&R::wavefronts, "wavefronts", "of shared memory, by the launch", Range::any, Role::predicted,
            "wavefronts");
      field(&R::instructions, "instructions", "of warps, by the launch", Range::any, Role::predicted,
            "instructions");
      field(&R::resident, "resident", "blocks of an SM at a time", Range::any, Role::predicted, "blocks");
      field(&R::bound, "bound",
            "what holds the launch there; barriers free: nobody has measured what they take", Range::any,
            Role::note);
      field(&R::right, "right", "whether the sums are", Range::any, Role::note);
    }
  };

  // Versions that the device cannot run are left out. Throws InputError: a missing fact; LaunchError: arrays
  // that do not fit the memory, more threads than a block holds, or the one version that was asked for cannot
  // run.
  using Tables = LadderTables<Row>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
