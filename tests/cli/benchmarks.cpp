// Results of nvbench, Google Benchmark and BabelStream on the roofline and beside predictions.
#include "json_answer.hpp"

#include <gtest/gtest.h>

namespace perfmodel::benchmarks_cli_test {

const std::string folder = PERFMODEL_SOURCE_DIR "/tests/benchmarks/";

TEST(BenchmarksCli, babelstream_stands_on_the_roofline_with_what_binds_each_kernel) {
  const Answer a =
      perfmodel(words("roofline --hw h200 --format json --profile " + folder + "babelstream.csv"));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(column(a, "what binds each kernel", "kernel").size(), 5u);
  EXPECT_EQ(column(a, "kernels", "name"), (std::vector<std::string>{"Add", "Triad", "Dot", "Mul"}))
      << "a copy does no operation";
  EXPECT_EQ(column(a, "kernels", "precision"), (std::vector<std::string>(4, "fp64")));
  EXPECT_NEAR(column(a, "what binds each kernel", "of_dram")[0].get<double>(), 4.2 / 4.814,
              1e-3); // of the pins
  const Answer text = perfmodel(words("roofline --hw h200 --profile " + folder + "babelstream.csv"));
  EXPECT_TRUE(holds(text.out, "no point of Copy: no operation of it was counted")) << text.out;
  const Answer points =
      perfmodel(words("roofline --hw h200 --format json --points " + folder + "babelstream.txt"));
  EXPECT_EQ(column(points, "kernels", "name").size(), 4u) << points.err;
}

TEST(BenchmarksCli, what_the_file_lacks_is_said_in_one_sentence) {
  const Answer a = perfmodel(words("roofline --hw h200 --profile " + folder + "nvbench.json"));
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(holds(a.out, "not in the file of nvbench: no operations of copy [n=2^28]")) << a.out;
  EXPECT_TRUE(holds(a.out, "'copy [n=2^34]' was skipped."));
  EXPECT_FALSE(holds(a.out, "ncu --csv")) << "that is no help here";
  const Answer csv = perfmodel(words("roofline --hw h200 --points " + folder + "nvbench.csv"));
  EXPECT_EQ(csv.code, 2);
  EXPECT_TRUE(holds(csv.err, "no benchmark of nvbench with a time, bytes and operations")) << csv.err;
}

TEST(BenchmarksCli, a_benchmark_stands_beside_the_prediction_of_its_kernel) {
  const Scratch scratch;
  write(scratch / "one.csv", "name,iterations,real_time,cpu_time,time_unit\n\"BM_mine/8\",10,30,30,us\n");
  const Answer a = perfmodel(words("kernel --hw h200 --format json --measured " + scratch / "one.csv"));
  ASSERT_EQ(a.code, 0) << a.err;
  ASSERT_EQ(column(a, "time beside the profile", "measured").size(), 1u);
  EXPECT_DOUBLE_EQ(column(a, "time beside the profile", "measured")[0].get<double>(), 30e-6);
  EXPECT_EQ(column(a, "launch", "timed"), (std::vector<std::string>{"events"}));
  write(scratch / "two.csv", "name,iterations,real_time,cpu_time,time_unit\n\"BM_vcopy/8\",10,30,30,us\n"
                             "\"BM_other\",10,40,40,us\n");
  const Answer b =
      perfmodel(words("kernel --hw h200 --format json --fail-over 1% --measured " + scratch / "two.csv"));
  EXPECT_EQ(b.code, 1) << b.err;
  ASSERT_EQ(column(b, "time beside the profile", "measured").size(), 1u);
  EXPECT_DOUBLE_EQ(column(b, "time beside the profile", "measured")[0].get<double>(), 30e-6);
  EXPECT_TRUE(holds(b.out, "in the profile and not predicted: other"));
  const Answer c = perfmodel(words("occupancy --hw h200 --measured " + folder + "google.json"));
  EXPECT_EQ(c.code, 2);
  EXPECT_TRUE(holds(c.err, "is a result of a benchmark, which roofline and kernel take")) << c.err;
}

} // namespace perfmodel::benchmarks_cli_test
