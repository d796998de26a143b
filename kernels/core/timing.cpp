#include "kernels/core/timing.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/event.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace perfmodel::kernels {
namespace {

struct Once {
  double seconds, sm_clock;
};

class Stopwatch {
public:
  Stopwatch(Session& session, const Launch& launch, const ClockReading* own_clock)
      : session_(session), launch_(launch), own_clock_(own_clock), clock_(1) {}

  Once operator()() {
    start_.record(session_.stream);
    launch_(session_.stream);
    PERFMODEL_CUDA(cudaGetLastError());
    stop_.record(session_.stream);
    if (own_clock_ == nullptr) read_clock(clock_.data(), session_.stream);
    session_.stream.synchronize();
    ClockReading reading{};
    PERFMODEL_CUDA(cudaMemcpy(&reading, own_clock_ != nullptr ? own_clock_ : clock_.data(), sizeof reading,
                              cudaMemcpyDeviceToHost));
    return {seconds_between(start_, stop_), reading.hertz()};
  }

private:
  Session& session_;
  const Launch& launch_;
  const ClockReading* own_clock_;
  Buffer<ClockReading> clock_;
  Event start_, stop_;
};

} // namespace

Repeat usual(const Session& session) {
  return session.quick() ? Repeat{.samples = 11, .warm_up = 0.02} : Repeat{.samples = 11, .warm_up = 0.1};
}

Sampled sample(Session& session, const Repeat& repeat, const Launch& launch, const ClockReading* own_clock) {
  Stopwatch stopwatch(session, launch, own_clock);
  // Under a power cap the clock may never stand still: after ten times the warm-up it is measured as it is.
  double warm = 0;
  double clock = 0, last_clock = 0;
  do {
    const Once once = stopwatch();
    warm += once.seconds;
    last_clock = clock;
    clock = once.sm_clock;
  } while (warm < repeat.warm_up ||
           (std::abs(clock - last_clock) > 0.01 * clock && warm < 10 * repeat.warm_up));

  Sampled sampled;
  for (int i = 0; i < repeat.samples; ++i) {
    std::this_thread::sleep_for(std::chrono::duration<double>(repeat.pause));
    const Once once = stopwatch();
    sampled.seconds.push_back(once.seconds);
    sampled.sm_clock.push_back(once.sm_clock);
  }
  if (repeat.watched <= 0) return sampled;
  // Some 20 ms more, during which NVML is read: after the last sample it would show a GPU falling idle.
  const int more = std::clamp(static_cast<int>(repeat.watched / sampled.seconds.back()), 1, 200);
  for (int i = 0; i < more; ++i) launch(session.stream);
  session.under_load = session.nvml.state();
  session.stream.synchronize();
  return sampled;
}

int trips_for(Session& session, double seconds, const std::function<void(cudaStream_t, int)>& launch) {
  const Event start, stop;
  for (int trips = 1;; trips *= 2) {
    start.record(session.stream);
    launch(session.stream, trips);
    PERFMODEL_CUDA(cudaGetLastError());
    stop.record(session.stream);
    const double took = seconds_between(start, stop);
    if (took > seconds / 4 || trips > (1 << 28))
      return std::max(1, static_cast<int>(trips * (seconds / took)));
  }
}

} // namespace perfmodel::kernels
