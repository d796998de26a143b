// How threads (TLP) and independent operations in each (ILP) fill the FMA pipes together.
//   FMAs per cycle = warps x 32 x unroll x ilp / T, T the time of one trip of the loop on the scheduler that
//   holds the most warps (loop_trip.hpp)
// Two blocks do not share a scheduler evenly: the older one's warps are served first, and when they are done
// the younger ones are left with too few to hide their latency.
// After V. Volkov, "Better performance at lower occupancy", GTC 2010, and R. Vuduc, CSE 6230, 2014, slides 29
// to 40; the terms beyond Little's law are ours, each with a microkernel (probes fma-latency and issue).
#pragma once

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct LatencyHiding {
  static constexpr ModelInfo info{
      .name = "latency-hiding",
      .summary = "Latency hiding: the share of the FMA peak that threads and independent operations reach",
      .equation = "rate = warps x 32 x unroll x ilp / max(latency of a trip, n x a warp's scheduler time)",
      .source = "Volkov, GTC 2010; Vuduc 2014, slides 29 to 40",
      .reading =
          "More threads or more independent operations hide more of the latency; the peak needs latency x "
          "throughput of them, and what the loop itself costs comes on top.",
      .tolerance = 0.15,
      .chart = ChartKind::lines,
      .x = "threads",
      .y = "of_peak",
      .series = "ilp",
      .examples = "--hw h200 --target 95%; --hw m2090 --threads 32:1024:32 --ilp 1,2,4 --plot"};

  struct Input {
    Count threads = 256;
    std::optional<Count> blocks, ilp; // 1; absent: the tables of what is needed are free to choose
    Count unroll = 8;
    Count operands = 3;
    std::optional<double> target;
    static void fields(auto& field) {
      field(&Input::threads, "threads", "threads of a block", Range::whole);
      field(&Input::blocks, "blocks", "blocks of an SM (default: 1)", Range::whole);
      field(&Input::ilp, "ilp", "independent chains of FMAs in each thread (default: 1)", Range::per_thread);
      field(&Input::unroll, "unroll", "FMAs of each chain in one trip of the loop", Range::per_thread);
      field(&Input::operands, "operands", "different registers that an FMA reads: 3, as in a*b + c, or 2",
            Range::whole);
      field(&Input::target, "target",
            "share of the peak to reach, such as 0.95 or 95% (default: 50, 90 and 95 %)", Range::positive,
            Role::predicted, "fraction");
    }
  };
  // The tables of what is needed depend on these alone.
  static constexpr std::array<std::string_view, 4> machine_inputs{"blocks", "ilp", "unroll", "operands"};
  static constexpr std::array<std::string_view, 1> machine_questions{"target"};

  struct Threads {
    static constexpr std::string_view title = "threads per SM that reach a share of the peak";
    double target = 0;
    Count ilp = 1, threads = absent;
    double of_peak = 0;
    std::string verdict;
    static void fields(auto& field) {
      using R = Threads;
      field(&R::target, "target", "share of the peak", Range::any, Role::key, "fraction");
      field(&R::ilp, "ilp", "independent chains in each thread", Range::whole, Role::key);
      field(&R::threads, "threads_needed", "least resident threads per SM", Range::any, Role::predicted,
            "threads");
      field(&R::of_peak, "reached", "share of the peak with them, or with all that fit", Range::any,
            Role::predicted, "fraction");
      field(&R::verdict, "verdict", "whether it can be reached", Range::any, Role::note);
    }
  };

  // Left out where --ilp has settled them.
  struct Chains {
    static constexpr std::string_view title = "independent chains that reach a share of the peak";
    double target = 0;
    Count threads = 0, ilp = absent;
    double of_peak = 0;
    static void fields(auto& field) {
      using R = Chains;
      field(&R::target, "target", "share of the peak", Range::any, Role::key, "fraction");
      field(&R::threads, "threads", "threads of a block, of which an SM has one if none are given",
            Range::whole, Role::key);
      field(&R::ilp, "ilp_needed", "least chains in each thread, of 1 to 16; empty: none reaches it",
            Range::any, Role::predicted, "chains");
      field(&R::of_peak, "reached", "share of the peak with them, or with 16", Range::any, Role::predicted,
            "fraction");
    }
  };

  struct Rate {
    static constexpr std::string_view title = "share of the FMA peak";
    Count threads = 0, blocks = 0, ilp = 0, unroll = 0, operands = 0;
    PerCycle rate;
    double of_peak = 0;
    std::string bound;
    static void fields(auto& field) {
      using R = Rate;
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::blocks, "blocks", "blocks of an SM", Range::whole, Role::key);
      field(&R::ilp, "ilp", "independent chains in each thread", Range::whole, Role::key);
      field(&R::unroll, "unroll", "FMAs of each chain in one trip", Range::whole, Role::key);
      field(&R::operands, "operands", "registers an FMA reads", Range::whole, Role::key);
      field(&R::of_peak, "of_peak", "share of the peak", Range::any, Role::predicted, "fraction");
      field(&R::rate, "fma_per_clock", "FMAs per clock and SM");
      field(&R::bound, "bound", "what holds it there", Range::any, Role::note);
    }
  };

  template <class T> static Rate predict(const Gpu& gpu, const Input& in, T& trace);
  template <class T>
  static std::tuple<std::vector<Threads>, std::vector<Chains>> machine(const Gpu& gpu, const Input& in,
                                                                       T& trace);
  // 6 % where the constants were fitted to a lecture's printed figures, nothing being left to measure; else
  // 15 %.
  static double tolerance(const Gpu& gpu, const Input& in);
  static std::string verdict(const Gpu&, const Input&, const Rate&,
                             const std::tuple<std::vector<Threads>, std::vector<Chains>>&);
};

} // namespace perfmodel
