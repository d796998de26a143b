#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/sm_span.cuh"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/suffix_sums.cuh"
#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {
namespace {

extern __shared__ unsigned words[];

// Every block its n numbers, in place.
template <Scan how> __global__ void __launch_bounds__(1024) scan_once(unsigned* numbers, unsigned n) {
  const unsigned t = threadIdx.x;
  unsigned* const at = numbers + std::size_t{blockIdx.x} * n + t;
  const unsigned sum = suffix_sum<how>(t < n ? *at : 0, n, words, false);
  if (t < n) *at = sum;
}

// The same again and again, from register to register: what a scan costs beside the block around it.
template <Scan how>
__global__ void __launch_bounds__(1024) scan_again(unsigned* numbers, unsigned n, int trips, BlockSpan* spans) {
  const unsigned t = threadIdx.x;
  unsigned* const at = numbers + std::size_t{blockIdx.x} * n + t;
  unsigned sum = t < n ? *at : 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) sum = suffix_sum<how>(sum, n, words, trip % 2 != 0);
  span_stop(spans);
  if (t < n) *at = sum;
}
#ifndef OPEN
}}
#endif
