#include "kernels/core/power.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/event.hpp"
#include "kernels/core/host_clock.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <thread>

namespace perfmodel::kernels {
namespace {

// Of the device itself, while the load runs on: NVML reports the clock it asked for.
class ClockWatch {
public:
  double hertz() {
    read_clock(reading_.data(), stream_);
    stream_.synchronize();
    ClockReading reading{};
    PERFMODEL_CUDA(
        cudaMemcpyAsync(&reading, reading_.data(), sizeof reading, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return reading.hertz();
  }

private:
  Buffer<ClockReading> reading_{1};
  Stream stream_;
};

// Keeps three launches ahead of the device, so that it never waits for the host.
class Queue {
public:
  Queue(cudaStream_t stream, const Launch& launch) : stream_(stream), launch_(launch) {}

  // Enqueues launches until three are waiting or running.
  void fill() {
    while (!events_.empty() && events_.front()->is_done()) {
      events_.pop_front();
      ++done_;
    }
    while (events_.size() < 3) {
      launch_(stream_);
      PERFMODEL_CUDA(cudaGetLastError());
      events_.push_back(std::make_unique<Event>());
      events_.back()->record(stream_);
    }
  }
  std::size_t done() const { return done_; }

private:
  cudaStream_t stream_;
  const Launch& launch_;
  std::deque<std::unique_ptr<Event>> events_;
  std::size_t done_ = 0;
};

struct Reading {
  double time = 0, energy = 0;
};

// The counter moves some ten times a second: the moment at which it does is the reading's time.
Reading at_next_step(const Nvml& nvml, Queue& queue) {
  const double before = nvml.total_energy().value_or(0), began = host_time();
  for (;;) {
    queue.fill();
    const double energy = nvml.total_energy().value_or(0), time = host_time();
    if (energy != before || time - began > 1) return {time, energy};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace

double Sustained::watts() const { return seconds > 0 ? energy / seconds : 0; }

std::optional<double> Sustained::degrees() const {
  if (temperature.empty()) return std::nullopt;
  return std::accumulate(temperature.begin(), temperature.end(), 0.0) /
         static_cast<double>(temperature.size());
}

Sustained sustain(Session& session, double warm_up, double seconds, const Launch& launch) {
  Sustained result;
  if (!session.nvml.total_energy()) return result;
  ClockWatch clock;
  Queue queue(session.stream, launch);
  const double began = host_time();
  while (host_time() - began < warm_up) {
    queue.fill();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const Reading first = at_next_step(session.nvml, queue);
  const std::size_t done_before = queue.done();
  const double rate_from = host_time();
  Reading last = first;
  while (last.time - first.time < seconds) {
    const double until = last.time + std::min(1.0, seconds / 5);
    while (host_time() < until) {
      queue.fill();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const DeviceState state = session.nvml.state();
    session.under_load = state;
    const auto& reasons = state.throttle_reasons;
    result.capped =
        result.capped || std::find(reasons.begin(), reasons.end(), "sw_power_cap") != reasons.end();
    queue.fill();
    const Reading next = at_next_step(session.nvml, queue);
    result.power.push_back((next.energy - last.energy) / (next.time - last.time));
    result.sm_clock.push_back(clock.hertz());
    if (state.temperature) result.temperature.push_back(*state.temperature);
    queue.fill();
    last = next;
  }
  queue.fill();
  result.launches_per_second = static_cast<double>(queue.done() - done_before) / (host_time() - rate_from);
  result.energy = last.energy - first.energy;
  result.seconds = last.time - first.time;
  session.stream.synchronize();
  return result;
}

} // namespace perfmodel::kernels
