// Lists and ranges of quantities: "1,2,4", "32:1024:32", "1:64:*2".
#include "models/core/quantity_text.hpp"

#include "tests/models/error_of.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::quantity_range_test {

TEST(Ranges, lists_steps_and_factors_are_read) {
  using V = std::vector<double>;
  const Unit none{}, bandwidth = unit_of<BytesPerSecond>();
  EXPECT_EQ(parse_quantities("7", none), V{7});
  EXPECT_EQ(parse_quantities("1,2,4", none), (V{1, 2, 4}));
  EXPECT_EQ(parse_quantities("100GB/s,125GB/s", bandwidth), (V{100e9, 125e9}));
  EXPECT_EQ(parse_quantities("1:4", none), (V{1, 2, 3, 4})) << "the step is 1";
  EXPECT_EQ(parse_quantities("32:128:32", none), (V{32, 64, 96, 128}));
  EXPECT_EQ(parse_quantities("32:127:32", none), (V{32, 64, 96}));
  EXPECT_EQ(parse_quantities("1:64:*4", none), (V{1, 4, 16, 64}));
  EXPECT_EQ(parse_quantities("1/4:2:*2", none), (V{0.25, 0.5, 1, 2}));
  EXPECT_EQ(parse_quantities("1KiB:4KiB:*2,1B", unit_of<Bytes>()), (V{1024, 2048, 4096, 1}));
  EXPECT_EQ(parse_quantities("5:5", none), V{5});
  EXPECT_EQ(parse_quantities("-1:1", none), (V{-1, 0, 1}));
}

// A factor's power leaves what a double holds long before the value does: 1e310 from 1e-310 to 1.
TEST(Ranges, every_value_is_finite_and_between_the_ends) {
  for (const char* text :
       {"1e-310:1:*1.041", "5e-324:1.7e308:*2", "5e-324:1.7976931348623157e308:*1e100", "1e-300:1e300:*1e10",
        "1e307:1.7976931348623157e308:1e307", "1:1.7976931348623157e308:*1.1"}) {
    const std::vector<double> values = parse_quantities(text, {});
    const std::string all = text;
    const double first = std::strtod(text, nullptr),
                 last = std::strtod(all.c_str() + all.find(':') + 1, nullptr);
    ASSERT_GT(values.size(), 1u) << text;
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_TRUE(std::isfinite(values[i])) << text << ", " << i;
      ASSERT_GE(values[i], first) << text << ", " << i;
      ASSERT_LE(values[i], last * (1 + 1e-9)) << text << ", " << i;
      ASSERT_TRUE(i == 0 || values[i] > values[i - 1]) << text << ", " << i;
    }
  }
  // Worked by hand: 2^-1074 times 2 is 2^-1073, exactly.
  EXPECT_EQ(parse_quantities("5e-324:1.7e308:*2", {})[1000], std::ldexp(1, -74));
  EXPECT_EQ(parse_quantities("5e-324:1.7e308:*2", {}).back(), std::ldexp(1, 1023));
}

TEST(Ranges, a_bandwidth_has_a_unit_but_for_a_large_one) {
  const Unit bandwidth = unit_of<BytesPerSecond>();
  EXPECT_EQ(error_of([&] { parse_quantities("6", bandwidth); }),
            "'6' has no unit; a bandwidth such as 177GB/s is expected");
  EXPECT_EQ(error_of([&] { parse_quantities("2:6", unit_of<FlopsPerSecond>()); }),
            "'2' has no unit; a rate such as 1.3Tflop/s is expected");
  EXPECT_EQ(parse_quantities("6e9,6B/s", bandwidth), (std::vector<double>{6e9, 6}));
}

TEST(Ranges, a_decimal_step_reaches_its_end) {
  EXPECT_EQ(parse_quantities("0.1:0.3:0.1", {}).size(), 3u);
  EXPECT_EQ(parse_quantities("0:1:0.1", {}).size(), 11u);
  EXPECT_EQ(parse_quantities("1/16:256:*2", {}).size(), 13u);
}

TEST(Ranges, those_that_never_end_or_run_backwards_are_refused) {
  const auto why = [](const char* text) { return error_of([&] { parse_quantities(text, {}); }); };
  const auto never = [](const std::string& item) {
    return "the range '" + item + "' never ends: use FIRST:LAST:STEP with STEP > 0, or *FACTOR > 1";
  };
  for (const char* range : {"1:4:0", "1:4:-1", "1:4:*1", "1:4:*0.5", "0:4:*2", "-1:4:*2"})
    EXPECT_EQ(why(range), never(range));
  EXPECT_EQ(why("4:1"), "the range '4:1' ends below its start");
  for (const char* text : {"", ",", "1,,2", "1:", ":4", "1:4:", "1:4:*", "1:2:3:4", "1,"})
    EXPECT_NE(why(text), "no error") << text;
}

TEST(Ranges, ten_million_values_are_the_most) {
  EXPECT_EQ(parse_quantities("1:10000000", {}).size(), sweep_limit);
  EXPECT_EQ(error_of([] { parse_quantities("0:10000000", {}); }),
            "the range '0:10000000' has more than 10 million values");
}

} // namespace perfmodel::quantity_range_test
