#include "hwdb/result_file.hpp"

#include "hwdb/json_tree.hpp"
#include "hwdb/measured.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/hwdb/runs.hpp"
#include "tests/models/ask.hpp"
#include "tests/small_problem.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::result_file_test {

Record back(const std::string& text) { return record_from_json(text, "run.json"); }
std::string why_json(const std::string& text) {
  return error_of([&] { back(text); });
}

TEST(ResultFile, a_run_reads_back_byte_for_byte) {
  const std::string text = to_json(small_run());
  EXPECT_EQ(to_json(back(text)), text);
  EXPECT_EQ(text.back(), '\n');
}

TEST(ResultFile, a_run_keeps_every_value) {
  const Record r = back(to_json(small_run()));
  EXPECT_EQ(r.gpu, "h200");
  EXPECT_EQ(r.date, "2026-11-20T09:00:00Z");
  EXPECT_EQ(r.device, small_run().device);
  EXPECT_EQ(r.environment, small_run().environment);
  ASSERT_EQ(r.measurements.size(), 1u);
  const Measurement& m = r.measurements[0];
  EXPECT_TRUE(m.verified);
  EXPECT_EQ(m.conditions, small_run().measurements[0].conditions);
  EXPECT_EQ(m.table.columns[0].text(1), "write \"µ\"");
  EXPECT_TRUE(std::holds_alternative<std::vector<std::int64_t>>(m.table.columns[1].cells))
      << "counts stay counts";
  EXPECT_TRUE(std::holds_alternative<std::vector<double>>(m.table.columns[3].cells))
      << "640.0 stays a real number";
  EXPECT_EQ(m.table.columns[2].unit, unit_of<BytesPerSecond>());
  EXPECT_EQ(m.table.columns[1].unit.symbol, "threads");
  EXPECT_TRUE(std::isnan(m.table.columns[2].number(1))) << "null is an absent number";
  EXPECT_EQ(m.constants[0].probe, "dram");
  EXPECT_TRUE(std::isnan(m.constants[0].high));
  EXPECT_EQ(m.samples[0].values[1], 0.1);
}

TEST(ResultFile, a_verdict_comes_back_and_older_files_have_none) {
  Record answer;
  answer.result.model = "roofline";
  EXPECT_EQ(to_json(answer).find("verdict"), std::string::npos);
  EXPECT_TRUE(back(to_json(answer)).result.verdict.empty());
  answer.result.verdict = {"m2090: Memory-bound: at most 1 flop/s.", "h200: \"so\"."};
  EXPECT_EQ(back(to_json(answer)).result.verdict, answer.result.verdict);
  Record run = small_run();
  run.result.verdict = {"1 probe ran."};
  EXPECT_EQ(back(to_json(run)).result.verdict, run.result.verdict);
}

TEST(ResultFile, samples_keep_seven_digits_and_everything_else_every_bit) {
  Record run = small_run();
  Measurement& m = run.measurements[0];
  m.samples[0].values = {1 / 3.0, 12345678.9, 4.0, absent};
  m.samples[0].sm_clock = {1979637123.0, 1.98e9};
  m.table.columns[3].cells = std::vector<double>{1 / 3.0, 12345678.9};
  const std::string text = to_json(run);
  const Record r = back(text);
  const Samples& samples = r.measurements[0].samples[0];
  EXPECT_EQ(samples.values[0], 0.3333333);
  EXPECT_EQ(samples.values[1], 12345680);
  EXPECT_EQ(samples.values[2], 4);
  EXPECT_TRUE(std::isnan(samples.values[3]));
  EXPECT_EQ(samples.sm_clock, (std::vector<double>{1979637000, 1.98e9}));
  EXPECT_EQ(r.measurements[0].table.columns[3].number(0), 1 / 3.0);
  EXPECT_EQ(r.measurements[0].table.columns[3].number(1), 12345678.9);
  EXPECT_EQ(to_json(r), text) << "what is rounded once stays";
}

