// Bandwidth of a memory of the SMs: one block on each reads all of what fits there, trip by trip.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace perfmodel::kernels {

struct ReadAgain {
  const char *title, *ceiling, *level, *constant; // of the table, of its row, and the fact that it finds
  std::size_t vectors; // of the pattern that a block reads in a trip, 16 bytes each
  unsigned threads;    // of a block; each leaves the sum of its words
};

// `launch` runs as many trips in that many blocks.
inline ProbeResult bandwidth_of(
    Session& session, const ReadAgain& read,
    const std::function<void(cudaStream_t, unsigned blocks, std::uint32_t* sums, int trips)>& launch) {
  Report report(read.title, {{"ceiling", {}}, {"level", {}}}, "bandwidth", unit_of<BytesPerSecond>());
  const unsigned blocks = session.device.sm_count();
  Buffer<std::uint32_t> sums(std::size_t{blocks} * read.threads);

  launch(session.stream, blocks, sums.data(), 3);
  session.stream.synchronize();
  std::uint32_t sum = 0;
  for (const std::uint32_t s : sums.to_host()) sum += s;
  if (!report.verify(sum == 3 * blocks * pattern_sum(0, 4 * read.vectors), "sum of the words read"))
    return report.take();

  const auto trips_in = [&](cudaStream_t stream, int trips) { launch(stream, blocks, sums.data(), trips); };
  const int trips = trips_for(session, 3e-3, trips_in);
  const Measurement bandwidth =
      rate_of(sample(session, usual(session), [&](cudaStream_t s) { trips_in(s, trips); }),
              double(blocks) * read.vectors * sizeof(uint4) * trips);
  // Shared memory and L1 are the same data banks.
  report.row({read.ceiling, read.level}, bandwidth, shared_limit(session, bandwidth.clock()));
  report.constant(read.constant, bandwidth);
  return report.take();
}

} // namespace perfmodel::kernels
