#include "kernels/probes/ladders/product_check.hpp"

#include "kernels/core/buffer.hpp"

#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace perfmodel::kernels {
namespace {

// A warp per row.
template <class T>
__global__ void times_vector(const T* matrix, int n, int pitch, const double* vector, double* product) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  double sum = 0;
  for (int k = lane; k < n; k += 32) sum += double(float(matrix[std::size_t(row) * pitch + k])) * vector[k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0) product[row] = sum;
}

void multiply(const StoredMatrix& m, const Buffer<double>& vector, Buffer<double>& product,
              cudaStream_t stream) {
  const unsigned blocks = (m.n + 7) / 8;
  if (m.stored == Stored::fp32)
    times_vector<<<blocks, 256, 0, stream>>>(static_cast<const float*>(m.data), m.n, m.pitch, vector.data(),
                                             product.data());
  else
    times_vector<<<blocks, 256, 0, stream>>>(static_cast<const __nv_bfloat16*>(m.data), m.n, m.pitch,
                                             vector.data(), product.data());
  PERFMODEL_CUDA(cudaGetLastError());
}

} // namespace

ProductError product_error(const StoredMatrix& a, const StoredMatrix& b, const StoredMatrix& c,
                           cudaStream_t stream) {
  const auto n = static_cast<std::size_t>(c.n);
  std::vector<double> signs(n);
  std::uint64_t state = 1;
  for (double& sign : signs) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    sign = state >> 63 != 0 ? 1 : -1;
  }
  const Buffer<double> r(signs);
  Buffer<double> b_r(n), want(n), got(n);
  multiply(b, r, b_r, stream);
  multiply(a, b_r, want, stream);
  multiply(c, r, got, stream);
  PERFMODEL_CUDA(cudaStreamSynchronize(stream));

  const std::vector<double> wanted = want.to_host(), have = got.to_host();
  double squares = 0, norm = 0, worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = std::abs(have[i] - wanted[i]);
    squares += off * off;
    norm += wanted[i] * wanted[i];
    worst = off > worst || std::isnan(off) ? off : worst; // a NaN, once there, stays
  }
  const double scale = std::sqrt(norm / double(n));
  return {std::sqrt(squares / double(n)) / scale, worst / scale};
}

} // namespace perfmodel::kernels
