// Bank conflicts: what an access of a block to shared memory costs.
//   wavefronts = steps of the requests of an instruction (banks.hpp), the mean of the warps that execute it
//   cycles of an SM full of warps     = wavefronts x cycles of a request
//   cycles of one warp alone on an SM = max(cycles of its issue, wavefronts x its cycles of a wavefront),
//   where a store issues as its registers are handed over: (1 of the address + those of the word) x cycles
// NVIDIA, CUDA C Programming Guide 4.2, appendix F; J. Filipovic 2010. That a lone warp's wavefronts take
// longer than those of many is what we measured on an H200. Assumes one array from byte 0 on, and nothing
// else under way in the memory pipe.
#pragma once

#include "banks.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct BankConflicts {
  static constexpr ModelInfo info{
      .name = "bank-conflicts",
      .summary = "Bank conflicts: wavefronts and cycles of an access to shared memory",
      .equation = "degree = most different words on one bank; wavefronts = sum of the requests' degrees",
      .source = "NVIDIA, CUDA C Programming Guide 4.2, appendix F; Filipovic 2010",
      .reading =
          "Without bank conflicts an instruction takes 'least' wavefronts; the advice is what takes it "
          "there.",
      .tolerance = 0.1, // of one access; the mean over the sweep is to be within 0.05
      .chart = ChartKind::bars,
      .x = "stride",
      .y = "wavefronts",
      .series = "gpu",
      .banded = "lone_cycles",
      .examples = "--hw gtx280,m2090,h200 --stride 1,2,32,33; --hw h200 --block 32x8 --index 'x*pitch + y' "
                  "--let pitch=32,33"};

  struct Input {
    std::optional<double> stride;
    double offset = 0;
    Expression index;
    Bytes word{4};
    SharedAccess access = SharedAccess::load;
    Shape block{32, 1, 1};
    Expression predicate;
    Bindings let;
    std::optional<Bytes> mode;
    static void fields(auto& field) {
      field(&Input::stride, "stride", "words from one thread to the next (default: several)", Range::any);
      field(&Input::offset, "offset", "words before the first", Range::not_negative);
      field(&Input::index, "index", "word that a thread accesses, instead of stride * tid: 'x*32 + y'");
      field(&Input::word, "word", "bytes of a word: 1, 2, 4, 8 or 16");
      field(&Input::access, "access", "a load or a store");
      field(&Input::block, "block", "shape of a block: 256, 16x16 or 8x8x4");
      field(&Input::predicate, "if", "threads that access memory, such as 'tid < 16' (default: all)");
      field(&Input::let, "let", "names of your own in expressions, swept by name: pitch=32:40");
      field(&Input::mode, "mode", "bytes of one bank before the next, where a device lets one choose");
    }
  };

  struct Access {
    static constexpr std::string_view title = "access to shared memory";
    std::string index;
    double stride = absent;
    double degree = 0, wavefronts = 0, least = 0;
    Cycles cycles{absent}, lone_cycles{absent};
    std::string advice;
    static void fields(auto& field) {
      using R = Access;
      field(&R::index, "index", "word that a thread accesses", Range::any, Role::key);
      field(&R::stride, "stride", "words from one thread to the next", Range::any, Role::key);
      field(&R::degree, "degree", "different words on the fullest bank, of the worst request");
      field(&R::wavefronts, "wavefronts", "steps of an instruction, mean of the warps");
      field(&R::least, "least", "wavefronts without bank conflicts");
      field(&R::cycles, "cycles", "cycles of an SM full of warps for each instruction");
      field(&R::lone_cycles, "lone_cycles", "cycles between two instructions of one warp alone");
      field(&R::advice, "advice", "what would remove the conflicts", Range::any, Role::note);
    }
  };

  template <class T> static std::vector<Access> predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const std::vector<Access>&);
  static const void* said(const Input&, const std::vector<Access>&);
};

} // namespace perfmodel
