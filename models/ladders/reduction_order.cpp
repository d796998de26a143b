#include "reduction_order.hpp"

#include "models/simulate/thought_away.hpp"

#include <cmath>

namespace perfmodel {

namespace {

bool is_a_fix(const std::string& change) {
  for (const WhatIf what : {WhatIf::no_conflicts, WhatIf::free_barriers})
    if (change == names(what)[static_cast<std::size_t>(what)]) return true;
  return false;
}

// One per cent: less is how blocks happen to fall into step.
bool is_paid(const RungInstead& run) { return std::abs(run.gain - 1) > 0.01; }

ReductionOrder ordered(const RungInstead& at, const std::string& first, const std::string& second,
                       Seconds after_first, Seconds after_second) {
  const Seconds before = at.time * at.gain;
  return {.version = at.version,
          .first = first,
          .second = second,
          .before = before,
          .after_first = after_first,
          .first_gain = before / after_first,
          .after_second = after_second,
          .second_gain = after_first / after_second};
}

} // namespace

std::vector<ReductionOrder> reduction_orders(const std::vector<RungInstead>& runs) {
  std::vector<ReductionOrder> orders;
  for (const RungInstead& at : runs) {
    if (!is_a_fix(at.change)) continue;
    // The same change of the version that comes next.
    const RungInstead* next = nullptr;
    for (const RungInstead& other : runs)
      if (&other > &at && other.change == at.change && other.version != at.version) {
        next = &other;
        break;
      }
    if (next == nullptr || (!is_paid(at) && !is_paid(*next))) continue;
    orders.push_back(ordered(at, next->version, at.change, next->time * next->gain, next->time));
    orders.push_back(ordered(at, at.change, next->version, at.time, next->time));
  }
  return orders;
}

} // namespace perfmodel
