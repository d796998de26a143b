// What boxes of blocks touch, from what one block does and each neighbour adds.
#include "footprint.hpp"

#include <algorithm>

namespace perfmodel {

double Growth::along_x(double bx) const {
  if (row.size() < 2) return 1 + x * (bx - 1);
  double blocks = 1;
  std::size_t n = 0;
  while (n + 2 < row.size() && 2 * blocks < bx) blocks *= 2, ++n;
  // Beyond the last as from the one before it to the last.
  return (row[n] + (row[n + 1] - row[n]) * (bx / blocks - 1)) / row[0];
}

double Growth::without_end(double bx, double by, double bz) const {
  bx = std::max(1.0, bx);
  const double rounds = period > 0 ? std::max(1.0, bx / period) : 1;
  const double columns = along_x(bx / rounds) * (1 + new_after_period * (rounds - 1)),
               rows = 1 + y * (std::max(1.0, by) - 1);
  return one * (columns + rows - 1 + across * (columns - 1) * (rows - 1)) * (1 + z * (std::max(1.0, bz) - 1));
}

double Growth::of(double bx, double by, double bz) const { return std::min(most, without_end(bx, by, bz)); }

} // namespace perfmodel
