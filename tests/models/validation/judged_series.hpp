// Series about a toy that does 1 Tflop/s on 100 GB/s: its balance is 10 flop/B and its roof at 1 flop/B
// 100 Gflop/s.
#pragma once

#include "models/validation/validate.hpp"
#include "tests/models/ask.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

using Doubles = std::vector<double>;
using Texts = std::vector<std::string>;

// Of one row: its key, the basis, and what was measured.
inline Series with_row(Series series, Column key, const char* basis, const Unit& unit, double measured) {
  series.table = {
      .title = series.quantity,
      .columns = {std::move(key),
                  {.name = "basis", .role = Role::key, .cells = Texts{basis}},
                  {.name = series.value, .unit = unit, .role = Role::measured, .cells = Doubles{measured}}}};
  return series;
}

inline Series balance_of(double measured, double tolerance) {
  return with_row({.gpu = "toy",
                   .model = "balance",
                   .source = "a lecture",
                   .quantity = "balance",
                   .place = "toy/balance.yaml",
                   .value = "balance",
                   .tolerance = tolerance},
                  {.name = "precision", .role = Role::key, .cells = Texts{"fp32"}}, "spec",
                  unit_of<FlopsPerByte>(), measured);
}

inline Series roof_at(double intensity, double measured) {
  return with_row(
      {.gpu = "toy",
       .model = "roofline",
       .source = "ours",
       .quantity = "rate",
       .place = "run.json",
       .value = "performance"},
      {.name = "intensity", .unit = unit_of<FlopsPerByte>(), .role = Role::key, .cells = Doubles{intensity}},
      "measured", unit_of<FlopsPerSecond>(), measured);
}

inline Result judged(const Series& series, const Gpu& gpu = toy()) {
  return validate(gpu, std::span(&series, 1));
}
inline std::string verdict(const Result& r) { return r.tables.at(0).at("verdict").text(0); }
inline double error_in(const Result& r) { return r.tables.at(0).at("error").number(0); }

} // namespace perfmodel
