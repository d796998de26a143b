// How quantities are printed, and that what is printed is read.
#include "models/core/fact.hpp"
#include "models/core/quantity_text.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/small_problem.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace perfmodel::quantity_format_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();

TEST(QuantityFormat, exact_text_reads_back_as_the_same_double) {
  std::mt19937_64 random(1); // a fixed seed: the same values on every machine
  std::uniform_real_distribution<double> exponent(-300, 300), mantissa(1, 10);
  for (int i = 0; i < 2000; ++i) {
    const double value = (i % 2 == 0 ? 1 : -1) * mantissa(random) * std::pow(10, exponent(random));
    EXPECT_EQ(parse_quantity(format_exact(value)).value, value) << format_exact(value);
  }
  EXPECT_EQ(format_exact(nan), "");
  EXPECT_EQ(parse_quantity(format_exact(0.1)).value, 0.1);
}

TEST(QuantityFormat, printed_text_reads_back_within_its_digits) {
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
    for (const Table& table : ask(m.info.name, gpu_named("h100-sxm"), small_problem(m)).tables)
      for (const Column& column : table.columns)
        if (!column.is_text()) add(column.unit);
  }
  for (std::size_t i = 0, known = all.size(); i < known; ++i) add(as_operations(all[i]));
  return all;
}

TEST(QuantityFormat, what_is_printed_is_read_whatever_its_unit_and_size) {
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

TEST(QuantityFormat, values_are_printed_with_the_prefix_that_fits) {
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

TEST(QuantityFormat, millions_are_grouped_or_have_a_prefix) {
  const Unit a_second{"1/s", find_key("dram.segment_rate")->dimension};
  EXPECT_EQ(format_quantity(4148123.4, {"requests", {}}), "4 148 123 requests");
  EXPECT_EQ(format_quantity(1e6, unit_of<FlopsPerByte>()), "1 000 000 flop/B");
  EXPECT_EQ(format_quantity(1.5e9, unit_of<Cycles>()), "1 500 000 000 cycle");
  EXPECT_EQ(format_quantity(1.7031e12, {"intervals/s", {}}), "1.703 Tintervals/s");
  EXPECT_EQ(format_quantity(3.729e10, a_second), "37.29 G/s");
  EXPECT_EQ(format_quantity(999.4, a_second), "999.4/s");
  EXPECT_EQ(format_quantity(1e6, {"intervals/s", {}}), "1 Mintervals/s");
  EXPECT_EQ(parse_quantity_as("1.703 Tintervals/s", {"intervals/s", {}}), 1.703e12);
  EXPECT_EQ(parse_quantity_as("37.29 G/s", a_second), 3.729e10);
}

// 108 923 B = 106.4 KiB: worked by hand, the lecture's bytes in flight.
TEST(QuantityFormat, bytes_are_printed_in_binary_prefixes_where_asked) {
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::binary), "106.4 KiB");
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::si), "108.9 kB");
  EXPECT_EQ(format_quantity(108923, unit_of<Bytes>(), Prefix::none), "108 923 B");
  EXPECT_EQ(format_quantity(1023, unit_of<Bytes>(), Prefix::binary), "1023 B");
  EXPECT_EQ(format_quantity(1024, unit_of<Bytes>(), Prefix::binary), "1 KiB");
}

TEST(QuantityFormat, rounding_never_prints_a_thousand_of_a_prefix) {
  EXPECT_EQ(format_quantity(999.94, unit_of<Bytes>()), "999.9 B");
  EXPECT_EQ(format_quantity(999.96, unit_of<Bytes>()), "1 kB");
  EXPECT_EQ(format_quantity(0.99999, unit_of<Seconds>()), "1 s");
  EXPECT_EQ(format_quantity(0.9999, unit_of<Seconds>()), "999.9 ms");
  EXPECT_EQ(format_quantity(999.99e-6, unit_of<Seconds>()), "1 ms");
}

// To the digit, halfway between two texts as well: a double of 1.0005 is below its half.
TEST(QuantityFormat, numbers_are_rounded_as_the_standard_library_rounds_them) {
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

TEST(QuantityFormat, large_whole_numbers_are_grouped_by_three) {
  EXPECT_EQ(format_quantity(1000, {}), "1000");
  EXPECT_EQ(format_quantity(24576, {}), "24 576");
  EXPECT_EQ(format_quantity(-109085, {}), "-109 085");
  EXPECT_EQ(format_quantity(12345.6, {}), "12 346");
}

TEST(QuantityFormat, counts_are_whole_numbers_however_large) {
  EXPECT_EQ(format_quantity(2e6, {"warps", {}}), "2 000 000 warps");
  EXPECT_EQ(format_quantity(1984000, {"warps", {}}), "1 984 000 warps");
  EXPECT_EQ(format_quantity(16777216, {}), "16 777 216");
  EXPECT_EQ(format_quantity(1e15, {}), "1e+15");
  EXPECT_EQ(format_quantity(999999, {}), "999 999");
}

TEST(QuantityFormat, rounding_is_no_error) {
  EXPECT_EQ(format_quantity(-4.39e-13, {"fraction", {}}), "0 %");
  EXPECT_EQ(format_quantity(7.45e-9, {"fraction", {}}), "7.45e-07 %");
}

TEST(QuantityFormat, fractions_are_percent_and_absent_is_a_dash) {
  EXPECT_EQ(format_quantity(1.4946, {"fraction", {}}), "149 %");
  EXPECT_EQ(format_quantity(-0.0042, {"fraction", {}}), "-0.42 %");
  EXPECT_EQ(format_quantity(nan, unit_of<Bytes>()), "-");
  EXPECT_EQ(format_quantity(inf, unit_of<Bytes>()), "inf B");
  EXPECT_EQ(format_quantity(-inf, {}), "-inf");
}

TEST(QuantityFormat, one_is_singular) {
  EXPECT_EQ(format_quantity(1, {"chains", {}}), "1 chain");
  EXPECT_EQ(format_quantity(2, {"chains", {}}), "2 chains");
  EXPECT_EQ(format_quantity(0, {"blocks", {}}), "0 blocks");
  EXPECT_EQ(format_quantity(0.5, {"words", {}}), "0.5 words");
  EXPECT_EQ(format_quantity(1.2, {"times", {}}), "1.2 times");
  EXPECT_EQ(format_quantity(1.00001, {"times", {}}), "1 time") << "as it is printed";
  EXPECT_EQ(format_quantity(1, unit_of<Seconds>()), "1 s") << "a second is no plural";
  EXPECT_EQ(format_quantity(1, unit_of<BytesPerSecond>()), "1 B/s");
}

TEST(QuantityFormat, what_counts_integers_is_told_in_operations) {
  for (const char* name : {"int8", "int32", "int8 tensor", "peak.int32", "sustained.int8_tensor"})
    EXPECT_TRUE(counts_integers(name)) << name;
  for (const char* name : {"", "int", "fp32", "print8", "throughput.int_add", "intensity", "point8"})
    EXPECT_FALSE(counts_integers(name)) << name;
  EXPECT_EQ(format_quantity(2e12, as_operations(unit_of<FlopsPerSecond>())), "2 Top/s");
  EXPECT_EQ(as_operations(unit_of<FlopsPerByte>()).symbol, "op/B");
  EXPECT_EQ(as_operations(unit_of<BytesPerSecond>()).symbol, "B/s");
  EXPECT_EQ(parse_quantity_as("2 Top/s", unit_of<FlopsPerSecond>()), 2e12) << "as it is told, so it is taken";
}

} // namespace perfmodel::quantity_format_test
