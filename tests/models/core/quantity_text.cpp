#include "models/core/quantity_text.hpp"

#include "models/core/fact.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace perfmodel::quantity_text_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

struct Spelling {
  const char* text;
  double value;
  Dimension dimension;
};

// The International System of Units (BIPM, 9th brochure, table 7) and IEC 80000-13 for the binary ones.
const Spelling si[] = {{"k", 1e3, {}},  {"K", 1e3, {}},  {"M", 1e6, {}},  {"G", 1e9, {}},  {"T", 1e12, {}},
                       {"P", 1e15, {}}, {"E", 1e18, {}}, {"m", 1e-3, {}}, {"u", 1e-6, {}}, {"µ", 1e-6, {}},
                       {"μ", 1e-6, {}}, {"n", 1e-9, {}}, {"p", 1e-12, {}}};
const Spelling binary[] = {{"Ki", 1024.0, {}},
                           {"Mi", 1048576.0, {}},
                           {"Gi", 1073741824.0, {}},
                           {"Ti", 1099511627776.0, {}},
                           {"Pi", 1125899906842624.0, {}}};
const Spelling units[] = {{"B", 1, dimension_of<Bytes>},
                          {"byte", 1, dimension_of<Bytes>},
                          {"bytes", 1, dimension_of<Bytes>},
                          {"bit", 0.125, dimension_of<Bytes>},
                          {"bits", 0.125, dimension_of<Bytes>},
                          {"word", 4, dimension_of<Bytes>},
                          {"words", 4, dimension_of<Bytes>},
                          {"flop", 1, dimension_of<Flops>},
                          {"flops", 1, dimension_of<Flops>},
                          {"FLOP", 1, dimension_of<Flops>},
                          {"Flop", 1, dimension_of<Flops>},
                          {"FLOPs", 1, dimension_of<Flops>},
                          {"op", 1, dimension_of<Flops>},
                          {"ops", 1, dimension_of<Flops>},
                          {"OP", 1, dimension_of<Flops>},
                          {"FLOPS", 1, dimension_of<FlopsPerSecond>},
                          {"OPS", 1, dimension_of<FlopsPerSecond>},
                          {"cycle", 1, dimension_of<Cycles>},
                          {"cycles", 1, dimension_of<Cycles>},
                          {"cy", 1, dimension_of<Cycles>},
                          {"clk", 1, dimension_of<Cycles>},
                          {"Hz", 1, dimension_of<Hertz>},
                          {"s", 1, dimension_of<Seconds>},
                          {"sec", 1, dimension_of<Seconds>},
                          {"J", 1, dimension_of<Joules>},
                          {"W", 1, dimension_of<Watts>}};
const char* const counts[] = {"thread", "threads", "warp", "warps", "block", "blocks"};

bool is_whole(const Dimension& d) { return d == dimension_of<Bytes> || d == dimension_of<Flops>; }

void expect_reads(const std::string& text, double value, const Dimension& dimension) {
  try {
    const ParsedQuantity q = parse_quantity(text);
    EXPECT_DOUBLE_EQ(q.value, value) << text;
    EXPECT_TRUE(q.dimension && *q.dimension == dimension) << text;
  } catch (const InputError& e) {
    ADD_FAILURE() << text << ": " << e.what();
  }
}

TEST(QuantityText, every_si_prefix_goes_with_every_unit_except_parts_of_bytes_and_operations) {
  for (const Spelling& unit : units) {
    expect_reads(std::string("3 ") + unit.text, 3 * unit.value, unit.dimension);
    expect_reads(std::string("3") + unit.text, 3 * unit.value, unit.dimension);
    for (const Spelling& prefix : si) {
      const std::string text = std::string("2.5 ") + prefix.text + unit.text;
      if (is_whole(unit.dimension) && prefix.value < 1) {
        EXPECT_NE(error_of([&] { parse_quantity(text); }), "no error") << text;
      } else {
        expect_reads(text, 2.5 * prefix.value * unit.value, unit.dimension);
      }
    }
  }
}

TEST(QuantityText, binary_prefixes_go_with_bytes_and_bits_alone) {
  for (const Spelling& unit : units)
    for (const Spelling& prefix : binary) {
      const std::string text = std::string("3") + prefix.text + unit.text;
      if (unit.dimension == dimension_of<Bytes>)
        expect_reads(text, 3 * prefix.value * unit.value, unit.dimension);
      else {
        EXPECT_NE(error_of([&] { parse_quantity(text); }), "no error") << text;
      }
    }
}

