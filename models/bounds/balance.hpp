// Balance: operations a device can do in the time it moves one byte. A kernel below it is bound by memory.
//   B = P / beta   [flop/B]
// J. McCalpin, "Memory bandwidth and machine balance", 1995; S. Williams et al., CACM 52(4), 2009.
// Assumes that arithmetic and transfers overlap fully.
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct Balance {
  static constexpr ModelInfo info{
      .name = "balance",
      .summary = "Machine balance: operations per byte at which arithmetic and memory take the same time",
      .equation = "B = P / beta",
      .source = "McCalpin 1995; Williams, Waterman, Patterson, CACM 52(4), 2009",
      .reading = "A kernel that does fewer operations per byte than the balance is bound by memory.",
      .tolerance = 0.01,
      .chart = ChartKind::bars,
      .x = "ceiling",
      .y = "balance",
      .series = "gpu",
      .examples = "--hw m2090,h200 --precision fp32; --hw m2090 --precision fp32 --basis spec --explain"};

  struct Input {
    std::optional<Precision> precision;
    std::optional<Basis> basis;
    Level level = Level::dram;
    static void fields(auto& field) {
      field(&Input::precision, "precision", "only this precision (default: all the device has)");
      field(&Input::basis, "basis", "only specified or only measured rates (default: both)");
      field(&Input::level, "level", "memory level whose bytes are counted");
    }
  };

  struct Row {
    static constexpr std::string_view title = "balance";
    std::string ceiling;
    Basis basis = Basis::spec;
    FlopsPerSecond rate;
    BytesPerSecond bandwidth;
    FlopsPerByte balance;
    Flops per_float; // operations while one 4-byte word moves, as lectures count
    static void fields(auto& field) {
      field(&Row::ceiling, "ceiling", "arithmetic unit", Range::any, Role::key);
      field(&Row::basis, "basis", "specified or measured", Range::any, Role::key);
      field(&Row::rate, "rate", "peak or sustained rate");
      field(&Row::bandwidth, "bandwidth", "bandwidth of the memory level");
      field(&Row::balance, "balance", "operations per byte");
      field(&Row::per_float, "per_float", "operations per 4-byte word");
    }
  };

  template <class T> static std::vector<Row> predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const std::vector<Row>&);
  static const void* said(const Input&, const std::vector<Row>&);
};

// Both bases where both bandwidths are known; asked for one that nobody knows, the other has to do.
template <class T> std::vector<Balance::Row> Balance::predict(const Gpu& gpu, const Input& in, T& trace) {
  const bool none =
      !has_bandwidth(gpu, in.level, Basis::spec) && !has_bandwidth(gpu, in.level, Basis::measured);
  std::vector<Row> rows;
  for (const ArithmeticUnit* unit : units_of(gpu, in.precision))
    for (const Basis basis : {Basis::spec, Basis::measured}) {
      if (in.basis ? basis != *in.basis : !none && !has_bandwidth(gpu, in.level, basis)) continue;
      const auto p = rate(gpu, *unit, basis, trace);
      const auto beta = bandwidth(gpu, in.level, basis, trace);
      const auto balance = trace.define("B(" + std::string(unit->name) + ", " +
                                            std::string(names(basis)[static_cast<std::size_t>(basis)]) + ")",
                                        "balance", p / beta);
      rows.push_back({std::string(unit->name), basis, value_of(p), value_of(beta), value_of(balance),
                      value_of(balance) * Bytes(4)});
    }
  return rows;
}

} // namespace perfmodel
