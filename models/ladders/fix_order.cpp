#include "fix_order.hpp"

#include <fmt/format.h>

namespace perfmodel {

std::vector<FixOrder> fix_orders(const FixedKernel& tiled, const FixedKernel& padded,
                                 const FixedKernel& diagonal, const FixedKernel& both) {
  const auto order = [&](const char* first, const FixedKernel& one) -> FixOrder {
    return {.first = first,
            .neither = tiled.time,
            .one = one.time,
            .first_gain = tiled.time / one.time,
            .both = both.time,
            .second_gain = one.time / both.time,
            .bound = one.bound == both.bound ? "both times " + one.bound
                                             : fmt::format("{}; then {}", one.bound, both.bound)};
  };
  return {order("padding", padded), order("diagonal order", diagonal)};
}

} // namespace perfmodel
