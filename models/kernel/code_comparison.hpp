// PTX against the machine code that the assembler made of it: instructions by group, the loop that runs most,
// and why they differ, all counted from both texts.
#pragma once

#include "code_counts.hpp"
#include "code_loops.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel {

struct GroupDifference {
  InstructionGroup group{};
  std::optional<std::size_t> ptx; // nullopt: there is no PTX
  std::size_t sass = 0;
  std::string why; // what was counted that explains it; or ""
};

struct CodeComparison {
  std::optional<std::size_t> ptx;
  std::size_t sass = 0;
  std::vector<GroupDifference> groups; // that either has
  // Of machine code the innermost loop of which most is executed; of PTX that which does the same work.
  std::optional<CodeLoop> ptx_loop, sass_loop;
  double in_loop = 0; // share of the executed instructions
  // How often a trip of that loop does the same: as PTX repeats it, times what the assembler unrolls.
  std::optional<std::size_t> unrolled;
  std::string why; // the largest differences of groups
};

// `executed`: of each instruction of the code, how often.
CodeComparison compare_code(const std::optional<PtxCode>& ptx, const KernelCode& code,
                            std::span<const std::uint64_t> executed);

} // namespace perfmodel
