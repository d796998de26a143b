// A model that counts how often it is asked: its answer has two kernels, whose time is n and 2 n seconds
// where the constant dram.latency is 1000 cycles, and whose rate is 100 / n.
#include "models/validation/row_prediction.hpp"

#include "models/core/error.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::row_prediction_test {

int asked = 0;

Result answer(const Model&, std::span<const Gpu> gpus, const Request& request, RowSink* = nullptr) {
  ++asked;
  const double n = request.inputs.at(0).values.front().number;
  const FactRecord* latency = gpus.front().record("dram.latency");
  const double slow = latency != nullptr ? latency->values.front() / 1000 : 5;
  Table table{.title = "kernels"};
  table.columns = {
      {.name = "kernel", .role = Role::key, .cells = std::vector<std::string>{"one", "two"}},
      {.name = "time", .cells = std::vector<double>{n * slow, 2 * n * slow}},
      {.name = "rate", .cells = std::vector<double>{100 / n, 100 / n}},
  };
  Result result{.model = "counted"};
  // Of one kernel alone nothing is known that the other loses to it.
  const bool alone = request.inputs.size() > 1;
  table.columns.push_back({.name = "gain", .cells = std::vector<double>{absent, alone ? absent : 0.5}});
  for (const char* constant : {"dram.latency", "fma.latency", "clock"})
    result.constants.push_back({.symbol = constant, .is_fact = true, .place = "toy.yaml"});
  result.tables.push_back(std::move(table));
  return result;
}

Model counted() {
  return {.info = {.name = "counted", .tolerance = 0.1},
          .options = {{.name = "n"}},
          .outputs = {"kernel", "time", "rate"},
          .run = answer};
}

// Rows (n, kernel).
Series series_of(const std::string& value, const std::vector<std::pair<double, std::string>>& rows) {
  Series series{.gpu = "toy", .model = "counted", .place = "toy/counted.yaml", .value = value};
  Column n{.name = "n", .role = Role::key, .cells = std::vector<double>{}},
      kernel{.name = "kernel", .role = Role::key, .cells = std::vector<std::string>{}},
      column{.name = value, .role = Role::measured, .cells = std::vector<double>{}};
  for (const auto& [size, name] : rows) append(n, size), append(kernel, name), append(column, 1.0);
  series.table.columns = {std::move(n), std::move(kernel), std::move(column)};
  return series;
}

Result refusal(const Model&, std::span<const Gpu>, const Request&, RowSink* = nullptr) {
  throw RefusedKernel("line 7: '@P0 BRA 0x70' goes by what is loaded");
}

TEST(RowPredictions, a_row_whose_kernel_is_refused_has_no_value_and_a_note_that_says_why) {
  Model model = counted();
  model.run = refusal;
  const Gpu gpu = toy();
  const RowPrediction row = RowPredictions(gpu).of(model, series_of("time", {{1, "one"}, {2, "two"}}), 1);
  EXPECT_TRUE(std::isnan(row.value));
  EXPECT_EQ(row.notes, std::vector<std::string>{"row 2: line 7: '@P0 BRA 0x70' goes by what is loaded"});
}

TEST(RowPredictions, rows_that_pick_other_parts_of_one_answer_share_it) {
  const Model model = counted();
  const Gpu gpu = toy();
  const std::vector<Step> known = answer(model, {&gpu, 1}, {.inputs = {{"n", {{1, ""}}}}}).constants;
  RowPredictions predictions(gpu);
  asked = 0;
  const Series time = series_of("time", {{4, "one"}, {4, "two"}, {5, "one"}});
  EXPECT_EQ(predictions.of(model, time, 0, known).value, 4);
  EXPECT_EQ(predictions.of(model, time, 1, known).value, 8);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(predictions.of(model, time, 2, known).value, 5);
  EXPECT_EQ(asked, 2);
  Series rate = series_of("rate", {{4, "two"}}); // another series, its keys in another order
  std::swap(rate.table.columns[0], rate.table.columns[1]);
  EXPECT_EQ(predictions.of(model, rate, 0, known).value, 25);
  EXPECT_EQ(asked, 2);
}

TEST(RowPredictions, a_series_with_facts_of_its_own_asks_for_itself) {
  const Model model = counted();
  const Gpu gpu = toy();
  RowPredictions predictions(gpu);
  Series assumed = series_of("time", {{4, "one"}});
  EXPECT_EQ(predictions.of(model, assumed, 0).value, 4);
  assumed.facts = {{"dram.latency", "2000 cycle"}};
  EXPECT_EQ(predictions.of(model, assumed, 0).value, 8);
  assumed.facts.clear();
  EXPECT_EQ(predictions.of(model, assumed, 0).value, 4);
}

std::string names(const std::vector<Step>& constants) {
  std::string text;
  for (const Step& c : constants) text += (text.empty() ? "" : " ") + c.symbol;
  return text;
}

TEST(RowPredictions, name_the_constants_without_which_the_value_would_be_another) {
  const Model model = counted();
  const Gpu gpu = toy();
  RowPredictions predictions(gpu);
  asked = 0;
  EXPECT_EQ(names(predictions.of(model, series_of("rate", {{4, "one"}}), 0).constants), "");
  EXPECT_EQ(asked, 2) << "with all constants and with none";
  EXPECT_EQ(names(predictions.of(model, series_of("time", {{4, "one"}}), 0).constants), "dram.latency");
  EXPECT_EQ(asked, 5) << "and without each of the three";
  EXPECT_EQ(predictions.of(model, series_of("time", {{4, "one"}}), 0).value, 4) << "all are back";
  EXPECT_EQ(asked, 5);
}

TEST(RowPredictions, a_row_that_the_answer_does_not_have_is_an_error_in_the_file) {
  const Model model = counted();
  const Gpu gpu = toy();
  RowPredictions predictions(gpu);
  EXPECT_EQ(error_of([&] {
              predictions.of(model, series_of("time", {{4, "three"}}), 0);
            }),
            "toy/counted.yaml: the model 'counted' has no row with the keys of row 1 and a column 'time'");
}

// A ladder asked for one version has no gain: the row is looked for in the whole ladder.
TEST(RowPredictions, a_gain_is_taken_from_the_answer_that_has_the_other_version) {
  Model model = counted();
  model.options.push_back({.name = "kernel", .kind = OptionKind::choice, .choices = {"one", "two"}});
  model.outputs.push_back("gain");
  const Gpu gpu = toy();
  RowPredictions predictions(gpu);
  EXPECT_EQ(predictions.of(model, series_of("gain", {{4, "two"}}), 0).value, 0.5);
  EXPECT_TRUE(std::isnan(predictions.of(model, series_of("gain", {{4, "one"}}), 0).value));
  EXPECT_EQ(predictions.of(model, series_of("time", {{4, "two"}}), 0).value, 8);
}

} // namespace perfmodel::row_prediction_test
