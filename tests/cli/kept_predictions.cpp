// The predictions that the database keeps are those of today: they are taken for what would be computed. The
// stamp on them sees each change of a source and of a fact; this is what would show that it missed one.
#include "program.hpp"

#include "cli/compared_series.hpp"
#include "cli/context.hpp"
#include "hwdb/kept_predictions.hpp"
#include "models/validation/row_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

namespace perfmodel::kept_predictions_test {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Of the H200 the first row of each quantity that a model predicts.
TEST(KeptPredictions, are_what_is_predicted_today) {
  const std::string name = "h200";
  std::ostringstream out, said;
  cli::SafeStream err(said);
  cli::Context context{.out = out, .err = err, .version = "", .commit = ""};
  const std::optional<hwdb::KeptPredictions> kept = hwdb::kept_predictions(context.database().root(), name);
  if (!kept) GTEST_SKIP() << "none of today's sources are kept: hwdb/ledgers/keep.sh";
  const Gpu gpu = cli::devices(context, {.hw = name}).front();
  RowPredictions predictions(gpu);
  std::set<std::string> done;
  std::size_t series = 0;
  for (const Series& s : cli::series_about(context, gpu, "")) {
    const PredictedSeries* of = kept->store.find(name, s);
    series += of != nullptr;
    if (of == nullptr || !done.insert(s.model + ' ' + s.value).second) continue;
    const RowPrediction today = predictions.of(model(s.model), s, 0), &then = of->rows.front();
    EXPECT_TRUE(same(today.value, then.value)) << of->title << ": " << today.value << ", not " << then.value;
    EXPECT_TRUE(same(today.tolerance, then.tolerance)) << of->title;
    EXPECT_EQ(today.grade, then.grade) << of->title;
    EXPECT_EQ(today.notes, then.notes) << of->title;
    EXPECT_EQ(today.constants.size(), then.constants.size()) << of->title;
  }
  EXPECT_EQ(series, kept->store.series.size()) << "what is kept is found";
  EXPECT_GT(done.size(), 40u);
}

} // namespace perfmodel::kept_predictions_test
