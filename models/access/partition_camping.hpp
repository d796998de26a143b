// Partition camping: when the resident blocks ask few memory partitions for most of their bytes, the busiest
// partition decides.
//   bandwidth = bytes asked for / sum over windows of resident blocks (time of the busiest partition)
//   even      = time if each window's work were spread evenly / that time
// partitions.hpp has the rule; a column of tiles is in N / gcd(N, pitch / interleave) partitions. Where
// addresses are hashed over the partitions (dram.mapping) no distance is worse than another: even = 1 and the
// bandwidth is that of DRAM, an upper bound where the pattern itself costs (coalescing).
// Assumes both arrays start at the first partition. Device memory alone: the model transpose has these
// kernels' whole time, the shared memory and the L2 that they pass with it.
#pragma once

#include "models/access/partitions.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct PartitionCamping {
  static constexpr ModelInfo info{
      .name = "partition-camping",
      .summary = "Partition camping: what the busiest memory partition leaves of the bandwidth of a copy or "
                 "transpose",
      .equation = "bandwidth = bytes / sum over windows of max over partitions of busy time",
      .source = "Ruetsch, Micikevicius 2009; Filipovic 2010",
      .reading =
          "Where addresses are dealt to partitions in turn, a pitch or distance should meet all of them; "
          "where they are hashed, no pitch camps: bandwidths of different pitches or distances differ "
          "by less than 15 %. This is what device memory allows; how fast the kernels are that pass shared "
          "memory and wait for their first loads, the model transpose says.",
      .tolerance = 0.20,
      .chart = ChartKind::lines,
      .x = "n",
      .y = "bandwidth",
      .series = "gpu",
      .examples = "--hw gtx280 --n 4096,4000; --hw gtx280 --n 2048 --mapping diagonal"};

  struct Input {
    MatrixKernel kernel = MatrixKernel::padded;
    Count n = 4096;
    std::optional<Count> pitch;
    Bytes word{4};
    Count tile = 32, rows = 8;
    TileMapping mapping = TileMapping::cartesian;
    std::optional<Count> blocks;
    std::optional<Bytes> distance, address;
    Count map = 0;
    static void fields(auto& field) {
      field(&Input::kernel, "kernel",
            "copy, copy through shared memory, copy by columns, transpose: naive, or tiled and padded");
      field(&Input::n, "n", "rows and columns of the matrix", Range::whole);
      field(&Input::pitch, "pitch", "words from one row to the next (default: n)", Range::whole);
      field(&Input::word, "word", "bytes of a word: 1, 2, 4, 8 or 16");
      field(&Input::tile, "tile", "rows and columns of a block's tile", Range::whole);
      field(&Input::rows, "rows", "rows of threads in a block, which is as wide as the tile", Range::whole);
      field(&Input::mapping, "mapping", "which tile a block works on");
      field(&Input::blocks, "blocks", "resident blocks of an SM (default: as many as it holds)",
            Range::whole);
      field(&Input::distance, "distance",
            "instead of a matrix: pieces of one partition's width, read at this distance");
      field(&Input::address, "address", "byte of device memory whose partition is asked for",
            Range::not_negative);
      field(&Input::map, "map", "rows of blocks to show, with the partitions that they load from",
            Range::not_negative);
    }
  };

  struct Camping {
    static constexpr std::string_view title = "partitions of device memory";
    // Of a matrix; streams at a distance have none of these, nor a pitch that is n.
    std::string kernel, mapping;
    Count n = absent, pitch = absent, tile = absent;
    Bytes word{absent};
    double partitions = absent, partition = absent, met = absent;
    Count window = absent;
    double even = 1, busiest = 1, segments = absent;
    BytesPerSecond even_bandwidth, bandwidth;
    std::string bound, advice;
    static void fields(auto& field) {
      using R = Camping;
      field(&R::kernel, "kernel", "what is done with the matrix", Range::any, Role::key);
      field(&R::mapping, "mapping", "which tile a block works on", Range::any, Role::key);
      field(&R::tile, "tile", "rows and columns of a block's tile", Range::whole, Role::key);
      field(&R::word, "word", "bytes of a word", Range::positive, Role::key);
      field(&R::n, "n", "rows and columns of the matrix", Range::whole, Role::key);
      field(&R::pitch, "pitch", "words from one row to the next; empty: n", Range::whole, Role::key);
      field(&R::partitions, "partitions", "partitions of the memory", Range::any, Role::predicted,
            "partitions");
      field(&R::partition, "partition", "partition of --address, from 0");
      field(&R::met, "met",
            "those that a row of blocks loads from or stores to, whichever are fewer, or the pieces",
            Range::any, Role::predicted, "partitions");
      field(&R::window, "window", "resident blocks of the device", Range::any, Role::predicted, "blocks");
      field(&R::even, "even", "time with the work spread evenly over that of the busiest partition",
            Range::any, Role::predicted, "fraction");
      field(&R::busiest, "busiest_over_mean", "time of the busiest partition over the mean");
      field(&R::segments, "segments_per_kib", "segments for each KiB asked for");
      field(&R::even_bandwidth, "even_bandwidth", "bytes asked for per second, were they spread evenly");
      field(&R::bandwidth, "bandwidth",
            "bytes asked for per second, read plus written, that device memory allows");
      field(&R::bound, "bound", "what limits it", Range::any, Role::note);
      field(&R::advice, "advice", "what would remove the camping", Range::any, Role::note);
    }
  };

  // What the lecture draws: which partition each block of a corner of the grid begins to load from.
  struct Tiles {
    static constexpr std::string_view title = "partition of each block's tile, x = 0, 1, 2, ...";
    Count row = 0;
    std::string partitions;
    static void fields(auto& field) {
      field(&Tiles::row, "by", "row of blocks", Range::whole, Role::key);
      field(&Tiles::partitions, "partitions", "that the blocks of the row load from", Range::any, Role::note);
    }
  };
  using Tables = std::tuple<std::vector<Camping>, std::vector<Tiles>>;

  // Throws InputError: a fact is missing, a number that makes no matrix, a block that cannot launch.
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
