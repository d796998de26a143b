// Options from text, and the grid that a request spans, on a model made for the purpose.
#include "models/core/erase.hpp"
#include "models/core/facts.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::model_test {

enum class Colour { red, green };
constexpr auto names(Colour) { return std::to_array<std::string_view>({"red", "green"}); }

// time = bytes / bandwidth, said in every kind of option and column.
struct Carry {
  static constexpr ModelInfo info{
      .name = "carry", .summary = "carry", .equation = "t = Q / beta", .source = "this test"};
  struct Input {
    Bytes bytes{8};
    double times = 1;
    double shift = 0;
    double offset = 0;
    std::optional<Colour> colour;
    std::string label = "x";
    static void fields(auto& field) {
      field(&Input::bytes, "bytes", "bytes to carry");
      field(&Input::times, "times", "how often", Range::whole);
      field(&Input::shift, "shift", "to the right", Range::not_negative);
      field(&Input::offset, "offset", "either way", Range::any);
      field(&Input::colour, "colour", "red or green");
      field(&Input::label, "label", "a word");
    }
  };
  struct Row {
    static constexpr std::string_view title = "carried";
    Bytes bytes;
    Seconds time;
    std::optional<Colour> colour;
    std::optional<double> shift;
    static void fields(auto& field) {
      field(&Row::bytes, "bytes", "bytes", Range::positive, Role::key);
      field(&Row::time, "time", "time");
      field(&Row::colour, "colour", "colour", Range::any, Role::key);
      field(&Row::shift, "shifted", "to the right");
    }
  };
  template <class T> static Row predict(const Gpu& gpu, const Input& in, T& trace) {
    const auto time =
        trace.define("t", "time", trace.input("Q", in.bytes) / trace.fact(gpu, facts::dram_bandwidth));
    return {in.bytes, value_of(time) * in.times + Seconds(in.shift + in.offset), in.colour,
            in.shift > 0 ? std::optional(in.shift) : std::nullopt};
  }
  static std::string verdict(const Gpu&, const Input&, const Row&) { return "A toy."; }
};

const Model& carry() {
  static const Model m = erase<Carry>();
  return m;
}

std::vector<std::string> texts_of(const std::vector<Value>& values) {
  std::vector<std::string> all;
  for (const Value& v : values) all.push_back(v.text);
  return all;
}

Result run(const Words& options, const std::vector<Axis>& facts = {}) {
  const Gpu gpu = toy();
  Request request = request_of(carry(), options);
  request.facts = facts;
  return predict(carry(), {&gpu, 1}, request);
}

