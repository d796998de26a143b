// Sums and products along vectors, as an introduction to CUDA writes them.
#include "themes.hpp"

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

// c = a + b, one element a thread.
__global__ void add_vectors(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void run_add(int n, unsigned block) {
  const Array<float> a(elements(n)), b(elements(n)), c(n);
  repeat("add_vectors", [&] { add_vectors<<<blocks_of(n, block), block>>>(a.data, b.data, c.data, n); });
  expect(close(c.host()[n - 1], 2 * element(n - 1), 1e-5), "add_vectors");
}

} // namespace

void run_vectors() {
  run_add(1 << 24, 128);
  run_add(1 << 20, 1024);
}

} // namespace perfmodel::collection
