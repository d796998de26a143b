// Instruction throughput: a warp's instruction takes 32 / throughput cycles of its pipe and one issue slot,
// so N_i instructions of class i take an SM at least
//   T = max(sum N_i / (issue slots per cycle), max over pipes of sum N_i x 32 / throughput_i)   [cycles a
//   warp]
// with issue slots per cycle = schedulers x dispatches of one / interval between two of one. The instructions
// of the loop itself are shared by `unroll` mixes.
// NVIDIA, CUDA C Programming Guide, "Throughput of Native Arithmetic Instructions"; pipes as pipes.hpp says.
// Assumes warps enough to hide latency, dual issue wherever the hardware has it, no conflicts of banks
// (of registers or of shared memory) and an instruction cache that holds the body. It also assumes that the
// mix is even (code whose first half only multiplies and whose second half only shifts takes the sum of
// both), and the best choice of a pipe where there is one: 4 FFMAs beside 8 IMADs take an H200 an eighth
// longer.
//
// What is several instructions (division, sinf; integer multiplies of Maxwell) takes as long as the mix that
// a compiler makes of it, functions.hpp, where no time of its own is known. It takes longer where its phases
// load one pipe after the other: of the 17 functions measured on an H200 half are within 5 % of that, the
// mean deviation is 8 %, and general integer divisions take 12 % to 35 % longer.
#pragma once

#include "models/core/model.hpp"

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace perfmodel {

struct InstructionThroughput {
  static constexpr ModelInfo info{
      .name = "instruction-throughput",
      .summary = "Instruction throughput: cycles per warp of instruction classes and of mixes of them",
      .equation = "T = max(sum N / issue slots, max over pipes of sum N x 32 / throughput)",
      .source =
          "NVIDIA, CUDA C Programming Guide, throughput of native arithmetic instructions; Filipovic 2010",
      .reading = "A mix takes as long as the busiest of its pipes, or as the schedulers need to issue it; "
                 "the loop's share of that falls with a larger --unroll. What is a sum of instructions "
                 "takes at least that long.",
      .tolerance = 0.15, // of one mix; the mean over the probe's mixes is to be within 0.05
      .chart = ChartKind::bars,
      .x = "pipe",
      .y = "busy",
      .series = "gpu",
      .examples = "--hw h200 --mix ffma:8,imad:4,lds:2 --unroll 4"};

  struct Input {
    std::string mix = "auto", overhead = "auto";
    Count unroll = 1;
    std::string only = "all";
    static void fields(auto& field) {
      field(&Input::mix, "mix",
            "instructions of one warp, such as ffma:8,iadd:4,rcp:1; functions such as sinf:1 or udiv:2 "
            "count as the instructions they are made of; auto is ffma:8,iadd:4, or what --class names");
      field(&Input::unroll, "unroll", "mixes in the body of the loop", Range::per_thread);
      field(&Input::overhead, "overhead",
            "instructions of the loop itself, once for each body; or none; auto is "
            "iadd:1,compare:1,branch:1, or none for --class alone");
      field(&Input::only, "class", "the one class to show and explain, or all");
    }
  };
  static constexpr std::array<std::string_view, 1> machine_inputs{"class"};

  struct Mix {
    static constexpr std::string_view title = "mix, one warp's share of a full SM";
    std::string mix, overhead;
    Count unroll = 1;
    double instructions = 0; // with its share of the loop's
    Cycles cycles, without_loop;
    std::string binds;
    double loop_share = 0;
    Cycles single_issue{absent};
    static void fields(auto& field) {
      using R = Mix;
      field(&R::mix, "mix", "instructions of one warp", Range::any, Role::key);
      field(&R::unroll, "unroll", "mixes in the body of the loop", Range::whole, Role::key);
      field(&R::overhead, "overhead", "instructions of the loop", Range::any, Role::key);
      field(&R::cycles, "mix_cycles", "cycles an SM takes for a mix of one warp");
      field(&R::instructions, "instructions", "instructions of a mix and its share of the loop's");
      field(&R::binds, "binds", "what takes longest");
      field(&R::without_loop, "without_loop", "the same without the loop");
      field(&R::loop_share, "loop_share", "fraction of the cycles that goes to the loop");
      field(&R::single_issue, "single_issue", "the same without dual issue, where the SM has it");
    }
  };

  struct Pipe {
    static constexpr std::string_view title = "pipes of the mix";
    std::string pipe;
    Cycles cycles;
    double share = 0;
    static void fields(auto& field) {
      using R = Pipe;
      field(&R::pipe, "pipe", "issue slots, a pipe, or pipes that share classes", Range::any, Role::key);
      field(&R::cycles, "busy", "cycles for which the mix occupies it");
      field(&R::share, "utilization", "fraction of the mix's cycles");
    }
  };

  struct Class {
    static constexpr std::string_view title = "instruction classes";
    std::string name, meaning, pipe;
    PerCycle throughput;
    Cycles cycles, latency{absent};
    static void fields(auto& field) {
      using R = Class;
      field(&R::name, "class", "what --mix calls it", Range::any, Role::key);
      field(&R::throughput, "throughput", "results per clock and SM");
      field(&R::cycles, "cycles_per_warp", "cycles for one warp's instruction");
      field(&R::latency, "latency", "cycles to the instruction that needs its result");
      field(&R::pipe, "runs_on", "pipe", Range::any, Role::note);
      field(&R::meaning, "meaning", "what it is", Range::any, Role::note);
    }
  };

  struct Advice {
    static constexpr std::string_view title = "advice";
    std::string topic, advice;
    static void fields(auto& field) {
      using R = Advice;
      field(&R::topic, "topic", "what it is about", Range::any, Role::key);
      field(&R::advice, "advice", "what to do", Range::any, Role::note);
    }
  };

  using Machine = std::tuple<std::vector<Class>, std::vector<Advice>>;
  using Tables = std::tuple<std::vector<Mix>, std::vector<Pipe>>;
  template <class T> static Machine machine(const Gpu& gpu, const Input& in, T& trace);
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&, const Machine&);
  static const void* said(const Input&, const Tables&, const Machine&);
};

} // namespace perfmodel