TEST(QuantityText, counts_have_no_dimension_and_take_no_prefix) {
  for (const char* count : counts) {
    expect_reads(std::string("96 ") + count, 96, {});
    EXPECT_NE(error_of([&] { parse_quantity(std::string("96 k") + count); }), "no error") << count;
  }
}

TEST(QuantityText, a_prefix_alone_multiplies_a_bare_count) {
  expect_reads("2k", 2000, {});
  expect_reads("16Mi", 16777216, {});
  expect_reads("3 G", 3e9, {});
  EXPECT_EQ(error_of([] { parse_quantity("3m"); }), "'3m' has an unknown unit 'm'");
}

TEST(QuantityText, case_tells_units_apart) {
  for (const char* text : {"1 b", "1 hz", "1 HZ", "1 Cycle", "1 S", "1 KB/S", "1 gB", "1 w", "1 j"})
    EXPECT_NE(error_of([&] { parse_quantity(text); }), "no error") << text;
}

TEST(QuantityText, units_multiply_and_divide_from_left_to_right) {
  expect_reads("177.4 GB/s", 177.4e9, dimension_of<BytesPerSecond>);
  expect_reads("3.696 Gbit/s", 0.462e9, dimension_of<BytesPerSecond>);
  expect_reads("0.25 flop/B", 0.25, dimension_of<FlopsPerByte>);
  expect_reads("32 1/cycle", 32, dimension_of<PerCycle>);
  expect_reads("128 B/clk", 128, dimension_of<BytesPerCycle>);
  expect_reads("2 GB / ms", 2e12, dimension_of<BytesPerSecond>);
  expect_reads("5 J/s", 5, dimension_of<Watts>);
  expect_reads("5 W*s", 5, dimension_of<Joules>);
  expect_reads("8 cycle/s", 8, dimension_of<Hertz>);
  expect_reads("6 B/s/s*s", 6, dimension_of<BytesPerSecond>);
}

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

TEST(QuantityText, exact_text_reads_back_as_the_same_double) {
  std::mt19937_64 random(1); // a fixed seed: the same values on every machine
  std::uniform_real_distribution<double> exponent(-300, 300), mantissa(1, 10);
  for (int i = 0; i < 2000; ++i) {
    const double value = (i % 2 == 0 ? 1 : -1) * mantissa(random) * std::pow(10, exponent(random));
    EXPECT_EQ(parse_quantity(format_exact(value)).value, value) << format_exact(value);
  }
  EXPECT_EQ(format_exact(nan), "");
  EXPECT_EQ(parse_quantity(format_exact(0.1)).value, 0.1);
}

TEST(QuantityText, printed_text_reads_back_within_its_digits) {
  const Unit all[] = {unit_of<Bytes>(),   unit_of<Flops>(),          unit_of<Cycles>(),
                      unit_of<Seconds>(), unit_of<Joules>(),         unit_of<Hertz>(),
                      unit_of<Watts>(),   unit_of<BytesPerSecond>(), unit_of<FlopsPerSecond>(),
                      unit_of<Count>(),   unit_of<FlopsPerByte>()};
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-3, 15), mantissa(1, 10);
  for (const Unit& unit : all)
    for (int i = 0; i < 500; ++i) {
      const double value = mantissa(random) * std::pow(10, exponent(random));
      for (const Prefix prefix : {Prefix::si, Prefix::binary, Prefix::none}) {
        std::string text = format_quantity(value, unit, prefix, 5);
        for (std::size_t at; (at = text.find(' ')) != std::string::npos &&
                             std::isdigit(static_cast<unsigned char>(text[at + 1]));)
          text.erase(at, 1); // "109 085 B": groups of digits
        EXPECT_NEAR(parse_quantity_as(text, unit) / value, 1, 5.1e-5) << value << " was printed as " << text;
      }
    }
}

// Every unit a column, an option or a fact has: those of the models' columns, and those of the facts.
std::vector<Unit> every_unit() {
  std::vector<Unit> all;
  const auto add = [&](const Unit& unit) {
    if (std::find(all.begin(), all.end(), unit) == all.end()) all.push_back(unit);
  };
  for (const KeyInfo& key : all_keys())
    if (key.kind != FactKind::text) add({base_symbol(key.dimension), key.dimension});
  for (const Model& m : models()) {
    for (const Option& option : m.options)
      if (option.kind == OptionKind::number) add(option.unit);
    // Has an estimate of all that the H200 has measured.
    for (const Table& table : ask(m.info.name, gpu_named("h100-sxm")).tables)
      for (const Column& column : table.columns)
        if (!column.is_text()) add(column.unit);
  }
  for (std::size_t i = 0, known = all.size(); i < known; ++i) add(as_operations(all[i]));
  return all;
}

