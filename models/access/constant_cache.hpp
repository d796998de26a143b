// Constant memory: the constant cache sends one word to all threads of a request in a pass.
//   passes  = sum over the requests of an instruction of the different words that its threads read
//   cycles  = passes x cycles of a word                    (an SM full of warps)
//   latency = latency of one word + (passes - 1) x what each further word adds
// NVIDIA, CUDA C Programming Guide 4.2 and later, section "Constant Memory": a request is split into as many
// as there are different addresses, and throughput falls by that factor. One word for the whole warp comes at
// the speed of a register. Assumes that the constant cache holds what is read.
#pragma once

#include "launch.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct ConstantCache {
  static constexpr ModelInfo info{
      .name = "constant-cache",
      .summary = "Constant cache: passes and cycles of a read from constant memory",
      .equation = "passes = different words that the threads of a request read",
      .source = "NVIDIA, CUDA C Programming Guide 4.2, section 5.3.2.4; Filipovic 2010",
      .reading =
          "A word that the whole warp reads may be an operand of an instruction, as fast as a register; "
          "loaded by itself it takes 'least' passes, and every other word one more.",
      .tolerance = 0.05,
      .chart = ChartKind::bars,
      .x = "words",
      .y = "passes",
      .series = "gpu",
      .examples = "--hw m2090,h200 --words 1,4,32"};

  struct Input {
    std::optional<double> words;
    Expression index;
    Shape block{32, 1, 1};
    Expression predicate;
    Bindings let;
    static void fields(auto& field) {
      field(&Input::words, "words", "different words that a warp reads: word tid % words (default: several)",
            Range::whole);
      field(&Input::index, "index", "word that a thread reads instead, such as 'tid / 8'");
      field(&Input::block, "block", "shape of a block: 256, 16x16 or 8x8x4");
      field(&Input::predicate, "if", "threads that read, such as 'tid < 16' (default: all)");
      field(&Input::let, "let", "names of your own in expressions, swept by name: n=1:32");
    }
  };

  struct Read {
    static constexpr std::string_view title = "read from constant memory";
    std::string index;
    double words = 0, passes = 0, least = 0;
    Cycles cycles{absent}, latency{absent};
    std::string advice;
    static void fields(auto& field) {
      using R = Read;
      field(&R::index, "index", "word that a thread reads", Range::any, Role::key);
      field(&R::words, "words", "different words that a warp reads, mean of the warps", Range::any,
            Role::key);
      field(&R::passes, "passes", "passes of an instruction, mean of the warps");
      field(&R::least, "least", "passes if each request read one word: requests of a warp");
      field(&R::cycles, "cycles", "cycles of an SM full of warps for each instruction");
      field(&R::latency, "latency", "cycles from a read to the use of what it brings");
      field(&R::advice, "advice", "what would remove the passes", Range::any, Role::note);
    }
  };

  template <class T> static std::vector<Read> predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const std::vector<Read>&);
};

} // namespace perfmodel
