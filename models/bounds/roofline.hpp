// Roofline: a kernel that does I operations per byte it moves reaches at most
//   P(I) = min(P_peak, I x beta)   [flop/s],   ridge at I = P_peak / beta
// S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009; as time, T = max(W / P, Q / beta): R. Vuduc,
// 2014. Assumes perfect overlap, throughput limits only, and bytes counted at one memory level.
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/bounds/points.hpp"
#include "models/concurrency/bytes_in_flight.hpp"
#include "models/core/combine.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

// Achieved over attainable from which a point lies above its roof; less is the noise of a measurement.
inline constexpr double above_roof = 1.005;

enum class Bound { memory, compute };
constexpr auto names(Bound) { return std::to_array<std::string_view>({"memory", "compute"}); }

struct Roofline {
  static constexpr ModelInfo info{
      .name = "roofline",
      .summary = "Roofline: the rate that arithmetic and memory allow at each arithmetic intensity",
      .equation = "P(I) = min(P_peak, I x beta)",
      .source = "Williams, Waterman, Patterson, CACM 52(4), 2009",
      .reading =
          "A kernel of intensity I reaches at most min(rate, I x bandwidth); left of the ridge memory "
          "limits it, right of it arithmetic. Integer rates are told in op; CSV and JSON keep them in flop.",
      .tolerance = 1 / 0.95 - 1,
      .chart = ChartKind::roofline,
      .x = "intensity",
      .y = "performance",
      .series = "gpu",
      .log_x = true,
      .log_y = true,
      .examples =
          "--hw h200 --flops 2e12 --bytes 64GB; --hw gtx280,m2090,h200 --precision fp32 -o generations.svg"};

  struct Input {
    std::optional<Precision> precision;
    std::optional<Basis> basis;
    Level level = Level::dram;
    std::optional<FlopsPerByte> intensity;
    std::optional<Flops> flops;
    std::optional<Bytes> bytes;
    std::optional<Seconds> time;
    std::optional<RooflinePoints> points;
    std::string kernel = "kernel";
    std::string combine = "max";
    std::optional<Count> threads, registers, blocks;
    Bytes shared{0}, word{4};
    double loads = 1;
    static void fields(auto& field) {
      field(&Input::precision, "precision", "this precision (default: all; fp32 for a kernel)");
      field(&Input::basis, "basis",
            "only specified or only measured roofs (default: both, kernels held against the specified)");
      field(&Input::level, "level", "memory level whose bytes are counted");
      field(&Input::intensity, "intensity", "operations per byte of a kernel");
      field(&Input::flops, "flops", "operations of a kernel");
      field(&Input::bytes, "bytes", "bytes a kernel moves at the level");
      field(&Input::time, "time", "time a kernel took");
      field(&Input::points, "points",
            "file of kernels: CSV of name,intensity,performance[,low,high,path,...], or JSON that a ladder "
            "wrote");
      field(&Input::kernel, "kernel", "name of the kernel given by --flops, --bytes or --intensity");
      field(&Input::combine, "combine", "max (the roofline), sum, or p=NUMBER for a smoother knee");
      field(&Input::threads, "threads",
            "threads of a block: with --bytes and --time, whether occupancy or latency holds it back",
            Range::whole);
      field(&Input::registers, "registers", "registers of a thread; 0, or none given: they limit nothing",
            Range::not_negative);
      field(&Input::shared, "shared", "shared memory of a block, static and dynamic", Range::not_negative);
      field(&Input::blocks, "blocks", "blocks of the grid (default: as many as the device holds)",
            Range::whole);
      field(&Input::word, "word", "bytes of one load");
      field(&Input::loads, "loads", "loads in flight in one thread", Range::per_thread);
    }
  };

  struct ComputeCeiling {
    static constexpr std::string_view title = "compute ceilings";
    std::string ceiling;
    Precision precision{};
    Basis basis{};
    FlopsPerSecond rate;
    Hertz clock;
    FlopsPerByte ridge, ridge_measured;
    static void fields(auto& field) {
      using R = ComputeCeiling;
      field(&R::ceiling, "ceiling", "arithmetic unit", Range::any, Role::key);
      field(&R::precision, "precision", "what --precision calls it", Range::any, Role::key);
      field(&R::basis, "basis", "specified or measured", Range::any, Role::key);
      field(&R::rate, "rate", "operations per second");
      field(&R::clock, "clock", "SM clock that a specified rate assumes");
      field(&R::ridge, "ridge", "intensity at which the level's bandwidth keeps it busy, DRAM's at its pins");
      field(&R::ridge_measured, "ridge_measured", "the same with the level's measured bandwidth");
    }
  };

