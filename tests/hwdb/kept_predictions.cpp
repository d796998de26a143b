// Predictions that are kept: found as long as nothing has changed that they were computed from.
#include "hwdb/kept_predictions.hpp"

#include "models/core/error.hpp"
#include "tests/models/error_of.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace perfmodel::hwdb::kept_predictions_test {

namespace fs = std::filesystem;

RowPrediction row_of(double value, const std::string& grade = "known", std::vector<Step> constants = {},
                     std::vector<std::string> notes = {}) {
  return {.value = value,
          .tolerance = 0.15,
          .constants = std::move(constants),
          .notes = std::move(notes),
          .grade = grade};
}

// Values that take all digits, or are none; a constant and a note of two series.
PredictionStore of_one() {
  const Step clock{.symbol = "clock",
                   .meaning = "of the SMs",
                   .value = 1.98e9,
                   .unit = unit_of<Hertz>(),
                   .is_fact = true,
                   .source = "a probe",
                   .place = "run.json",
                   .probe = "clocks"};
  const Step cost{.symbol = "barrier.cost",
                  .value = 1.0 / 3,
                  .is_fact = true,
                  .grade = Grade::assumed,
                  .low = 0.25,
                  .high = 0.5};
  return {{{"one",
            "reduction time: of a sum",
            "1234",
            {row_of(1.0 / 3, "known", {clock, cost}, {"a note"}), row_of(5), row_of(absent),
             row_of(1e-300, "assumed"), row_of(-0.1, "assumed", {clock})}},
           {"two", "pi time: of digits", "5678", {row_of(0, "", {cost}, {"a note", "another"})}}}};
}

// All that is kept, to the last digit.
std::string in_words(const PredictionStore& store) {
  std::string text;
  for (const PredictedSeries& series : store.series) {
    text += series.gpu + ", " + series.title + ", " + series.key + '\n';
    for (const RowPrediction& row : series.rows) {
      text += fmt::format("{} {} {}:", row.value, row.tolerance, row.grade);
      for (const Step& c : row.constants)
        text += fmt::format(" {} {} {} {} {} {} {} {} {}", c.symbol, c.meaning, c.value, c.unit.symbol,
                            c.source, c.place, c.probe, c.low, c.high);
      text += fmt::format(" {}\n", fmt::join(row.notes, "; "));
    }
  }
  return text;
}

// A folder with a fact, a measurement and a source in it.
class KeptPredictionsFile : public testing::Test {
protected:
  KeptPredictionsFile() {
    std::string name = (fs::temp_directory_path() / "perfmodel-kept-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    write("gpus/one.yaml", "name: one\n");
    write("measured/one/run.json", "{}\n");
    write("evidence.yaml", "rows: []\n");
  }
  ~KeptPredictionsFile() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void keep() const {
    keep_predictions(folder_, "one",
                     {.version = "1", .commit = "abc", .date = "2026-11-26", .store = of_one()});
  }
  bool is_kept() const { return kept_predictions(folder_, "one").has_value(); }

  fs::path folder_;
};

TEST_F(KeptPredictionsFile, is_what_was_kept) {
  EXPECT_FALSE(is_kept());
  keep();
  const std::optional<KeptPredictions> kept = kept_predictions(folder_, "one");
  ASSERT_TRUE(kept);
  EXPECT_EQ(in_words(kept->store), in_words(of_one()));
  EXPECT_EQ(kept->date, "2026-11-26");
  EXPECT_EQ(kept->commit, "abc");
  EXPECT_FALSE(kept_predictions(folder_, "another"));
}

TEST_F(KeptPredictionsFile, is_as_good_as_absent_when_something_has_changed_that_it_rests_on) {
  const auto changes = [&](const std::string& name, const std::string& text) {
    keep();
    EXPECT_TRUE(is_kept());
    write(name, text);
    EXPECT_FALSE(is_kept()) << name;
  };
  changes("gpus/one.yaml", "name: two\n");
  changes("gpus/two.yaml", "name: two\n");
  changes("measured/one/run.json", "{ }\n");
  changes("measured/one/more.json", "");
  changes("evidence.yaml", "rows: [] # none\n");
  changes("published/one/paper.yaml", "series: []\n");
  keep();
  fs::rename(folder_ / "gpus/two.yaml", folder_ / "gpus/three.yaml");
  EXPECT_FALSE(is_kept()) << "another name";
  keep();
  fs::remove(folder_ / "measured/one/more.json");
  EXPECT_FALSE(is_kept()) << "a file is gone";
}

TEST_F(KeptPredictionsFile, does_not_rest_on_what_is_no_fact) {
  keep();
  write("README.md", "of the folder\n");
  write("ledgers/two.json", "{}\n");
  EXPECT_TRUE(is_kept());
}

TEST_F(KeptPredictionsFile, of_other_sources_is_as_good_as_absent) {
  keep();
  std::ifstream in(folder_ / "ledgers/one.json");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string stamp(sources_stamp());
  ASSERT_EQ(stamp.size(), 16u);
  const std::size_t at = text.find(stamp);
  ASSERT_NE(at, std::string::npos);
  text[at] = text[at] == '0' ? '1' : '0';
  write("ledgers/one.json", text);
  EXPECT_FALSE(is_kept());
}

TEST_F(KeptPredictionsFile, that_is_no_result_is_refused_by_name) {
  write("ledgers/one.json", "{\"schema\": ");
  try {
    (void)kept_predictions(folder_, "one");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("one.json"), std::string::npos) << e.what();
  }
}

TEST_F(KeptPredictionsFile, whose_tables_do_not_fit_one_another_is_refused_by_name) {
  const std::pair<std::string, std::string> slips[] = {
      {"1e-300,", ""},
      {"\"0 1\"", "\"0 9\""},
      {"[3, 1, 1, 1]", "[3, 3, 1, 1]"},
      {"[5, 1]", "[5, 2]"},
      {"[5, 1]", "[5, 0]"},
      {"\"title\": \"predicted\"", "\"title\": \"predictions\""}};
  for (const auto& [is, wrong] : slips) {
    keep();
    std::ifstream in(folder_ / "ledgers/one.json");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = text.find(is);
    ASSERT_NE(at, std::string::npos) << is << " in " << text;
    write("ledgers/one.json", text.replace(at, is.size(), wrong));
    const std::string said = error_of([&] { (void)kept_predictions(folder_, "one"); });
    EXPECT_TRUE(said.starts_with((folder_ / "ledgers/one.json: ").string())) << wrong << ": " << said;
  }
}

TEST_F(KeptPredictionsFile, has_no_series_with_a_number_that_json_cannot_hold) {
  PredictionStore store = of_one();
  store.series[0].rows[1].value = std::numeric_limits<double>::infinity();
  keep_predictions(folder_, "one", {.store = store});
  const std::optional<KeptPredictions> kept = kept_predictions(folder_, "one");
  ASSERT_TRUE(kept);
  store.series.erase(store.series.begin());
  EXPECT_EQ(in_words(kept->store), in_words(store));
}

} // namespace perfmodel::hwdb::kept_predictions_test
