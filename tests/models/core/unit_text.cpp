#include "models/core/unit_text.hpp"

#include "expect_reads.hpp"
#include "tests/models/error_of.hpp"

#include <string>

#include <gtest/gtest.h>

namespace perfmodel::unit_text_test {

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

TEST(UnitText, every_si_prefix_goes_with_every_unit_except_parts_of_bytes_and_operations) {
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

TEST(UnitText, binary_prefixes_go_with_bytes_and_bits_alone) {
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

TEST(UnitText, counts_have_no_dimension_and_take_no_prefix) {
  for (const char* count : counts) {
    expect_reads(std::string("96 ") + count, 96, {});
    EXPECT_NE(error_of([&] { parse_quantity(std::string("96 k") + count); }), "no error") << count;
  }
}

TEST(UnitText, a_prefix_alone_multiplies_a_bare_count) {
  expect_reads("2k", 2000, {});
  expect_reads("16Mi", 16777216, {});
  expect_reads("3 G", 3e9, {});
  EXPECT_EQ(error_of([] { parse_quantity("3m"); }), "'3m' has an unknown unit 'm'");
}

TEST(UnitText, case_tells_units_apart) {
  for (const char* text : {"1 b", "1 hz", "1 HZ", "1 Cycle", "1 S", "1 KB/S", "1 gB", "1 w", "1 j"})
    EXPECT_NE(error_of([&] { parse_quantity(text); }), "no error") << text;
}

TEST(UnitText, units_multiply_and_divide_from_left_to_right) {
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

} // namespace perfmodel::unit_text_test
