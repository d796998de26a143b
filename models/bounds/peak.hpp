// Peak rate of an arithmetic unit = SMs x results per clock and SM x operations per result x clock.
// Every data sheet's peak is this product at a clock it may not name; the fact `peak.*` names it.
#pragma once

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfmodel {

// What users ask for. Plain fp16 and bf16 mean the tensor units where a device has them.
enum class Precision {
  fp64,
  fp64_tensor,
  fp32,
  fp32_mad_mul,
  tf32,
  fp16,
  fp16_vector,
  bf16,
  bf16_vector,
  fp8,
  int8,
  fp4,
  int32
};
constexpr auto names(Precision) {
  return std::to_array<std::string_view>({"fp64", "fp64-tensor", "fp32", "fp32-mad-mul", "tf32", "fp16",
                                          "fp16-vector", "bf16", "bf16-vector", "fp8", "int8", "fp4",
                                          "int32"});
}

// spec: data sheets and published figures. measured: what kernels sustain, where it is known.
enum class Basis { spec, measured };
constexpr auto names(Basis) { return std::to_array<std::string_view>({"spec", "measured"}); }

struct ArithmeticUnit {
  Precision precision;
  std::string_view name; // "fp32", "bf16 tensor"
  Key<PerCycle> throughput;
  Key<FlopsPerSecond> peak, sustained;
  double operations = 2; // per result: an FMA is two
  bool fused = true;     // half of the peak is lost without FMA
};

// Every kind of unit there is, fp64 first.
std::span<const ArithmeticUnit> arithmetic_units();

// The units of `gpu` that can serve a precision, the one a kernel of that precision is held against first;
// all its units when no precision is given. Throws InputError when the device has none.
std::vector<const ArithmeticUnit*> units_of(const Gpu& gpu, std::optional<Precision> precision);

// The clock that a peak assumes: the one its fact names, `clock` where it names none.
Key<Hertz> clock_of(const Gpu& gpu, const ArithmeticUnit& unit);

// Whether any of these facts was given by `--set`.
bool any_set(const Gpu& gpu, std::initializer_list<std::string_view> paths);

// Whether a sustained rate is known and could be reached: not where `--set` has put the peak below it. What
// was measured on a faster machine is no ceiling of the one that is asked about.
bool has_sustained(const Gpu& gpu, const ArithmeticUnit& unit);

// [flop/s] The product above; the printed value where no throughput is known or `--set` gives it.
template <class T> auto peak(const Gpu& gpu, const ArithmeticUnit& unit, T& trace) {
  const FactRecord* printed = gpu.record(unit.peak);
  const bool given = printed != nullptr && printed->layer == Layer::set;
  if (given || gpu.record(unit.throughput) == nullptr) return trace.fact(gpu, unit.peak);
  return trace.define("P(" + std::string(unit.name) + ")", "peak rate",
                      trace.fact(gpu, facts::sm_count) * trace.fact(gpu, unit.throughput) *
                          trace.number(Flops(unit.operations)) * trace.cost(gpu, clock_of(gpu, unit)));
}

// [flop/s] On the measured basis the sustained rate where it is known, else the peak.
template <class T> auto rate(const Gpu& gpu, const ArithmeticUnit& unit, Basis basis, T& trace) {
  if (basis == Basis::measured && has_sustained(gpu, unit)) return trace.cost(gpu, unit.sustained);
  return peak(gpu, unit, trace);
}

} // namespace perfmodel
