// What a kernel, or several that belong together, take while the GPU does nothing else: as many of them in a
// graph as half a millisecond holds, since one alone is too short for the clock of events.
#pragma once

#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/graph.hpp"

#include <functional>

namespace perfmodel::kernels {

// Seconds of one `enqueue`, which enqueues on the session's stream and neither allocates nor waits.
inline Measurement seconds_in_a_row(Session& session, const std::function<void()>& enqueue) {
  const int count = trips_for(session, 5e-4, [&](cudaStream_t, int trips) {
    for (int i = 0; i < trips; ++i) enqueue();
  });
  const Graph graph(session.stream, [&] {
    for (int i = 0; i < count; ++i) enqueue();
  });
  const Repeat repeat{.samples = 11, .warm_up = 0.01, .watched = 0.004};
  const Sampled sampled = sample(session, repeat, [&](cudaStream_t stream) { graph.launch(stream); });
  Measurement time{sampled.seconds, sampled.sm_clock};
  for (double& value : time.values) value /= count;
  return time;
}

} // namespace perfmodel::kernels
