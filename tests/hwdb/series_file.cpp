#include "hwdb/series_file.hpp"

#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include "models/validation/validate.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::series_file_test {

// Line 10 is the first row.
const std::string balance = "gpu: toy\n"
                            "model: balance\n"
                            "source: lecture\n"
                            "where: slide 20\n"
                            "quantity: balance\n"
                            "status: published\n"
                            "role: predicted-against\n"
                            "column: balance\n"
                            "rows:\n"
                            "  - {precision: fp32, basis: spec, value: 10, unit: flop/B}\n";

std::vector<Series> read(const std::string& text) { return parse_series(text, "balance.yaml", sources); }
std::string why_series(const std::string& text) {
  return error_of([&] { read(text); });
}

TEST(SeriesFile, a_series_is_read_with_everything_it_says) {
  const std::vector<Series> all = read(balance);
  ASSERT_EQ(all.size(), 1u);
  const Series& s = all[0];
  EXPECT_EQ(s.gpu, "toy");
  EXPECT_EQ(s.model, "balance");
  EXPECT_EQ(s.source, "A lecture, slide 20");
  EXPECT_EQ(s.value, "balance");
  EXPECT_EQ(s.place, "balance.yaml");
  EXPECT_EQ(s.kind, Kind::published);
  EXPECT_FALSE(s.is_input || s.at_least);
  EXPECT_TRUE(std::isnan(s.tolerance)) << "the model's counts";
  EXPECT_EQ(s.table.at("precision").text(0), "fp32");
  EXPECT_EQ(s.table.at("precision").role, Role::key);
  EXPECT_DOUBLE_EQ(s.table.at("balance").number(0), 10);
  EXPECT_EQ(s.table.at("balance").unit, unit_of<FlopsPerByte>());
  EXPECT_EQ(s.table.at("balance").role, Role::measured);
}

TEST(SeriesFile, roles_relations_and_facts_are_understood) {
  EXPECT_TRUE(read(with(balance, "predicted-against", "input"))[0].is_input);
  EXPECT_TRUE(read(with(balance, "value: 10", "value: 10, relation: more-than"))[0].at_least);
  const Series set = read(with(balance, "rows:", "set: {clock: 1.3 GHz, dram.latency: 800}\nrows:"))[0];
  EXPECT_EQ(set.facts, (std::vector<std::pair<std::string, std::string>>{{"clock", "1.3 GHz"},
                                                                         {"dram.latency", "800"}}));
}

TEST(SeriesFile, a_row_may_say_that_it_calibrates) {
  const std::string more = "  - {precision: fp64, basis: spec, value: 5, unit: flop/B, calibrates: true}\n";
  const Series s = read(balance + more)[0];
  EXPECT_EQ(s.marks.at(0).evidence, Evidence::in_sample) << "one series, row by row";
  EXPECT_EQ(s.marks.at(1).evidence, Evidence::calibration);
  const std::string expected = "balance.yaml:10: 'calibrates: true' is expected, or no such key";
  for (const char* bad : {"false", "yes", "1", "flase"})
    EXPECT_EQ(why_series(with(balance, "value: 10", std::string("value: 10, calibrates: ") + bad)), expected)
        << bad;
}

TEST(SeriesFile, blind_is_what_the_file_or_the_row_says_and_no_other) {
  EXPECT_EQ(read(balance)[0].marks.at(0).evidence, Evidence::in_sample) << "who says nothing";
  EXPECT_EQ(read(with(balance, "value: 10", "value: 10, evidence: blind"))[0].marks.at(0).evidence,
            Evidence::blind);
  const std::string file = with(balance, "rows:", "evidence: blind\nrows:");
  EXPECT_EQ(read(file)[0].marks.at(0).evidence, Evidence::blind);
  EXPECT_EQ(read(with(file, "value: 10", "value: 10, evidence: in-sample"))[0].marks.at(0).evidence,
            Evidence::in_sample);
  for (const char* bad : {"calibration", "blnd"})
    EXPECT_EQ(why_series(with(balance, "value: 10", std::string("value: 10, evidence: ") + bad)),
              "balance.yaml:10: the evidence 'blind' or 'in-sample' is expected");
}

// Units and prefixes are those of the value.
TEST(SeriesFile, a_label_may_have_several_readings) {
  const Series one = read(with(balance, "value: 10", "value: 10, or: 12"))[0];
  EXPECT_EQ(one.marks.at(0).readings, std::vector<double>{12});
  EXPECT_EQ(one.table.at("balance").number(0), 10);
  const Series two =
      read(with(balance, "value: 10, unit: flop/B", "value: 10, or: [12, 0.5], unit: kflop/B"))[0];
  EXPECT_EQ(two.marks.at(0).readings, (std::vector<double>{12e3, 500}));
  EXPECT_TRUE(read(balance)[0].marks.at(0).readings.empty());
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: 10, or: twelve")),
            "balance.yaml:10: 'twelve flop/B' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: 10, or: {a: 12}")),
            "balance.yaml:10: 'or' of a row is neither a value nor a list");
}

TEST(SeriesFile, a_slip_is_told_in_words) {
  EXPECT_EQ(read(with(balance, "value: 10", "value: 10, slip: counts no MUL"))[0].marks.at(0).slip,
            "counts no MUL");
}