  struct BandwidthCeiling {
    static constexpr std::string_view title = "bandwidth ceilings";
    std::string ceiling;
    Level level{};
    Basis basis{};
    BytesPerSecond bandwidth;
    FlopsPerByte ridge;
    static void fields(auto& field) {
      using R = BandwidthCeiling;
      field(&R::ceiling, "ceiling", "memory level and access", Range::any, Role::key);
      field(&R::level, "level", "memory level", Range::any, Role::key);
      field(&R::basis, "basis", "specified or measured", Range::any, Role::key);
      field(&R::bandwidth, "bandwidth", "bytes per second");
      field(&R::ridge, "ridge", "intensity at which it keeps the roof's unit busy");
    }
  };

  struct Kernel {
    static constexpr std::string_view title = "kernels";
    std::string name, path;
    Precision precision{};
    Level level{};
    FlopsPerByte intensity;
    FlopsPerSecond performance; // attainable
    Bound bound{};
    FlopsPerByte ridge{absent};      // where the level's bandwidth is known
    BytesPerSecond bandwidth_needed; // to reach the compute roof at this intensity
    Seconds least_time{absent};
    FlopsPerSecond achieved{absent}, low{absent}, high{absent}, predicted{absent};
    double of_roof = absent, of_measured = absent;
    Bound measured_bound = Bound::memory; // of the two that were measured, the one that allows less
    std::string verdict;
    static void fields(auto& field) {
      using R = Kernel;
      field(&R::name, "name", "kernel", Range::any, Role::key);
      field(&R::path, "path", "whose steps it is one of", Range::any, Role::key);
      field(&R::precision, "precision", "precision of its operations", Range::any, Role::key);
      field(&R::level, "level", "memory level whose bytes are counted", Range::any, Role::key);
      field(&R::intensity, "intensity", "operations per byte", Range::positive, Role::key);
      field(&R::performance, "performance", "attainable rate");
      field(&R::bound, "bound", "what limits it");
      field(&R::ridge, "ridge", "intensity from which it would be bound by arithmetic");
      field(&R::bandwidth_needed, "bandwidth_needed", "bandwidth that would reach the compute roof");
      field(&R::least_time, "least_time", "time at the attainable rate");
      field(&R::achieved, "achieved", "rate it reached", Range::any, Role::measured);
      field(&R::low, "low", "low end of the measurement", Range::any, Role::low);
      field(&R::high, "high", "high end of the measurement", Range::any, Role::high);
      field(&R::predicted, "predicted", "rate that a model of it predicts");
      field(&R::of_roof, "of_roof", "achieved, or else predicted, over attainable", Range::any,
            Role::predicted, "fraction");
      field(&R::of_measured, "of_measured", "the same over what the measured rate and bandwidth allow",
            Range::any, Role::predicted, "fraction");
      field(&R::verdict, "verdict", "what that means", Range::any, Role::note);
    }
  };

  using Machine = std::tuple<std::vector<ComputeCeiling>, std::vector<BandwidthCeiling>>;
  template <class T> static Machine machine(const Gpu& gpu, const Input& in, T& trace);
  using Points = std::tuple<std::vector<Kernel>, std::vector<InFlight>>;
  template <class T> static Points predict(const Gpu& gpu, const Input& in, T& trace);
  // The kernels alone.
  template <class T> static std::vector<Kernel> kernels(const Gpu& gpu, const Input& in, T& trace);
  // A good kernel reaches 95 % of the roof, and 86 % within a factor 2 of the ridge.
  static double tolerance(const Gpu& gpu, const Input& in);
  static std::string verdict(const Gpu&, const Input&, const Points&, const Machine&);
  static const void* said(const Input&, const Points&, const Machine&);
};

// What the question says of the launch whose bytes are in flight.
LaunchInFlight launch_of(const Roofline::Input& in);

} // namespace perfmodel
