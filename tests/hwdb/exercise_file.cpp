#include "hwdb/exercises/exercise_file.hpp"

#include "hwdb/database.hpp"
#include "models/core/model.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hwdb::exercise_file_test {

const std::string good = R"(exercises:
  - ask: threads
    draw: {ilp: [1, 2, 4], precision: {fp32: single precision}, loads: 1}
    row: {precision: fp32}
    question: "{ilp:FMAs} of the {gpu} in {precision} with {dram.latency}: how many threads?"
    given: [warp_size]
    because: ["{in_flight} over {ilp}"]
)";

std::string with(const std::string& old, const std::string& now) {
  std::string text = good;
  return text.replace(text.find(old), old.size(), now);
}

std::string why(const std::string& text) {
  return error_of([&] { parse_exercises(text, "littles-law.yaml", "littles-law"); });
}

TEST(ExerciseFile, is_read_entry_by_entry) {
  const std::vector<Exercise> all = parse_exercises(good, "littles-law.yaml", "littles-law");
  ASSERT_EQ(all.size(), 1U);
  const Exercise& one = all[0];
  EXPECT_EQ(one.model, "littles-law");
  EXPECT_EQ(one.ask, "threads");
  EXPECT_EQ(one.step, "threads") << "the column's own name, where there is no other";
  ASSERT_EQ(one.draw.size(), 3U);
  EXPECT_EQ(one.draw[0].first, "ilp");
  EXPECT_EQ(one.draw[0].second[2].text, "4");
  EXPECT_EQ(one.draw[1].second[0].text, "fp32");
  EXPECT_EQ(one.draw[1].second[0].words, "single precision");
  EXPECT_EQ(one.row[0].second[0].text, "fp32");
  EXPECT_EQ(one.given, std::vector<std::string>{"warp_size"});
  EXPECT_EQ(one.because.size(), 1U);
}

TEST(ExerciseFile, refuses_what_it_does_not_know_with_file_and_line) {
  EXPECT_EQ(why(with("ask: threads", "ask: treads")),
            "littles-law.yaml:2: the model 'littles-law' has no column 'treads' (did you mean 'threads'?)");
  EXPECT_EQ(why(with("loads: 1", "loadz: 1")),
            "littles-law.yaml:3: the model 'littles-law' has no input 'loadz' (did you mean 'loads'?)");
  EXPECT_EQ(why(with("{ilp:FMAs} of", "FMAs of")), "littles-law.yaml:5: the question does not say {ilp}");
  EXPECT_EQ(why(with("in {precision}", "in {precison}")),
            "littles-law.yaml:5: '{precison}' is neither drawn nor a fact (did you mean 'precision'?)");
  EXPECT_NE(why(with("question:", "qestion:")).find("question"), std::string::npos);
  EXPECT_NE(why(with("because:", "becuase:")).find("because"), std::string::npos);
  EXPECT_EQ(why("exercises: []\n"), "littles-law.yaml:1: 'exercises' is no list, or an empty one");
}

TEST(ExerciseFile, of_every_model_that_has_one_can_be_read) {
  const std::filesystem::path database = default_folder();
  const std::vector<std::string> with_exercises = exercise_models(database);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(database / "exercises")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files; // one that is named like no model would never be asked
    EXPECT_NO_THROW(model(entry.path().stem().string())) << entry.path();
  }
  EXPECT_EQ(with_exercises.size(), files);
  for (const std::string& name : with_exercises) EXPECT_FALSE(exercises_of(database, name).empty()) << name;
}

TEST(ExerciseFile, names_in_braces_stand_without_what_they_count) {
  EXPECT_EQ(names_in_braces("{ilp:FMAs} of an {gpu}?"), (std::vector<std::string>{"ilp", "gpu"}));
}

} // namespace perfmodel::hwdb::exercise_file_test
