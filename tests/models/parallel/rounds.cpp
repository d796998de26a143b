#include "models/parallel/rounds.hpp"

#include <gtest/gtest.h>

namespace perfmodel::rounds_test {

// Medians 1, 1.1, 1.2, 5 and 9 us: the second is the lower quartile of five.
TEST(Rounds, three_spoilt_ones_of_five_do_not_move_the_time) {
  const auto typical_with = [](double spoilt) {
    Rounds r{.bytes = Bytes(8)};
    for (const double us : {1.1, spoilt, 1.0, 2 * spoilt, 1.2})
      r.samples.push_back({us * 1e-6, 1.5 * us * 1e-6, 0.9 * us * 1e-6});
    return typical(r);
  };
  for (const double spoilt : {1.3, 5.0, 4000.0})
    EXPECT_DOUBLE_EQ(typical_with(spoilt).time.value, 1.1e-6) << spoilt;
  EXPECT_GT(typical_with(5).high.value, 5e-6) << "but their percentiles show it";
}

// 2 us would be quicker than any round usually was.
TEST(Rounds, one_lucky_sample_does_not_make_the_time) {
  const Timed t = typical({.bytes = Bytes(8), .samples = {{2e-6, 5e-6, 5e-6}, {5e-6}, {5e-6, 5e-6, 6e-6}}});
  EXPECT_DOUBLE_EQ(t.time.value, 5e-6);
  EXPECT_LT(t.low.value, 5e-6);
  EXPECT_EQ(t.bytes, Bytes(8));
}

} // namespace perfmodel::rounds_test
