// The reduction ladder: what each way to sum n numbers costs, or to find the least or the greatest of them,
// and what each step up is worth.
//   time = sum over passes of the time of a launch (kernel_time.hpp)
// Every block sums a stretch of the array into one partial sum; the partial sums are summed in the same way
// until one is left. The kernels are machine code, as nvcc made it of the tool's own
// (hwdb/kernels/reduction); reduction_launches.hpp says how each version launches them. On a GPU of another
// architecture than the code's, dependences go by registers.
// Versions after M. Harris, Optimizing Parallel Reduction in CUDA, 2007, as R. Vuduc, CSE 6230, 2014, slides
// 65 to 92 teaches them; the last two are ours.
// Assumes one sum after another: an array stays in L2 where it fits there.
#pragma once

#include "given_numbers.hpp"
#include "host_link.hpp"
#include "reduction_order.hpp"
#include "reduction_values.hpp"
#include "rung_views.hpp"

#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct Reduction {
  static constexpr ModelInfo info{
      .name = "reduction",
      .summary = "Reduction ladder: the time of every version of a sum, what binds it and what it gains",
      .equation = "time = sum over passes of (launch + blocks of the slowest SM, simulated warp by warp)",
      .source = "Harris, Optimizing Parallel Reduction in CUDA, 2007; Vuduc 2014, slides 65 to 92",
      .reading =
          "Each row is the version above it with one thing changed, so that what stands under fixed is "
          "gone: gain is over that row, total_gain over the first. The roof is reading the array once.",
      .tolerance = 0.15,
      .chart = ChartKind::bars,
      .x = "version",
      .y = "bandwidth",
      .series = "gpu",
      .simulated = true,
      .examples = "--hw h200 --n 1048576; --hw m2090 --n 32 --threads 64 --version warp-synchronous"};

  struct Input {
    std::optional<ReductionVersion> version;
    Count n = 16777216;
    Count threads = 256;
    ReductionType type = ReductionType::int32;
    std::optional<Count> blocks;
    std::optional<BytesPerSecond> link;
    std::optional<GivenNumbers> values;
    RungView view = RungView::summary;
    static void fields(auto& field) {
      field(&Input::version, "version",
            "one version (default: the whole ladder); of 64 numbers or fewer, its steps");
      field(&Input::n, "n", "numbers to sum", Range::whole);
      field(&Input::threads, "threads", "threads of a block, a power of two from 64 to 1024", Range::whole);
      field(&Input::type, "type", "what is summed; min, max: the least, the greatest of int32");
      field(&Input::blocks, "blocks",
            "most blocks, each with a share of the array: grid-stride, shuffle, vector (default: what the "
            "device holds)",
            Range::whole);
      field(&Input::link, "link", LeftByLink::option);
      field(&Input::values, "values",
            "numbers that --draw tree reduces, such as 10,1,8,-1 (default: 1, 2, 3, ..)");
      field(&Input::view, "view", rung_view_help);
    }
  };

  struct Rung {
    static constexpr std::string_view title = "versions";
    std::string version;
    Count n = 0, threads = 0;
    std::string type;
    Seconds time;
    BytesPerSecond bandwidth;
    double gain = absent, total_gain = absent, of_roof = 0;
    std::string fixed, bound;
    Count blocks = 0, resident = 0, passes = 0;
    double sectors = 0, wavefronts = 0, instructions = 0;
    Bytes dram_bytes;
    FlopsPerByte intensity;
    FlopsPerSecond performance;
    std::string level, right;
    static void fields(auto& field) {
      using R = Rung;
      field(&R::version, "version", "how it sums", Range::any, Role::key);
      field(&R::n, "n", "numbers", Range::whole, Role::key);
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::type, "type", "what is summed, or the least or the greatest", Range::any, Role::key);
      field(&R::time, "time", "of all passes");
      field(&R::bandwidth, "bandwidth", "bytes of the array over time");
      field(&R::gain, "gain", "speed-up over the version before");
      field(&R::total_gain, "total_gain", "speed-up over the first version");
      field(&R::fixed, "fixed", "what the version before lost time by", Range::any, Role::note);
      field(&R::of_roof, "of_roof", "share of the read bandwidth of `level`", Range::any, Role::predicted,
            "fraction");
      field(&R::bound, "bound", "what holds the first pass at its time", Range::any, Role::note);
      field(&R::blocks, "blocks", "of the first pass", Range::any, Role::predicted, "blocks");
      field(&R::resident, "resident", "blocks of an SM at a time", Range::any, Role::predicted, "blocks");
      field(&R::passes, "passes", "kernels, one after the other");
      field(&R::sectors, "sectors", "of 32 B that loads ask for", Range::any, Role::predicted, "sectors");
      field(&R::wavefronts, "wavefronts", "of shared memory", Range::any, Role::predicted, "wavefronts");
      field(&R::instructions, "instructions", "of warps", Range::any, Role::predicted, "instructions");
      field(&R::dram_bytes, "dram_bytes", "read from device memory; empty: the array is in L2");
      field(&R::intensity, "intensity", "additions for each byte of the array, counted at `level`");
      field(&R::performance, "performance", "additions over time");
      field(&R::level, "level", "memory level that the array comes from", Range::any, Role::note);
      field(&R::right, "right", "whether what it finds is", Range::any, Role::note);
    }
  };

  // Versions that the device cannot run are left out. Throws InputError: a missing fact, or blocks of a
  // version that has as many as its array needs; LaunchError: numbers that do not fit the memory, or the one
  // version that was asked for cannot run.
  using Tables = LadderTables<Rung, BlockValue, TreeStep, LeftByLink, ReductionOrder>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
