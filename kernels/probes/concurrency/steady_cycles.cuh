// Cycles that a full SM takes for one more trip of a kernel's loop: the difference of a long and a short run,
// by the clock of the SM itself. It leaves out what both have in common: the start of the blocks, cold
// instruction caches, and the end, where the last warps have the SM to themselves.
#pragma once

#include "kernels/core/report.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/statistics.hpp"

#include <functional>

namespace perfmodel::kernels {

// The median of the SMs' cycles. NaN where blocks were dealt unevenly.
inline double cycles_of(const std::vector<BlockSpan>& spans, int blocks_per_sm) {
  const auto cycles = sm_cycles(spans.data(), spans.size(), static_cast<unsigned>(blocks_per_sm));
  return cycles.empty() ? absent : median(cycles);
}

// One block for each `blocks_per_sm` of every SM; `launch(trips)` must fill `spans`. Samples are cycles per
// trip.
inline Measurement cycles_per_trip(Session& session, const Buffer<BlockSpan>& spans, int blocks_per_sm,
                                   const std::function<void(int trips)>& launch) {
  const auto cycles = [&](int trips) {
    launch(trips);
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
    return cycles_of(spans.to_host(), blocks_per_sm);
  };
  constexpr double wanted = 150e3; // about 75 us, and twice that for the long run
  constexpr int few = 16;
  cycles(few); // warms the instruction cache
  const double guess = (cycles(2 * few) - cycles(few)) / few;
  const int trips = guess > 0 ? std::clamp(static_cast<int>(wanted / guess), few, 1 << 20) : few;

  Measurement per_trip;
  Buffer<ClockReading> clock(1);
  for (int i = 0; i < (session.quick() ? 3 : 11); ++i) {
    const double brief = cycles(trips);
    launch(2 * trips);
    read_clock(clock.data(), session.stream);
    session.stream.synchronize();
    per_trip.values.push_back((cycles_of(spans.to_host(), blocks_per_sm) - brief) / trips);
    per_trip.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  return per_trip;
}

} // namespace perfmodel::kernels
