// An SM of two schedulers, a pipe of each, one unit of the SM and one of the device, and steps for it.
#pragma once

#include "tests/models/simulate/steps.hpp"

namespace perfmodel::small_sm {

inline constexpr std::size_t alu = 0, lsu = 1, memory = 2;

inline SmMachine machine() {
  SmMachine m;
  m.schedulers = 2;
  m.sms = 1;
  m.units = {{.name = "alu"}, {.name = "lsu", .of = UnitOf::sm}, {.name = "memory", .of = UnitOf::device}};
  return m;
}

inline WarpStep instruction(double cycles, double latency, std::int64_t repeat = 1,
                            WarpWait wait = WarpWait::nothing) {
  WarpStep step;
  step.uses[0] = {alu, cycles};
  step.used = 1;
  step.latency = latency;
  step.repeat = repeat;
  step.wait = wait;
  return step;
}

inline WarpStep barrier() {
  WarpStep step;
  step.barrier = true;
  return step;
}

} // namespace perfmodel::small_sm
