// FMAs on every word of a stream from device memory.
#pragma once

#include "kernels/core/residency.hpp"
#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/energy_operands.cuh"
#include "kernels/probes/bounds/intensity_kernel.cuh"

#include <optional>

namespace perfmodel::kernels {

// The kernel of the walk along the roofline, with `bodies` times `body` FMAs on every word; with so many
// blocks on an SM at a time, or as many as fit (0): few of them read more slowly.
template <class T, int body> EnergyLoad stream_load(Session& session, int bodies, int blocks_of_sm) {
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
  std::optional<std::size_t> shared = 0; // what a block leaves unused keeps others off its SM
  if (blocks_of_sm > 0)
    shared =
        shared_for_residency(session.device, &stream_and_compute<T, 1, body, ahead>, threads, blocks_of_sm);
  const auto run = [buffers, a, b, bodies, bytes = shared.value_or(0)](cudaStream_t stream, unsigned grid,
                                                                       bool report) {
    stream_and_compute<T, 1, body, ahead>
        <<<grid, threads, bytes, stream>>>(buffers->in.data(), buffers->total.data(), a, b, bodies, report);
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
