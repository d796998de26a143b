// The warps of a block, one after the other; those that do the same share a program.
#pragma once

#include "warp_code.hpp"

#include <algorithm>

namespace perfmodel {

struct BlockCode {
  BlockProgram program;
  WarpCounts counts; // of all its warps

  void add(const WarpCode& warp) {
    const WarpCounts more = warp.counts();
    counts.instructions += more.instructions;
    counts.wavefronts += more.wavefronts;
    std::vector<WarpProgram>& programs = program.programs;
    const auto same = std::find(programs.begin(), programs.end(), warp.steps());
    program.of_warp.push_back(static_cast<std::size_t>(same - programs.begin()));
    if (same == programs.end()) programs.push_back(warp.steps());
  }
};

} // namespace perfmodel
