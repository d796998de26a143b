// The matmul ladder: C = A B, n x n, and what each step up is worth.
//   words loaded    naive 2 n^3; blocks of R x S of C: n^3 (1 / R + 1 / S), 2 n^3 / T for square tiles
//   balance         4 bytes a word / 2 flop a product: 4 (1 / R + 1 / S) / 2 bytes per flop, 4 naive, 4 / T
//   bandwidth bound memory bandwidth / bytes per flop, were there no caches and did each thread load for
//   itself transaction bound   memory bandwidth / bytes of the loads' transactions per flop: threads of a
//   warp that
//                   read one word share it
// The time of the versions without tensor units is that of their machine code (hwdb/kernels/matmul, simulated
// warp by warp, models/simulate); that of the tensor units is a sum over rounds of tiles (matmul_tensor.hpp);
// what device memory moves is a sum over groups of blocks (matmul_dram.hpp). Where no cache stands before
// device memory, its busiest partition may decide (matmul_partitions.hpp). V. Volkov and J. Demmel,
// Benchmarking GPUs to tune dense linear algebra, SC 2008, for register tiles; R. Giorgi, Clusters, lesson
// 30, for counting loads and flops.
// Naive takes its blocks from --block, tiled from --tile, and the last three have tiles of their own. Without
// --block a naive block is 16 x 64 where such blocks fill an SM: so high that all blocks at a time are, from
// n = 4096 on, about one row of blocks or less, and device memory delivers B once for each of them whether or
// not they go through k in step; of 16 x 16 it depends on that (matmul_dram.hpp). Assumes matrices that an
// earlier launch left in L2 where they fit there, and operands of the tensor units in rows of whole 16 bytes.
#pragma once

#include "fix_order.hpp"
#include "host_link.hpp"
#include "matmul_barriers.hpp"
#include "matmul_choices.hpp"
#include "matmul_order.hpp"
#include "matmul_rung.hpp"
#include "rung_views.hpp"
#include "source_lines.hpp"

#include "models/core/model.hpp"
#include "models/core/shape.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

// Which question is answered: what each version of the ladder gains, which block or tile to choose, what goes
// wrong without a barrier of the tiled version, which change to make first.
enum class MatmulShow { versions, choices, barriers, order };
constexpr auto names(MatmulShow) {
  return std::to_array<std::string_view>({"versions", "choices", "barriers", "order"});
}

struct Matmul {
  static constexpr ModelInfo info{
      .name = "matmul",
      .summary = "Matmul ladder: the rate of every version of a matrix product, what binds it, what it gains",
      .equation = "time = launch + blocks of an SM, simulated warp by warp; words = n^3 (1/R + 1/S)",
      .source = "Giorgi, Clusters, lesson 30; Volkov, Demmel, SC 2008; Hong, Kung, STOC 1981",
      .reading =
          "Each row is the version above it with one thing changed: gain is over that row, total_gain "
          "over the first. bandwidth_bound is what device memory would allow without caches, were nothing "
          "that a thread loads shared; transaction_bound counts what a warp shares.",
      .tolerance = 0.15,
      .chart = ChartKind::bars,
      .x = "version",
      .y = "performance",
      .series = "gpu",
      .fuller_y = "choice_rate",
      .simulated = true,
      .examples = "--hw gtx280 --n 512 --version naive,tiled; --hw gtx280 --n 512 --version tiled --explain"};

  struct Input {
    std::optional<MatmulVersion> version;
    Count n = 1024;
    Count tile = 16;
    std::optional<Shape> block;
    std::optional<BytesPerSecond> link;
    std::optional<SourceLines> lines;
    MatmulShow show = MatmulShow::versions;
    RungView view = RungView::summary;
    static void fields(auto& field) {
      field(&Input::version, "version", "one version (default: the whole ladder)");
      field(&Input::n, "n", "rows and columns of the matrices", Range::whole);
      field(&Input::tile, "tile", "rows and columns of the tiles of the version 'tiled'", Range::whole);
      field(&Input::block, "block",
            "shape of a block of the version 'naive', x along a row of C: 16x16, 32x8 (default: 16x64, or "
            "16x16 where that does not fill an SM)");
      field(&Input::link, "link", LeftByLink::option);
      field(&Input::lines, "lines",
            "lines of source of the versions in order, as you count them: 20,44 (default: of ours)");
      field(
          &Input::show, "show",
          "the ladder; blocks and tiles side by side; what breaks without a barrier of 'tiled'; which change "
          "comes first");
      field(&Input::view, "view", rung_view_help);
    }
  };

