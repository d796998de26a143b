// The lecture's product of two matrices with the sum of its elements, by P processes: in shared memory with a
// barrier and a lock, by messages, and on GPUs. Terms: product_time.hpp.
//   T(P) = ceil(N / P) N^2 2 tau + T_bar (log2 P or P) + P T_lock      R. Giorgi, lesson 30, slide 4
//   speed-up S = T(1) / T(P), efficiency S / P; serial fraction e = (1 / S - 1 / P) / (1 - 1 / P)
//   (A. H. Karp, H. P. Flatt, 1990), with which G. M. Amdahl's law gives at most 1 / e;
//   J. L. Gustafson's scaled speed-up P - s (P - 1), s the share of T(P) that is no computation;
//   isoefficiency (A. Grama et al., 1993): the rows that keep an efficiency; grain: computation between two
//   synchronisations. The slide's N / P rows leave out a remainder; ceil(N / P) of the slowest does not.
#pragma once

#include "models/core/model.hpp"
#include "product_time.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct SharedMemory {
  static constexpr ModelInfo info{
      .name = "shared-memory",
      .summary =
          "Shared memory: a product with its sum by processes with barrier and lock, by messages, on GPUs",
      .equation = "T(P) = ceil(N / P) N^2 2 tau + T_bar (log2 P or P) + P T_lock; S = T(1) / T(P)",
      .source = "Giorgi, lesson 30, slides 2 to 5; Karp and Flatt, CACM 33(5), 1990; Grama et al., 1993",
      .reading =
          "Efficiency falls where a process has too few rows to pay for starting and synchronising it, or "
          "for its messages. The assumptions say what is left out.",
      .tolerance = 0.25,
      .chart = ChartKind::lines,
      .x = "processes",
      .y = "speedup",
      .series = "way",
      .log_x = true,
      .log_y = true,
      .gpu = GpuUse::optional,
      .examples = "--n 1000 --processes 16 --latency 5us --bandwidth 12.5GB/s"};

  struct Input {
    Count n = 1000, processes = 8;
    std::optional<Seconds> operation, barrier, lock, spawn, latency;
    std::optional<BytesPerSecond> bandwidth, link;
    BarrierKind barrier_kind = BarrierKind::logarithmic;
    Bytes word{4};
    double efficiency = 0.5;
    static void fields(auto& field) {
      field(&Input::n, "n", "rows of the square matrices", Range::whole);
      field(&Input::processes, "processes", "processes, nodes or GPUs", Range::whole);
      field(&Input::operation, "operation", "tau: a multiply or an add on one core (default: assumed)");
      field(&Input::barrier, "barrier", "a round of a barrier in shared memory (default: assumed)");
      field(&Input::barrier_kind, "barrier-kind", "log2 P rounds of a tree, or P of a counter");
      field(&Input::lock, "lock", "taking, using and leaving the lock (default: assumed)");
      field(&Input::spawn, "spawn", "starting a process (default: assumed)");
      field(&Input::latency, "latency", "alpha of a message (default: assumed)");
      field(&Input::bandwidth, "bandwidth", "beta of a message (default: assumed)");
      field(&Input::link, "link", "from the host to a GPU (default: its PCI Express)");
      field(&Input::word, "word", "bytes of a number");
      field(&Input::efficiency, "efficiency", "what the isoefficiency is asked for, below one");
    }
  };

  struct Row {
    static constexpr std::string_view title = "product and sum";
    ProductWay way{};
    Count processes = 0;
    Seconds time, compute, overhead;
    double speedup = 1, efficiency = 1;
    Count rows = 0;
    double idle = 0;
    static void fields(auto& field) {
      using R = Row;
      field(&R::way, "way", "who does it", Range::any, Role::key);
      field(&R::processes, "processes", "how many of them", Range::whole, Role::key);
      field(&R::time, "time", "until the sum is there");
      field(&R::compute, "computing", "of it the slowest process's products");
      field(&R::overhead, "overhead",
            "of it starting, synchronising, messages, copies and launches; empty: none");
      field(&R::speedup, "speedup", "over one of them", Range::any, Role::predicted, "times");
      field(&R::efficiency, "efficiency", "speed-up over processes", Range::any, Role::predicted, "fraction");
      field(&R::rows, "rows", "of the slowest process", Range::any, Role::predicted, "rows");
      field(&R::idle, "idle", "share of all processes that the remainder of N / P leaves without work",
            Range::any, Role::predicted, "fraction");
    }
  };

  struct Scaling {
    static constexpr std::string_view title = "how far it scales";
    ProductWay way{};
    Count processes = 0;
    double serial = 0, amdahl = absent, gustafson = 1;
    Seconds grain;
    double grain_ratio = absent;
    Count iso_rows = absent;
    static void fields(auto& field) {
      using R = Scaling;
      field(&R::way, "way", "who does it", Range::any, Role::key);
      field(&R::processes, "processes", "how many of them", Range::whole, Role::key);
      field(&R::serial, "serial_fraction",
            "as if so much could not be divided (Karp and Flatt); above one: slower than one alone",
            Range::any, Role::predicted, "fraction");
      field(&R::amdahl, "amdahl_most",
            "speed-up with that fraction, however many; empty: no end, or slower than one", Range::any,
            Role::predicted, "times");
      field(&R::gustafson, "gustafson", "speed-up where the work grows with the processes", Range::any,
            Role::predicted, "times");
      field(&R::grain, "grain", "computation of a process between two synchronisations");
      field(&R::grain_ratio, "grain_over_overhead", "that over what is no computation; empty: all is",
            Range::any, Role::predicted, "times");
      field(&R::iso_rows, "isoefficiency_rows", "rows for the asked efficiency; empty: none suffice",
            Range::any, Role::predicted, "rows");
    }
  };

  struct Part {
    static constexpr std::string_view title = "terms";
    ProductWay way{};
    Count processes = 0;
    std::string term;
    Seconds time;
    double share = 0;
    static void fields(auto& field) {
      using R = Part;
      field(&R::way, "way", "who does it", Range::any, Role::key);
      field(&R::processes, "processes", "how many of them", Range::whole, Role::key);
      field(&R::term, "term", "of the time", Range::any, Role::key);
      field(&R::time, "term_time", "its time");
      field(&R::share, "share", "of the time", Range::any, Role::predicted, "fraction");
    }
  };

  struct Assumed {
    static constexpr std::string_view title = "assumptions";
    std::string about, taken;
    static void fields(auto& field) {
      using R = Assumed;
      field(&R::about, "about", "what of", Range::any, Role::key);
      field(&R::taken, "taken", "what is taken to be so", Range::any, Role::note);
    }
  };

  using Tables = std::tuple<std::vector<Row>, std::vector<Scaling>, std::vector<Part>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  template <class T>
  static std::tuple<std::vector<Assumed>> machine(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