TEST(QuantityText, what_is_printed_is_read_whatever_its_unit_and_size) {
  std::mt19937_64 random(3); // a fixed seed: the same values on every machine
  std::uniform_real_distribution<double> exponent(-18, 24), mantissa(1, 10);
  const std::vector<Unit> all = every_unit();
  EXPECT_GT(all.size(), 30u);
  for (const Unit& unit : all)
    for (int i = 0; i < 300; ++i) {
      const double size = mantissa(random) * std::pow(10, exponent(random));
      for (const double value : {size, -size, std::round(size), 0.0, 1.0, 1e6})
        for (const Prefix prefix : {Prefix::si, Prefix::binary, Prefix::none}) {
          const std::string text = format_quantity(value, unit, prefix, 5);
          const std::string why = error_of([&] {
            const bool share = unit.symbol == "fraction"; // three digits, and 0 where rounding leaves 1e-12
            const double digits = share ? 5.1e-3 : 5.1e-5, least = share ? 1e-11 : 0;
            ASSERT_NEAR(parse_quantity_as(text, unit), value, std::max(digits * std::fabs(value), least))
                << unit.symbol << ": " << text;
          });
          ASSERT_EQ(why, "no error") << unit.symbol << ": " << text;
        }
    }
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

TEST(QuantityText, values_are_printed_with_the_prefix_that_fits) {
  EXPECT_EQ(format_quantity(177.4e9, unit_of<BytesPerSecond>()), "177.4 GB/s");
  EXPECT_EQ(format_quantity(1.332224e12, unit_of<FlopsPerSecond>()), "1.332 Tflop/s");
  EXPECT_EQ(format_quantity(3.5778, unit_of<FlopsPerByte>()), "3.578 flop/B");
  EXPECT_EQ(format_quantity(0.0005, unit_of<Seconds>()), "500 us");
  EXPECT_EQ(format_quantity(1e-15, unit_of<Seconds>()), "0.001 ps");
  EXPECT_EQ(format_quantity(0.5, unit_of<Bytes>()), "0.5 B") << "no millibytes";
  EXPECT_EQ(format_quantity(1e21, unit_of<Bytes>()), "1000 EB");
  EXPECT_EQ(format_quantity(-2500, unit_of<Seconds>()), "-2.5 ks");
  EXPECT_EQ(format_quantity(800, unit_of<Cycles>()), "800 cycle");
  EXPECT_EQ(format_quantity(0, unit_of<Bytes>()), "0 B");
  EXPECT_EQ(format_quantity(64, {"threads", {}}), "64 threads");
  EXPECT_EQ(format_quantity(0.1 + 0.2, {}), "0.3");
}

// 108 923 B = 106.4 KiB: worked by hand, the lecture's bytes in flight.
TEST(QuantityText, bytes_are_printed_in_binary_prefixes_where_asked) {
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::binary), "106.4 KiB");
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::si), "108.9 kB");
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::none), "108 923 B");
  EXPECT_EQ(format_quantity(1023, unit_of<Bytes>(), Prefix::binary), "1023 B");
  EXPECT_EQ(format_quantity(1024, unit_of<Bytes>(), Prefix::binary), "1 KiB");
}

TEST(QuantityText, rounding_never_prints_a_thousand_of_a_prefix) {
  EXPECT_EQ(format_quantity(999.94, unit_of<Bytes>()), "999.9 B");
  EXPECT_EQ(format_quantity(999.96, unit_of<Bytes>()), "1 kB");
  EXPECT_EQ(format_quantity(0.99999, unit_of<Seconds>()), "1 s");
  EXPECT_EQ(format_quantity(0.9999, unit_of<Seconds>()), "999.9 ms");
  EXPECT_EQ(format_quantity(999.99e-6, unit_of<Seconds>()), "1 ms");
}

// To the digit, halfway between two texts as well: a double of 1.0005 is below its half.
TEST(QuantityText, numbers_are_rounded_as_the_standard_library_rounds_them) {
  const auto expected = [](double value) {
    std::array<char, 40> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.3f", value);
    std::string digits(text.data(), static_cast<std::size_t>(length));
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    return digits + " cycle";
  };
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> between(1, 9.9994);
  std::vector<double> values{1.0005, 1.0015, 2.0625, 3.1875, 9.9985, 5.00049999999, 5.0005000001};
  for (int i = 0; i < 20000; ++i) {
    values.push_back(between(random));
    values.push_back(std::floor(between(random) * 1000) / 1000 +
                     0.0005); // halfway, or as near as a double gets
  }
  for (const double value : values) {
    EXPECT_EQ(format_quantity(value, unit_of<Cycles>()), expected(value)) << value;
    EXPECT_EQ(format_quantity(-value, unit_of<Cycles>()), "-" + expected(value)) << value;
  }
}

