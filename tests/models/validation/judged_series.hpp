// Series about a toy that does 1 Tflop/s on 100 GB/s: its balance is 10 flop/B and its roof at 1 flop/B
// 100 Gflop/s.
#pragma once

#include "models/validation/validate.hpp"
#include "tests/models/ask.hpp"

#include <span>
#include <string>
#include <vector>

namespace perfmodel {

using Doubles = std::vector<double>;
using Texts = std::vector<std::string>;

inline Series balance_of(double measured, double tolerance) {
  return {.gpu = "toy",
          .model = "balance",
          .source = "a lecture",
          .quantity = "balance",
          .place = "toy/balance.yaml",
          .value = "balance",
          .tolerance = tolerance,
          .table = {.title = "balance",
                    .columns = {{.name = "precision", .role = Role::key, .cells = Texts{"fp32"}},
                                {.name = "basis", .role = Role::key, .cells = Texts{"spec"}},
                                {.name = "balance",
                                 .unit = unit_of<FlopsPerByte>(),
                                 .role = Role::measured,
                                 .cells = Doubles{measured}}}}};
}

inline Series roof_at(double intensity, double measured) {
  return {.gpu = "toy",
          .model = "roofline",
          .source = "ours",
          .quantity = "rate",
          .place = "run.json",
          .value = "performance",
          .table = {.title = "rate",
                    .columns = {{.name = "intensity",
                                 .unit = unit_of<FlopsPerByte>(),
                                 .role = Role::key,
                                 .cells = Doubles{intensity}},
                                {.name = "basis", .role = Role::key, .cells = Texts{"measured"}},
                                {.name = "performance",
                                 .unit = unit_of<FlopsPerSecond>(),
                                 .role = Role::measured,
                                 .cells = Doubles{measured}}}}};
}

inline Result judged(const Series& series, const Gpu& gpu = toy()) {
  return validate(gpu, std::span(&series, 1));
}
inline std::string verdict(const Result& r) { return r.tables.at(0).at("verdict").text(0); }
inline double error_in(const Result& r) { return r.tables.at(0).at("error").number(0); }

} // namespace perfmodel
