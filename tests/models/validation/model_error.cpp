#include "models/validation/model_error.hpp"

#include "models/core/model.hpp"

#include <gtest/gtest.h>

namespace perfmodel::model_error_test {

Ledger::Line line(std::vector<double> errors, bool timed = true) {
  Ledger::Line made;
  made.on_estimates.assign(errors.size(), false);
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

std::optional<ModelError> error_in(const Ledger& of, const std::string& model) {
  const GpuErrors on{"h200", timed_errors(of)};
  return model_error_on("h200", model, {&on, 1});
}

TEST(ModelError, is_what_nine_in_ten_errors_of_other_models_lie_between) {
  const std::optional<ModelError> all = error_in(ledger(), "transpose");
  ASSERT_TRUE(all);
  EXPECT_DOUBLE_EQ(all->low, -0.08) << "two of 19 are a twentieth of both models";
  EXPECT_DOUBLE_EQ(all->high, 0.2);
  EXPECT_EQ(all->rows, 57u) << "no count, and no calibration";
  EXPECT_DOUBLE_EQ(all->least(), 1 / 1.2);
  EXPECT_DOUBLE_EQ(all->most(), 1 / 0.92);
  EXPECT_FALSE(error_in(ledger(), "pi")) << "reduction alone says nothing of others";
}

// Rows of a model do not count the more for being many: half of the weight is at 20 %.
TEST(ModelError, every_model_counts_as_much) {
  Ledger both = ledger();
  both.lines[Evidence::blind][{"transpose", "bandwidth"}] = line({0.5});
  EXPECT_DOUBLE_EQ(error_in(both, "reduction")->high, 0.5) << "one row of another model is half of it";
  EXPECT_DOUBLE_EQ(error_in(both, "transpose")->high, 0.2);
}

// Whatever a model missed itself, its model error is the same.
TEST(ModelError, does_not_go_with_a_models_own_errors) {
  Ledger own = ledger();
  own.lines[Evidence::blind][{"transpose", "bandwidth"}] = line(std::vector<double>(30, -0.7));
  const std::optional<ModelError> with = error_in(own, "transpose"),
                                  without = error_in(ledger(), "transpose");
  EXPECT_DOUBLE_EQ(with->low, without->low);
  EXPECT_DOUBLE_EQ(with->high, without->high);
}

// By hand: messages miss 10 to 30 % in steps of 2 %, all-reduces as much below. A twentieth of both is more
// than one of their 22 rows: from the second at one end to the second at the other it is -28 to 28 %.
TEST(ModelError, of_communication_is_that_of_communication_and_of_kernels_that_of_kernels) {
  Ledger both = ledger();
  std::vector<double> above, below;
  for (int i = 0; i < 11; ++i) above.push_back(0.10 + 0.02 * i), below.push_back(-0.10 - 0.02 * i);
  both.lines[Evidence::blind][{"message", "time"}] = line(above);
  both.lines[Evidence::blind][{"all-reduce", "time"}] = line(below);
  const std::optional<ModelError> copies = error_in(both, "transfer"), kernels = error_in(both, "transpose");
  ASSERT_TRUE(copies);
  EXPECT_TRUE(copies->communication);
  EXPECT_EQ(copies->models, 2u);
  EXPECT_DOUBLE_EQ(copies->low, -0.28);
  EXPECT_DOUBLE_EQ(copies->high, 0.28);
  ASSERT_TRUE(kernels);
  EXPECT_FALSE(kernels->communication);
  EXPECT_EQ(kernels->rows, 57u);
  EXPECT_DOUBLE_EQ(kernels->low, -0.08) << "as without messages and all-reduces";
  EXPECT_DOUBLE_EQ(kernels->high, 0.2);
  EXPECT_FALSE(error_in(both, "message")) << "of all-reduce alone there is none";
}

TEST(ModelError, tells_communication_by_what_a_model_declares) {
  std::vector<std::string> communication;
  for (const Model& m : models())
    if (m.info.communication) communication.emplace_back(m.info.name);
  EXPECT_EQ(communication, (std::vector<std::string>{"transfer", "message", "all-reduce", "node"}));
}

// What an estimate leaves open is in the band of costs already.
TEST(ModelError, leaves_out_rows_that_rest_on_estimates) {
  Ledger both = ledger();
  Ledger::Line& more = both.lines[Evidence::blind][{"matmul", "performance"}] = line({0.9, 0.01, -0.9});
  more.on_estimates = {true, false, true};
  EXPECT_EQ(timed_errors(both).at({"matmul", "performance"}), std::vector<double>{0.01});
  const std::optional<ModelError> error = error_in(both, "transpose");
  EXPECT_EQ(error->rows, 58u);
  EXPECT_DOUBLE_EQ(error->high, 0.2);
  more.on_estimates = {true, true, true};
  EXPECT_EQ(error_in(both, "transpose")->models, 2u);
}

TEST(ModelError, the_table_says_how_many_rows_lie_within_what_the_others_say) {
  Ledger three = ledger();
  three.lines[Evidence::blind][{"transpose", "bandwidth"}] = line({0.5, 0.05, -0.08, -0.09});
  three.lines[Evidence::blind][{"transpose", "bandwidth"}].on_estimates[0] = true;
  const Table table = model_error_table(three, "h200");
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.at("model").text(2), "transpose");
  EXPECT_DOUBLE_EQ(table.at("others_low").number(2), -0.08);
  EXPECT_DOUBLE_EQ(table.at("others_high").number(2), 0.2);
  EXPECT_DOUBLE_EQ(table.at("inside").number(2), 0.5) << "of all its rows, whatever they rest on";
}

// Of transfers alone in a ledger the table has the model error of other GPUs, not of itself there.
TEST(ModelError, the_table_takes_that_of_all_gpus_where_there_are_too_few_rows) {
  Ledger alone;
  alone.lines[Evidence::blind][{"transfer", "time"}] = line(std::vector<double>(30, 0.3));
  EXPECT_EQ(model_error_table(alone, "h100-sxm").rows(), 0u);
  const std::vector<GpuErrors> elsewhere = {{"h200",
                                             {{{"transfer", "time"}, std::vector<double>(30, 0.6)},
                                              {{"message", "time"}, std::vector<double>(15, 0.4)},
                                              {{"all-reduce", "time"}, std::vector<double>(15, -0.1)}}},
                                            {"h100-sxm", {{{"message", "time"}, {0.9}}}}};
  const Table table = model_error_table(alone, "h100-sxm", elsewhere);
  ASSERT_EQ(table.rows(), 1u);
  EXPECT_DOUBLE_EQ(table.at("others_low").number(0), -0.1);
  EXPECT_DOUBLE_EQ(table.at("others_high").number(0), 0.4) << "the ledger has no message on the h100-sxm";
  EXPECT_DOUBLE_EQ(table.at("inside").number(0), 1);
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
  EXPECT_FALSE(model_error_on("h200", "transfer", all)) << "of kernels alone there is none of communication";
}

TEST(ModelError, of_one_model_alone_there_is_none) {
  Ledger one;
  one.lines[Evidence::blind][{"pi", "time"}] = line(std::vector<double>(50, 0.1));
  EXPECT_EQ(model_error_table(one, "h200").rows(), 0u);
}

} // namespace perfmodel::model_error_test