TEST(QuantityText, large_whole_numbers_are_grouped_by_three) {
  EXPECT_EQ(format_quantity(1000, {}), "1000");
  EXPECT_EQ(format_quantity(24576, {}), "24 576");
  EXPECT_EQ(format_quantity(-109085, {}), "-109 085");
  EXPECT_EQ(format_quantity(12345.6, {}), "12 346");
}

TEST(QuantityText, counts_are_whole_numbers_however_large) {
  EXPECT_EQ(format_quantity(2e6, {"warps", {}}), "2 000 000 warps");
  EXPECT_EQ(format_quantity(1984000, {"warps", {}}), "1 984 000 warps");
  EXPECT_EQ(format_quantity(16777216, {}), "16 777 216");
  EXPECT_EQ(format_quantity(1e15, {}), "1e+15");
  EXPECT_EQ(format_quantity(999999, {}), "999 999");
}

TEST(QuantityText, rounding_is_no_error) {
  EXPECT_EQ(format_quantity(-4.39e-13, {"fraction", {}}), "0 %");
  EXPECT_EQ(format_quantity(7.45e-9, {"fraction", {}}), "7.45e-07 %");
}

TEST(QuantityText, fractions_are_percent_and_absent_is_a_dash) {
  EXPECT_EQ(format_quantity(1.4946, {"fraction", {}}), "149 %");
  EXPECT_EQ(format_quantity(-0.0042, {"fraction", {}}), "-0.42 %");
  EXPECT_EQ(format_quantity(nan, unit_of<Bytes>()), "-");
  EXPECT_EQ(format_quantity(inf, unit_of<Bytes>()), "inf B");
  EXPECT_EQ(format_quantity(-inf, {}), "-inf");
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

TEST(QuantityText, one_is_singular) {
  EXPECT_EQ(format_quantity(1, {"chains", {}}), "1 chain");
  EXPECT_EQ(format_quantity(2, {"chains", {}}), "2 chains");
  EXPECT_EQ(format_quantity(0, {"blocks", {}}), "0 blocks");
  EXPECT_EQ(format_quantity(0.5, {"words", {}}), "0.5 words");
  EXPECT_EQ(format_quantity(1.2, {"times", {}}), "1.2 times");
  EXPECT_EQ(format_quantity(1.00001, {"times", {}}), "1 time") << "as it is printed";
  EXPECT_EQ(format_quantity(1, unit_of<Seconds>()), "1 s") << "a second is no plural";
  EXPECT_EQ(format_quantity(1, unit_of<BytesPerSecond>()), "1 B/s");
}

TEST(QuantityText, what_counts_integers_is_told_in_operations) {
  for (const char* name : {"int8", "int32", "int8 tensor", "peak.int32", "sustained.int8_tensor"})
    EXPECT_TRUE(counts_integers(name)) << name;
  for (const char* name : {"", "int", "fp32", "print8", "throughput.int_add", "intensity", "point8"})
    EXPECT_FALSE(counts_integers(name)) << name;
  EXPECT_EQ(format_quantity(2e12, as_operations(unit_of<FlopsPerSecond>())), "2 Top/s");
  EXPECT_EQ(as_operations(unit_of<FlopsPerByte>()).symbol, "op/B");
  EXPECT_EQ(as_operations(unit_of<BytesPerSecond>()).symbol, "B/s");
  EXPECT_EQ(parse_quantity_as("2 Top/s", unit_of<FlopsPerSecond>()), 2e12) << "as it is told, so it is taken";
}

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

// What a table prints of bytes is also read: of its two forms, the one that is not rounded.
TEST(QuantityText, both_forms_of_bytes_are_read_together) {
  EXPECT_EQ(parse_quantity("67.11 MB (64 MiB)").value, 64 << 20);
  EXPECT_EQ(parse_quantity("1 GB (953.7 MiB)").value, 1e9);
  for (const char* wrong :
       {"1 GB (1 MiB)", "1 GB (1 s)", "1 GB (", "(1 GB)", "1 GB ()", "1 (1 (1))", "1 GB (1 GB) 2"})
    EXPECT_THROW(parse_quantity(wrong), InputError) << wrong;
}

} // namespace perfmodel::quantity_text_test
