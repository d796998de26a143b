// Where SpMV, stencils, FFTs and matrix products stand on a roofline, by formula: I = W / Q(n; Z),
// kernel_traffic.hpp, held against the roof by roofline.hpp. The picture is the lecture's: R. Vuduc, CSE
// 6230, 2014, slides 24 to 26, which gives the places without numbers.
#pragma once

#include "models/bounds/kernel_traffic.hpp"
#include "models/bounds/roofline.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct Intensity {
  static constexpr ModelInfo info{
      .name = "intensity",
      .summary = "Intensity: where SpMV, stencil, FFT and matrix product stand on the roofline, by formula",
      .equation = "I = W / Q(n; Z); P(I) = min(P_peak, I x beta)",
      .source =
          "Williams, Waterman, Patterson, CACM 52(4), 2009; Hong, Kung, STOC 1981; Vuduc 2014, slide 26",
      .reading = "The intensity of a kernel grows with the cache up to that of reading every number once: "
                 "not at all "
                 "for SpMV and stencils whose layers fit, with its logarithm for an FFT, with its root for a "
                 "product.",
      .tolerance = 0.02,
      .chart = ChartKind::roofline,
      .x = "intensity",
      .y = "performance",
      .series = "gpu",
      .log_x = true,
      .log_y = true,
      .examples = "--hw h200 --kernel fft,matmul --cache 16KiB,256MiB"};

  struct Input {
    std::optional<KnownKernel> kernel;
    std::optional<Count> n;
    Precision precision = Precision::fp32;
    std::optional<Basis> basis;
    Count nonzeros = 32, reach = 1;
    Bytes index{4};
    std::optional<Bytes> cache;
    static void fields(auto& field) {
      field(&Input::kernel, "kernel", "one or several of them (default: all)");
      field(&Input::n, "n",
            "rows of the matrices of spmv and matmul, points of stencil and fft (default: 2^24, 4096 of "
            "matmul)",
            Range::whole);
      field(&Input::precision, "precision", "precision of its operations and of its words");
      field(&Input::basis, "basis",
            "specified or measured roofs (default: both, held against the specified)");
      field(&Input::nonzeros, "nonzeros", "numbers in a row of the sparse matrix", Range::whole);
      field(&Input::reach, "reach", "how far a stencil reaches along each axis, in points", Range::whole);
      field(&Input::index, "index", "bytes of a column's number in the sparse matrix");
      field(&Input::cache, "cache",
            "bytes of the cache in front of memory (default: L2; shared memory of all SMs before cc 2.0)");
    }
  };

  // What the picture of a roofline reads of its kernels.
  struct Placed {
    static constexpr std::string_view title = Roofline::Kernel::title;
    KnownKernel name{};
    Count n = 0;
    Precision precision{};
    Level level{};
    FlopsPerByte intensity;
    FlopsPerSecond performance;
    Bound bound{};
    FlopsPerByte ridge{absent}, most_intensity;
    static void fields(auto& field) {
      using R = Placed;
      field(&R::name, "name", "kernel", Range::any, Role::key);
      field(&R::n, "n", "rows or points", Range::whole, Role::key);
      field(&R::precision, "precision", "precision of its operations", Range::any, Role::key);
      field(&R::level, "level", "memory level whose bytes are counted", Range::any, Role::key);
      field(&R::intensity, "intensity", "operations per byte, with this cache");
      field(&R::performance, "performance", "attainable rate");
      field(&R::bound, "bound", "what limits it");
      field(&R::ridge, "ridge", "intensity from which it would be bound by arithmetic");
      field(&R::most_intensity, "most_intensity", "operations per byte if every number crosses once");
    }
  };

  struct Counted {
    static constexpr std::string_view title = "work and traffic";
    KnownKernel name{};
    Count n = 0;
    Bytes cache, word;
    Flops work;
    Bytes least, bytes;
    static void fields(auto& field) {
      using R = Counted;
      field(&R::name, "kernel", "which", Range::any, Role::key);
      field(&R::n, "n", "rows or points", Range::whole, Role::key);
      field(&R::cache, "cache_bytes", "cache in front of memory");
      field(&R::word, "word", "bytes of a number");
      field(&R::work, "work", "operations");
      field(&R::least, "least_bytes", "bytes if every number crosses once");
      field(&R::bytes, "dram_bytes", "bytes that cross with this cache");
    }
  };

  using Tables = std::tuple<std::vector<Placed>, std::vector<Counted>>;
  template <class T> static Roofline::Machine machine(const Gpu& gpu, const Input& in, T& trace);
  // Throws InputError: the GPU has no unit for the precision or no such fact; n past what doubles count.
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
