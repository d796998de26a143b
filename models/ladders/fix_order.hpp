// Whether the order of two fixes matters to what each of them gains. A fix gains most where what it mends
// binds, and both orders end at the same kernel.
#pragma once

#include "models/core/model.hpp"

#include <string>
#include <vector>

namespace perfmodel {

struct FixOrder {
  static constexpr std::string_view title = "order of the fixes";
  std::string first;
  Seconds neither, one;
  double first_gain = 0;
  Seconds both;
  double second_gain = 0;
  std::string bound;
  static void fields(auto& field) {
    using R = FixOrder;
    field(&R::first, "first_fix", "the other comes second", Range::any, Role::key);
    field(&R::neither, "before", "time without either");
    field(&R::one, "after_first", "time with one");
    field(&R::first_gain, "first_gain", "speed-up by the first");
    field(&R::both, "after_second", "time with both");
    field(&R::second_gain, "second_gain", "speed-up by the second");
    field(&R::bound, "binds_after_each", "what holds it there", Range::any, Role::note);
  }
};

struct FixedKernel {
  Seconds time;
  std::string bound;
};
struct NamedFix {
  const char* name;
  FixedKernel alone; // with this fix and without the other
};
std::vector<FixOrder> fix_orders(const NamedFix& a, const NamedFix& b, const FixedKernel& neither,
                                 const FixedKernel& both);

} // namespace perfmodel
