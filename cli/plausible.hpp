#pragma once

#include "models/core/fact.hpp"

namespace perfmodel::cli {

// Far outside what any device has: "clock=1300" where 1300 MHz was meant. What if a GPU were a hundred times
// faster is a fair question, so this is wider than what a hardware file may say.
inline bool plausible(const KeyInfo& key, double value) {
  return value >= key.least * 1e-3 && value <= key.most * 1e3;
}

} // namespace perfmodel::cli