TEST(SeriesFile, a_card_may_be_one_of_several) {
  const Series s =
      read(with(balance, "model: balance", "cards: [toy, other]\nshown: third\nmodel: balance"))[0];
  EXPECT_EQ(s.cards, (std::vector<std::string>{"toy", "other"}));
  EXPECT_EQ(s.shown, std::vector<std::string>{"third"});
  EXPECT_EQ(why_series(with(balance, "model: balance", "shown: third\nmodel: balance")),
            "balance.yaml:2: 'shown' stands beside 'cards', of which the worst is scored");
}

TEST(SeriesFile, a_key_that_is_a_numeric_input_is_a_number_in_base_units) {
  const Series s =
      read("gpu: toy\nmodel: littles-law\nsource: lecture\nquantity: q\nstatus: published\nrole: input\n"
           "rows:\n  - {word: 4 B, loads: 2, column: bytes_in_flight, value: 106, unit: KiB}\n")[0];
  EXPECT_DOUBLE_EQ(s.table.at("word").number(0), 4);
  EXPECT_EQ(s.table.at("word").unit, unit_of<Bytes>());
  EXPECT_DOUBLE_EQ(s.table.at("bytes_in_flight").number(0), 106 * 1024);
}

TEST(SeriesFile, rows_of_another_column_or_relation_or_tolerance_are_a_series_of_their_own) {
  const std::string rows = balance +
                           "  - {precision: fp32, basis: spec, value: 40, unit: flop, column: per_float}\n"
                           "  - {precision: fp32, basis: spec, value: 9, unit: flop/B, relation: more-than}\n"
                           "  - {precision: fp32, basis: spec, value: 10, unit: flop/B, tolerance: 0.5}\n"
                           "  - {precision: fp64, basis: spec, value: 5, unit: flop/B}\n";
  const std::vector<Series> all = read(rows);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].table.rows(), 2u);
  EXPECT_TRUE(std::isnan(all[0].tolerance));
  EXPECT_EQ(all[1].value, "per_float");
  EXPECT_TRUE(all[2].at_least);
  EXPECT_DOUBLE_EQ(all[3].tolerance, 0.5);
}

// 10 is predicted: 25 % above 8. The row that allows it must not allow it to the other.
TEST(SeriesFile, the_tolerance_of_one_row_is_not_that_of_the_next) {
  const std::vector<Series> all =
      read(with(balance, "value: 10,", "value: 8,") +
           "  - {precision: fp32, basis: spec, value: 8, unit: flop/B, tolerance: 0.3}\n");
  EXPECT_EQ(score_of(validate(toy(), all)).out, 1u);
}

TEST(SeriesFile, what_is_missing_unknown_or_wrong_is_said_with_its_line) {
  EXPECT_EQ(why_series(with(balance, "model: balance\n", "")), "balance.yaml:1: the file has no 'model'");
  EXPECT_EQ(why_series(with(balance, "rows:", "row:")), "balance.yaml:1: the file has no 'rows'");
  EXPECT_EQ(why_series(with(balance, "where", "were")),
            "balance.yaml:4: the file has an unknown key 'were' (did you mean 'where'?)");
  EXPECT_EQ(why_series(with(balance, "source: lecture", "source: lectur")),
            "balance.yaml:3: unknown source 'lectur'");
  EXPECT_EQ(why_series(with(balance, "status: published", "status: measured")),
            "balance.yaml:6: a published series has the status 'published'");
  EXPECT_EQ(why_series(with(balance, "role: predicted-against", "role: output")),
            "balance.yaml:7: the role 'input' or 'predicted-against' is expected");
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: ten")),
            "balance.yaml:10: 'ten flop/B' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why_series(with(balance, "unit: flop/B", "unit: parsec")),
            "balance.yaml:10: '10 parsec' has an unknown unit 'parsec'");
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: 10, relation: less-than")),
            "balance.yaml:10: the relation 'more-than' is expected");
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: 10, tolerance: 5 s")),
            "balance.yaml:10: '5 s' is in s; a plain number is expected");
  EXPECT_EQ(why_series(with(balance, "value: 10", "worth: 10")), "balance.yaml:10: a row has no 'value'");
  EXPECT_EQ(why_series(with(balance, "value: 10", "value: 10, value: 11")),
            "balance.yaml:10: a row has the key 'value' twice, first on line 10");
  EXPECT_EQ(why_series(with(balance, "rows:\n  - {precision: fp32, basis: spec, value: 10, unit: flop/B}",
                            "rows: []")),
            "balance.yaml:9: 'rows' is not a list of rows");
  EXPECT_EQ(why_series(balance + "  - 5\n"), "balance.yaml:11: a row is not a map of keys and values");
  EXPECT_EQ(why_series(""), "balance.yaml:1: the file is not a map of keys and values");
}

TEST(SeriesFile, no_prefix_of_a_file_does_worse_than_a_sentence) {
  for (std::size_t n = 0; n < balance.size(); ++n) (void)why_series(balance.substr(0, n));
  EXPECT_EQ(why_series(balance), "no error");
}

} // namespace perfmodel::hwdb::series_file_test
