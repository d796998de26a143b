// Products of square matrices by cuBLAS: the rival of our own kernels, in the same run. Loaded at run time;
// nothing links to it.
#pragma once

#include "kernels/core/report.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace perfmodel::kernels {

// C = A B of the caller's row-major n x n matrices, by the best of the algorithms that cuBLAS proposes.
class CublasProduct {
public:
  // precision: "fp32", "tf32" or "bf16" (C too, fp32 sums). `pitch`: elements from one row to the next.
  CublasProduct(Session& session, std::string_view precision, int n, int pitch, const void* a, const void* b,
                void* c);
  ~CublasProduct();

  // Why there is none; empty when there is one.
  std::string_view why() const { return why_; }
  void launch(cudaStream_t stream) const;

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
  std::string why_;
};

// The rate on a large product. precision: "bf16", "fp16", "tf32", "fp8", "int8", "fp64-tensor". Random
// operands of 8192 x 8192, the best of the algorithms that cuBLAS proposes. Absent, with the reason in `why`,
// when there is no cuBLAS or it cannot.
struct CublasRate {
  std::optional<Measurement> rate;
  std::string why;
};
CublasRate cublas_rate(Session& session, std::string_view precision);

} // namespace perfmodel::kernels
