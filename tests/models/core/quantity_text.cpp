#include "models/core/quantity_text.hpp"

#include "expect_reads.hpp"
#include "tests/models/error_of.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::quantity_text_test {

TEST(QuantityText, numbers_are_plain_decimals) {
  expect_reads(" 1.5e3 s ", 1500, dimension_of<Seconds>);
  expect_reads("+.5s", 0.5, dimension_of<Seconds>);
  expect_reads("5.s", 5, dimension_of<Seconds>);
  expect_reads("-3 s", -3, dimension_of<Seconds>);
  expect_reads("2E-3s", 0.002, dimension_of<Seconds>);
  expect_reads("1 Es", 1e18, dimension_of<Seconds>);
  expect_reads("1Es", 1e18, dimension_of<Seconds>);
  EXPECT_DOUBLE_EQ(parse_quantity("2e12").value, 2e12);
  EXPECT_FALSE(parse_quantity("2e12").dimension) << "a bare number takes the unit that is expected";
  EXPECT_DOUBLE_EQ(parse_quantity("1e-400").value, 0)
      << "underflow is zero, which ranges refuse where it matters";
}

// 68.26 * 1e9 is 68260000000.00001.
TEST(QuantityText, a_prefix_loses_no_digit) {
  EXPECT_EQ(parse_quantity("68.26 GB/s").value, 68.26e9);
  EXPECT_EQ(parse_quantity("66.9 Tflop/s").value, 66.9e12);
  EXPECT_EQ(parse_quantity("-6.826e1 GB/s").value, -68.26e9);
  EXPECT_EQ(parse_quantity("8.7TB").value, 8.7e12);
  EXPECT_EQ(parse_quantity("1e-400 GB").value, 0);
  EXPECT_EQ(parse_quantity("1/100000 MB").value, 10);
}

TEST(QuantityText, a_fraction_is_read_as_on_the_axis_of_a_roofline) {
  EXPECT_DOUBLE_EQ(parse_quantity("1/16").value, 0.0625);
  expect_reads("1/16 flop/B", 0.0625, dimension_of<FlopsPerByte>);
  expect_reads("3/4s", 0.75, dimension_of<Seconds>);
  EXPECT_EQ(error_of([] { parse_quantity("1/0"); }), "'1/0' divides by zero");
  EXPECT_NE(error_of([] { parse_quantity("1/2/3"); }), "no error");
}

