// Why machine code has more or fewer instructions of a group than its PTX: what in both texts tells so.
#pragma once

#include "code_counts.hpp"

#include <string>
#include <vector>

namespace perfmodel {

class CodeReasons {
public:
  // `ptx` is nullptr where there is none. Refers to all of them.
  CodeReasons(const PtxCode* ptx, const std::vector<CountedInstruction>& of_ptx, const KernelCode& code,
              const std::vector<CountedInstruction>& of_sass)
      : ptx_(ptx), of_ptx_(of_ptx), code_(code), of_sass_(of_sass) {}

  // Parts with commas between them, each a number and what it counts; "": nothing that would explain it.
  std::string of(InstructionGroup group) const;

private:
  const PtxCode* ptx_;
  const std::vector<CountedInstruction>& of_ptx_;
  const KernelCode& code_;
  const std::vector<CountedInstruction>& of_sass_;
};

} // namespace perfmodel
