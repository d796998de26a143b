// What boxes of blocks touch, from what one block does and each neighbour adds.
#include "footprint.hpp"
#include "share_new.hpp"

#include <algorithm>
#include <limits>

namespace perfmodel {

namespace {

template <class Of> double span_of(const std::vector<const BlockFootprint*>& blocks, double piece, Of of) {
  constexpr double a_little = 1.0 / 16;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  for (const BlockFootprint* block : blocks) {
    if (of(*block).empty()) return std::numeric_limits<double>::infinity();
    for (const auto& one : of(*block)) first = std::min(first, place(one)), last = std::max(last, place(one));
  }
  if (first > last) return std::numeric_limits<double>::infinity();
  return (1 + a_little) * piece * static_cast<double>(last - first + 1);
}

template <class Of>
void set_recurrence(Growth& growth, const BlockFootprint& block, const Recurrence& recurrence, Of of) {
  growth.period = recurrence.period;
  growth.new_after_period = recurrence.period > 0 ? share_new(of(block), recurrence.blocks, of) : 1;
}

auto loads_of(std::size_t allocation) {
  return [=](const BlockFootprint& block) -> const auto& { return block.loads[allocation]; };
}
auto stores_of(std::size_t allocation) {
  return [=](const BlockFootprint& block) -> const auto& { return block.stores[allocation]; };
}

} // namespace

double span_of_loads(const std::vector<const BlockFootprint*>& blocks, std::size_t allocation, double atom) {
  return span_of(blocks, atom, loads_of(allocation));
}
double span_of_stores(const std::vector<const BlockFootprint*>& blocks, std::size_t allocation) {
  constexpr double sector = 32;
  return span_of(blocks, sector, stores_of(allocation));
}

void set_growth_from_afar(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                          const Further& further) {
  const auto of = loads_of(allocation);
  if (further.block != nullptr) growth.x = share_new(of(block), {further.block}, of) / further.distance;
}

void set_recurrence_of_loads(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                             const Recurrence& recurrence) {
  set_recurrence(growth, block, recurrence, loads_of(allocation));
}
void set_recurrence_of_stores(Growth& growth, const BlockFootprint& block, std::size_t allocation,
                              const Recurrence& recurrence) {
  set_recurrence(growth, block, recurrence, stores_of(allocation));
}

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
