// Whole answers, as users see them. PERFMODEL_UPDATE_GOLDEN=1 rewrites the files; review them as a diff.
#include "program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace perfmodel::golden_test {

void expect_golden(const std::string& name, const std::string& line) {
  const std::filesystem::path file = std::filesystem::path(PERFMODEL_GOLDEN_DIR) / "cli" / name;
  const Answer a = perfmodel(words(line));
  const std::string text = "$ perfmodel " + line + "\n" + a.out + a.err;
  if (std::getenv("PERFMODEL_UPDATE_GOLDEN") != nullptr) write(file, text);
  EXPECT_EQ(text, contents(file)) << "PERFMODEL_UPDATE_GOLDEN=1 rewrites " << file;
}

TEST(Golden, roofline) { expect_golden("roofline.txt", "roofline --hw m2090"); }
TEST(Golden, roofline_of_a_kernel) {
  expect_golden("roofline_kernel.txt",
                "roofline --hw m2090 --precision fp32 --flops 2e9 --bytes 8GB --time 65ms");
}
TEST(Golden, roofline_of_two_devices) {
  expect_golden("roofline_two.txt", "roofline --hw m2090,gtx280 --precision fp32 --intensity 1/4:16:*4");
}
TEST(Golden, littles_law_explained) {
  expect_golden("littles_law.txt", "littles-law --hw m2090 --set clock=1.3GHz --set dram.bandwidth=177GB/s "
                                   "--set dram.latency=800 --explain");
}
TEST(Golden, balance_as_csv) { expect_golden("balance.csv", "balance --hw c2050,gtx260 --format csv"); }
TEST(Golden, balance_as_markdown) {
  expect_golden("balance.md", "balance --hw c2050 --precision fp64 --format markdown");
}
TEST(Golden, boundary_checks_of_a_matrix_product) {
  expect_golden("divergence.txt", "divergence --hw m2090 --kernel matmul-boundary --width 100 --tile 16");
}
TEST(Golden, warps_of_a_block) { expect_golden("warp.txt", "warp --hw m2090 --block 8x8 --thread 3,5"); }
TEST(Golden, bank_conflicts_of_strides) {
  expect_golden("bank_conflicts.txt", "bank-conflicts --hw gtx280,k40,h200");
}
TEST(Golden, coalescing_of_offsets) {
  expect_golden("coalescing.txt", "coalescing --hw 8800gtx,gtx280,m2090 --offset 0,1,16");
}
TEST(Golden, partition_camping_of_a_transpose) {
  expect_golden("partition_camping.txt", "partition-camping --hw gtx280 --explain");
}
TEST(Golden, segment_rate_by_length) {
  expect_golden("segment_rate.txt", "segment-rate --hw gtx280 --segment 32:512:*2");
}
TEST(Golden, pi_by_intervals) { expect_golden("pi.txt", "pi --hw m2090 --n 1,65536,16777216"); }
TEST(Golden, suffix_sums_of_a_warp_and_of_a_block) {
  expect_golden("suffix_sums.txt", "suffix-sums --hw m2090,v100 --n 32,512 --blocks 64");
}
TEST(Golden, two_devices_that_differ) { expect_golden("hw_diff.txt", "hw diff c2050 c2070"); }
TEST(Golden, a_device_with_doubtful_facts) { expect_golden("hw_show.txt", "hw show gtx260-192"); }
TEST(Golden, an_unknown_name) { expect_golden("unknown_gpu.txt", "roofline --hw m290"); }
TEST(Golden, an_unknown_option) {
  expect_golden("unknown_option.txt", "roofline --hw m2090 --precisoin fp32");
}
TEST(Golden, help) { expect_golden("help.txt", "--help"); }

} // namespace perfmodel::golden_test
