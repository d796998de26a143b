// The model error of an answer with bands, on GPUs with and without measured rows.
#include "cli/model_error_said.hpp"
#include "program.hpp"

#include "cli/stream/ends.hpp"
#include "models/core/band_words.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::model_error_said_test {

hwdb::KeptErrors kept() {
  const TimedErrors many = {{{"pi", "time"}, std::vector<double>(10, 0.1)},
                            {{"reduction", "time"}, std::vector<double>(10, -0.08)}};
  return {.gpus = {{"h200", many}, {"m2090", {{{"pi", "time"}, {0.5}}}}}, .old = {}};
}

Gpu named(const char* name) {
  Gpu gpu;
  gpu.name = name;
  return gpu;
}

// One launch on each of these GPUs, whose time has a band.
Table banded(const std::vector<std::string>& gpus, const char* unit_of_what = "s") {
  Table table{.title = "launch", .columns = {}, .notes = {}};
  const Unit unit = std::string(unit_of_what) == "s" ? unit_of<Seconds>() : Unit{};
  const auto numbers = [&](const char* name, Role role) {
    table.columns.push_back(
        {.name = name, .unit = unit, .role = role, .cells = std::vector<double>(gpus.size(), 1e-6)});
  };
  table.columns.push_back({.name = "gpu", .role = Role::key, .cells = gpus});
  numbers("time", Role::predicted);
  numbers("time_low", Role::low);
  numbers("time_median", Role::note);
  numbers("time_high", Role::high);
  table.columns.push_back(
      {.name = "grade", .role = Role::note, .cells = std::vector<std::string>(gpus.size(), "known")});
  return table;
}

TEST(ModelErrorSaid, on_a_gpu_with_measured_rows_is_of_the_other_models_there) {
  const ModelErrorSaid said("matmul", kept());
  const std::vector<Gpu> gpus = {named("h200")};
  EXPECT_EQ(said.sentences(gpus),
            std::vector<std::string>{
                "Model error of h200, which is not in the bands: 90 % of the errors of 2 other "
                "models of kernels, 20 measured rows whose costs are known on h200, lie between -8 % and "
                "10 %; error: (predicted - measured) / measured."});
}

TEST(ModelErrorSaid, on_gpus_without_enough_rows_says_on_which_it_was_found) {
  const ModelErrorSaid said("matmul", kept());
  const std::vector<Gpu> gpus = {named("h200"), named("m2090"), named("a100")};
  const std::vector<std::string> sentences = said.sentences(gpus);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(
      sentences[1],
      "Model error of m2090 and a100: too few rows, or none, are measured there, so it is that of other "
      "GPUs: 90 % of the errors of 2 other models of kernels, 21 measured rows whose costs are known on h200 "
      "and m2090, lie between -8 % and 50 %; error: (predicted - measured) / measured.");
}

std::size_t times_said(const std::string& what, const Result& result) {
  std::size_t times = 0;
  for (const std::string& note : result.notes)
    for (std::size_t at = note.find(what); at != note.npos; at = note.find(what, at + 1)) ++times;
  return times;
}

TEST(ModelErrorSaid, stands_apart_from_the_bands_and_that_is_said_once) {
  const std::vector<Gpu> gpus = {named("h200"), named("m2090")};
  for (const char* unit : {"s", ""}) { // of a count nobody knows how far it is off
    Result result{.model = "occupancy", .tables = {banded({"h200", "m2090"}, unit)}};
    result.notes.push_back(what_bands_are(result));
    ModelErrorSaid("occupancy", kept()).add_to(result, gpus);
    EXPECT_EQ(times_said("not in the bands", result), 1u) << unit;
    EXPECT_EQ(times_said("(predicted - measured)", result), *unit == 's' ? 1u : 0u) << unit;
    EXPECT_EQ(times_said("perfmodel validate", result), *unit == 's' ? 0u : 1u) << unit;
  }
}

TEST(ModelErrorSaid, that_nobody_knows_is_not_zero) {
  const std::vector<Gpu> gpus = {named("h200")};
  const std::string unknown = "Model error: not known: the database keeps no errors of other models.";
  EXPECT_EQ(ModelErrorSaid("matmul", {}).sentences(gpus), std::vector<std::string>{unknown});
  Table table = banded({"h200"});
  ModelErrorSaid("matmul", {}).add_to(table);
  EXPECT_TRUE(std::isnan(table.at("model_error_low").number(0)));
}

TEST(ModelErrorSaid, of_other_sources_says_from_when_it_is) {
  hwdb::KeptErrors old = kept();
  old.old = {"2026-11-26"};
  const std::vector<Gpu> gpus = {named("h200")};
  EXPECT_NE(ModelErrorSaid("matmul", old)
                .sentences(gpus)
                .back()
                .find(" Kept on 2026-11-26, and models or facts have changed since."),
            std::string::npos);
}

TEST(ModelErrorSaid, stands_in_two_columns_of_a_table_whose_times_have_bands) {
  const ModelErrorSaid said("matmul", kept());
  Table table = banded({"h200", "a100"});
  said.add_to(table);
  EXPECT_DOUBLE_EQ(table.at("model_error_low").number(0), -0.08);
  EXPECT_DOUBLE_EQ(table.at("model_error_high").number(0), 0.1);
  EXPECT_DOUBLE_EQ(table.at("model_error_high").number(1), 0.5);
  EXPECT_EQ(table.columns.back().name, "grade");
  const std::size_t columns = table.columns.size();
  said.add_to(table);
  EXPECT_EQ(table.columns.size(), columns) << "once";
  Table counts = banded({"h200"}, "");
  said.add_to(counts);
  EXPECT_EQ(counts.find("model_error_low"), nullptr) << "of a count nothing is known";
}

TEST(ModelErrorSaid, goes_with_rows_that_no_one_holds) {
  const ModelErrorSaid said("matmul", kept());
  Ends ends;
  WithModelError with(ends, said);
  with.take(0, banded({"h200"}));
  const Table shown = with.close(0, std::vector<bool>(6, true));
  EXPECT_DOUBLE_EQ(shown.at("model_error_low").number(0), -0.08);
}

// Whatever the database keeps today.
TEST(ModelErrorSaid, stands_below_an_answer_with_bands_and_below_no_other) {
  for (const char* gpu : {"h200", "a100-80"}) {
    const std::string line = "coalescing --stride 2 --hw " + std::string(gpu);
    const Answer with = perfmodel::perfmodel(words(line + " --bands"));
    EXPECT_NE(with.out.find("Model error"), std::string::npos) << with.out;
    EXPECT_EQ(perfmodel::perfmodel(words(line)).out.find("Model error"), std::string::npos);
    const std::string csv = perfmodel::perfmodel(words(line + " --bands --format csv")).out;
    EXPECT_NE(csv.find(",model_error_low,model_error_high,grade"), std::string::npos) << csv;
  }
}

} // namespace perfmodel::cli::model_error_said_test