TEST(Options, follow_from_the_declaration) {
  ASSERT_EQ(carry().options.size(), 6u);
  const Option &bytes = *carry().find("bytes"), &colour = *carry().find("colour"),
               &label = *carry().find("label");
  EXPECT_EQ(bytes.kind, OptionKind::number);
  EXPECT_EQ(bytes.unit, unit_of<Bytes>());
  EXPECT_EQ(bytes.default_text, "8 B");
  EXPECT_EQ(bytes.help, "bytes to carry");
  EXPECT_EQ(colour.kind, OptionKind::choice);
  EXPECT_EQ(colour.choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(colour.default_text, "") << "an optional input has no default";
  EXPECT_EQ(label.kind, OptionKind::text);
  EXPECT_EQ(label.default_text, "x");
  EXPECT_EQ(carry().find("nothing"), nullptr);
}

TEST(Options, numbers_are_held_against_their_range_on_both_sides_of_its_edge) {
  const auto why = [](const char* name, const char* text) {
    return error_of([&] { parse_values(*carry().find(name), text); });
  };
  EXPECT_EQ(why("bytes", "1"), "no error");
  EXPECT_EQ(why("bytes", "0.99"), "--bytes: 0.99 B given, at least 1 B is expected");
  EXPECT_EQ(why("bytes", "1 EB"), "no error");
  EXPECT_EQ(why("bytes", "1.01 EB"), "--bytes: 1.01 EB given, at most 1 EB is expected");
  EXPECT_EQ(why("bytes", "0"), "--bytes: 0 B given, a value above zero is expected");
  EXPECT_EQ(why("bytes", "-1"), "--bytes: -1 B given, a value above zero is expected");
  EXPECT_EQ(why("times", "1"), "no error");
  EXPECT_EQ(why("times", "0"), "--times: 0 given, a whole number from 1 is expected");
  EXPECT_EQ(why("times", "1.5"), "--times: 1.5 given, a whole number from 1 is expected");
  EXPECT_EQ(why("shift", "0"), "no error");
  EXPECT_EQ(why("shift", "-1"), "--shift: -1 given, zero or more is expected");
  EXPECT_EQ(why("offset", "-1"), "no error");
  EXPECT_EQ(why("bytes", "3 s"), "--bytes: '3 s' is in s; bytes such as 64KiB is expected");
  EXPECT_EQ(why("bytes", "nan"), "--bytes: 'nan' is not a number with a unit, such as '177 GB/s'");
}

TEST(Options, choices_are_held_against_their_list) {
  const Option& colour = *carry().find("colour");
  EXPECT_EQ(texts_of(parse_values(colour, "green,red")), (std::vector<std::string>{"green", "red"}));
  EXPECT_EQ(error_of([&] { parse_values(colour, "gren"); }),
            "--colour: unknown value 'gren' (did you mean 'green'?); one of red, green is expected");
  EXPECT_EQ(error_of([&] { parse_values(colour, "red,"); }),
            "--colour: unknown value ''; one of red, green is expected");
}

TEST(Options, a_text_keeps_its_commas) {
  EXPECT_EQ(texts_of(parse_values(*carry().find("label"), "a,b:c")), std::vector<std::string>{"a,b:c"});
}

TEST(Sweep, the_first_axis_varies_slowest) {
  const Result r = run({{"bytes", "1,2"}, {"times", "1,10,100"}});
  const Table& t = table_of(r, "carried");
  ASSERT_EQ(t.rows(), 6u);
  const double bytes[] = {1, 1, 1, 2, 2, 2}, times[] = {1, 10, 100, 1, 10, 100};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_DOUBLE_EQ(t.at("bytes").number(i), bytes[i]);
    EXPECT_DOUBLE_EQ(t.at("times").number(i), times[i]);
    EXPECT_DOUBLE_EQ(t.at("time").number(i), bytes[i] * times[i] / 100e9);
  }
}

TEST(Sweep, facts_vary_slower_than_inputs_and_become_key_columns) {
  const Result r = run({{"bytes", "1,2"}}, {{"dram.bandwidth", {{1e9, ""}, {2e9, ""}}}});
  const Table& t = table_of(r, "carried");
  ASSERT_EQ(t.rows(), 4u);
  EXPECT_EQ(t.columns[1].name, "dram.bandwidth");
  EXPECT_EQ(t.columns[1].role, Role::key);
  EXPECT_EQ(t.columns[1].unit, unit_of<BytesPerSecond>());
  EXPECT_DOUBLE_EQ(t.at("time").number(1), 2e-9);
  EXPECT_DOUBLE_EQ(t.at("time").number(2), 0.5e-9);
}

TEST(Sweep, given_inputs_are_key_columns_once_and_the_gpu_comes_first) {
  const Table t = run({{"bytes", "1"}, {"times", "2"}, {"colour", "red"}, {"label", "a"}}).tables.front();
  std::string columns;
  for (const Column& c : t.columns) columns += c.name + " ";
  EXPECT_EQ(columns, "gpu times label bytes time colour grade ");
  EXPECT_EQ(t.at("colour").text(0), "red");
  EXPECT_EQ(t.at("label").text(0), "a");
  EXPECT_EQ(t.at("gpu").text(0), "toy");
}

TEST(Sweep, a_key_that_no_row_has_is_left_out) { EXPECT_EQ(run({}).tables.front().find("colour"), nullptr); }

TEST(Sweep, an_optional_member_that_no_row_has_is_left_out) {
  EXPECT_EQ(run({}).tables.front().find("shifted"), nullptr);
  const Table swept = run({{"shift", "0,2"}}).tables.front();
  EXPECT_TRUE(std::isnan(swept.at("shifted").number(0)));
  EXPECT_EQ(swept.at("shifted").number(1), 2);
}

