// What speed costs in accuracy: errors in units in the last place (ulp) of multiply-adds, sines and
// divisions, beside how fast they are.
//   MAD, cc 1.x: the product cut off to 24 bits, the sum rounded; FMAD, from cc 2.0 on: one rounding
//   NVIDIA, CUDA C Programming Guide 4.2, appendix F.2 (MAD) and C (bounds of functions)
// Multiply-adds are worked out for 65 536 operands, whose exact result fp64 holds (rounding.hpp). Of
// functions there are the bounds that NVIDIA prints, which it found by extensive, not exhaustive, tests:
// those of CUDA's library, not of a chip, which is why they stand here and not in the database. They count
// from the correctly rounded result, which is half an ulp from the exact one; that of __sinf is absolute.
// Assumes arguments in range, no denormals, and the compiler's usual options (-prec-div=true).
#pragma once

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

enum class Operation : std::uint8_t { mad, mul_add, fmad, sinf, fast_sinf, division, fast_division };
constexpr auto names(Operation) {
  return std::to_array<std::string_view>(
      {"mad", "mul-add", "fmad", "sinf", "__sinf", "division", "__fdividef"});
}

struct Accuracy {
  static constexpr ModelInfo info{
      .name = "accuracy",
      .summary = "Accuracy beside speed: ulp lost by MAD, FMAD, sines and divisions, and how fast they are",
      .equation = "error = |result - exact| / ulp(exact)",
      .source = "NVIDIA, CUDA C Programming Guide 4.2, appendices C and F.2",
      .reading = "A fast function is one or two instructions of the special function units, whose table has "
                 "some 22 bits; near a zero of the function few of them are left.",
      .tolerance = 0.001, // of errors that are worked out: the same operands give the same results
      .chart = ChartKind::bars,
      .x = "operation",
      .y = "ulp",
      .series = "gpu",
      .examples = "--hw h200 --operation sinf,__sinf --argument 0.1,1,3.14"};

  struct Input {
    std::optional<Operation> operation;
    Count cancelled = 0;
    double argument = 1;
    static void fields(auto& field) {
      field(&Input::operation, "operation", "only this one (default: all that the GPU has)");
      field(&Input::cancelled, "cancelled",
            "leading bits of the product that the addend of a multiply-add cancels, 0 to 22: then "
            "what was cut off comes to the front",
            Range::not_negative);
      field(&Input::argument, "argument", "where the sines are asked for", Range::any);
    }
  };

  struct Row {
    static constexpr std::string_view title = "errors";
    Operation operation{};
    Count cancelled = 0;
    double argument = 1;
    double worst = absent, mean = absent, bound = absent;
    PerCycle throughput{absent};
    std::string why;
    static void fields(auto& field) {
      using R = Row;
      field(&R::operation, "operation", "what is computed", Range::any, Role::key);
      field(&R::cancelled, "cancelled", "bits that cancel", Range::any, Role::key, "bits");
      field(&R::argument, "argument", "of the sines", Range::any, Role::key);
      field(&R::worst, "ulp", "worst error of all operands; empty: not worked out", Range::any,
            Role::predicted, "ulp");
      field(&R::mean, "mean_ulp", "mean error of all operands", Range::any, Role::predicted, "ulp");
      field(&R::bound, "bound", "the most that NVIDIA promises; empty: nothing", Range::any, Role::predicted,
            "ulp");
      field(&R::throughput, "throughput", "results per clock and SM; empty: not known");
      field(&R::why, "why", "where the error comes from", Range::any, Role::note);
    }
  };

  template <class T> static std::vector<Row> predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const std::vector<Row>&);
};

} // namespace perfmodel
