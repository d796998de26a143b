// FMAs in registers alone, on some of the SMs or all of them: flops without a byte.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/energy_operands.cuh"

#include <cmath>

namespace perfmodel::kernels {

constexpr int chain_threads = 1024, chains = 8, chain_body = 512;

// There and back again: x a + b, then the same undone, so that no number of steps makes the values alike.
// Constants in the code: an FMA of two registers runs at the full rate.
template <class T> struct Steps {
  static constexpr T a = T(0.8437194), b = T(0.2193571), back_a = T(1) / a, back_b = -b / a;
};

template <class T> __global__ void __launch_bounds__(chain_threads) work_in_registers(T* out, int trips) {
  T x[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = scattered<T>(threadIdx.x * chains + i);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < chain_body / chains; ++step)
#pragma unroll
      for (int i = 0; i < chains; ++i)
        x[i] = step % 2 == 0 ? fma(x[i], Steps<T>::a, Steps<T>::b)
                             : fma(x[i], Steps<T>::back_a, Steps<T>::back_b);
  T sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i];
  out[blockIdx.x * chain_threads + threadIdx.x] = sum;
}

// One block on each of `sms` SMs: its shared memory leaves no room for a second.
template <class T> EnergyLoad register_load(Session& session, int sms) {
  const auto out = std::make_shared<Buffer<T>>(std::size_t(sms) * chain_threads);
  const std::size_t shared = session.device.properties.sharedMemPerBlockOptin;
  PERFMODEL_CUDA(cudaFuncSetAttribute(work_in_registers<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared)));
  const auto launch = [out, sms, shared](cudaStream_t stream, int trips) {
    work_in_registers<T><<<sms, chain_threads, shared, stream>>>(out->data(), trips);
  };
  out->poison();
  launch(session.stream, 2);
  session.stream.synchronize();
  bool right = true;
  const std::vector<T> got = out->to_host();
  for (int thread = 0; thread < chain_threads; ++thread) {
    T want = 0;
    for (int i = 0; i < chains; ++i) {
      T x = scattered<T>(thread * chains + i);
      for (int step = 0; step < 2 * chain_body / chains; ++step)
        x = step % 2 == 0 ? std::fma(x, Steps<T>::a, Steps<T>::b)
                          : std::fma(x, Steps<T>::back_a, Steps<T>::back_b);
      want += x;
    }
    for (std::size_t i = thread; i < got.size(); i += chain_threads) right = right && got[i] == want;
  }
  const int trips = trips_for(session, 0.02, launch);
  return {.launch = [launch, trips](cudaStream_t stream) { launch(stream, trips); },
          .flops = 2.0 * sms * chain_threads * chain_body * trips,
          .right = right,
          .buffers = out};
}

} // namespace perfmodel::kernels
