#include "dram_turns.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

double turn_of(double service, double wait, double share_of_writes) {
  const double root = 80 * service * wait / share_of_writes - 4 * service * service;
  return root <= 0 ? 0 : std::max(0.0, (std::sqrt(root) - 6 * service) / 10);
}

double wait_for_turns(double service, double turn, double share_of_writes) {
  return share_of_writes / (4 * service) * (std::pow(service + 2 * turn, 2) + std::pow(service + turn, 2));
}

double writes_in_a_row(double service, double turn, double read_bandwidth, double copy_bandwidth) {
  const double lost = service * (read_bandwidth / copy_bandwidth - 1); // cycles of each line
  return lost <= 0 ? 0 : std::max(1.0, turn / lost);
}

} // namespace perfmodel
