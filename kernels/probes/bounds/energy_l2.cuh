// FMAs on words that L2 holds, read as `l2-bandwidth` reads them; each word goes through the same FMAs as in
// a stream from device memory, with a and b the same for all: one that reads another changing register costs
// more.
#pragma once

#include "kernels/core/vector_access.cuh"
#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/energy_operands.cuh"

#include <cmath>

namespace perfmodel::kernels {

// Blocks that read what L2 holds, again and again, with FMAs on every word.
constexpr int reread_threads = 512, reread_loads = 4, reread_chunk = reread_threads * reread_loads;

template <int fmas>
__global__ void __launch_bounds__(reread_threads)
    reread(const uint4* in, unsigned vectors, float* out, float a, float b, int trips) {
  unsigned at = blockIdx.x * reread_chunk % vectors;
  const unsigned ahead = gridDim.x * reread_chunk % vectors;
  float sum[4] = {};
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    uint4 v[reread_loads];
#pragma unroll
    for (int i = 0; i < reread_loads; ++i) v[i] = load_from_l2(in + at + i * reread_threads + threadIdx.x);
#pragma unroll
    for (int i = 0; i < reread_loads; ++i) {
      float word[4] = {__uint_as_float(v[i].x), __uint_as_float(v[i].y), __uint_as_float(v[i].z),
                       __uint_as_float(v[i].w)};
#pragma unroll
      for (int n = 1; n < fmas; ++n)
#pragma unroll
        for (int k = 0; k < 4; ++k) word[k] = fmaf(word[k], a, b);
#pragma unroll
      for (int k = 0; k < 4; ++k) sum[k] = fmaf(word[k], a, sum[k]);
    }
    at += ahead;
    if (at >= vectors) at -= vectors;
  }
  out[blockIdx.x * reread_threads + threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

template <int fmas> EnergyLoad l2_load(Session& session) {
  struct Buffers {
    Buffer<float> in;
    Buffer<float> out;
  };
  const int blocks = session.device.sm_count();
  const std::size_t step = std::size_t{reread_chunk} * sizeof(uint4);
  const std::size_t bytes =
      std::max<std::size_t>(1, static_cast<std::size_t>(0.7 * session.device.properties.l2CacheSize) / step) *
      step;
  const auto buffers = std::make_shared<Buffers>(
      Buffers{Buffer<float>(bytes / sizeof(float)), Buffer<float>(std::size_t(blocks) * reread_threads)});
  fill_scattered(buffers->in, session.stream);
  const auto vectors = static_cast<unsigned>(bytes / sizeof(uint4));
  const float a = 0.999F, b = 0.001F;
  const auto launch = [buffers, vectors, blocks, a, b](cudaStream_t stream, int trips) {
    reread<fmas><<<blocks, reread_threads, 0, stream>>>(reinterpret_cast<const uint4*>(buffers->in.data()),
                                                        vectors, buffers->out.data(), a, b, trips);
  };
  buffers->out.poison();
  launch(session.stream, 2);
  session.stream.synchronize();
  bool right = true;
  const std::vector<float> got = buffers->out.to_host();
  for (std::size_t at = 0; at < got.size(); at += 97) {
    float sum[4] = {};
    for (unsigned trip = 0; trip < 2; ++trip)
      for (int i = 0; i < reread_loads; ++i)
        for (int k = 0; k < 4; ++k) {
          const std::size_t first =
              (at / reread_threads + std::size_t{trip} * blocks) * reread_chunk % vectors;
          float word = scattered_word<float>(4 * (first + i * reread_threads + at % reread_threads) + k);
          for (int n = 1; n < fmas; ++n) word = std::fma(word, a, b);
          sum[k] = std::fma(word, a, sum[k]);
        }
    right = right && got[at] == sum[0] + sum[1] + sum[2] + sum[3];
  }
  const int trips = trips_for(session, 0.02, launch);
  const double words = 4.0 * blocks * reread_chunk * trips;
  return {.launch = [launch, trips](cudaStream_t stream) { launch(stream, trips); },
          .flops = 2.0 * fmas * words,
          .l2_bytes = 4 * words,
          .right = right,
          .buffers = buffers};
}

} // namespace perfmodel::kernels
