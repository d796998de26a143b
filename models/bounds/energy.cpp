#include "energy.hpp"

#include "energy_fit.hpp"
#include "power_cap.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

namespace {

using In = Energy::Input;

Precision unit_precision(EnergyPrecision precision) {
  return precision == EnergyPrecision::fp32   ? Precision::fp32
         : precision == EnergyPrecision::fp64 ? Precision::fp64
                                              : Precision::bf16;
}

const Key<JoulesPerFlop>& price_of_flop(EnergyPrecision precision) {
  return precision == EnergyPrecision::fp32   ? facts::energy_fp32
         : precision == EnergyPrecision::fp64 ? facts::energy_fp64
                                              : facts::energy_bf16_tensor;
}

const Key<JoulesPerByte>& price_of_byte(EnergyLevel level) {
  return level == EnergyLevel::dram ? facts::energy_dram : facts::energy_l2;
}

Level memory_level(EnergyLevel level) { return level == EnergyLevel::dram ? Level::dram : Level::l2; }

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
template <class T> auto on_chip(const Gpu& gpu, const In& in, T& trace) {
  const auto per_byte = trace.cost(gpu, price_of_byte(in.level));
  if (in.level == EnergyLevel::l2) return trace.number(1.0) * per_byte;
  if (!gpu.has_cost(facts::energy_l2)) return trace.number(0.0) * per_byte;
  return trace.number(1.0) * lesser(per_byte, trace.cost(gpu, facts::energy_l2));
}

// Leakage rises with the temperature.
template <class T> auto constant_power(const Gpu& gpu, const In& in, T& trace) {
  const auto at_50 = trace.cost(gpu, facts::power_constant);
  if (!in.temperature) return at_50;
  const auto above = trace.number(*in.temperature - reference_temperature);
  return trace.define("pi0", "constant power at this temperature",
                      at_50 + above * trace.cost(gpu, facts::power_per_degree));
}

template <class T> auto prices(const Gpu& gpu, const In& in, T& trace) {
  const ArithmeticUnit& unit = *units_of(gpu, unit_precision(in.precision)).front();
  const Count all = gpu.at(facts::sm_count).value;
  if (in.sms && (*in.sms < 1 || *in.sms > all))
    throw InputError(fmt::format("--sms {:.0f}: {} has {:.0f} SMs", *in.sms, gpu.name, all));
  const auto full = peak(gpu, unit, trace);
  const auto rate =
      in.sms ? trace.define("R", "rate of the SMs that work", trace.number(*in.sms / all) * full) : full;
  const auto beta = bandwidth(gpu, memory_level(in.level), Basis::measured, trace);
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

std::optional<double> cap_of(const Gpu& gpu, const In& in) {
  if (in.cap) return in.cap->value;
  const auto tdp = gpu.find(facts::power_tdp);
  return tdp ? std::optional(tdp->value.value) : std::nullopt;
}

// The lowest clock is read only where it may matter: an answer that does not rest on it is no estimate.
template <class T>
HeldClock held_by(const Gpu& gpu, const EnergyNumbers& n, double cap, double intensity, Hertz full,
                  T& trace) {
  const double free = n.clock_under(cap, intensity, 0);
  if (!gpu.has_cost(facts::clock_least) || free * full.value >= gpu.cost(facts::clock_least).high) {
    return {.clock = free};
  }
  const double least = std::min(value_of(trace.cost(gpu, facts::clock_least)) / full, 1.0);
  const double clock = n.clock_under(cap, intensity, least);
  if (clock > least) return {.clock = clock};
  return {.clock = clock, .duty = n.duty_under(cap, intensity, clock)};
}

template <class T>
HeldClock held(const Gpu& gpu, const In& in, const EnergyNumbers& n, const std::optional<double>& cap,
               double intensity, Hertz full, T& trace) {
  if (in.at_clock) return {.clock = *in.at_clock / full};
  return cap ? held_by(gpu, n, *cap, intensity, full, trace) : HeldClock{};
}

void check_temperature(double degrees) {
  constexpr double coldest = 0, hottest = 120; // that chips are made for
  if (!(degrees >= coldest && degrees <= hottest))
    throw InputError(fmt::format("--temperature {:g}: {:g} to {:g} degrees Celsius are expected", degrees,
                                 coldest, hottest));
}

void check_clock(const Gpu& gpu, Hertz given, Hertz full) {
  if (given > full)
    throw InputError(
        fmt::format("--at-clock {}: {} runs at {} at most", in_words(given), gpu.name, in_words(full)));
  const auto least = gpu.find(facts::clock_least);
  if (least && given < least->value)
    throw InputError(fmt::format("--at-clock {}: {} runs at {} at least", in_words(given), gpu.name,
                                 in_words(least->value)));
}

} // namespace

template <class T> Energy::Machine Energy::machine(const Gpu& gpu, const Input& in, T& trace) {
  if (in.temperature) check_temperature(*in.temperature);
  const auto p = prices(gpu, in, trace);
  const EnergyNumbers n = numbers_of(p);
  const auto time_balance =
      trace.define("B_time", "operations that take as long as a byte", p.rate / p.bandwidth);
  const auto energy_balance =
      trace.define("B_energy", "operations that cost as much energy as a byte", p.per_byte / p.per_flop);
  const double half = half_efficiency(n), ridge = n.rate / n.bandwidth;
  const bool race = ridge >= half;
  Balances row{.precision = std::string(names(in.precision)[static_cast<std::size_t>(in.precision)]),
               .level = std::string(names(in.level)[static_cast<std::size_t>(in.level)]),
               .per_flop = value_of(p.per_flop),
               .per_byte = value_of(p.per_byte),
               .constant = value_of(p.constant),
               .time_balance = value_of(time_balance),
               .energy_balance = value_of(energy_balance),
               .half_efficiency = FlopsPerByte(half),
               .gap = value_of(energy_balance) / value_of(time_balance),
               .best = FlopsPerJoule(1 / n.least_joules(1, 1)),
               .most_power = Watts(n.power_at(ridge, 1)),
               .race_to_halt =
                   race ? "right: a kernel that is bound by arithmetic has more than half of the best flop/J"
                        : "not enough: beyond the ridge, less traffic still saves energy"};
  return {{std::move(row)}};
}

template <class T> std::vector<Energy::Point> Energy::predict(const Gpu& gpu, const Input& in, T& trace) {
  if (in.temperature) check_temperature(*in.temperature);
  const auto p = prices(gpu, in, trace);
  EnergyNumbers n = numbers_of(p);
  const std::optional<double> cap = cap_of(gpu, in);
  if (cap && *cap <= n.constant)
    throw InputError(fmt::format("--cap: {} is no more than the constant power, {}", in_words(Watts(*cap)),
                                 in_words(Watts(n.constant))));
  const Hertz full = gpu.at(clock_of(gpu, *units_of(gpu, unit_precision(in.precision)).front())).value;
  if (in.at_clock) check_clock(gpu, *in.at_clock, full);
  std::vector<double> intensities;
  if (in.intensity)
    intensities.push_back(in.intensity->value);
  else
    for (int power = -4; power <= 9; ++power) intensities.push_back(std::exp2(power));
  std::vector<Point> rows;
  // What goes with the voltage is read only where it may matter.
  bool sinks = in.at_clock.has_value();
  for (const double intensity : intensities) sinks = sinks || (cap && n.power_at(intensity, 1) > *cap);
  const auto chip = sinks ? on_chip(gpu, in, trace) : trace.number(JoulesPerByte(0));
  n.on_chip = value_of(chip).value;
  // A byte costs power and time, so the best under a cap is where there is none.
  const HeldClock best = held(gpu, in, n, cap, std::numeric_limits<double>::infinity(), full, trace);
  for (const double intensity : intensities) {
    const HeldClock here = held(gpu, in, n, cap, intensity, full, trace);
    const double share = here.clock;
    const FlopsPerSecond rate(here.duty * n.rate_at(intensity, share));
    const auto traffic = trace.number(FlopsPerByte(intensity));
    const auto flops = trace.number(share * share) * p.per_flop;
    const auto bytes = (p.per_byte - trace.number(1 - share * share) * chip) / traffic;
    const auto still = p.constant / trace.number(rate);
    const auto energy =
        trace.define("E/W", "energy of an operation with its bytes and its time", flops + bytes + still);
    const auto power = trace.define("P", "power", energy * trace.number(rate));
    const double joules = value_of(energy).value;
    Point row{.precision = in.precision,
              .level = in.level,
              .sms = in.sms.value_or(gpu.at(facts::sm_count).value),
              .intensity = FlopsPerByte(intensity),
              .performance = rate,
              .power = value_of(power),
              .efficiency = FlopsPerJoule(1 / joules),
              .energy = value_of(energy),
              .of_peak = rate.value / n.rate,
              .arch_line = n.least_joules(best.clock, best.duty) / joules,
              .of_flops = value_of(flops).value / joules,
              .of_bytes = value_of(bytes).value / joules,
              .of_constant = value_of(still).value / joules,
              .clock = full * share,
              .duty = here.duty,
              .bound = bound_under_cap(n, intensity, here)};
    if (in.flops) {
      const Seconds launch = gpu.has_cost(facts::kernel_turnover)
                                 ? value_of(trace.cost(gpu, facts::kernel_turnover))
                                 : Seconds(0);
      row.time = *in.flops / rate + launch;
      row.total = *in.flops * row.energy + value_of(p.constant) * launch;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Energy::verdict(const Gpu& gpu, const Input& in, const std::vector<Point>& rows,
                            const Machine& machine) {
  const Balances& b = std::get<0>(machine).front();
  if (in.intensity) {
    const Point& k = rows.front();
    const double most = std::max({k.of_flops, k.of_bytes, k.of_constant});
    const std::string_view where = most == k.of_flops   ? "its operations"
                                   : most == k.of_bytes ? "moving its bytes"
                                                        : "power that flows whatever is done";
    std::string text =
        fmt::format("{} at {}: {} of the energy goes into {}, {} of the best flop/J", in_words(k.efficiency),
                    in_words(k.power), in_percent(most), where, in_percent(k.arch_line));
    if (k.bound == by_pauses)
      text += fmt::format(". At {}, its lowest clock, the cap leaves work {} of the time", in_words(k.clock),
                          in_percent(k.duty));
    else if (k.bound == by_power_cap && in.at_clock)
      text += fmt::format(". The clock of {} was given", in_words(k.clock));
    else if (k.bound == by_power_cap)
      text += fmt::format(". The power cap leaves some {}, an estimate (--at-clock)", in_words(k.clock));
    return text + ".";
  }
  const double ridge = b.time_balance.value;
  std::string text =
      fmt::format("The energy balance is {}, the time balance {}: {}", in_words(b.energy_balance),
                  in_words(b.time_balance),
                  b.half_efficiency.value <= ridge ? "finishing soon is what saves energy"
                                                   : "beyond the ridge less traffic still saves energy");
  const std::optional<double> cap = cap_of(gpu, in);
  if (cap && b.most_power.value > *cap)
    text += fmt::format(". At the ridge {} would flow, more than the cap of {}", in_words(b.most_power),
                        in_words(Watts(*cap)));
  const auto paused =
      std::find_if(rows.rbegin(), rows.rend(), [](const Point& k) { return k.bound == by_pauses; });
  if (paused != rows.rend()) text += fmt::format("; up to {} it pauses", in_words(paused->intensity));
  return text + ".";
}

template Energy::Machine Energy::machine(const Gpu&, const Input&, Plain&);
template Energy::Machine Energy::machine(const Gpu&, const Input&, Recorder&);
template std::vector<Energy::Point> Energy::predict(const Gpu&, const Input&, Plain&);
template std::vector<Energy::Point> Energy::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
