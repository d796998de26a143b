// Operand bandwidth: an FMA reads three words and writes one, so at peak the registers pass
//   P / 2 x 3 w bytes of operands and P / 2 x w of results   (P flop/s, 2 flop an FMA, words of w bytes).
// A level that delivers B bytes/s has 2 B / P bytes for each FMA: what it brings must be used
// r = 3 w / (2 B / P) times above it. A tile of m x n sums kept above a level reads m + n words for m n FMAs,
// w (m + n) / (m n) bytes each, so the level allows P(m, n) = 2 B m n / (w (m + n)).
// R. Vuduc, CSE 6230, 2014, slides 47 and 48, for the operands; the tile follows by counting its reads.
// Assumes that the register file feeds peak, every byte a bank delivers is asked for, and words that threads
// share are read once for each thread: no credit for broadcasts.
#pragma once

#include "fma_precision.hpp"
#include "models/bounds/memory_level.hpp"
#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace perfmodel {

struct OperandBandwidth {
  static constexpr ModelInfo info{
      .name = "operand-bandwidth",
      .summary = "Operand bandwidth: what FMAs need at peak, what each level delivers, and the reuse between",
      .equation = "needed = P / 2 x 3 words; reuse = needed / delivered; P(m, n) = 2 B m n / (w (m + n))",
      .source = "Vuduc 2014, slides 47 and 48",
      .reading =
          "A word from a level must feed 'reuse' operands to reach peak; a square tile of sums with edge "
          "'tile', held above the level, does that. 'step' says how many times the bandwidth falls from the "
          "level above, or from the operands, to this one.",
      .tolerance = 0.01,
      .chart = ChartKind::lines,
      .x = "m",
      .y = "of_peak",
      .series = "gpu",
      .examples = "--hw gtx480,h200"};

  struct Input {
    FmaPrecision precision = FmaPrecision::fp32;
    Basis basis = Basis::spec;
    std::optional<double> m, n;
    static void fields(auto& field) {
      field(&Input::precision, "precision", "precision of the FMAs");
      field(&Input::basis, "basis", "bandwidth from the specification or from measurements");
      field(&Input::m, "m", "rows of sums that a thread keeps in registers (default: several)", Range::whole);
      field(&Input::n, "n", "columns of sums that a thread keeps in registers (default: as --m)",
            Range::whole);
    }
  };

  struct Flow {
    static constexpr std::string_view title = "needed at peak";
    std::string flow;
    FmaPrecision precision{};
    Bytes per_fma;
    BytesPerSecond bandwidth;
    static void fields(auto& field) {
      using R = Flow;
      field(&R::flow, "flow", "operands into the FMA units, or results out of them", Range::any, Role::key);
      field(&R::precision, "precision", "precision of the FMAs", Range::any, Role::key);
      field(&R::per_fma, "per_fma", "bytes of one FMA");
      field(&R::bandwidth, "bandwidth", "bytes per second at peak");
    }
  };

  struct Supply {
    static constexpr std::string_view title = "delivered by each level";
    Level level{};
    FmaPrecision precision{};
    Basis basis{};
    BytesPerSecond bandwidth;
    Bytes per_fma;
    double reuse = 0, step = 0, tile = 0;
    static void fields(auto& field) {
      using R = Supply;
      field(&R::level, "level", "memory level, the fastest first", Range::any, Role::key);
      field(&R::precision, "precision", "precision of the FMAs", Range::any, Role::key);
      field(&R::basis, "basis", "specified or measured", Range::any, Role::note);
      field(&R::bandwidth, "bandwidth", "bytes per second it delivers");
      field(&R::per_fma, "per_fma", "bytes it delivers for each FMA of the peak");
      field(&R::reuse, "reuse", "operands that each of its words must feed", Range::any, Role::predicted,
            "times");
      field(&R::step, "step", "bandwidth of the level before it, over its own", Range::any, Role::predicted,
            "times");
      field(&R::tile, "tile", "edge of the smallest square tile of sums that reaches peak", Range::any,
            Role::predicted, "words");
    }
  };

  struct Tile {
    static constexpr std::string_view title = "register tile of a thread, fed from shared memory";
    double m = 1, n = 1;
    FmaPrecision precision{};
    Bytes per_fma;
    FlopsPerSecond rate;
    double of_peak = 0, registers = 0;
    std::string verdict;
    static void fields(auto& field) {
      using R = Tile;
      field(&R::m, "m", "rows of sums", Range::whole, Role::key);
      field(&R::n, "n", "columns of sums", Range::whole, Role::key);
      field(&R::precision, "precision", "precision of the FMAs", Range::any, Role::key);
      field(&R::per_fma, "per_fma", "bytes of shared memory read for each FMA");
      field(&R::rate, "rate", "the lesser of peak and what shared memory feeds");
      field(&R::of_peak, "of_peak", "rate over peak", Range::any, Role::predicted, "fraction");
      field(&R::registers, "registers", "registers for sums and operands", Range::any, Role::predicted,
            "registers");
      field(&R::verdict, "verdict", "what limits it", Range::any, Role::note);
    }
  };

  using Tables = std::tuple<std::vector<Flow>, std::vector<Supply>, std::vector<Tile>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
