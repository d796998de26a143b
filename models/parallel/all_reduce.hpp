// The sum of n bytes of every one of p ranks, for all of them: four algorithms, each a sum of steps alpha,
// bytes over beta and bytes to be added over gamma's rate.
//   ring                2 (p - 1) alpha + 2 (p - 1) / p n / beta + (p - 1) / p n gamma
//   recursive doubling  lg p (alpha + n / beta + n gamma)
//   Rabenseifner        2 lg p alpha + 2 (p - 1) / p n / beta + (p - 1) / p n gamma      (halving, doubling)
//   tree                ceil(lg p) (2 alpha + 2 n / beta + n gamma)                      (reduce, broadcast)
// R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005. Where p is no power of two, recursive doubling
// and Rabenseifner run on the largest power of two below; the others hand their n bytes over before and get
// the sum after: 2 alpha + 2 n / beta + n gamma. Assumes that every rank sends and receives at beta at the
// same time, whoever else does, and that nothing overlaps. Where alpha, beta and gamma depend on the size of
// a message (costs_by_size.hpp), each step is taken at the size that it sends.
//
// NCCL runs all steps in one kernel, whose start comes before them; of each protocol alpha, beta and gamma
// are facts, measured between two GPUs. LL sends a flag of 4 B with every 4 B, LL128 one of 8 B with every
// 120 B, Simple none: where beta was not measured, it is that share of the link. Its tree is a pair of trees,
// each of half the bytes, cut into pieces that go up and down at once:
//   NCCL's tree         2 ceil(lg p) alpha + 2 (p - 1) / p n / beta + (p - 1) / p n gamma
// P. Sanders, J. Speck, J. L. Traeff, Parallel Computing 35(12), 2009.
#pragma once

#include "costs_by_size.hpp"

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

enum class AllReduceAlgorithm : std::uint8_t { ring, recursive_doubling, rabenseifner, tree };
constexpr auto names(AllReduceAlgorithm) {
  return std::to_array<std::string_view>({"ring", "recursive-doubling", "rabenseifner", "tree"});
}

// How NCCL tells the receiver that data have come: flags among them, or (simple) when a whole piece is there.
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
constexpr auto names(NcclProtocol) { return std::to_array<std::string_view>({"ll", "ll128", "simple"}); }

struct AllReduce {
  static constexpr ModelInfo info{
      .name = "all-reduce",
      .summary = "All-reduce: the time of each algorithm by bytes and ranks, and which wins where",
      .equation = "ring: 2 (p - 1) alpha + 2 (p - 1) / p n / beta; doubling: lg p (alpha + n / beta); "
                  "Rabenseifner: 2 lg p alpha + 2 (p - 1) / p n / beta; tree: 2 lg p (alpha + n / beta)",
      .source = "Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
      .reading =
          "Short vectors want few steps, long ones want every byte sent once. Bus bandwidth is what a link "
          "would have to carry: 2 (p - 1) / p n over the time.",
      .tolerance = 0.35, // at worst; the mean over sizes and algorithms is to be within 0.15
      .chart = ChartKind::lines,
      .x = "bytes",
      .y = "time",
      .series = "algorithm",
      .log_x = true,
      .log_y = true,
      .gpu = GpuUse::optional,
      .communication = true,
      .examples =
          "--hw h200 --ranks 8 --bytes 8kB,1GB; --ranks 4 --latency 5us --bandwidth 450GB/s --bytes 1kB,1GB"};

  struct Input {
    Bytes bytes{1e6};
    Count ranks = 8;
    std::optional<Seconds> latency;
    std::optional<BytesPerSecond> bandwidth, reduction;
    std::optional<CostsBySize> costs, one_way;
    std::optional<NcclProtocol> protocol;
    static void fields(auto& field) {
      field(&Input::bytes, "bytes", "bytes of one rank's vector");
      field(&Input::ranks, "ranks", "processes or GPUs", Range::whole);
      field(&Input::latency, "latency", "alpha: time of a step beside its bytes (default: assumed)");
      field(&Input::bandwidth, "bandwidth",
            "beta: what a rank sends in one direction (default: half of the GPU's NVLink, else its PCI "
            "Express; without a GPU assumed)");
      field(&Input::reduction, "reduction",
            "1 / gamma: bytes that a rank adds per time (default: left "
            "out)");
      field(&Input::costs, "costs",
            "instead of these, for each range of sizes: up to, alpha, beta, 1 / gamma, as in "
            "2KiB:0.4us:3GB/s:20GB/s,rest:1.2us:9GB/s");
      field(&Input::one_way, "one-way",
            "the same of messages while nothing comes back, as a tree sends them (default: --costs)");
      field(&Input::protocol, "protocol", "of NCCL, between GPUs: what was measured of it is taken");
    }
  };

  struct Row {
    static constexpr std::string_view title = "time of an all-reduce";
    AllReduceAlgorithm algorithm{};
    Count ranks = 0;
    Bytes bytes;
    Count steps = 0;
    Seconds time;
    BytesPerSecond bus{absent};
    double slower = 1;
    static void fields(auto& field) {
      using R = Row;
      field(&R::algorithm, "algorithm", "how the sum is formed", Range::any, Role::key);
      field(&R::ranks, "ranks", "processes or GPUs", Range::whole, Role::key);
      field(&R::bytes, "bytes", "bytes of one rank's vector", Range::positive, Role::key);
      field(&R::steps, "steps", "messages one after the other", Range::any, Role::predicted, "steps");
      field(&R::time, "time", "until all have the sum; empty: a rank alone has it");
      field(&R::bus, "bus_bandwidth", "2 (p - 1) / p of the bytes over the time");
      field(&R::slower, "of_fastest", "time over that of the fastest", Range::any, Role::predicted, "times");
    }
  };

  struct Winner {
    static constexpr std::string_view title = "which wins where";
    std::string algorithm;
    Count ranks = 0;
    Bytes from{absent}, to{absent};
    static void fields(auto& field) {
      using R = Winner;
      field(&R::algorithm, "fastest", "the algorithm", Range::any, Role::key);
      field(&R::ranks, "ranks", "processes or GPUs", Range::whole, Role::key);
      field(&R::from, "from_bytes", "fastest from here; empty: from the first byte");
      field(&R::to, "to_bytes", "until here; empty: whatever the size");
    }
  };

  using Tables = std::tuple<std::vector<Row>, std::vector<Winner>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
