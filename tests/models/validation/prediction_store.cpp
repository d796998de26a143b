// What is kept is not predicted again, and is nobody else's.
#include "models/validation/prediction_store.hpp"

#include "judged_series.hpp"

#include "cli/format.hpp"

#include <gtest/gtest.h>

namespace perfmodel::prediction_store_test {

Result judged_with(PredictionStore& store, const std::vector<Series>& series, const Gpu& gpu = toy()) {
  return validate(gpu, series, {}, {}, &store);
}

// A GPU of the same name whose predictions are others.
Gpu changed() {
  Gpu gpu = toy();
  gpu.facts["throughput.fp32_fma"].values = {1};
  return gpu;
}

TEST(PredictionStore, what_it_has_is_not_predicted_again_and_judged_all_the_same) {
  const std::vector<Series> series{balance_of(8, 1), roof_at(1, 1e11)};
  PredictionStore store;
  const std::string first = cli::to_csv(judged_with(store, series));
  EXPECT_EQ(first, cli::to_csv(validate(toy(), series)));
  EXPECT_EQ(store.series.size(), 2u);
  EXPECT_NE(cli::to_csv(validate(changed(), series)), first);
  EXPECT_EQ(cli::to_csv(judged_with(store, series, changed())), first);
  EXPECT_EQ(store.series.size(), 2u) << "nothing was added";
  // What was measured is no part of a prediction.
  EXPECT_DOUBLE_EQ(error_in(judged_with(store, {balance_of(12.5, 1)}, changed())), -0.2);
}

// Each is computed, although a row of the store looks like it.
TEST(PredictionStore, of_another_series_is_none) {
  const Series kept = balance_of(8, 1);
  const auto is_found = [&](auto change) {
    PredictionStore store;
    (void)judged_with(store, {kept});
    Series other = kept;
    change(other);
    return store.find("toy", other) != nullptr;
  };
  EXPECT_TRUE(is_found([](Series&) {}));
  EXPECT_TRUE(is_found([](Series& s) { s.table.columns[2].cells = Doubles{9}; })) << "measured";
  EXPECT_FALSE(is_found([](Series& s) { s.table.columns[0].cells = Texts{"fp64"}; })) << "its key";
  EXPECT_FALSE(is_found([](Series& s) { s.table.columns[0].name = "ceiling"; }));
  EXPECT_FALSE(is_found([](Series& s) { std::swap(s.table.columns[0], s.table.columns[1]); }));
  EXPECT_FALSE(is_found([](Series& s) { s.facts = {{"clock", "1 GHz"}}; }));
  EXPECT_FALSE(is_found([](Series& s) { s.place = "toy/other.yaml"; })) << "another file";
  EXPECT_FALSE(is_found([](Series& s) { s.probe = "balance"; }));
  EXPECT_FALSE(is_found([](Series& s) { s.kind = Kind::measured; })) << "asks for another basis";
  EXPECT_FALSE(is_found([](Series& s) { s.tolerance = 0.5; }));
  EXPECT_FALSE(is_found([](Series& s) { s.model = "roofline"; }));
  EXPECT_FALSE(is_found([](Series& s) {
    for (Column& c : s.table.columns)
      std::visit([](auto& cells) { cells.push_back(cells.front()); }, c.cells);
  })) << "a row more";
  PredictionStore store;
  (void)judged_with(store, {kept});
  EXPECT_EQ(store.find("toy2", kept), nullptr);
}

// Each series is kept as if it were the only one, so that any of them can be asked for.
TEST(PredictionStore, of_many_series_serves_each_alone) {
  const std::vector<Series> series{balance_of(8, 1), balance_of(9, 1), roof_at(1, 1e11), roof_at(2, 1e11)};
  PredictionStore store;
  (void)judged_with(store, series);
  for (const Series& one : series)
    EXPECT_EQ(cli::to_csv(judged_with(store, {one}, changed())), cli::to_csv(judged(one)));
}

// Where the source does not name its card.
TEST(PredictionStore, has_the_predictions_of_each_card) {
  Series series = balance_of(8, 1);
  Gpu other = changed();
  other.name = "other";
  series.cards = {"toy", "other"};
  PredictionStore store;
  const Gpu cards[] = {other};
  Gpu no_other = toy();
  no_other.name = "other";
  const std::string first = cli::to_csv(validate(toy(), {&series, 1}, {}, cards, &store));
  EXPECT_EQ(store.series.size(), 2u);
  EXPECT_EQ(cli::to_csv(validate(changed(), {&series, 1}, {}, {&no_other, 1}, &store)), first);
  EXPECT_NE(cli::to_csv(validate(changed(), {&series, 1}, {}, {&no_other, 1})), first);
}

// A later row has no answer: nothing of the series is kept.
TEST(PredictionStore, has_nothing_of_a_series_that_is_refused) {
  Series series = balance_of(8, 1);
  series.gpu = any_gpu;
  for (Column& c : series.table.columns)
    std::visit([](auto& cells) { cells.push_back(cells.front()); }, c.cells);
  std::get<Texts>(series.table.columns[0].cells)[1] = "bf16"; // the toy has no such unit
  PredictionStore store;
  const Result refused = judged_with(store, {series});
  EXPECT_EQ(table_of(refused, "not scored").at("why").text(0), "no facts");
  EXPECT_TRUE(store.series.empty());
}

} // namespace perfmodel::prediction_store_test
