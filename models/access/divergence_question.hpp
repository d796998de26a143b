// What a question about divergence walks over: the branch of expressions, or of a known reduction.
#pragma once

#include "divergence.hpp"

#include <cstdint>
#include <string>

namespace perfmodel {

// What the given options, or the kernel's code, say that lanes do.
struct DivergenceQuestion {
  std::string name;
  Branching branching;
  std::int64_t steps = 1;
};

// Not of matmul-boundary, whose cases are counted without a walk. Throws InputError: a block that is no
// reduction's.
DivergenceQuestion divergence_question(const Divergence::Input& in);

} // namespace perfmodel
