// The precisions whose FMAs have a latency and operands of their own in the models of concurrency.
#pragma once

#include "models/bounds/peak.hpp"

#include <array>
#include <string_view>

namespace perfmodel {

enum class FmaPrecision { fp32, fp64 };
constexpr auto names(FmaPrecision) { return std::to_array<std::string_view>({"fp32", "fp64"}); }

constexpr Precision precision_of(FmaPrecision precision) {
  return precision == FmaPrecision::fp64 ? Precision::fp64 : Precision::fp32;
}

} // namespace perfmodel
