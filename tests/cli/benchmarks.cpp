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
  EXPECT_TRUE(holds(text.out, "No point of Copy: no operation of it was counted")) << text.out;
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

const std::string google_header = "name,iterations,real_time,cpu_time,time_unit\n";
std::string timed(const std::string& name, int us) {
  return "\"" + name + "\",10," + std::to_string(us) + ',' + std::to_string(us) + ",us\n";
}

TEST(BenchmarksCli, a_benchmark_alone_stands_beside_the_only_launch_and_its_size_is_not_passed_over) {
  const Scratch scratch;
  write(scratch / "one.csv", google_header + timed("BM_mine/8", 30));
  const Answer a = perfmodel(words("kernel --hw h200 --format json --measured " + scratch / "one.csv"));
  ASSERT_EQ(a.code, 0) << a.err;
  ASSERT_EQ(column(a, "time beside the profile", "measured").size(), 1u);
  EXPECT_DOUBLE_EQ(column(a, "time beside the profile", "measured")[0].get<double>(), 30e-6);
  EXPECT_EQ(column(a, "launch", "timed"), (std::vector<std::string>{"events"}));
  EXPECT_TRUE(holds(a.out, "'BM_mine/8' is held against vcopy (out=32MiB,in=32MiB,n=8388608) as the only one "
                           "there is, but its size is no argument of that"))
      << a.out;
}

TEST(BenchmarksCli, of_several_sizes_the_launch_s_own_stands_beside_it) {
  const Scratch scratch;
  write(scratch / "sizes.csv",
        google_header + timed("BM_vcopy/1024", 3) + timed("BM_vcopy/8388608", 30) + timed("BM_other/8", 40));
  const std::string ask = "kernel --hw h200 --measured " + scratch / "sizes.csv";
  const Answer a = perfmodel(words(ask + " --format json"));
  ASSERT_EQ(column(a, "time beside the profile", "measured").size(), 1u) << a.err;
  EXPECT_DOUBLE_EQ(column(a, "time beside the profile", "measured")[0].get<double>(), 30e-6);
  EXPECT_TRUE(holds(a.out, "'BM_vcopy/8388608' is held against vcopy (out=32MiB,in=32MiB,n=8388608), by name "
                           "and size."));
  EXPECT_TRUE(holds(a.out, "Of no kernel in this answer: 'BM_other/8'.")) << a.out;
  const Answer text = perfmodel(words(ask));
  EXPECT_TRUE(holds(text.out, "Beside Google Benchmark on h200: ")) << text.out;
  for (const char* of_ncu : {"the profile has", "grids and blocks", "of -, -"})
    EXPECT_FALSE(holds(text.out, of_ncu)) << text.out;
  EXPECT_EQ(perfmodel(words(ask + " --fail-over 1%")).code, 1);

  write(scratch / "small.csv", google_header + timed("BM_vcopy/1024", 3) + timed("BM_vcopy/n:2048", 4));
  const Answer none = perfmodel(words("kernel --hw h200 --measured " + scratch / "small.csv"));
  EXPECT_EQ(none.out.rfind("Nothing stands beside h200: no benchmark is of vcopy", 0), 0u) << none.out;
  EXPECT_TRUE(holds(none.out, "another size; --arg asks")) << none.out;
}

TEST(BenchmarksCli, an_axis_of_nvbench_is_the_argument_of_its_name) {
  const Scratch scratch;
  const std::string header = "Benchmark,Device,Device Name,n (pow2),n,T,Skipped,Samples,GPU Time (sec)\n";
  write(scratch / "nv.csv", header + "vcopy,0,NVIDIA H200,2^10,1024,F32,No,512,0.000003\n"
                                     "vcopy,0,NVIDIA H200,2^23,8388608,F32,No,512,0.00003\n");
  const Answer a = perfmodel(words("kernel --hw h200 --format json --measured " + scratch / "nv.csv"));
  ASSERT_EQ(column(a, "time beside the profile", "measured").size(), 1u) << a.out << a.err;
  EXPECT_DOUBLE_EQ(column(a, "time beside the profile", "measured")[0].get<double>(), 30e-6);
}

TEST(BenchmarksCli, names_without_a_size_are_matched_by_name_and_it_is_said) {
  const Answer b = perfmodel(words("kernel --hw h200 --measured " + folder + "babelstream.csv"));
  EXPECT_EQ(b.out.rfind("Nothing stands beside h200: no benchmark is called vcopy.", 0), 0u) << b.out;
  const Scratch scratch;
  write(scratch / "two.csv", google_header + timed("BM_vcopy", 30) + timed("BM_axpy", 30));
  const Answer c = perfmodel(words("kernel --hw h200 --measured " + scratch / "two.csv"));
  EXPECT_TRUE(holds(c.out, "by its name alone")) << c.out;
}

TEST(BenchmarksCli, other_models_take_no_benchmark) {
  const Answer c = perfmodel(words("occupancy --hw h200 --measured " + folder + "google.json"));
  EXPECT_EQ(c.code, 2);
  EXPECT_TRUE(holds(c.err, "is a result of a benchmark, which roofline and kernel take")) << c.err;
}

} // namespace perfmodel::benchmarks_cli_test
