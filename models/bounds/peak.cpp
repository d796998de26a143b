#include "peak.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <string>

namespace perfmodel {

std::span<const ArithmeticUnit> arithmetic_units() {
  using namespace facts;
  using enum Precision;
  static const ArithmeticUnit units[] = {
      {fp64, "fp64", throughput_fp64_fma, peak_fp64, sustained_fp64},
      {fp64_tensor, "fp64 tensor", throughput_fp64_tensor, peak_fp64_tensor, sustained_fp64_tensor, 2, false},
      {fp32, "fp32", throughput_fp32_fma, peak_fp32, sustained_fp32},
      // GT200 and G80: a MAD with a MUL from the special function unit beside it.
      {fp32_mad_mul, "fp32 MAD+MUL", throughput_fp32_mad_mul, peak_fp32_mad_mul, sustained_fp32_mad_mul, 3,
       false},
      {tf32, "tf32 tensor", throughput_tf32_tensor, peak_tf32_tensor, sustained_tf32_tensor, 2, false},
      {fp16, "fp16 tensor", throughput_fp16_tensor, peak_fp16_tensor, sustained_fp16_tensor, 2, false},
      {fp16_vector, "fp16", throughput_fp16_fma, peak_fp16, sustained_fp16},
      {bf16, "bf16 tensor", throughput_bf16_tensor, peak_bf16_tensor, sustained_bf16_tensor, 2, false},
      {bf16_vector, "bf16", throughput_bf16_fma, peak_bf16, sustained_bf16},
      {fp8, "fp8 tensor", throughput_fp8_tensor, peak_fp8_tensor, sustained_fp8_tensor, 2, false},
      {int8, "int8 tensor", throughput_int8_tensor, peak_int8_tensor, sustained_int8_tensor, 2, false},
      {fp4, "fp4 tensor", throughput_fp4_tensor, peak_fp4_tensor, sustained_fp4_tensor, 2, false},
      {int32, "int32", throughput_int_add, peak_int32, sustained_int32, 1, false},
  };
  return units;
}

namespace {

bool has(const Gpu& gpu, const ArithmeticUnit& unit) {
  return gpu.record(unit.throughput) != nullptr || gpu.record(unit.peak) != nullptr;
}

bool serves(const ArithmeticUnit& unit, Precision wanted) {
  return unit.precision == wanted ||
         (wanted == Precision::fp16 && unit.precision == Precision::fp16_vector) ||
         (wanted == Precision::bf16 && unit.precision == Precision::bf16_vector);
}

std::string_view name_of(Precision precision) {
  return names(precision)[static_cast<std::size_t>(precision)];
}

[[noreturn]] void throw_without(const Gpu& gpu, Precision wanted) {
  std::string there;
  for (const ArithmeticUnit& unit : arithmetic_units())
    if (has(gpu, unit)) there += (there.empty() ? "" : ", ") + std::string(name_of(unit.precision));
  throw InputError(gpu.name + " has no rate for " + std::string(name_of(wanted)) + "; it has " +
                   (there.empty() ? "none" : there));
}

} // namespace

std::vector<const ArithmeticUnit*> units_of(const Gpu& gpu, std::optional<Precision> precision) {
  std::vector<const ArithmeticUnit*> found;
  // Asked at every point of a sweep: the facts are looked up last.
  for (const ArithmeticUnit& unit : arithmetic_units())
    if ((!precision || serves(unit, *precision)) && has(gpu, unit)) found.push_back(&unit);
  if (found.empty()) {
    if (!precision)
      throw InputError(gpu.name + " has no peak rate: no 'peak.*' and no 'throughput.*' in " + gpu.file);
    throw_without(gpu, *precision);
  }
  return found;
}

Key<Hertz> clock_of(const Gpu& gpu, const ArithmeticUnit& unit) {
  const FactRecord* printed = gpu.record(unit.peak);
  if (printed == nullptr || printed->clock.empty()) return facts::clock;
  const KeyInfo* key = find_key(printed->clock); // the loader has checked that it exists
  return {key->path, key->meaning, static_cast<int>(key - all_keys().data())};
}

bool any_set(const Gpu& gpu, std::initializer_list<std::string_view> paths) {
  return std::any_of(paths.begin(), paths.end(), [&](std::string_view path) {
    const FactRecord* record = gpu.record(path);
    return record != nullptr && record->layer == Layer::set;
  });
}

bool has_sustained(const Gpu& gpu, const ArithmeticUnit& unit) {
  if (!gpu.has_own(unit.sustained)) return false;
  const FactRecord* seen = gpu.record(unit.sustained);
  const bool changed =
      any_set(gpu, {unit.peak.path, unit.throughput.path, facts::sm_count.path, clock_of(gpu, unit).path});
  const bool given = seen != nullptr && seen->layer == Layer::set;
  if (!changed || given || !has(gpu, unit)) return true;
  Plain plain;
  return gpu.cost(unit.sustained).value <= base_value(peak(gpu, unit, plain));
}

} // namespace perfmodel
