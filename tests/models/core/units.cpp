#include "models/core/units.hpp"

#include <gtest/gtest.h>

namespace perfmodel::units_test {

template <class A, class B>
concept Adds = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtracts = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Compares = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Equates = requires(A a, B b) {
  a == b;
};
template <class To, class From>
concept Assigns = requires(To to, From from) {
  to = from;
};

TEST(Units, only_equal_dimensions_add_compare_and_assign) {
  static_assert(Adds<Bytes, Bytes> && Subtracts<Bytes, Bytes> && Compares<Bytes, Bytes> &&
                Assigns<Bytes, Bytes>);
  static_assert(!Adds<Bytes, Flops> && !Subtracts<Bytes, Flops> && !Compares<Bytes, Flops> &&
                !Equates<Bytes, Flops>);
  static_assert(!Adds<Seconds, Cycles> && !Compares<Seconds, Cycles> && !Assigns<Seconds, Cycles>);
  static_assert(!Assigns<FlopsPerSecond, BytesPerSecond> && !Assigns<BytesPerSecond, Bytes>);
}

TEST(Units, a_plain_number_is_no_quantity_until_it_is_made_one) {
  static_assert(!Adds<Bytes, double> && !Assigns<Bytes, double> && !Assigns<double, Bytes>);
  static_assert(!std::is_convertible_v<double, Bytes> && std::is_constructible_v<Bytes, double>);
  static_assert(!std::is_convertible_v<Bytes, double>);
}

TEST(Units, a_bandwidth_over_an_intensity_is_no_rate) {
  static_assert(std::is_same_v<decltype(BytesPerSecond() * FlopsPerByte()), FlopsPerSecond>);
  static_assert(!std::is_same_v<decltype(BytesPerSecond() / FlopsPerByte()), FlopsPerSecond>);
  static_assert(!Assigns<FlopsPerSecond, decltype(BytesPerSecond() / FlopsPerByte())>);
}

TEST(Units, exponents_add_in_products_and_cancel_in_ratios) {
  static_assert(std::is_same_v<decltype(Cycles() / Hertz()), Seconds>);
  static_assert(std::is_same_v<decltype(Seconds() * BytesPerSecond()), Bytes>);
  static_assert(std::is_same_v<decltype(Cycles() * PerCycle()), double>);
  static_assert(std::is_same_v<decltype(FlopsPerSecond() / BytesPerSecond()), FlopsPerByte>);
  static_assert(std::is_same_v<decltype(1.0 / Cycles()), PerCycle>);
  static_assert(std::is_same_v<decltype(Joules() / Seconds()), Watts>);
  EXPECT_DOUBLE_EQ((Cycles(800) / Hertz(1e9) * BytesPerSecond(125e9)).value, 100'000);
  EXPECT_DOUBLE_EQ(Bytes(6) / Bytes(4), 1.5);
  EXPECT_DOUBLE_EQ((6 / Seconds(4)).value, 1.5);
  EXPECT_DOUBLE_EQ((2.0 * Bytes(3) + Bytes(4) * 0.5 - Bytes(6) / 3.0).value, 6);
}

TEST(Units, a_quantity_starts_at_zero_and_is_ordered) {
  static_assert(Bytes().value == 0);
  static_assert(Bytes(1) < Bytes(2) && Bytes(2) <= Bytes(2) && Bytes(2) == Bytes(2) && Bytes(3) != Bytes(2));
}

TEST(Units, base_symbols_read_as_people_write_them) {
  EXPECT_EQ(unit_of<Bytes>().symbol, "B");
  EXPECT_EQ(unit_of<Flops>().symbol, "flop");
  EXPECT_EQ(unit_of<Cycles>().symbol, "cycle");
  EXPECT_EQ(unit_of<Seconds>().symbol, "s");
  EXPECT_EQ(unit_of<Joules>().symbol, "J");
  EXPECT_EQ(unit_of<BytesPerSecond>().symbol, "B/s");
  EXPECT_EQ(unit_of<FlopsPerSecond>().symbol, "flop/s");
  EXPECT_EQ(unit_of<FlopsPerByte>().symbol, "flop/B");
  EXPECT_EQ(unit_of<FlopsPerCycle>().symbol, "flop/cycle");
  EXPECT_EQ(unit_of<BytesPerCycle>().symbol, "B/cycle");
  EXPECT_EQ(unit_of<PerCycle>().symbol, "1/cycle");
  EXPECT_EQ(unit_of<Hertz>().symbol, "Hz");
  EXPECT_EQ(unit_of<Watts>().symbol, "W");
  EXPECT_EQ(unit_of<Count>().symbol, "");
  EXPECT_EQ((unit_of<decltype(Bytes() * Bytes())>().symbol), "B*B");
}

TEST(Units, the_dimension_of_a_number_is_none) {
  static_assert(dimension_of<double> == Dimension{} && dimension_of<int> == Dimension{});
  static_assert(dimension_of<const Bytes> == dimension_of<Bytes> &&
                !(dimension_of<Bytes> == dimension_of<Flops>));
  EXPECT_DOUBLE_EQ(base_value(Bytes(3)), 3);
  EXPECT_DOUBLE_EQ(base_value(3), 3);
}

} // namespace perfmodel::units_test
