#include "fix_order.hpp"

#include <fmt/format.h>

namespace perfmodel {

std::vector<FixOrder> fix_orders(const NamedFix& a, const NamedFix& b, const FixedKernel& neither,
                                 const FixedKernel& both) {
  const auto order = [&](const NamedFix& fix) -> FixOrder {
    const FixedKernel& one = fix.alone;
    return {.first = fix.name,
            .neither = neither.time,
            .one = one.time,
            .first_gain = neither.time / one.time,
            .both = both.time,
            .second_gain = one.time / both.time,
            .bound = one.bound == both.bound ? "both times " + one.bound
                                             : fmt::format("{}; then {}", one.bound, both.bound)};
  };
  return {order(a), order(b)};
}

} // namespace perfmodel
