// Energy of a kernel beside its time: work, traffic and time each have a price.
//   E = W e_flop + Q e_mem + pi0 T,   T = max(W / R, Q / beta),   P = E / T
// J. Choi, D. Bedard, R. Fowler, R. Vuduc, "A roofline model of energy", IPDPS 2013; the power cap as a third
// ceiling: J. Choi, M. Dukhan, X. Liu, R. Vuduc, IPDPS 2014. Energies add and never overlap, so the arch line
// has no corner. Under the cap the clock sinks until the power fits: rate goes with the clock and, since the
// voltage goes with it too, the energy of an operation with its square or so (energy.clock_exponent); so does
// that of a byte's way through the chip, which is what a byte from L2 costs. Constant power and what device
// memory takes itself are taken to stay. Where the bytes alone take more than the cap, a lower clock does not
// help: from the lowest one on work pauses, d = (cap - pi0) / (P - pi0) of the time goes on, and the rate of
// memory falls with d.
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

enum class EnergyPrecision { fp32, fp64, bf16 };
constexpr auto names(EnergyPrecision) { return std::to_array<std::string_view>({"fp32", "fp64", "bf16"}); }

// Where the bytes come from: of these levels a byte's energy is known.
enum class EnergyLevel { dram, l2 };
constexpr auto names(EnergyLevel) { return std::to_array<std::string_view>({"dram", "l2"}); }

struct Energy {
  static constexpr ModelInfo info{
      .name = "energy",
      .summary = "Energy: what work, traffic and time cost, and which rate the power cap allows",
      .equation = "E = W e_flop + Q e_mem + pi0 T",
      .source = "Choi, Bedard, Fowler, Vuduc, IPDPS 2013; Choi, Dukhan, Liu, Vuduc, IPDPS 2014",
      .reading = "The arch line is the share of the most flop/J that any intensity allows. Left of the "
                 "energy balance a byte costs more than the operations done with it. A clock under the power "
                 "cap is an estimate, as if voltage went with it: one measured under the load is better.",
      .tolerance = 0.05,
      .chart = ChartKind::lines,
      .x = "intensity",
      .y = "efficiency",
      .series = "gpu",
      .log_x = true,
      .log_y = true,
      .examples = "--hw h200 --intensity 1,16 --cap 300W; --hw h200 -o energy.svg"};

  struct Input {
    EnergyPrecision precision = EnergyPrecision::fp32;
    EnergyLevel level = EnergyLevel::dram;
    std::optional<FlopsPerByte> intensity;
    std::optional<Flops> flops;
    std::optional<double> sms;
    std::optional<Watts> cap;
    std::optional<Hertz> at_clock;
    std::optional<double> temperature;
    static void fields(auto& field) {
      field(&Input::precision, "precision", "fp32 or fp64 FMAs, or bf16 on the tensor units");
      field(&Input::level, "level", "memory level whose bytes are counted");
      field(&Input::intensity, "intensity", "operations per byte (default: powers of two)");
      field(&Input::flops, "flops", "operations of a kernel: its time and energy too");
      field(&Input::sms, "sms", "SMs that work (default: all)", Range::whole);
      field(&Input::cap, "cap", "board power limit (default: power.tdp)");
      field(&Input::at_clock, "at-clock",
            "clock that was measured under this load (default: what the power cap leaves, if voltage "
            "goes with the clock)");
      field(&Input::temperature, "temperature",
            "of the GPU in degrees Celsius: constant power rises with it (default: 50)", Range::any);
    }
  };

  // What there is at each intensity depends on these.
  static constexpr std::array<std::string_view, 4> machine_inputs{"sms", "cap", "at-clock", "temperature"};

  struct Balances {
    static constexpr std::string_view title = "time and energy balance";
    std::string precision, level;
    JoulesPerFlop per_flop;
    JoulesPerByte per_byte;
    Watts constant;
    FlopsPerByte time_balance, energy_balance, half_efficiency;
    double gap = absent;
    FlopsPerJoule best;
    Watts most_power;
    std::string race_to_halt;
    static void fields(auto& field) {
      using R = Balances;
      field(&R::precision, "precision", "of the operations", Range::any, Role::key);
      field(&R::level, "level", "memory level whose bytes are counted", Range::any, Role::key);
      field(&R::per_flop, "per_flop", "energy of an operation");
      field(&R::per_byte, "per_byte", "energy of a byte");
      field(&R::constant, "constant_power", "power that flows whatever is done");
      field(&R::time_balance, "time_balance", "operations that take as long as a byte");
      field(&R::energy_balance, "energy_balance", "operations that cost as much energy as a byte");
      field(&R::half_efficiency, "half_efficiency",
            "intensity that has half of the best flop/J, under this cap, constant power included");
      field(&R::gap, "gap", "energy balance over time balance");
      field(&R::best, "best_efficiency", "operations per joule where memory costs nothing, under this cap");
      field(&R::most_power, "most_power", "power at the ridge, if no cap held it back");
      field(&R::race_to_halt, "race_to_halt", "whether finishing soon is also what saves energy", Range::any,
            Role::note);
    }
  };

  struct Point {
    static constexpr std::string_view title = "kernels";
    EnergyPrecision precision{};
    EnergyLevel level{};
    double sms = 0;
    FlopsPerByte intensity;
    FlopsPerSecond performance;
    Watts power;
    FlopsPerJoule efficiency;
    JoulesPerFlop energy;
    double of_peak = 0, arch_line = 0, of_flops = 0, of_bytes = 0, of_constant = 0;
    Hertz clock;
    double duty = 1;
    Seconds time{absent};
    Joules total{absent};
    std::string bound;
    static void fields(auto& field) {
      using R = Point;
      field(&R::precision, "precision", "of the operations", Range::any, Role::key);
      field(&R::level, "level", "memory level whose bytes are counted", Range::any, Role::key);
      field(&R::sms, "sms", "SMs that work", Range::any, Role::key);
      field(&R::intensity, "intensity", "operations per byte", Range::any, Role::key);
      field(&R::performance, "performance", "attainable rate");
      field(&R::power, "power", "energy over time");
      field(&R::efficiency, "efficiency", "operations per joule");
      field(&R::energy, "energy_per_flop", "energy over operations");
      field(&R::of_peak, "of_peak", "rate over the peak: the time line", Range::any, Role::predicted,
            "fraction");
      field(&R::arch_line, "arch_line", "efficiency over the most that any intensity has under this cap",
            Range::any, Role::predicted, "fraction");
      field(&R::of_flops, "of_flops", "share of the energy that operations take", Range::any, Role::predicted,
            "fraction");
      field(&R::of_bytes, "of_bytes", "share of the energy that bytes take", Range::any, Role::predicted,
            "fraction");
      field(&R::of_constant, "of_constant", "share of the energy that constant power takes", Range::any,
            Role::predicted, "fraction");
      field(&R::clock, "clock", "SM clock, lower where the power cap holds it down");
      field(&R::duty, "duty", "share of the time in which work goes on, where the lowest clock is not enough",
            Range::any, Role::predicted, "fraction");
      field(&R::time, "time", "of the kernel of --flops, its launch included");
      field(&R::total, "energy", "of the kernel of --flops, constant power during its launch included");
      field(&R::bound, "bound", "what limits the rate", Range::any, Role::note);
    }
  };

  using Machine = std::tuple<std::vector<Balances>>;
  template <class T> static Machine machine(const Gpu& gpu, const Input& in, T& trace);
  template <class T> static std::vector<Point> predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const std::vector<Point>&, const Machine&);
  static const void* said(const Input&, const std::vector<Point>&, const Machine&);
};

} // namespace perfmodel
