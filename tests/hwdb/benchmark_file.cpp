// Results of benchmark harnesses. The files in tests/benchmarks are written by hand in their layouts; what is
// expected of them is worked out from the numbers that stand there.
#include "hwdb/benchmark_file.hpp"
#include "hwdb/text_file.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perfmodel::benchmark_file_test {

const std::string folder = PERFMODEL_SOURCE_DIR "/tests/benchmarks/";

hwdb::Benchmarks of_file(const std::string& name) {
  return hwdb::parse_benchmarks(hwdb::read_text(folder + name, 1 << 20), name);
}
hwdb::Benchmarks read(const std::string& text) { return hwdb::parse_benchmarks(text, "b"); }

double number(const ProfiledLaunch& run, const char* counter) {
  const auto at = run.counters.find(counter);
  return at == run.counters.end() ? std::numeric_limits<double>::quiet_NaN() : at->second.value;
}

TEST(BenchmarkFile, nvbench_tells_the_time_of_cold_runs_and_what_its_bandwidth_makes_of_it) {
  const hwdb::Benchmarks all = of_file("nvbench.json");
  EXPECT_EQ(all.tool, "nvbench");
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_EQ(all.runs[0].kernel, "copy [n=2^28]");
  EXPECT_EQ(all.runs[0].capability, "9.0");
  EXPECT_DOUBLE_EQ(number(all.runs[0], "time"), 0.5e-3);
  EXPECT_DOUBLE_EQ(number(all.runs[0], "bytes"), 2147483648.0); // 2^28 floats, read and written
  EXPECT_TRUE(std::isnan(number(all.runs[0], "flop.fp32"))) << "nvbench counts none";
  EXPECT_DOUBLE_EQ(number(all.runs[1], "flop.fp32"), 650e9 * 0.2e-3) << "but a summary of the user's may";
  EXPECT_EQ(all.notes, (std::vector<std::string>{"'copy [n=2^34]' was skipped."}));
}

TEST(BenchmarkFile, nvbenchs_csv_says_the_same_and_a_run_without_bytes_stays) {
  const hwdb::Benchmarks all = of_file("nvbench.csv");
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_EQ(all.runs[0].kernel, "copy [n (pow2)=2^28 n=268435456]");
  EXPECT_DOUBLE_EQ(number(all.runs[0], "time"), 0.5e-3);
  EXPECT_DOUBLE_EQ(number(all.runs[0], "bytes"), 2147483648.0);
  EXPECT_DOUBLE_EQ(number(all.runs[1], "time"), 4e-6);
  EXPECT_TRUE(std::isnan(number(all.runs[1], "bytes")));
}

TEST(BenchmarkFile, rates_of_google_benchmark_are_over_the_time_that_it_went_by) {
  const hwdb::Benchmarks all = of_file("google.json");
  EXPECT_EQ(all.tool, "Google Benchmark");
  ASSERT_EQ(all.runs.size(), 3u) << "each repetition, no mean of them, and not the one with an error";
  EXPECT_DOUBLE_EQ(number(all.runs[0], "time"), 10e-6);
  EXPECT_DOUBLE_EQ(number(all.runs[0], "bytes"), 8e6) << "manual time: the real one";
  EXPECT_DOUBLE_EQ(number(all.runs[1], "time"), 4e-3);
  EXPECT_DOUBLE_EQ(number(all.runs[1], "bytes"), 2e6) << "else the processor's";
  EXPECT_DOUBLE_EQ(number(all.runs[1], "flop.fp64"), 1e6);
  EXPECT_EQ(all.notes, (std::vector<std::string>{"'BM_broken' ended with an error."}));
}

TEST(BenchmarkFile, its_csv_has_the_same_and_aggregates_are_told_by_their_names) {
  const hwdb::Benchmarks all = of_file("google.csv");
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_DOUBLE_EQ(number(all.runs[0], "bytes"), 8e6);
  EXPECT_EQ(all.runs[1].kernel, "BM_gemm");
  EXPECT_DOUBLE_EQ(number(all.runs[1], "flop.fp32"), 80e6); // 20 Gflop/s over 4 ms
}

