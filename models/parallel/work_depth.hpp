// Work, depth and what follows: with P processors, each one operation a step, a greedy schedule takes
//   max(W / P, D)  <=  T  <=  W / P + D (P - 1) / P
// so W / D processors are worth having and no more. R. P. Brent, J. ACM 21(2), 1974. How W and D are counted
// says operation_count.hpp, what crosses between memory and a cache cache_transfers.hpp. The method of each
// algorithm is the "machine" of its answers: it is told once for a sweep.
#pragma once

#include "models/core/model.hpp"
#include "parallel_algorithm.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct WorkDepth {
  static constexpr ModelInfo info{
      .name = "work-depth",
      .summary = "Work and depth: how parallel an algorithm is, Brent's bounds, and its cache misses",
      .equation = "max(W / P, D) <= T <= W / P + D (P - 1) / P; parallelism = W / D",
      .source = "Brent, J. ACM 21(2), 1974; Giorgi, lesson 30",
      .reading =
          "A step is one operation of each processor. More processors than the parallelism only wait. "
          "Where they outgrow the bandwidth twofold, each byte must do twice the work, for which 'cache "
          "for twice' is needed.",
      .tolerance = 0.01,
      .chart = ChartKind::lines,
      .x = "n",
      .y = "parallelism",
      .series = "algorithm",
      .log_x = true,
      .log_y = true,
      .examples = "--hw m2090 --n 1000"};

  struct Input {
    std::optional<ParallelAlgorithm> algorithm;
    Count n = 1000;
    std::optional<Count> processors;
    std::optional<Bytes> cache, line;
    Bytes word{4};
    static void fields(auto& field) {
      field(&Input::algorithm, "algorithm", "one or several of them (default: all)");
      field(&Input::n, "n", "numbers to add, scan or transform; rows of the square matrices", Range::whole);
      field(&Input::processors, "processors", "processors (default: the lanes of the GPU)", Range::whole);
      field(&Input::cache, "cache",
            "bytes of the cache in front of memory (default: L2; shared memory of all SMs before cc 2.0)");
      field(&Input::line, "line", "bytes of a line of it (default: the least transaction)");
      field(&Input::word, "word", "bytes of a number; one of an FFT is two of them");
    }
  };

  struct Parallelism {
    static constexpr std::string_view title = "work and depth";
    ParallelAlgorithm algorithm{};
    Count n = 0, work = 0, depth = 0, parallelism = absent;
    static void fields(auto& field) {
      using R = Parallelism;
      field(&R::algorithm, "algorithm", "what is computed, and how", Range::any, Role::key);
      field(&R::n, "n", "numbers, or rows of matrices", Range::whole, Role::key);
      field(&R::work, "work", "all operations", Range::any, Role::predicted, "operations");
      field(&R::depth, "depth", "those of the longest chain", Range::any, Role::predicted, "steps");
      field(&R::parallelism, "parallelism", "work over depth; empty: there is nothing to do");
    }
  };

  struct Schedule {
    static constexpr std::string_view title = "Brent's bounds";
    ParallelAlgorithm algorithm{};
    Count n = 0, processors = 0, least = 0, most = 0, speedup = absent;
    static void fields(auto& field) {
      using R = Schedule;
      field(&R::algorithm, "algorithm", "what is computed, and how", Range::any, Role::key);
      field(&R::n, "n", "numbers, or rows of matrices", Range::whole, Role::key);
      field(&R::processors, "processors", "processors", Range::whole, Role::key);
      field(&R::least, "steps_at_least", "no schedule is faster", Range::any, Role::predicted, "steps");
      field(&R::most, "steps_at_most", "no greedy schedule is slower", Range::any, Role::predicted, "steps");
      field(&R::speedup, "speedup_at_most", "the lesser of processors and parallelism", Range::any,
            Role::predicted, "times");
    }
  };

  struct Traffic {
    static constexpr std::string_view title = "cache misses";
    ParallelAlgorithm algorithm{};
    Count n = 0;
    Bytes cache, line, word;
    Count misses = 0;
    double per_byte = 0;
    Bytes cache_then;
    std::string growth;
    static void fields(auto& field) {
      using R = Traffic;
      field(&R::algorithm, "algorithm", "what is computed, and how", Range::any, Role::key);
      field(&R::n, "n", "numbers, or rows of matrices", Range::whole, Role::key);
      field(&R::cache, "cache", "bytes of the cache", Range::positive, Role::key);
      field(&R::line, "line", "bytes of a line", Range::positive, Role::key);
      field(&R::word, "word", "bytes of a number", Range::positive, Role::key);
      field(&R::misses, "misses", "lines fetched or written back", Range::any, Role::predicted, "lines");
      field(&R::per_byte, "work_per_byte", "operations for each byte of it");
      field(&R::cache_then, "cache_for_twice",
            "cache with which a byte does twice the work, as it must where processors outgrow the "
            "bandwidth; "
            "empty: none does");
      field(&R::growth, "growth", "how the cache grows for that", Range::any, Role::note);
    }
  };

  struct Method {
    static constexpr std::string_view title = "how it is counted";
    ParallelAlgorithm algorithm{};
    std::string operation, counted, misses, note;
    static void fields(auto& field) {
      using R = Method;
      field(&R::algorithm, "algorithm", "what is computed, and how", Range::any, Role::key);
      field(&R::operation, "operation", "what one operation is", Range::any, Role::note);
      field(&R::counted, "work_and_depth", "exactly, or as a Theta", Range::any, Role::note);
      field(&R::misses, "its_misses", "exactly, or as a Theta", Range::any, Role::note);
      field(&R::note, "note", "how", Range::any, Role::note);
    }
  };

  using Tables = std::tuple<std::vector<Parallelism>, std::vector<Schedule>, std::vector<Traffic>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  template <class T>
  static std::tuple<std::vector<Method>> machine(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