TEST(Sweep, a_grid_of_more_than_ten_million_points_is_refused_before_it_starts) {
  Request request;
  request.inputs = {{"bytes", std::vector<Value>(3163, Value{1, ""})},
                    {"times", std::vector<Value>(3163, Value{1, ""})}};
  const Gpu gpu = toy();
  EXPECT_EQ(error_of([&] {
              predict(carry(), {&gpu, 1}, request);
            }),
            "the grid has more than 10 million points");
}

TEST(Sweep, an_unknown_input_or_an_axis_without_values_is_refused) {
  const Gpu gpu = toy();
  Request unknown, empty;
  unknown.inputs = {{"byte", {{1, ""}}}};
  empty.inputs = {{"bytes", {}}};
  EXPECT_EQ(error_of([&] { predict(carry(), {&gpu, 1}, unknown); }), "the model 'carry' has no input 'byte'");
  EXPECT_EQ(error_of([&] { predict(carry(), {&gpu, 1}, empty); }), "an axis of the grid has no values");
}

TEST(Sweep, several_gpus_share_one_table) {
  const Gpu gpus[] = {toy(), with_facts(toy(), {{"dram.bandwidth", "200 GB/s"}})};
  const Result r = predict(carry(), gpus, {});
  EXPECT_EQ(r.tables.front().rows(), 2u);
  EXPECT_DOUBLE_EQ(r.tables.front().at("time").number(1), 0.5 * r.tables.front().at("time").number(0));
}

TEST(Explain, is_recorded_for_the_first_point_of_each_gpu_and_only_when_asked) {
  const Gpu gpu = toy();
  Request request = request_of(carry(), {{"bytes", "1000,2000"}});
  EXPECT_TRUE(predict(carry(), {&gpu, 1}, request).derivations.empty());
  request.explain = true;
  const Result r = predict(carry(), {&gpu, 1}, request);
  ASSERT_EQ(r.derivations.size(), 1u);
  const Step& step = r.derivations[0].steps.back();
  EXPECT_EQ(step.symbol, "t");
  EXPECT_EQ(step.formula, "Q / dram.bandwidth");
  EXPECT_EQ(step.numbers, "1 kB / 100 GB/s");
  EXPECT_DOUBLE_EQ(step.value, 1e-8);
}

TEST(Origins, an_answer_on_unverified_facts_says_so_and_lists_measured_constants_once) {
  Gpu gpu = toy();
  gpu.facts["dram.bandwidth"].layer = Layer::device; // somebody's memory, in a file
  const Result r = predict(carry(), {&gpu, 1}, request_of(carry(), {{"bytes", "1,2"}}));
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0], "toy: rests on unverified facts: dram.bandwidth");
  EXPECT_TRUE(r.constants.empty());
  const Constant c{.path = "dram.bandwidth", .value = 5e9, .probe = "dram", .place = "run.json"};
  const Gpu measured = with_constants(toy(), {&c, 1}, Over::everything), both[] = {measured, measured};
  const Result m = predict(carry(), both, {});
  ASSERT_EQ(m.constants.size(), 1u);
  EXPECT_EQ(m.constants[0].symbol, "dram.bandwidth");
  EXPECT_TRUE(m.notes.empty());
}

// Each has its runs in a file of the same name, whose constants say on which GPU they were found.
TEST(Origins, each_gpu_has_measured_constants_of_its_own) {
  Constant c{
      .path = "dram.bandwidth", .value = 5e9, .probe = "dram", .source = "on one", .place = "run.json"};
  const Gpu one = with_constants(toy(), {&c, 1}, Over::everything);
  c.source = "on another";
  const Gpu both[] = {one, with_constants(toy(), {&c, 1}, Over::everything)};
  const Result r = predict(carry(), both, {});
  ASSERT_EQ(r.constants.size(), 2u);
  EXPECT_EQ(r.constants[1].source, "on another");
}

TEST(Origins, a_value_the_user_set_is_not_called_unverified) { EXPECT_TRUE(run({}).notes.empty()); }

TEST(Registry, an_unknown_model_is_answered_with_the_nearest) {
  EXPECT_EQ(error_of([] { model("roofine"); }), "unknown model 'roofine' (did you mean 'roofline'?)");
  EXPECT_EQ(model("balance").info.name, "balance");
}

} // namespace perfmodel::model_test
