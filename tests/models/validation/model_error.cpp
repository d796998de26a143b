#include "models/validation/model_error.hpp"

#include <gtest/gtest.h>

namespace perfmodel::model_error_test {

Ledger::Line line(std::vector<double> errors, bool timed = true) {
  Ledger::Line made;
  made.errors = std::move(errors);
  made.timed = timed;
  return made;
}

// 19 errors of -9 to 9 %, twice as many rows of another model at 20 %, counts, and rows of calibration.
Ledger ledger() {
  std::vector<double> even;
  for (int i = -9; i <= 9; ++i) even.push_back(0.01 * i);
  Ledger made;
  made.lines[Evidence::blind][{"pi", "time"}] = line(even);
  made.lines[Evidence::in_sample][{"reduction", "time"}] = line(std::vector<double>(38, 0.2));
  made.lines[Evidence::in_sample][{"reduction", "sectors"}] = line({5.0}, false);
  made.lines[Evidence::calibration][{"matmul", "time"}] = line({7.0});
  return made;
}

TEST(ModelError, is_what_nine_in_ten_errors_of_other_models_lie_between) {
  const std::optional<ModelError> all = model_error(ledger(), "");
  ASSERT_TRUE(all);
  EXPECT_DOUBLE_EQ(all->low, -0.08) << "two of 19 are a twentieth of both models";
  EXPECT_DOUBLE_EQ(all->high, 0.2);
  EXPECT_EQ(all->rows, 57u) << "no count, and no calibration";
  EXPECT_DOUBLE_EQ(all->least(), 1 / 1.2);
  EXPECT_DOUBLE_EQ(all->most(), 1 / 0.92);
  EXPECT_FALSE(model_error(ledger(), "pi")) << "reduction alone says nothing of others";
}

// Rows of a model do not count the more for being many: half of the weight is at 20 %.
TEST(ModelError, every_model_counts_as_much) {
  Ledger both = ledger();
  both.lines[Evidence::blind][{"transpose", "bandwidth"}] = line({0.5});
  EXPECT_DOUBLE_EQ(model_error(both, "reduction")->high, 0.5) << "one row of another model is half of it";
  EXPECT_DOUBLE_EQ(model_error(both, "transpose")->high, 0.2);
}

TEST(ModelError, the_table_says_how_many_rows_lie_within_what_the_others_say) {
  Ledger three = ledger();
  three.lines[Evidence::blind][{"transpose", "bandwidth"}] = line({0.5, 0.05, -0.08, -0.09});
  const Table table = model_error_table(three);
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.at("model").text(2), "transpose");
  EXPECT_DOUBLE_EQ(table.at("others_low").number(2), -0.08);
  EXPECT_DOUBLE_EQ(table.at("others_high").number(2), 0.2);
  EXPECT_DOUBLE_EQ(table.at("inside").number(2), 0.5);
}

// 20 rows of two models on one GPU, a row on another: that one's answers take the errors of both together.
TEST(ModelError, of_a_gpu_with_too_few_rows_is_that_of_all_gpus) {
  const TimedErrors many = {{{"pi", "time"}, std::vector<double>(10, 0.1)},
                            {{"reduction", "time"}, std::vector<double>(10, -0.1)}};
  const std::vector<GpuErrors> all = {{"h200", many}, {"m2090", {{{"pi", "time"}, {0.5}}}}, {"gtx480", {}}};
  const std::optional<ModelError> own = model_error_on("h200", "matmul", all);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->gpus, std::vector<std::string>{"h200"});
  EXPECT_DOUBLE_EQ(own->high, 0.1);
  EXPECT_EQ(own->models, 2u);
  for (const char* gpu : {"m2090", "gtx480", "a100"}) {
    const std::optional<ModelError> together = model_error_on(gpu, "matmul", all);
    ASSERT_TRUE(together) << gpu;
    EXPECT_EQ(together->gpus, (std::vector<std::string>{"h200", "m2090"})) << "gtx480 has no rows";
    EXPECT_DOUBLE_EQ(together->low, -0.1);
    EXPECT_DOUBLE_EQ(together->high, 0.5);
    EXPECT_EQ(together->rows, 21u);
  }
  EXPECT_FALSE(model_error_on("h200", "reduction", all)) << "of pi alone there is none";
}

TEST(ModelError, of_one_model_alone_there_is_none) {
  Ledger one;
  one.lines[Evidence::blind][{"pi", "time"}] = line(std::vector<double>(50, 0.1));
  EXPECT_EQ(model_error_table(one).rows(), 0u);
}

} // namespace perfmodel::model_error_test
