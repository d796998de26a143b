// What operations, bytes and seconds cost on a GPU in the state that a question says: so many SMs at work, at
// a temperature.
#pragma once

#include "energy.hpp"
#include "energy_fit.hpp"
#include "peak.hpp"
#include "power_cap.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

namespace perfmodel::energy_prices {

inline Precision unit_precision(EnergyPrecision precision) {
  return precision == EnergyPrecision::fp32   ? Precision::fp32
         : precision == EnergyPrecision::fp64 ? Precision::fp64
                                              : Precision::bf16;
}

inline const Key<JoulesPerFlop>& price_of_flop(EnergyPrecision precision) {
  return precision == EnergyPrecision::fp32   ? facts::energy_fp32
         : precision == EnergyPrecision::fp64 ? facts::energy_fp64
                                              : facts::energy_bf16_tensor;
}

inline const Key<JoulesPerByte>& price_of_byte(EnergyLevel level) {
  return level == EnergyLevel::dram ? facts::energy_dram : facts::energy_l2;
}

inline Level memory_level(EnergyLevel level) { return level == EnergyLevel::dram ? Level::dram : Level::l2; }

// What a GPU can do and what that costs, as terms of the trace.
template <class Rate, class Bandwidth, class PerFlop, class PerByte, class Power> struct Prices {
  Rate rate; // at the full clock
  Bandwidth bandwidth;
  PerFlop per_flop;
  PerByte per_byte;
  Power constant;
};

// What of a byte's energy goes with the voltage of the chip: from L2 on it travels there, wherever it came
// from.
template <class T> auto on_chip(const Gpu& gpu, const Energy::Input& in, T& trace) {
  const auto per_byte = trace.cost(gpu, price_of_byte(in.level));
  if (in.level == EnergyLevel::l2) return trace.number(1.0) * per_byte;
  if (!gpu.has_cost(facts::energy_l2)) return trace.number(0.0) * per_byte;
  return trace.number(1.0) * lesser(per_byte, trace.cost(gpu, facts::energy_l2));
}

// Leakage rises with the temperature.
template <class T> auto constant_power(const Gpu& gpu, const Energy::Input& in, T& trace) {
  const auto at_50 = trace.cost(gpu, facts::power_constant);
  if (!in.temperature) return at_50;
  const auto above = trace.number(*in.temperature - reference_temperature);
  const auto here = trace.define("pi0", "constant power at this temperature",
                                 at_50 + above * trace.cost(gpu, facts::power_per_degree));
  if (!(value_of(here).value > 0))
    throw InputError(
        fmt::format("--temperature {:g}: {} would be left of the constant power, {} at 50 degrees",
                    *in.temperature, in_words(value_of(here)), in_words(value_of(at_50))));
  return here;
}

// What the SMs that work get of a level: of L2 as much as all get, for each of them, and no more than that of
// device memory.
template <class T> auto bandwidth_of_sms(const Gpu& gpu, const Energy::Input& in, double all, T& trace) {
  const auto whole = bandwidth(gpu, memory_level(in.level), Basis::measured, trace);
  if (!in.sms || *in.sms == all || !gpu.has_cost(facts::sustained_l2)) return whole;
  const auto through_l2 = trace.number(*in.sms / all) * trace.cost(gpu, facts::sustained_l2);
  return trace.define("beta", "bandwidth that the SMs that work get", lesser(whole, through_l2));
}

template <class T> auto prices(const Gpu& gpu, const Energy::Input& in, T& trace) {
  const ArithmeticUnit& unit = *units_of(gpu, unit_precision(in.precision)).front();
  const Count all = gpu.at(facts::sm_count).value;
  if (in.sms && (*in.sms < 1 || *in.sms > all))
    throw InputError(fmt::format("--sms {:.0f}: {} has {:.0f} SMs", *in.sms, gpu.name, all));
  const auto full = peak(gpu, unit, trace);
  const auto rate =
      in.sms ? trace.define("R", "rate of the SMs that work", trace.number(*in.sms / all) * full) : full;
  const auto beta = bandwidth_of_sms(gpu, in, all, trace);
  const auto per_flop = trace.cost(gpu, price_of_flop(in.precision));
  const auto per_byte = trace.cost(gpu, price_of_byte(in.level));
  const auto constant = constant_power(gpu, in, trace);
  return Prices<decltype(rate), decltype(beta), decltype(per_flop), decltype(per_byte), decltype(constant)>{
      rate, beta, per_flop, per_byte, constant};
}

template <class P> EnergyNumbers numbers_of(const P& p) {
  return {value_of(p.rate).value, value_of(p.bandwidth).value, value_of(p.per_flop).value,
          value_of(p.per_byte).value, value_of(p.constant).value};
}

} // namespace perfmodel::energy_prices
