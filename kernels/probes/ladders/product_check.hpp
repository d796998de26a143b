// Whether C is the product A B, by Freivalds' test on 32 columns at a time: C r and A (B r), in double, for r
// =
// +-1 at random in these columns and zero elsewhere. All columns cost n^3 / 16 operations instead of 2 n^3.
// R. Freivalds, Probabilistic machines can use less running time, IFIP 1977.
#pragma once

#include "kernels/probes/ladders/product_rounding.hpp"

#include <cuda_runtime_api.h>

namespace perfmodel::kernels {

enum class Stored { fp32, bf16 };

// n rows of n elements, `pitch` elements apart, on the device.
struct StoredMatrix {
  const void* data;
  Stored stored;
  int n, pitch;
};

// Of n sums for every 32 columns. Throws MachineError.
ProductError product_error(const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
                           cudaStream_t stream);

} // namespace perfmodel::kernels
