#include "reduction_order.hpp"

#include "models/simulate/thought_away.hpp"

#include <cmath>
#include <utility>

namespace perfmodel {

namespace {

bool is_a_fix(const std::string& change) {
  for (const WhatIf what : {WhatIf::no_conflicts, WhatIf::free_barriers})
    if (change == names(what)[static_cast<std::size_t>(what)]) return true;
  return false;
}

// Less is how blocks happen to fall into step.
bool order_matters(double gain_before_the_step, double gain_after) {
  constexpr double least = 0.02;
  return std::abs(gain_after / gain_before_the_step - 1) > least;
}

ReductionOrder ordered(std::string version, const std::string& first, const std::string& second,
                       Seconds before, Seconds between, Seconds after) {
  return {.version = std::move(version),
          .first = first,
          .second = second,
          .before = before,
          .after = after,
          .first_gain = before / between,
          .second_gain = between / after};
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
    if (next == nullptr || !order_matters(at.gain, next->gain)) continue;
    const Seconds before = at.time * at.gain, step = next->time * next->gain;
    orders.push_back(ordered(at.version, next->version, at.change, before, step, next->time));
    orders.push_back(ordered(at.version, at.change, next->version, before, at.time, next->time));
  }
  return orders;
}

} // namespace perfmodel
