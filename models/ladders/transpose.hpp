// The transpose ladder: what each way to transpose an n x n matrix of fp32 costs, and what each step up is
// worth; with the copies that are its yardsticks.
//   time = turn of launches + blocks of an SM, simulated warp by warp (kernel_time.hpp)
//   bandwidth = 8 n^2 B / time,  roof = the bandwidth of a copy
// The kernels are machine code, as nvcc made it of the tool's own (hwdb/kernels/transpose);
// transpose_launches.hpp says how each version launches them. On a GPU of another architecture than the
// code's, dependences go by registers. Two exceptions: the tensor copy is written down by hand
// (transpose_boxes.hpp), and before compute capability 2.0 only what the launches ask for comes from the
// code, and their time from a formula (transpose_uncached.hpp).
// Versions after G. Ruetsch and P. Micikevicius, Optimizing Matrix Transpose in CUDA, 2009, as J. Filipovic,
// 2010, teaches them; the last two are ours.
// Assumes launches in a row: matrices stay in L2 where they fit there.
// Where single words are stored by columns, the sectors that leave L2 before they are whole are read and
// written once more (sent_early.hpp). Traced on an H200, 16384: 14.2 thousand cycles of the naive transpose
// from a block's first store to its last, as they issue, 15.3 of the copy by columns.
#pragma once

#include "fix_order.hpp"
#include "host_link.hpp"
#include "rung_views.hpp"
#include "transpose_launches.hpp"

#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

// Of the versions that transpose; swept over n, which is best for which n.
struct FastestTranspose {
  static constexpr std::string_view title = "fastest transpose";
  std::string version;
  Seconds time;
  double of_roof = 0;
  std::string next;
  double ahead = 1;
  std::string bound;
  static void fields(auto& field) {
    using R = FastestTranspose;
    field(&R::version, "fastest", "version that takes the least time", Range::any, Role::note);
    field(&R::time, "least_time", "of one launch of several in a row");
    field(&R::of_roof, "share_of_roof", "of a copy's bandwidth, as above", Range::any, Role::predicted,
          "fraction");
    field(&R::next, "next", "the second fastest", Range::any, Role::note);
    field(&R::ahead, "ahead", "speed-up of the fastest over it", Range::any, Role::predicted, "times");
    field(&R::bound, "bound_of_fastest", "what holds it there", Range::any, Role::note);
  }
};

struct Transpose {
  static constexpr ModelInfo info{
      .name = "transpose",
      .summary =
          "Transpose ladder: the time of every version of a transpose, what binds it and what it gains",
      .equation = "time = blocks of an SM, simulated warp by warp; bandwidth = 8 n^2 B / time",
      .source = "Ruetsch, Micikevicius 2009; Filipovic 2010",
      .reading =
          "Gain is over the row above, total_gain over the naive transpose; copies are what the "
          "transposes are held against. The roof is a copy's bandwidth. A fix gains where what it mends "
          "binds.",
      .tolerance = 0.15,
      .chart = ChartKind::bars,
      .x = "version",
      .y = "bandwidth",
      .series = "gpu",
      .simulated = true,
      .examples = "--hw gtx280 --n 1024; --hw h200 --n 1024 --version padded --pitch 1024,1056"};

  struct Input {
    std::optional<TransposeVersion> version;
    Count n = 4096, tile = 32;
    std::optional<Count> pitch;
    std::optional<BytesPerSecond> link;
    RungView view = RungView::summary;
    static void fields(auto& field) {
      field(&Input::version, "version", "one version (default: the whole ladder)");
      field(&Input::n, "n", "rows and columns of the matrix", Range::whole);
      field(&Input::tile, "tile", "side of the square tiles in shared memory: 16, 32, 48 or 64 words",
            Range::whole);
      field(&Input::pitch, "pitch", "words from the start of a row to that of the next (default: n)",
            Range::whole);
      field(&Input::link, "link", LeftByLink::option);
      field(&Input::view, "view", rung_view_help);
    }
  };

  struct Rung {
    static constexpr std::string_view title = "versions";
    std::string version;
    Count n = 0, tile = 0, pitch = 0;
    Seconds time;
    BytesPerSecond bandwidth;
    double gain = absent, total_gain = absent, of_roof = 0;
    double load_transactions = 0, store_transactions = 0, wavefronts = 0;
    Bytes dram_bytes, row_padding;
    Count resident = 0;
    std::string bound;
    static void fields(auto& field) {
      using R = Rung;
      field(&R::version, "version", "how it transposes or copies", Range::any, Role::key);
      field(&R::n, "n", "rows and columns", Range::whole, Role::key);
      field(&R::tile, "tile", "of the versions that have a choice", Range::whole, Role::key);
      field(&R::pitch, "pitch", "words from row to row", Range::whole, Role::key);
      field(&R::time, "time", "of one launch of several in a row");
      field(&R::bandwidth, "bandwidth", "bytes read and written over time");
      field(&R::gain, "gain", "speed-up over the version before");
      field(&R::total_gain, "total_gain", "speed-up over the naive transpose");
      field(&R::of_roof, "of_roof",
            "share of a copy's bandwidth; of what L2 reads and writes where both matrices are there",
            Range::any, Role::predicted, "fraction");
      field(&R::load_transactions, "load_transactions",
            "of global memory, by the threads; sectors from cc 5.0 on", Range::any, Role::predicted);
      field(&R::store_transactions, "store_transactions", "the same of stores", Range::any, Role::predicted);
      field(&R::wavefronts, "wavefronts", "of shared memory, by the threads", Range::any, Role::predicted);
      field(&R::dram_bytes, "dram_bytes", "that device memory moves; empty: both matrices stay in L2",
            Range::any);
      field(&R::row_padding, "row_padding",
            "memory between the rows of both matrices; empty: a pitch of n has none");
      field(&R::resident, "resident", "blocks of an SM at a time", Range::any, Role::predicted, "blocks");
      field(&R::bound, "bound", "what holds it there", Range::any, Role::note);
    }
  };

  using Tables = LadderTables<Rung, FastestTranspose, FixOrder, LeftByLink>;
  // Versions that the device cannot run are left out. Throws InputError: a fact is missing; LaunchError:
  // matrices that do not fit the device's memory, or the one version that was asked for cannot run.
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
  static std::string pick(const Tables&);
};

// None where fewer than two of them transpose.
std::vector<FastestTranspose> fastest_of(const std::vector<Transpose::Rung>& rungs);

} // namespace perfmodel
