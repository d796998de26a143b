// Whether C is the product A B, by Freivalds' test: C r and A (B r) for random r = +-1, in double, in n^2
// steps instead of n^3. One wrong element of C shows in its row unless it is within rounding.
// R. Freivalds, Probabilistic machines can use less running time, IFIP 1977.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace perfmodel::kernels {

enum class Stored { fp32, bf16 };

// n rows of n elements, `pitch` elements apart, on the device.
struct StoredMatrix {
  const void* data;
  Stored stored;
  int n, pitch;
};

struct ProductError {
  double mean, worst; // of a row of C r - A (B r): root mean square, and largest; over the rms of A (B r)
};
ProductError product_error(const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
                           cudaStream_t stream);

} // namespace perfmodel::kernels
