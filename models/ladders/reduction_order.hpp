// Whether it matters which of two fixes of a sum comes first: a step of the ladder, and what the engine can
// think away of a launch (thought_away.hpp), bank conflicts or barriers. Of each the launches before and
// after the step are known, as they are and without the cost: both orders begin at the first and end at the
// last.
//   gain of the second fix = time after the first / time after both
// Orders that move no gain by 2 % are left out. What is thought away is gone at no price; a step that takes
// it away in earnest may cost something else.
#pragma once

#include "rung_views.hpp"

#include <string>
#include <vector>

namespace perfmodel {

struct ReductionOrder {
  static constexpr std::string_view title = "order of the fixes";
  std::string version, first, second;
  Seconds before, after;
  double first_gain = 0, second_gain = 0;
  static void fields(auto& field) {
    using R = ReductionOrder;
    field(&R::version, "version", "that both fixes are made to", Range::any, Role::key);
    field(&R::first, "first_fix", "the next version, or what is thought away", Range::any, Role::key);
    field(&R::second, "second_fix", "the other", Range::any, Role::key);
    field(&R::before, "before", "time of the first launch without either");
    field(&R::first_gain, "first_gain", "speed-up by the first");
    field(&R::second_gain, "second_gain", "speed-up by the second");
    field(&R::after, "after_both", "time with both");
  }
};

// Of the what-if runs of a ladder, version by version.
std::vector<ReductionOrder> reduction_orders(const std::vector<RungInstead>& runs);

} // namespace perfmodel
