// Little's law: operations in flight = latency x throughput.
// J. D. C. Little, Operations Research 9(3), 1961. Assumes a steady state and one latency for all operations.
#pragma once

#include "fma_precision.hpp"
#include "models/bounds/memory_level.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct LittlesLaw {
  static constexpr ModelInfo info{
      .name = "littles-law",
      .summary = "Little's law: the operations and bytes that must be in flight to hide latency",
      .equation = "in flight = latency x throughput",
      .source = "Little, Operations Research 9(3), 1961; Vuduc 2014",
      .reading = "With fewer operations or bytes in flight, latency shows and the peak is out of reach.",
      .tolerance = 0.01,
      .chart = ChartKind::lines,
      .x = "ilp",
      .y = "threads",
      .series = "gpu",
      .examples = "--hw h200; --hw m2090 --set dram.latency=800cycle --explain"};

  struct Input {
    FmaPrecision precision = FmaPrecision::fp32;
    Basis basis = Basis::spec;
    double ilp = 1;
    Bytes word{4};
    double loads = 1;
    static void fields(auto& field) {
      field(&Input::precision, "precision", "fp32 or fp64 FMAs");
      field(&Input::basis, "basis", "bandwidth from the specification or from measurements");
      field(&Input::ilp, "ilp", "independent operations in one thread", Range::per_thread);
      field(&Input::word, "word", "bytes of one load");
      field(&Input::loads, "loads", "loads in flight in one thread", Range::per_thread);
    }
  };

  struct Arithmetic {
    static constexpr std::string_view title = "arithmetic, per SM";
    FmaPrecision precision{};
    Cycles latency;
    PerCycle throughput;
    double in_flight = 0, ilp = 1, threads = 0, warps = 0, resident = 0;
    std::string fits;
    static void fields(auto& field) {
      using R = Arithmetic;
      field(&R::precision, "precision", "precision of the FMAs", Range::any, Role::key);
      field(&R::ilp, "ilp", "independent operations in one thread", Range::whole, Role::key);
      field(&R::latency, "latency", "latency of an FMA");
      field(&R::throughput, "throughput", "FMAs per clock");
      field(&R::in_flight, "in_flight", "operations in flight per SM", Range::any, Role::predicted,
            "operations");
      field(&R::threads, "threads", "threads per SM that hide the latency", Range::any, Role::predicted,
            "threads");
      field(&R::warps, "warps", "warps per SM", Range::any, Role::predicted, "warps");
      field(&R::resident, "resident", "threads an SM can hold", Range::any, Role::predicted, "threads");
      field(&R::fits, "fits", "whether an SM can hold that many", Range::any, Role::note);
    }
  };

  struct Memory {
    static constexpr std::string_view title = "memory, whole device";
    Cycles latency;
    BytesPerSecond bandwidth;
    Bytes in_flight, in_flight_per_sm, word;
    double loads = 1, threads = 0, warps = 0, resident = 0;
    std::string fits;
    static void fields(auto& field) {
      using R = Memory;
      field(&R::word, "word", "bytes of one load", Range::positive, Role::key);
      field(&R::loads, "loads", "loads in flight in one thread", Range::whole, Role::key);
      field(&R::latency, "latency", "load latency from DRAM");
      field(&R::bandwidth, "bandwidth", "bandwidth to sustain");
      field(&R::in_flight, "bytes_in_flight", "bytes in flight on the device");
      field(&R::in_flight_per_sm, "bytes_in_flight_per_sm", "bytes in flight per SM");
      field(&R::threads, "memory_threads", "threads on the device that hide the latency", Range::any,
            Role::predicted, "threads");
      field(&R::warps, "memory_warps", "warps per SM, if each SM has as many", Range::any, Role::predicted,
            "warps");
      field(&R::resident, "resident", "threads the device can hold", Range::any, Role::predicted, "threads");
      field(&R::fits, "fits", "whether the device can hold that many", Range::any, Role::note);
    }
  };

  struct Share {
    static constexpr std::string_view title = "bytes that each thread must have in flight";
    std::string scope;
    double threads = 0;
    Bytes per_thread;
    static void fields(auto& field) {
      using R = Share;
      field(&R::scope, "scope", "which threads share the load", Range::any, Role::key);
      field(&R::threads, "threads", "how many they are", Range::any, Role::predicted, "threads");
      field(&R::per_thread, "per_thread", "bytes in flight in each");
    }
  };

  using Tables = std::tuple<std::vector<Arithmetic>, std::vector<Memory>, std::vector<Share>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
