// How many bytes in flight fill the memory, for blocks that copy and leave: every thread loads `ilp` words,
// then stores them, and the block makes room for the next one. The copy (pattern_kernel.hpp) is simulated as
// any kernel is, in rounds of the resident blocks, with data that no cache holds. Little's law says beside it
// how much in flight would make up for the latency:
//   bytes needed = Z / (2 / B(copy) - 1 / B(read)),  Z = launch + latency + drain
// which is of Z + Q / B(read) = 2 Q / B(copy), where all blocks load Q bytes in step.
// After R. Vuduc, CSE 6230, 2014, slides 41 to 44. Assumes coalesced accesses, and all SMs at it.
#pragma once

#include "models/core/model.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct MemoryParallelism {
  static constexpr ModelInfo info{
      .name = "memory-parallelism",
      .summary = "Memory parallelism: the bandwidth that threads, words in flight and blocks reach in a copy",
      .equation = "bandwidth = 2 x bytes in flight x rounds / simulated time; needed = latency x bandwidth",
      .source = "Little, Operations Research 9(3), 1961; Vuduc 2014, slides 41 to 44",
      .reading =
          "Bytes in flight = threads x words loaded before the first store x word size. More of any of the "
          "three brings the copy to the roof; small blocks lose time to being launched.",
      .tolerance = 0.20,
      .chart = ChartKind::lines,
      .x = "threads",
      .y = "bandwidth",
      .series = "ilp",
      .log_x = true,
      .examples = "--hw h200 --threads 128 --word 4B,16B --ilp 1,8"};

  struct Input {
    Count threads = 256;
    std::optional<Count> blocks;
    std::optional<Count> ilp; // 1; absent: the table of what is needed is free to choose
    Bytes word{4};
    std::optional<double> target;
    static void fields(auto& field) {
      field(&Input::threads, "threads", "threads of a block", Range::whole);
      field(&Input::blocks, "blocks", "resident blocks of an SM (default: as many as it holds)",
            Range::whole);
      field(&Input::ilp, "ilp", "words that a thread loads before its first store (default: 1)",
            Range::per_thread);
      field(&Input::word, "word", "bytes of a word: 4, 8 or 16");
      field(&Input::target, "target",
            "share of the copy bandwidth to reach, such as 0.95 or 95% (default: 50, 90 and 95 %)",
            Range::positive, Role::predicted, "fraction");
    }
  };
  // What is needed depends on the block and its words, not on how many blocks there are.
  static constexpr std::array<std::string_view, 3> machine_inputs{"threads", "ilp", "word"};
  static constexpr std::array<std::string_view, 1> machine_questions{"target"};

  struct Blocks {
    static constexpr std::string_view title =
        "resident blocks per SM that reach a share of the copy bandwidth";
    double target = 0;
    Count ilp = 1, blocks = absent;
    double reached = 0;
    static void fields(auto& field) {
      using R = Blocks;
      field(&R::target, "target", "share of the bandwidth that a long copy sustains", Range::any, Role::key,
            "fraction");
      field(&R::ilp, "ilp", "words before the first store", Range::whole, Role::key);
      field(&R::blocks, "blocks_needed", "least resident blocks; empty: all that fit are too few", Range::any,
            Role::predicted, "blocks");
      field(&R::reached, "reached", "share with them, or with all that fit", Range::any, Role::predicted,
            "fraction");
    }
  };

  struct Rate {
    static constexpr std::string_view title = "copy bandwidth";
    Count threads = 0, blocks = 0, ilp = 0;
    Bytes word, in_flight, needed;
    BytesPerSecond bandwidth;
    double of_pin = 0;
    std::string bound;
    static void fields(auto& field) {
      using R = Rate;
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::blocks, "blocks", "resident blocks of an SM", Range::whole, Role::key);
      field(&R::ilp, "ilp", "words before the first store", Range::whole, Role::key);
      field(&R::word, "word", "bytes of a word", Range::positive, Role::key);
      field(&R::in_flight, "bytes_in_flight", "bytes that the resident threads load at once, whole device");
      field(&R::needed, "bytes_needed",
            "bytes in flight that make up for the latency (Little's law); empty: reads alone are too slow");
      field(&R::bandwidth, "bandwidth", "bytes read plus bytes written");
      field(&R::of_pin, "of_pin", "share of the pin bandwidth", Range::any, Role::predicted, "fraction");
      field(&R::bound, "bound", "what holds it there", Range::any, Role::note);
    }
  };

  template <class T> static Rate predict(const Gpu& gpu, const Input& in, T& trace);
  template <class T>
  static std::tuple<std::vector<Blocks>> machine(const Gpu& gpu, const Input& in, T& trace);
  // 6 % against a lecture's figures, 20 % on a measured grid.
  static double tolerance(const Gpu& gpu, const Input& in);
  static std::string verdict(const Gpu&, const Input&, const Rate&);
};

} // namespace perfmodel
