// PTX against machine code as tables: of one launch, or of each version of a ladder.
#pragma once

#include "models/core/model.hpp"
#include "models/kernel/code_comparison.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct KernelTime;

struct CodeCount {
  static constexpr std::string_view title = "PTX and machine code";
  Count number = absent;
  std::string version;
  Count ptx = absent, sass = 0, executed = 0;
  Count ptx_loop = absent, sass_loop = absent, ptx_overhead = absent, overhead = absent, unrolled = absent;
  double in_loop = absent;
  std::string why;
  static void fields(auto& field) {
    using R = CodeCount;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::ptx, "ptx", "instructions of its PTX; empty: there is none");
    field(&R::sass, "sass", "instructions of its machine code");
    field(&R::executed, "issued", "instructions of warps, of its first launch");
    field(&R::in_loop, "in_loop",
          "share of the executed instructions that the innermost loop has which has most", Range::any,
          Role::predicted, "fraction");
    field(&R::ptx_loop, "ptx_loop", "instructions of the loop of PTX that it was made of");
    field(&R::ptx_overhead, "ptx_overhead",
          "of those the loop's own: counters, addresses that they step, compare, branch back");
    field(&R::sass_loop, "sass_loop", "instructions of that loop");
    field(&R::overhead, "sass_overhead", "of those the loop's own");
    field(&R::unrolled, "unrolled",
          "times that a trip does the same: as PTX repeats it, unrolled, times what the assembler adds",
          Range::any);
    field(&R::why, "differs_by", "what differs most, and what was counted that explains it", Range::any,
          Role::note);
  }
};

struct CodeGroup {
  static constexpr std::string_view title = "PTX and machine code by group";
  Count number = absent;
  std::string version, group;
  Count ptx = absent, sass = 0, difference = absent;
  std::string why;
  static void fields(auto& field) {
    using R = CodeGroup;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::group, "group", "of instructions", Range::any, Role::key);
    field(&R::ptx, "ptx", "instructions of its PTX; empty: there is none");
    field(&R::sass, "sass", "instructions of its machine code");
    field(&R::difference, "difference", "machine code less PTX");
    field(&R::why, "because", "what was counted that explains it", Range::any, Role::note);
  }
};

struct CodeRows {
  std::vector<CodeCount> counts;
  std::vector<CodeGroup> groups;
};

// `ptx` is that of the code, if it is known; `launch` has run it. Of a ladder's `version`, or "".
void add_code(CodeRows& rows, std::string_view version, const std::optional<PtxCode>& ptx,
              const KernelCode& code, const KernelTime& launch);

} // namespace perfmodel
