// A launch of a ladder: L2 holds what the launch before left there, and where it fits that is all of it.
#pragma once

#include "models/simulate/pattern_time.hpp"

namespace perfmodel {

// What of it has to be simulated beside its time.
struct SimulatedViews {
  bool what_if = false, timeline = false;
};

// Of code that stays where it is, as that of hwdb/kernels does. Refers to both.
inline KernelQuestion ladder_question(const KernelCode& code, const KernelLaunch& launch,
                                      SimulatedViews views = {}) {
  return {.code = code,
          .launch = launch,
          .caches = Caches::warm,
          .data = {},
          .last_block = {},
          .code_stays = true,
          .most_steps = few_steps,
          .what_if = views.what_if,
          .watch = views.timeline};
}

} // namespace perfmodel