TEST(QuantityText, every_refusal_is_a_sentence) {
  const auto why = [](const std::string& text) { return error_of([&] { parse_quantity(text); }); };
  for (const char* text :
       {"GB/s", "nan", "NaN", "inf", "-inf", "infinity", ".", "-", "+.e3", "e5", "/2", "--5", "\xff\xfe"})
    EXPECT_NE(why(text).find(" is not a number with a unit, such as '177 GB/s'"), std::string::npos)
        << text << ": " << why(text);
  EXPECT_EQ(why("GB/s"), "'GB/s' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why("0x10"), "'0x10' has an unknown unit 'x10'");
  EXPECT_EQ(why("5 parsec"), "'5 parsec' has an unknown unit 'parsec'");
  EXPECT_EQ(why("10 Gb/s"), "'10 Gb/s' has an unknown unit 'Gb': bits are written bit, as in Gbit/s");
  EXPECT_EQ(why("5 GB/"), "'5 GB/' has an unknown unit ''");
  EXPECT_EQ(why("5 GB//s"), "'5 GB//s' has an unknown unit ''");
  EXPECT_EQ(why("5 mB"), "'5 mB' has an unknown unit 'mB'") << "a millibyte is a slip for MB";
  EXPECT_EQ(why("1e400"), "'1e400' is larger than a number can be");
  EXPECT_EQ(why("1e300 EB"), "'1e300 EB' is larger than a number can be");
  EXPECT_EQ(why("1,5 GB"), "'1,5 GB' has an unknown unit ',5 GB'");
  EXPECT_EQ(why("1 s*s*s*s*s*s*s*s*s"), "'1 s*s*s*s*s*s*s*s*s' has an unknown unit");
  EXPECT_EQ(why("1 \x01"), "'1 ?' has an unknown unit '?'") << "nothing unprintable is echoed";
}

TEST(QuantityText, a_long_text_is_refused_unread_and_shortened) {
  EXPECT_DOUBLE_EQ(parse_quantity(std::string(200, '0')).value, 0);
  EXPECT_EQ(error_of([] { parse_quantity(std::string(201, '7')); }),
            "'" + std::string(40, '7') + "...' is not a number with a unit");
}

TEST(QuantityText, another_unit_than_expected_is_named_in_words) {
  const auto why = [](const char* text, const Unit& unit) {
    return error_of([&] { parse_quantity_as(text, unit); });
  };
  EXPECT_EQ(why("3 s", unit_of<BytesPerSecond>()), "'3 s' is in s; a bandwidth such as 177GB/s is expected");
  EXPECT_EQ(why("3 s", unit_of<Bytes>()), "'3 s' is in s; bytes such as 64KiB is expected");
  EXPECT_EQ(why("3 s", unit_of<Flops>()), "'3 s' is in s; operations such as 2Gflop is expected");
  EXPECT_EQ(why("3 Gflop", unit_of<FlopsPerSecond>()),
            "'3 Gflop' is in flop; a rate such as 1.3Tflop/s is expected");
  EXPECT_EQ(why("3 B/flop", unit_of<FlopsPerByte>()),
            "'3 B/flop' is in B/flop; an intensity such as 0.25flop/B is expected");
  EXPECT_EQ(why("3 s", unit_of<Hertz>()), "'3 s' is in s; a clock such as 1.3GHz is expected");
  EXPECT_EQ(why("3 s", unit_of<Cycles>()), "'3 s' is in s; cycles such as 800 is expected");
  EXPECT_EQ(why("3 Hz", unit_of<Seconds>()), "'3 Hz' is in Hz; a time such as 20ms is expected");
  EXPECT_EQ(why("3 Hz", unit_of<Count>()), "'3 Hz' is in Hz; a plain number is expected");
  EXPECT_EQ(why("3 Hz", unit_of<Watts>()), "'3 Hz' is in Hz; a value in W is expected");
  EXPECT_EQ(why("3 threads", unit_of<Bytes>()), "'3 threads' is in no unit; bytes such as 64KiB is expected");
  EXPECT_DOUBLE_EQ(parse_quantity_as("800", unit_of<Cycles>()), 800);
}

TEST(QuantityText, a_name_that_is_counted_may_stand_behind_its_number) {
  const Unit cycle = unit_of<PerCycle>();
  EXPECT_EQ(parse_quantity_as("16/cycle", cycle), 16);
  EXPECT_EQ(parse_quantity_as("16 /cycle", cycle), 16);
  EXPECT_EQ(parse_quantity_as("1/16/cycle", cycle), 1.0 / 16);
  EXPECT_EQ(parse_quantity_as("4 chains", {"chains", {}}), 4);
  EXPECT_EQ(parse_quantity_as("1 chain", {"chains", {}}), 1);
  EXPECT_EQ(parse_quantity_as("16 777 216 words", {"words", {}}), 16777216);
  EXPECT_EQ(parse_quantity_as("2 words", unit_of<Bytes>()), 8) << "a word of memory is one of 32 bit";
  EXPECT_EQ(parse_quantity_as("-109 085 B", unit_of<Bytes>()), -109085);
  EXPECT_EQ(parse_quantities("16 384,16/1", {}), (std::vector<double>{16384, 16}));
  for (const char* text :
       {"1 00", "1 0000", "1234 567", "1  000", "16 /", "16 //cycle", "/cycle", "1 000 00"})
    EXPECT_NE(error_of([&] { parse_quantity(text); }), "no error") << text;
  EXPECT_NE(error_of([] { parse_quantity_as("4 chairs", {"chains", {}}); }), "no error");
  EXPECT_NE(error_of([] { parse_quantity_as("chains", {"chains", {}}); }), "no error");
}

TEST(QuantityText, a_fraction_may_be_given_as_percent) {
  const Unit share{"fraction", {}};
  for (const char* text : {"0.95", "95%", "95 %", " 95 % ", "95.0%", "9.5e1%", "+95%"})
    EXPECT_EQ(parse_quantity_as(text, share), 0.95) << text;
  EXPECT_EQ(parse_quantity_as("0.5%", share), 0.005);
  EXPECT_EQ(parse_quantity_as("1/2%", share), 0.005);
  EXPECT_EQ(parse_quantity_as("0%", share), 0);
  EXPECT_EQ(parse_quantity_as("100%", share), 1);
  EXPECT_EQ(parse_quantity_as("-3%", share), -0.03) << "whether it may be negative, the option says";
  EXPECT_EQ(parse_quantity_as("250%", share), 2.5);
  EXPECT_EQ(parse_quantities("50%,0.9,95 %", share), (std::vector<double>{0.5, 0.9, 0.95}));
  EXPECT_EQ(parse_quantities("50%:90%:20%", share).size(), 3u);
  EXPECT_EQ(parse_quantities("25%:100%:*2", share), (std::vector<double>{0.25, 0.5, 1}));
}

TEST(QuantityText, percent_goes_with_nothing_but_a_fraction) {
  const auto why = [](const char* text, const Unit& unit) {
    return error_of([&] { parse_quantity_as(text, unit); });
  };
  const Unit share{"fraction", {}};
  EXPECT_EQ(why("95%", unit_of<Count>()), "'95%' has an unknown unit '%'");
  EXPECT_EQ(why("95%", unit_of<Bytes>()), "'95%' has an unknown unit '%'");
  EXPECT_EQ(why("95%", {"threads", {}}), "'95%' has an unknown unit '%'");
  EXPECT_EQ(why("95%%", share), "'95%%' has an unknown unit '%%'");
  EXPECT_EQ(why("95 threads %", share), "'95 threads %' has an unknown unit 'threads %'");
  EXPECT_EQ(why("95%/s", share), "'95%/s' has an unknown unit '%'");
  EXPECT_EQ(why("%", share), "'%' is not a number with a unit, such as '177 GB/s'");
  EXPECT_NE(why(" % ", share), "no error");
  EXPECT_NE(why("%95", share), "no error");
  EXPECT_EQ(why("3 s", share), "'3 s' is in s; a share such as 0.95 or 95% is expected");
  EXPECT_NE(error_of([&] { parse_quantities("25%:100%:*200%", share); }), "no error")
      << "a factor is no share";
}

// What a table prints of bytes is also read: of its two forms, the one that is not rounded.
TEST(QuantityText, both_forms_of_bytes_are_read_together) {
  EXPECT_EQ(parse_quantity("67.11 MB (64 MiB)").value, 64 << 20);
  EXPECT_EQ(parse_quantity("1 GB (953.7 MiB)").value, 1e9);
  for (const char* wrong :
       {"1 GB (1 MiB)", "1 GB (1 s)", "1 GB (", "(1 GB)", "1 GB ()", "1 (1 (1))", "1 GB (1 GB) 2"})
    EXPECT_THROW(parse_quantity(wrong), InputError) << wrong;
}

} // namespace perfmodel::quantity_text_test