TEST(ResultFile, a_few_numbers_stand_on_one_line_and_many_on_one_each) {
  const auto of = [](std::size_t n) {
    Record record;
    record.result.tables = {
        {.title = "[\n 1, 2]", .columns = {{.name = "x", .cells = std::vector<double>(n, -2.5)}}}};
    return to_json(record);
  };
  EXPECT_NE(of(3).find("\"values\": [-2.5, -2.5, -2.5]"), std::string::npos) << of(3);
  EXPECT_EQ(of(16).find("-2.5\n"), std::string::npos);
  EXPECT_NE(of(17).find("-2.5\n"), std::string::npos);
  for (const std::size_t n : {0u, 1u, 3u, 16u, 17u}) {
    EXPECT_EQ(back(of(n)).result.tables[0].rows(), n);
    EXPECT_EQ(back(of(n)).result.tables[0].title, "[\n 1, 2]");
  }
}

TEST(ResultFile, every_prediction_reads_back_byte_for_byte) {
  for (const Model& m : models())
    for (const char* gpu : {"m2090", "h200", "gtx260"}) {
      Record record{.version = "0.1.0", .result = ask(m.info.name, gpu_named(gpu), small_problem(m))};
      const std::string text = to_json(record);
      EXPECT_EQ(to_json(back(text)), text) << m.info.name << " on " << gpu;
    }
}

TEST(ResultFile, an_explained_prediction_with_measured_constants_reads_back_byte_for_byte) {
  const Constant c{
      .path = "dram.bandwidth", .value = 99e9, .probe = "dram", .source = "ours", .place = "run.json"};
  const Gpu gpu = with_constants(toy(), {&c, 1}, Over::everything);
  Request request = request_of(model("roofline"), {{"intensity", "1"}});
  request.explain = true;
  const std::string text = to_json({.result = predict(model("roofline"), {&gpu, 1}, request)});
  EXPECT_NE(text.find("\"constants\": [\n"), std::string::npos);
  EXPECT_NE(text.find("\"derivations\""), std::string::npos);
  EXPECT_EQ(to_json(back(text)), text);
}

TEST(ResultFile, what_is_no_result_is_refused_in_a_sentence) {
  EXPECT_EQ(why_json("{}"), "run.json: this is no perfmodel-result/1 file");
  EXPECT_EQ(why_json("[1]"), "run.json: this is no perfmodel-result/1 file");
  EXPECT_EQ(why_json("null"), "run.json: this is no perfmodel-result/1 file");
  EXPECT_EQ(why_json(R"({"schema": "perfmodel-result/2"})"), "run.json: this is no perfmodel-result/1 file");
  EXPECT_EQ(why_json(""), "run.json: the file is empty; JSON is expected");
  EXPECT_EQ(why_json("name,intensity\n"), "run.json: this is no JSON: it begins with 'name,intensity'");
  EXPECT_EQ(
      why_json("{\n\"a\": 1,\n"),
      "run.json: this is no JSON from line 3 on: the file is torn, or something else was written into it");
}

