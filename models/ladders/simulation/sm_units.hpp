// The units of simulated SMs, of their schedulers and of the device: each serves one after the other in the
// order of the calls, one with banks whatever bank is met.
#pragma once

#include "sm_code.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

struct Served {
  double began = 0, ended = 0;
};

class SmUnits {
public:
  using Place = std::array<std::size_t, 3>; // by UnitOf: a scheduler, its SM, the device

  explicit SmUnits(const SmMachine& machine)
      : machine_(&machine), stride_(machine.schedulers * machine.sms), free_(machine.units.size() * stride_),
        busy_(machine.units.size()) {
    for (const SmUnit& unit : machine.units) banks_.emplace_back(unit.servers);
  }

  double free_at(const SmUse& use, const Place& place) const {
    return free_[use.first + place[static_cast<std::size_t>(use.of)]];
  }
  Served serve(const SmUse& use, const Place& place, double time) {
    busy_[use.unit] += use.cycles;
    if (use.pieces > 0) return {time, serve_in_banks(use, time)};
    double& free = free_[use.first + place[static_cast<std::size_t>(use.of)]];
    const double began = std::max(time, free);
    free = began + use.cycles;
    return {began, free};
  }
  // Nobody waits for it.
  void occupy_sm(std::size_t unit, const Place& place, double time, double cycles) {
    double& free = free_[unit * stride_ + place[1]];
    free = std::max(time, free) + cycles;
    busy_[unit] += cycles;
  }

  // When the last of the device's units has done what it was asked for.
  double device_done() const {
    double done = 0;
    for (std::size_t u = 0; u < busy_.size(); ++u) {
      if (machine_->units[u].of != UnitOf::device) continue;
      done = std::max(done, free_[u * stride_]);
      for (const double free : banks_[u]) done = std::max(done, free);
    }
    return done;
  }
  // Share of so many cycles for which each was busy, the mean over those of its kind.
  std::vector<double> busy(double cycles) const {
    std::vector<double> shares = busy_;
    for (std::size_t u = 0; u < shares.size(); ++u) {
      const UnitOf of = machine_->units[u].of;
      const std::size_t count = of == UnitOf::scheduler ? stride_ : of == UnitOf::sm ? machine_->sms : 1;
      shares[u] /= cycles * static_cast<double>(count);
    }
    return shares;
  }

  // Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014: the same in every run.
  std::uint64_t random() {
    std::uint64_t z = random_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

private:
  double serve_in_banks(const SmUse& use, double time) {
    std::vector<double>& banks = banks_[use.unit];
    double served = time;
    for (std::size_t i = 0; i < use.pieces; ++i) {
      double& free = banks[random() % banks.size()];
      free = std::max(time, free) + use.piece_cycles;
      served = std::max(served, free);
    }
    return served;
  }

  const SmMachine* machine_;
  std::size_t stride_;
  std::vector<double> free_, busy_;
  std::vector<std::vector<double>> banks_; // of units with several: when each is free
  std::uint64_t random_ = 0;
};

} // namespace perfmodel
