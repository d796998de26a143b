// Time as the host sees it.
#pragma once

#include <chrono>

namespace perfmodel::kernels {

// s since a moment that stays the same while the program runs.
inline double host_time() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

} // namespace perfmodel::kernels
