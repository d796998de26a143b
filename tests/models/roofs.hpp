// What no answer beats: the roofs that apply to it, and a launch and one load. Each row has a grade.
#pragma once

#include "models/bounds/peak.hpp"
#include "models/core/model.hpp"
#include "models/machine/caches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace perfmodel::roofs {

inline constexpr double rounding = 1 + 1e-9;

inline bool is_what_if(const Gpu& gpu) {
  return std::any_of(gpu.facts.begin(), gpu.facts.end(),
                     [](const auto& fact) { return fact.second.layer == Layer::set; });
}

inline double cost(const Gpu& gpu, const auto& key) { return gpu.cost(key).value; }

// A GPU's fastest rate of each kind, printed or, as --set leaves it, worked out.
inline double peak_of(const Gpu& gpu) {
  double most = 0;
  Plain plain;
  for (const ArithmeticUnit* unit : units_of(gpu, std::nullopt)) {
    most = std::max(most, base_value(peak(gpu, *unit, plain)));
    const FactRecord* printed = gpu.record(unit->peak);
    if (printed != nullptr && !is_what_if(gpu)) most = std::max(most, printed->values.front());
  }
  return most;
}

// Loads through whatever is nearest; a launch; seconds.
inline double least_time(const Gpu& gpu) {
  const double clock = gpu.at(facts::clock).value.value;
  const double load = has_l2(gpu) ? cost(gpu, facts::l2_latency) : cost(gpu, facts::dram_latency);
  return cost(gpu, facts::kernel_turnover) + load / clock;
}

// Bytes that a version of a sum or a transpose moves.
inline std::optional<double> moved(const Model& m, double n) {
  if (m.info.name == "reduction") return 4 * n;
  if (m.info.name == "transpose") return 8 * n * n;
  return std::nullopt;
}

inline void check_row(const Model& m, const Gpu& gpu, const Table& table, std::size_t row) {
  const auto number = [&](const char* column) -> std::optional<double> {
    const Column* c = table.find(column);
    if (c == nullptr || c->is_text() || std::isnan(c->number(row))) return std::nullopt;
    return c->number(row);
  };
  const std::string where =
      std::string(m.info.name) + " on " + gpu.name + ", '" + table.title + "' row " + std::to_string(row);
  for (const char* share : {"of_peak", "of_pin", "of_roof", "efficiency", "occupancy"}) {
    const Column* c = table.find(share);
    if (c != nullptr && !(c->unit.dimension == Dimension{})) continue; // flop/J are no share
    EXPECT_LE(number(share).value_or(0), rounding) << where << ": " << share;
  }
  const Column* version = table.find("version");
  const bool loads = version == nullptr || version->text(row) != "unsummed"; // of pi's, that only stores
  const bool a_ladder = m.info.simulated && table.title == "versions" && loads;
  if (a_ladder) {
    EXPECT_GE(number("time").value_or(1) * rounding, least_time(gpu)) << where;
  }
  // More than L2 keeps comes no faster than the pins of device memory: 2^24 words on an RTX 4090 did. Where
  // the answer says that arrays stay in L2, from one launch to the next, they fit there, and L2 is the roof
  // of of_roof.
  const auto n = a_ladder ? number("n") : std::nullopt;
  const auto bytes = n ? moved(m, *n) : std::nullopt;
  const Column* level = table.find("level");
  const bool stays = level != nullptr ? level->text(row) == "l2" : number("dram_bytes") == 0.0;
  if (bytes && stays) {
    EXPECT_LE(*bytes, has_l2(gpu) ? cost(gpu, facts::l2_size) : 0) << where;
  } else if (bytes && (!has_l2(gpu) || *bytes > cost(gpu, facts::l2_shared_capacity))) {
    EXPECT_LE(number("bandwidth").value_or(0), cost(gpu, facts::dram_bandwidth) * rounding) << where;
  }
  // A roof is worked out of what its printed figure rounds, by 1 % at most (hwdb/files.cpp).
  const double printed = table.title == "kernels" ? 1.01 : rounding;
  EXPECT_LE(number("performance").value_or(0), peak_of(gpu) * printed) << where;
  // What all SMs stream passes the pins and, where there is one, L2.
  if (m.info.name == "memory-parallelism" || m.info.name == "segment-rate") {
    const double l2 = has_l2(gpu) ? cost(gpu, facts::sustained_l2) : std::numeric_limits<double>::infinity();
    EXPECT_LE(number("bandwidth").value_or(0), std::min(cost(gpu, facts::dram_bandwidth), l2) * rounding)
        << where;
  }
  const Column* grade = table.find("grade");
  ASSERT_NE(grade, nullptr) << where;
  EXPECT_TRUE(std::find(std::begin(grade_names), std::end(grade_names), grade->text(row)) !=
              std::end(grade_names))
      << where;
}

inline void expect_beats_none(const Model& m, const Gpu& gpu, const Result& result) {
  for (const Table& table : result.tables)
    for (std::size_t row = 0; row < table.rows(); ++row) check_row(m, gpu, table, row);
}

} // namespace perfmodel::roofs
