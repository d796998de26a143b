// Every series of the database that was published, against its prediction.
#include "models/validation/validate.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::published_series_test {

// What is published that no model has a quantity and keys for.
std::string without_model(const Result& r) {
  std::string models;
  for (const Table& t : r.tables)
    for (std::size_t row = 0; t.title == not_scored_title && row < t.rows(); ++row)
      if (t.at("why").text(row) == "no model") models += t.at("model").text(row) + " ";
  return models;
}

// Counts are the same on all of them: a teaching kit's 2352, 392, 336 and 14 warp-phases, a lecture's 10^6.
TEST(PublishedSeries, what_is_published_about_any_gpu_and_the_host_is_held_against_every_gpu) {
  std::vector<Series> series = database().published(std::string(any_gpu));
  for (Series& s : database().published(std::string(the_host))) series.push_back(std::move(s));
  for (const Gpu& gpu : every_nvidia_gpu()) {
    const Result r = validate(gpu, series);
    EXPECT_EQ(score_of(r).scored, 5u) << gpu.name;
    EXPECT_EQ(score_of(r).out, 0u) << gpu.name;
    EXPECT_EQ(without_model(r), "") << gpu.name;
    const Table& aside = table_of(r, "not scored");
    ASSERT_EQ(aside.rows(), 1u) << gpu.name;
    EXPECT_EQ(aside.at("model").text(0) + " " + aside.at("why").text(0), "transfer input") << gpu.name;
  }
}

// Printed values that today's models miss, by GPU, model and quantity: the first number says how many rows.
const std::map<std::string, std::size_t> misses{
    // The strided index 22 % too fast: bank conflicts cost a G80 more; unrolled 15.5 % too slow.
    {"8800gtx reduction time", 1},
    // The version whose last warp is unrolled 15.5 % too slow.
    {"m2090 reduction time", 1},
    // 15.7 for the 11.8 that the lecture prints: the first rung is too slow, the last 14 % too fast.
    {"m2090 reduction total_gain", 1}};

// Expected, measured and deviation of every published series, in the words of the lectures.
TEST(PublishedSeries,
     every_published_series_that_a_model_covers_is_within_its_tolerance_but_for_known_misses) {
  std::map<std::string, std::size_t> out;
  for (const std::string& name : database().names()) {
    const std::vector<Series> series = database().published(name);
    if (series.empty()) continue;
    const Result r = validate(gpu_named(name), series);
    EXPECT_EQ(without_model(r), "") << name;
    for (const Table& t : r.tables) {
      if (t.title.rfind(ledger_title, 0) == 0 && t.find("out") != nullptr)
        for (std::size_t row = 0; row < t.rows(); ++row)
          if (const double rows = t.at("out").number(row); rows > 0)
            out[name + " " + t.at("model").text(row) + " " + t.at("quantity").text(row)] +=
                static_cast<std::size_t>(rows);
      if (t.find("predicted") == nullptr) continue;
      for (std::size_t row = 0; row < t.rows(); ++row)
        std::cout << name << ", " << t.title << ": predicted " << t.at("predicted").number(row)
                  << ", measured " << t.at("measured").number(row) << ", error "
                  << 100 * t.at("error").number(row) << " %\n";
    }
  }
  EXPECT_EQ(out, misses) << "a row more: mend the model; fewer: take it off the list";
}

// R. Giorgi measured 10.7 and 183.9 Gflop/s, a gain of 17.2, on a GT200 that he does not name: one of the two
// it may be gives each prediction, and the worse of them counts.
TEST(PublishedSeries, of_the_unnamed_gt200_the_worse_of_two_cards_is_scored_and_four_are_shown) {
  const std::vector<Series> series = database().published("gt200");
  ASSERT_EQ(series.size(), 2u);
  std::vector<Gpu> cards;
  for (const char* name : {"gtx260", "gtx280", "gtx260-192", "c1060"})
    cards.push_back(database().completed(gpu_named(name)));
  for (const Gpu& gpu : {cards[0], cards[1]}) {
    const Result r = validate(gpu, series, {}, cards);
    EXPECT_EQ(score_of(r).scored, 3u);
    for (const Table& t : {r.tables[0], r.tables[1]}) {
      ASSERT_EQ(t.rows() % 4, 0u);
      for (std::size_t row = 0; row < t.rows(); row += 4) { // gtx260, gtx280 and the two that it is not
        const bool first = std::fabs(t.at("error").number(row)) >= std::fabs(t.at("error").number(row + 1));
        EXPECT_NE(t.at("verdict").text(first ? row : row + 1), "shown");
        for (const std::size_t other : {first ? row + 1 : row, row + 2, row + 3})
          EXPECT_EQ(t.at("verdict").text(other), "shown") << t.at("gpu").text(other);
      }
    }
  }
}

// The label of ILP 8 at 32 threads is the fourth on slide 43, as the labels of 32 threads come first there.
TEST(PublishedSeries, the_labels_of_slide_43_stand_as_they_were_read) {
  for (const Series& s : database().published("m2090")) {
    if (s.model != "memory-parallelism" || s.table.find("ilp") == nullptr) continue;
    std::string labels;
    for (std::size_t row = 0; row < s.table.rows(); ++row) {
      labels += s.table.at("threads").text(row) + ": " + s.table.at("of_pin").text(row);
      for (const double other : s.marks.at(row).readings) labels += fmt::format(" or {}", other);
      labels += "; ";
    }
    EXPECT_EQ(labels,
              "32: 0.25; 32: 0.41; 32: 0.62; 32: 0.64; 1024: 0.71 or 0.72 or 0.7; 1024: 0.71 or 0.72 or "
              "0.7; 1024: 0.71 or 0.72 or 0.7; 1024: 0.71 or 0.72 or 0.7; ");
  }
}

} // namespace perfmodel::published_series_test
