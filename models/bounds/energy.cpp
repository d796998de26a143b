#include "energy.hpp"

#include "clocks_under_cap.hpp"
#include "energy_prices.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

namespace {

using In = Energy::Input;
using namespace energy_prices;

std::optional<double> cap_of(const Gpu& gpu, const In& in) {
  if (in.cap) return in.cap->value;
  const auto tdp = gpu.find(facts::power_tdp);
  return tdp ? std::optional(tdp->value.value) : std::nullopt;
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

// Throws InputError: a cap that constant power alone exceeds, a clock that the GPU does not have.
ClocksUnderCap clocks_of(const Gpu& gpu, const In& in, const EnergyNumbers& n) {
  const Hertz full = gpu.at(clock_of(gpu, *units_of(gpu, unit_precision(in.precision)).front())).value;
  const std::optional<double> cap = cap_of(gpu, in);
  if (cap && *cap <= n.constant)
    throw InputError(fmt::format("--cap: {} is no more than the constant power, {}", in_words(Watts(*cap)),
                                 in_words(Watts(n.constant))));
  if (in.at_clock && in.cap)
    throw InputError("--at-clock is a clock that was measured, whatever the cap: give it or --cap");
  if (in.at_clock) check_clock(gpu, *in.at_clock, full);
  return {gpu, full, n, cap, in.at_clock ? std::optional(*in.at_clock / full) : std::nullopt};
}

// What goes with the voltage is read only where the clock may sink.
template <class T> auto read_voltage(const Gpu& gpu, const In& in, bool sinks, EnergyNumbers& n, T& trace) {
  const auto chip = sinks ? on_chip(gpu, in, trace) : trace.number(JoulesPerByte(0));
  n.on_chip = value_of(chip).value;
  if (sinks) n.exponent = value_of(trace.cost(gpu, facts::energy_clock_exponent));
  return chip;
}

} // namespace

template <class T> Energy::Machine Energy::machine(const Gpu& gpu, const Input& in, T& trace) {
  if (in.temperature) check_temperature(*in.temperature);
  const auto p = prices(gpu, in, trace);
  EnergyNumbers n = numbers_of(p);
  const ClocksUnderCap clocks = clocks_of(gpu, in, n);
  const double ridge = n.rate / n.bandwidth; // where the most power flows
  read_voltage(gpu, in, clocks.may_sink(n.power_at(ridge, 1)), n, trace);
  const HeldClock best = clocks.at(std::numeric_limits<double>::infinity(), trace);
  const double clock = clocks.is_given() ? best.clock : 1, less = n.at_clock(clock);
  const auto time_balance = trace.define("B_time", "operations that take as long as a byte",
                                         trace.number(clock) * p.rate / p.bandwidth);
  const auto per_flop = trace.number(less) * p.per_flop;
  const auto per_byte = p.per_byte - trace.number(JoulesPerByte(n.on_chip * (1 - less)));
  const auto energy_balance =
      trace.define("B_energy", "operations that cost as much energy as a byte", per_byte / per_flop);
  const double half = half_efficiency(n, best, [&](double i) { return clocks.at(i, trace); });
  const bool race = value_of(time_balance).value >= half;
  Balances row{.precision = std::string(names(in.precision)[static_cast<std::size_t>(in.precision)]),
               .level = std::string(names(in.level)[static_cast<std::size_t>(in.level)]),
               .per_flop = value_of(per_flop),
               .per_byte = value_of(per_byte),
               .constant = value_of(p.constant),
               .time_balance = value_of(time_balance),
               .energy_balance = value_of(energy_balance),
               .half_efficiency = FlopsPerByte(half),
               .gap = value_of(energy_balance) / value_of(time_balance),
               .best = FlopsPerJoule(1 / n.least_joules(best)),
               .most_power = Watts(n.power_at(value_of(time_balance).value, clock)),
               .race_to_halt =
                   race ? "right: a kernel that is bound by arithmetic has more than half of the best flop/J"
                        : "not enough: beyond the ridge, less traffic still saves energy"};
  return {{std::move(row)}};
}

template <class T> std::vector<Energy::Point> Energy::predict(const Gpu& gpu, const Input& in, T& trace) {
  if (in.temperature) check_temperature(*in.temperature);
  const auto p = prices(gpu, in, trace);
  EnergyNumbers n = numbers_of(p);
  const ClocksUnderCap clocks = clocks_of(gpu, in, n);
  std::vector<double> intensities;
  if (in.intensity)
    intensities.push_back(in.intensity->value);
  else
    for (int power = -4; power <= 9; ++power) intensities.push_back(std::exp2(power));
  std::vector<Point> rows;
  bool sinks = clocks.may_sink(0);
  for (const double intensity : intensities) sinks = sinks || clocks.may_sink(n.power_at(intensity, 1));
  const auto chip = read_voltage(gpu, in, sinks, n, trace);
  // A byte costs power and time, so the best under a cap is where there is none.
  const HeldClock best = clocks.at(std::numeric_limits<double>::infinity(), trace);
  for (const double intensity : intensities) {
    const HeldClock here = clocks.at(intensity, trace);
    const double share = here.clock, less = n.at_clock(share);
    const FlopsPerSecond rate(here.duty * n.rate_at(intensity, share));
    const auto traffic = trace.number(FlopsPerByte(intensity));
    const auto flops = trace.number(less) * p.per_flop;
    const auto bytes = (p.per_byte - trace.number(1 - less) * chip) / traffic;
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
              .arch_line = n.least_joules(best) / joules,
              .of_flops = value_of(flops).value / joules,
              .of_bytes = value_of(bytes).value / joules,
              .of_constant = value_of(still).value / joules,
              .clock = clocks.full() * share,
              .duty = here.duty,
              .bound = bound_under_cap(n, intensity, here, clocks.is_given())};
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

const void* Energy::said(const Input& in, const std::vector<Point>& rows, const Machine& machine) {
  if (in.intensity) return &rows.front().efficiency;
  const std::vector<Balances>& balances = std::get<0>(machine);
  return balances.empty() ? nullptr : &balances.front().energy_balance;
}

std::string Energy::verdict(const Gpu& gpu, const Input& in, const std::vector<Point>& rows,
                            const Machine& machine) {
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
    else if (const auto cap = cap_of(gpu, in); in.at_clock && cap && k.power.value > *cap)
      text += fmt::format(". That is more than the cap of {}: the prices, or the clock, are too high",
                          in_words(Watts(*cap)));
    else if (k.bound == by_power_cap)
      text += fmt::format(". The power cap leaves some {}, an estimate (--at-clock)", in_words(k.clock));
    return text + ".";
  }
  const std::vector<Balances>& balances = std::get<0>(machine);
  if (balances.empty()) return ""; // points alone were asked for
  const Balances& b = balances.front();
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
