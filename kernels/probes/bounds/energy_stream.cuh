// FMAs on every word of a stream from device memory.
#pragma once

#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/energy_operands.cuh"
#include "kernels/probes/bounds/intensity_kernel.cuh"

namespace perfmodel::kernels {

// The kernel of the walk along the roofline, with `bodies` times `body` FMAs on every word.
template <class T, int body> EnergyLoad stream_load(Session& session, int bodies) {
  struct Buffers {
    Buffer<T> in;
    Buffer<std::uint32_t> total{1};
  };
  constexpr bool ahead = true;
  const T a = T(0.999), b = T(0.001);
  const std::size_t block_words = std::size_t{round_words<T, ahead> * rounds<ahead>};
  const auto buffers =
      std::make_shared<Buffers>(Buffers{Buffer<T>(session.buffer_bytes(std::size_t{8} << 30) / sizeof(T))});
  fill_scattered(buffers->in, session.stream);
  const auto blocks = static_cast<unsigned>(buffers->in.size() / block_words);
  const auto run = [buffers, a, b, bodies](cudaStream_t stream, unsigned grid, bool report) {
    stream_and_compute<T, 1, body, ahead>
        <<<grid, threads, 0, stream>>>(buffers->in.data(), buffers->total.data(), a, b, bodies, report);
  };
  buffers->total.clear();
  run(session.stream, blocks / 16, true);
  session.stream.synchronize();
  const bool right = buffers->total.to_host()[0] ==
                     expected_sum<T, ahead>(blocks / 16, 1, body * bodies, a, b, scattered_word<T>);
  const double words = static_cast<double>(buffers->in.size());
  return {.launch = [run, blocks](cudaStream_t stream) { run(stream, blocks, false); },
          .flops = 2.0 * body * bodies * words,
          .dram_bytes = words * sizeof(T),
          .right = right,
          .buffers = buffers};
}

} // namespace perfmodel::kernels
