// Where a share of a bandwidth is told, that of the pins and what streams reach are named.
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::bandwidths_named_test {

std::string flat(const std::string& line) {
  std::string out = perfmodel(words(line)).out;
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

TEST(BandwidthsNamed, a_balance_of_a_measured_bandwidth_alone_speaks_of_no_measured_rate) {
  const auto verdict = [](const std::string& gpu) {
    const std::string out = perfmodel(words("balance --hw " + gpu)).out;
    std::string text = out.substr(0, out.find("\n\n"));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  };
  EXPECT_NE(verdict("a100-80").find("The measured bandwidth puts it at 10.87 flop/B; no rate was measured."),
            std::string::npos)
      << verdict("a100-80");
  EXPECT_NE(verdict("h200").find("The measured rate and bandwidth put it at"), std::string::npos);
  EXPECT_NE(verdict("h200").find(" rates were not measured."), std::string::npos) << verdict("h200");
}

TEST(BandwidthsNamed, beside_a_share_of_a_roof_or_of_the_pins) {
  EXPECT_NE(flat("transpose --hw m2090 --n 64")
                .find("Device memory of m2090: 177.4 GB/s at the pins, of which "
                      "streams reach 125 GB/s."),
            std::string::npos);
  const std::string both = flat("memory-parallelism --hw h200,m2090");
  EXPECT_NE(
      both.find("Device memory of h200: 4.814 TB/s at the pins, of which streams reach 4.619 TB/s reading, "
                "4.298 TB/s copying; of m2090: 177.4 GB/s at the pins, "),
      std::string::npos)
      << both;
}

TEST(BandwidthsNamed, as_set_and_not_where_they_are_swept) {
  const std::string question = "memory-parallelism --hw h200 --threads 256 ";
  EXPECT_NE(flat(question + "--set dram.bandwidth=4TB/s").find("Device memory of h200: 4 TB/s at the pins"),
            std::string::npos);
  EXPECT_EQ(flat(question + "--set dram.bandwidth=4TB/s,5TB/s").find("at the pins"), std::string::npos);
}

TEST(BandwidthsNamed, not_again_where_a_table_has_them_nor_where_arithmetic_is_meant) {
  const std::string roofline = flat("roofline --hw h200 --flops 1e9 --bytes 1e9 --time 1ms");
  EXPECT_NE(roofline.find("DRAM pin"), std::string::npos);
  EXPECT_NE(roofline.find("DRAM read"), std::string::npos);
  EXPECT_EQ(roofline.find("at the pins"), std::string::npos);
  EXPECT_EQ(flat("matmul --hw h200 --n 64").find("at the pins"), std::string::npos);
}

} // namespace perfmodel::bandwidths_named_test
