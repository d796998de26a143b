// The order of GPUs whose times are known, and how the times of several launches make one.
#include "cli/ranking.hpp"
#include "cli/common_launches.hpp"
#include "cli/in_parallel.hpp"
#include "program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace perfmodel::ranking_test {

cli::RankedGpu ranked(const char* gpu, double time, Grade grade = Grade::known) {
  return {.gpu = gpu, .title = "", .time = time, .bound = "device memory", .grade = grade};
}

cli::LaunchTimes times(const std::vector<std::int64_t>& numbers, double each) {
  cli::LaunchTimes all;
  for (const std::int64_t number : numbers)
    all[number] = {.time = each * static_cast<double>(number), .bound = "launch " + std::to_string(number)};
  return all;
}

TEST(Ranking, the_fastest_comes_first_and_the_others_are_shares_of_it) {
  cli::RankedGpu without = ranked("old", absent);
  without.why_not = "it has no shuffle";
  const Result result =
      cli::ranking("x", {ranked("b", 4e-6), without, ranked("a", 2e-6, Grade::assumed)}, {});
  ASSERT_EQ(result.tables.size(), 2u);
  const Table& order = result.tables[0];
  EXPECT_EQ(order.at("gpu").text(0), "a");
  EXPECT_EQ(order.at("gpu").text(1), "b");
  EXPECT_DOUBLE_EQ(order.at("of_best").number(1), 0.5);
  EXPECT_EQ(result.tables[1].at("why").text(0), "it has no shuffle");
  EXPECT_EQ(result.grade, Grade::assumed);
  EXPECT_EQ(
      result.verdict.at(0),
      "a is the fastest of 2: 2 us, bound by device memory; b takes 2 times as long. Costs of a are assumed. "
      "1 without an answer.");
}

TEST(Ranking, a_price_is_that_of_a_million_times) {
  const Result result = cli::ranking("x", {ranked("a", 2e-6), ranked("b", 4e-6)}, {{"a", 36}, {"b", 9}});
  EXPECT_NEAR(result.tables[0].at("price_of_million_runs").number(0), 0.02,
              1e-12); // 36 / 3600 s x 2 us x 1e6
  EXPECT_NEAR(result.tables[0].at("price_of_million_runs").number(1), 0.01, 1e-12);
  EXPECT_NE(result.verdict.at(0).find("b is the cheapest"), std::string::npos);
}

TEST(Ranking, bands_are_drawn_in_the_picture) {
  cli::RankedGpu banded = ranked("a", 2e-6);
  banded.low = 1e-6, banded.high = 3e-6;
  const Table order = cli::ranking("x", {banded}, {}).tables.at(0);
  EXPECT_EQ(order.at("time_low").role, Role::low);
  EXPECT_EQ(order.at("time_high").role, Role::high);
}

TEST(Ranking, launches_are_added_up_that_all_gpus_understand_each_as_often_as_it_was_made) {
  std::vector<cli::RankedGpu> gpus(3);
  gpus[2].why_not = "too old";
  const std::string note =
      cli::add_up_common({times({1, 2, 3}, 1e-6), times({2, 3}, 2e-6), {}}, {{1, 1}, {2, 10}, {3, 1}}, gpus);
  EXPECT_DOUBLE_EQ(gpus[0].time, 23e-6); // 10 x 2 + 3
  EXPECT_DOUBLE_EQ(gpus[1].time, 46e-6);
  EXPECT_EQ(gpus[0].bound, "launch 2") << "it takes most, being made ten times";
  EXPECT_EQ(gpus[2].why_not, "too old");
  EXPECT_EQ(note, "Of 3 launches the 2 are added up that are understood on each of these GPUs.");
}

TEST(Ranking, gpus_that_understand_no_launch_in_common_have_no_time) {
  std::vector<cli::RankedGpu> gpus{ranked("a", absent), ranked("b", absent)};
  cli::add_up_common({times({1}, 1e-6), times({2}, 1e-6)}, {{1, 1}, {2, 1}}, gpus);
  for (const cli::RankedGpu& gpu : gpus) {
    EXPECT_TRUE(std::isnan(gpu.time)) << "a time of none would be the fastest";
    EXPECT_EQ(gpu.why_not, "no launch is understood on all of these GPUs");
  }
}

TEST(Ranking, many_threads_answer_as_one_does) {
  for (const std::size_t workers : {1U, 2U, 7U}) {
    std::vector<int> asked(20), told(20);
    cli::in_parallel(
        20, [&](std::size_t i) { ++asked[i]; }, [&](std::size_t i) { ++told[i]; }, workers);
    EXPECT_EQ(asked, std::vector<int>(20, 1));
    EXPECT_EQ(told, asked);
  }
  EXPECT_THROW(cli::in_parallel(
                   5,
                   [](std::size_t i) {
                     if (i == 3) throw std::runtime_error("of the fourth");
                   },
                   {}, 4),
               std::runtime_error);
  const std::vector<std::string> gpus{"h200", "m2090", "c1060"};
  const Answer together = perfmodel(words("rank axpy --let n=100000 --hw h200,m2090,c1060 --format json"));
  ASSERT_EQ(together.code, 0) << together.err;
  const auto values = [](const Answer& answer, const std::string& name) {
    const nlohmann::json result = nlohmann::json::parse(answer.out);
    for (const auto& column : result.at("tables").at(0).at("columns"))
      if (column.at("name") == name) return column.at("values");
    return nlohmann::json();
  };
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Answer alone = perfmodel(words("rank axpy --let n=100000 --format json --hw " + gpus[i]));
    EXPECT_EQ(values(alone, "time")[0], values(together, "time")[i]) << gpus[i];
  }
}

} // namespace perfmodel::ranking_test
