// Of many GPUs one sentence stands before the tables.
#include "program.hpp"

#include "cli/commands/model/many_gpus_said.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfmodel::many_gpus_said_test {

std::string first_lines(const std::string& question) {
  const Answer a = perfmodel(quoted_words(question));
  EXPECT_EQ(a.code, 0) << a.err;
  return a.out.substr(0, a.out.find("\n\n"));
}

// 345.6 Gflop/s over 86.4 GB/s, and 90.52 Tflop/s over 864 GB/s.
TEST(ManyGpusSaid, the_range_of_what_each_would_be_told) {
  const std::string said = first_lines("roofline --hw all");
  EXPECT_NE(said.find(" GPUs: ridge (ceiling fp32"), std::string::npos) << said;
  EXPECT_NE(said.find("from 4 flop/B (8800gtx) to 104.8 flop/B"), std::string::npos) << said;
  EXPECT_NE(first_lines("roofline --hw all --flops 1Gflop --bytes 1GB").find("(b200)"), std::string::npos);
  EXPECT_NE(first_lines("balance --hw all --format markdown").find("balance (ceiling fp32"),
            std::string::npos);
}

// Not another one of its table that happens to be as large, such as the blocks of a tile or of a launch.
TEST(ManyGpusSaid, the_number_is_the_one_that_the_model_names) {
  for (const auto& [question, number] :
       {std::pair{"warp --block 8x8 --hw all", " GPUs: efficiency 100 % of all;"},
        std::pair{"divergence --hw all", " GPUs: fraction (branch either load) 25 % of all;"},
        std::pair{"littles-law --hw all", " GPUs: bytes in flight from "},
        std::pair{"instruction-throughput --hw all", " GPUs: mix cycles from "}}) {
    const std::string said = first_lines(question);
    EXPECT_NE(said.find(number), std::string::npos) << question << ": " << said;
  }
}

// How many blocks an SM holds is a key, and each GPU's own.
TEST(ManyGpusSaid, rows_of_one_each_are_compared_whatever_their_keys) {
  std::vector<Gpu> gpus(10);
  Result result{.said = NumberSaid{"copy", "bandwidth", 0}};
  result.tables = {{.title = "copy",
                    .columns = {{.name = "gpu", .role = Role::key, .cells = std::vector<std::string>{}},
                                {.name = "blocks", .role = Role::key, .cells = std::vector<double>{}},
                                {.name = "bandwidth", .cells = std::vector<double>{}}}}};
  for (int i = 0; i < 10; ++i) {
    gpus[static_cast<std::size_t>(i)].name = fmt::format("gpu{}", i);
    append(result.tables[0].columns[0], fmt::format("gpu{}", i));
    append(result.tables[0].columns[1], i + 1.0);
    append(result.tables[0].columns[2], i + 5.0);
    result.verdict.push_back(fmt::format("gpu{}: a sentence.", i));
  }
  cli::say_many_at_once(gpus, result);
  ASSERT_EQ(result.verdict.size(), 1u);
  EXPECT_NE(result.verdict[0].find("10 GPUs: bandwidth from 5 (gpu0) to 14 (gpu9);"), std::string::npos)
      << result.verdict[0];
}

TEST(ManyGpusSaid, of_nine_each_has_its_own_sentence) {
  const std::string nine = "8800gtx,gtx280,m2090,k40,p100,v100,a100-80,h100-sxm,h200";
  EXPECT_NE(first_lines("roofline --hw " + nine).find("m2090: Memory-bound below"), std::string::npos);
  const std::string ten = first_lines("roofline --hw " + nine + ",b200");
  EXPECT_EQ(ten.find("m2090: "), std::string::npos) << ten;
  EXPECT_NE(ten.find("10 GPUs: "), std::string::npos) << ten;
}

TEST(ManyGpusSaid, programs_get_every_sentence) {
  const Answer a = perfmodel(quoted_words("roofline --hw all --format json"));
  const nlohmann::json result = nlohmann::json::parse(a.out);
  EXPECT_GT(result.at("verdict").size(), 20U);
}

} // namespace perfmodel::many_gpus_said_test