// 33 554 432 doubles: Copy moves two arrays at 4 TB/s, Triad three at 4.2 TB/s with two operations each.
TEST(BenchmarkFile, babelstream_tells_bytes_and_operations_of_its_arrays) {
  const double array = 33'554'432.0 * 8;
  const hwdb::Benchmarks csv = of_file("babelstream.csv");
  ASSERT_EQ(csv.runs.size(), 5u);
  EXPECT_EQ(csv.runs[0].kernel, "Copy");
  EXPECT_DOUBLE_EQ(number(csv.runs[0], "bytes"), 2 * array);
  EXPECT_DOUBLE_EQ(number(csv.runs[0], "time"), 2 * array / 4e12);
  EXPECT_DOUBLE_EQ(number(csv.runs[0], "flop.fp64"), 0);
  EXPECT_DOUBLE_EQ(number(csv.runs[3], "bytes"), 3 * array);
  EXPECT_DOUBLE_EQ(number(csv.runs[3], "flop.fp64"), 2 * array / 8);
  const hwdb::Benchmarks table = of_file("babelstream.txt");
  ASSERT_EQ(table.runs.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) // its array size has four digits
    EXPECT_NEAR(number(table.runs[i], "time"), number(csv.runs[i], "time"),
                2e-4 * number(csv.runs[i], "time"));
}

TEST(BenchmarkFile, mebibytes_floats_and_the_triad_alone_are_read_as_what_they_are) {
  const auto one = [](const std::string& column, const std::string& row) {
    return read("function,num_times,n_elements,sizeof," + column + ",runtime\n" + row + "\n").runs.at(0);
  };
  EXPECT_DOUBLE_EQ(number(one("max_mibytes_per_sec", "Copy,9,1048576,4,8,1"), "time"), 1);
  EXPECT_DOUBLE_EQ(number(one("gbytes_per_sec", "Triad,9,1000000,4,12,1"), "time"), 1e-3);
  EXPECT_DOUBLE_EQ(number(one("gibytes_per_sec", "Triad,9,1073741824,4,12,1"), "time"), 1);
  EXPECT_DOUBLE_EQ(number(one("gbytes_per_sec", "Triad,9,1000000,4,12,1"), "flop.fp32"), 2e6);
}

TEST(BenchmarkFile, what_is_no_result_of_a_harness_is_refused_in_a_sentence) {
  const auto why = [](const std::string& text) { return error_of([&] { read(text); }); };
  EXPECT_EQ(why("hello\n"), "b is no result of nvbench, Google Benchmark or BabelStream");
  EXPECT_FALSE(hwdb::is_benchmarks("name,intensity,performance\na,1,2\n"));
  EXPECT_FALSE(hwdb::is_benchmarks("{\"schema\": \"perfmodel-result/1\"}"));
  EXPECT_EQ(why("{\"benchmarks\": [{\"states\": ["),
            "b: no JSON: the file is torn, or something else was written into it");
  EXPECT_EQ(why("{\"benchmarks\": [{\"states\": 3}]}"),
            "b: a member is missing that nvbench writes, or is of another kind");
  EXPECT_EQ(why("function,num_times,n_elements,sizeof,speed\nCopy,1,1,8,1\n"),
            "b: BabelStream's fifth column is no rate such as max_mbytes_per_sec");
  EXPECT_EQ(why("Function    MBytes/sec  Min (sec)\nCopy  100 1\n"),
            "b: BabelStream's line 'Array size:' is missing above its table");
  EXPECT_EQ(why("function,num_times,n_elements,sizeof,max_mbytes_per_sec\n"),
            "b: no benchmark of BabelStream with a time");
  EXPECT_EQ(
      why("name,iterations,real_time,cpu_time,time_unit,bytes_per_second\n\"a\",1,1e308,1,s,1\n"),
      "b: no benchmark of Google Benchmark with a time: 'a' has no time that a program can take, and is "
      "left out.");
}

} // namespace perfmodel::benchmark_file_test