TEST(ResultFile, a_schema_error_names_what_is_wrong) {
  const std::string text = to_json(small_run());
  EXPECT_EQ(why_json(with(text, "\"kind\": \"measured\"", "\"kind\": \"guessed\"")),
            "run.json: unknown word 'guessed'");
  EXPECT_EQ(why_json(with(text, "\"role\": \"key\"", "\"role\": \"lock\"")), "run.json: unknown word 'lock'");
  EXPECT_EQ(why_json(with(text, "sustained.dram", "sustained.drum")),
            "run.json: unknown fact 'sustained.drum'");
  EXPECT_EQ(why_json(with(text, "\"value\": 4610000000000.0", "\"value\": -1")),
            "run.json: the fact 'sustained.dram' is not above zero");
  EXPECT_EQ(why_json(with(text, "\"value\": 4610000000000.0", "\"value\": null")),
            "run.json: the fact 'sustained.dram' is not above zero");
  EXPECT_EQ(why_json(with(text, "\"gpu\":", "\"gqu\":")), "run.json: key 'gpu' not found");
  EXPECT_NE(why_json(with(text, "\"verified\": true", "\"verified\": \"yes\"")).find("run.json: "),
            std::string::npos);
  const std::string table =
      R"({"schema": "perfmodel-result/1", "kind": "predicted", "model": "m", "tables": [{"title": "t", "columns": [)";
  EXPECT_EQ(
      why_json(
          table +
          R"({"name": "a", "unit": "", "role": "key", "values": [1]}, {"name": "b", "unit": "", "role": "key", "values": []}]}]})"),
      "run.json: the columns of 't' differ in length");
  EXPECT_EQ(why_json(table + R"({"name": "a", "unit": "", "role": "key", "values": 1}]}]})"),
            "run.json: the values of 'a' are no list");
  EXPECT_NE(why_json(table + R"({"name": "a", "unit": "", "role": "key", "values": [1, "x"]}]}]})"),
            "no error");
  EXPECT_NE(why_json(table + R"({"name": "a", "unit": "", "role": "key", "values": [[1]]}]}]})"), "no error");
  EXPECT_NE(why_json(table + R"({"name": 1, "unit": "", "role": "key", "values": [1]}]}]})"), "no error");
}

TEST(ResultFile, deep_nesting_ends_in_a_sentence) {
  EXPECT_EQ(why_json(std::string(100'000, '[')), "run.json: nested too deeply");
  std::string maps;
  for (int i = 0; i < 10'000; ++i) maps += "{\"a\":";
  EXPECT_EQ(why_json(maps), "run.json: nested too deeply");
}

TEST(ResultFile, numbers_out_of_range_are_refused) {
  EXPECT_NE(why_json(R"({"schema": "perfmodel-result/1", "kind": "predicted", "model": 1e999})"), "no error");
}

TEST(ResultFile, no_prefix_of_a_file_does_worse_than_a_sentence) {
  const std::string text = to_json(small_run());
  for (std::size_t n = 0; n + 2 < text.size(); ++n) EXPECT_NE(why_json(text.substr(0, n)), "no error") << n;
  EXPECT_EQ(why_json(text), "no error");
}

TEST(ResultFile, lists_are_emptied_and_nothing_else) {
  const auto emptied = [](std::string_view text) { return with_empty_lists(text, {"values", "sm_clock"}); };
  EXPECT_EQ(emptied(R"({"values": [1, 2.5, null], "other": [3]})"), R"({"values": [], "other": [3]})");
  EXPECT_EQ(emptied(R"({"values" : [ "a]", "\"" ] , "b": "]"})"), R"({"values" : [] , "b": "]"})");
  EXPECT_EQ(emptied(R"({"sm_clock": "1.98 GHz", "a": "\"values\": [1]", "b": ["values", 1]})"),
            R"({"sm_clock": "1.98 GHz", "a": "\"values\": [1]", "b": ["values", 1]})");
  for (const char* broken : {R"({"values": [1, [2]]})", R"({"values": [1)", R"({"values": ["a)",
                             R"({"values": )", R"({"values)", "\"", "\"\\", ""})
    EXPECT_EQ(emptied(broken), broken);
}

TEST(ResultFile, without_its_cells_a_run_says_the_same_constants) {
  const Record whole = small_run(), head = back(with_empty_lists(to_json(whole), {"values", "sm_clock"}));
  EXPECT_EQ(head.device, whole.device);
  ASSERT_EQ(head.measurements.size(), whole.measurements.size());
  EXPECT_EQ(head.measurements[0].table.rows(), 0u);
  EXPECT_EQ(head.measurements[0].conditions, whole.measurements[0].conditions);
  const std::vector<Constant> expected = constants_of(whole, "x"), found = constants_of(head, "x");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].value, expected[i].value) << found[i].path;
    EXPECT_EQ(found[i].source, expected[i].source);
  }
}

} // namespace perfmodel::hwdb::result_file_test
