// Of many GPUs one sentence stands before the tables.
#include "program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfmodel::many_gpus_said_test {

std::string first_lines(const std::string& question) {
  const Answer a = perfmodel(quoted_words(question));
  EXPECT_EQ(a.code, 0) << a.err;
  return a.out.substr(0, a.out.find("\n\n"));
}

// 345.6 Gflop/s over 86.4 GB/s, and 82.58 Tflop/s over 1.008 TB/s.
TEST(ManyGpusSaid, the_range_of_what_each_would_be_told) {
  const std::string said = first_lines("roofline --hw all");
  EXPECT_NE(said.find(" GPUs: ridge (ceiling fp32"), std::string::npos) << said;
  EXPECT_NE(said.find("from 4 flop/B (8800gtx) to 81.92 flop/B"), std::string::npos) << said;
  EXPECT_NE(first_lines("roofline --hw all --flops 1Gflop --bytes 1GB").find("(b200)"), std::string::npos);
  EXPECT_NE(first_lines("balance --hw all --format markdown").find("balance (ceiling fp32"),
            std::string::npos);
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
