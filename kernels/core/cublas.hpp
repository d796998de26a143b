// The rate that cuBLAS reaches on a large matrix product: the rival of the tensor probes, in the same run.
// Loaded at run time; nothing links to it.
#pragma once

#include "kernels/core/report.hpp"

#include <optional>
#include <string_view>

namespace perfmodel::kernels {

// precision: "bf16", "fp16", "tf32", "fp8", "int8", "fp64-tensor". Random operands of 8192 x 8192, the best
// of the algorithms that cuBLAS proposes. Absent, with the reason in `why`, when there is no cuBLAS or it
// cannot.
struct CublasRate {
  std::optional<Measurement> rate;
  std::string why;
};
CublasRate cublas_rate(Session& session, std::string_view precision);

} // namespace perfmodel::kernels