  struct Rung {
    static constexpr std::string_view title = "versions";
    std::string version;
    Count n = 0, tile = 0;
    Seconds time;
    FlopsPerSecond performance;
    double gain = absent, total_gain = absent, of_roof = absent;
    std::string bound;
    FlopsPerSecond bandwidth_bound{absent}, transaction_bound{absent};
    BytesPerSecond bandwidth_needed{absent};
    double words = 0, bytes_per_flop = 0;
    FlopsPerByte intensity;
    std::string level, precision;
    double block_words = 0, block_flops = 0;
    double occupancy = 0;
    Count blocks = 0, resident = 0;
    double fma = absent, sectors = absent, wavefronts = absent;
    Bytes dram_bytes{absent};
    double lines = absent, gain_per_line = absent;
    static void fields(auto& field) {
      using R = Rung;
      field(&R::version, "version", "how it multiplies", Range::any, Role::key);
      field(&R::n, "n", "rows and columns", Range::whole, Role::key);
      field(&R::tile, "tile", "of the tiled version", Range::whole, Role::key);
      field(&R::time, "time", "of one product");
      field(&R::performance, "performance", "2 n^3 flop over the time");
      field(&R::gain, "gain", "speed-up over the version before");
      field(&R::total_gain, "total_gain", "speed-up over the first version");
      field(&R::of_roof, "of_roof", "share of the peak of its arithmetic", Range::any, Role::predicted,
            "fraction");
      field(&R::bound, "bound", "what holds it there", Range::any, Role::note);
      field(&R::bandwidth_bound, "bandwidth_bound",
            "flop/s that device memory allows without caches, were every thread's words brought for it "
            "alone");
      field(&R::transaction_bound, "transaction_bound",
            "the same for the bytes of the transactions, which the threads of a warp share");
      field(&R::bandwidth_needed, "bandwidth_needed", "bytes/s that peak would need without caches");
      field(&R::words, "words", "loaded from global memory", Range::any, Role::predicted, "words");
      field(&R::bytes_per_flop, "bytes_per_flop", "bytes loaded for each flop");
      field(&R::intensity, "intensity",
            "its inverse, bytes counted where loads first look: at `level`; a cluster's count once");
      field(&R::level, "level", "memory level that loads look in first", Range::any, Role::note);
      field(&R::precision, "precision", "of the products", Range::any, Role::note);
      field(&R::block_words, "block_words", "loaded by a block between two barriers", Range::any,
            Role::predicted, "words");
      field(&R::block_flops, "block_flops", "flop that it does with them", Range::any, Role::predicted,
            "flop");
      field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
            "fraction");
      field(&R::blocks, "blocks", "of the grid", Range::any, Role::predicted, "blocks");
      field(&R::resident, "resident", "blocks of an SM at a time", Range::any, Role::predicted, "blocks");
      field(&R::fma, "fma", "fp32 multiply-adds of all threads, those of padding with them");
      field(&R::sectors, "sectors", "transactions of loads and stores of global memory");
      field(&R::wavefronts, "wavefronts", "of loads from and stores to shared memory");
      field(&R::dram_bytes, "dram_bytes",
            "that device memory moves; empty: the matrices stay in L2, or nothing is predicted");
      field(&R::lines, "lines", "of the kernel's source", Range::any, Role::predicted, "lines");
      field(&R::gain_per_line, "gain_per_line",
            "total_gain over how many times the lines of the first version it has");
    }
  };

  using Tables = LadderTables<Rung, LeftByLink, MatmulChoice, MatmulBarrier, MatmulHelp, FixOrder>;
  // A version whose block the GPU cannot run, or whose units it does not have, is no row. Throws InputError,
  // and LaunchError where it is the one that was asked for, or matrices do not fit the device's memory.
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
