// What `ncu --csv` prints, in both layouts.
#include "hwdb/profile_file.hpp"

#include "hwdb/profile_unit.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/table.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::profile_file_test {

const std::string folder = PERFMODEL_SOURCE_DIR "/tests/profiles/";

std::vector<ProfiledLaunch> read(const std::string& text) { return hwdb::parse_profile(text, "p.csv"); }
std::vector<ProfiledLaunch> of_file(const std::string& name) {
  return read(hwdb::read_text(folder + name, hwdb::most_profile_bytes));
}
double number(const ProfiledLaunch& launch, const std::string& metric) {
  const auto found = launch.counters.find(metric);
  return found == launch.counters.end() ? absent : found->second.value;
}

constexpr const char* long_header =
    "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

TEST(ProfileFile, the_wide_layout_has_a_row_for_each_launch_and_a_row_of_units) {
  const auto launches = of_file("raw.csv");
  ASSERT_EQ(launches.size(), 6u);
  const ProfiledLaunch& axpy = launches[1];
  EXPECT_EQ(axpy.kernel, "void axpy<float>(int, T1, const T1 *, T1 *)");
  EXPECT_EQ(axpy.grid->text(), "262144");
  EXPECT_EQ(axpy.block->text(), "256");
  EXPECT_EQ(axpy.capability, "9.0");
  EXPECT_DOUBLE_EQ(number(axpy, "gpu__time_duration.sum"), 184.32e-6);
  EXPECT_DOUBLE_EQ(number(axpy, "dram__bytes.sum"), 799.63e6);
  EXPECT_DOUBLE_EQ(number(axpy, "smsp__inst_executed.sum"), 29360128);
  EXPECT_TRUE(std::isnan(number(axpy, "launch__func_cache_config"))) << "a word is no counter";
}

TEST(ProfileFile, the_long_layout_has_a_row_for_each_metric_and_the_same_units_whatever_their_prefix) {
  const auto launches = of_file("details.csv");
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_DOUBLE_EQ(number(launches[0], "gpu__time_duration.sum"), 184.32e-6); // "184,320" nsecond
  EXPECT_DOUBLE_EQ(number(launches[1], "gpu__time_duration.sum"), 183.97e-6); // usecond
  EXPECT_DOUBLE_EQ(number(launches[2], "gpu__time_duration.sum"), 190e-6);    // msecond
  EXPECT_DOUBLE_EQ(number(launches[0], "dram__bytes_read.sum"), 537.02e6);
  EXPECT_TRUE(std::isnan(number(launches[0], "smsp__pcsamp_sample_buffer_full"))) << "n/a";
}

// So ncu 2025 prints it with --page details: the columns of rules behind the value are left out where there
// is no rule.
TEST(ProfileFile, rows_of_the_long_layout_may_end_behind_the_value) {
  const std::string header =
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\"\n";
  const auto launches =
      hwdb::parse_profile(header + "\"0\",\"f()\",\"Duration\",\"us\",\"4.5\",\n", "short.csv");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_DOUBLE_EQ(number(launches[0], "gpu__time_duration.sum"), 4.5e-6);
  EXPECT_NE(error_of([&] { hwdb::parse_profile(header + "\"0\",\"f()\",\"Duration\"\n", "short.csv"); }),
            "no error");
}

TEST(ProfileFile, every_prefix_and_every_spelling_of_a_unit_is_known) {
  const auto expect = [](const char* text, double factor, const char* base) {
    const hwdb::ProfileUnit unit = hwdb::profile_unit(text);
    EXPECT_DOUBLE_EQ(unit.factor, factor) << text;
    EXPECT_EQ(unit.base, base) << text;
  };
  expect("second", 1, "second"), expect("s", 1, "second");
  expect("msecond", 1e-3, "second"), expect("ms", 1e-3, "second");
  expect("usecond", 1e-6, "second"), expect("us", 1e-6, "second"), expect("\xC2\xB5s", 1e-6, "second");
  expect("nsecond", 1e-9, "second"), expect("ns", 1e-9, "second"), expect("ps", 1e-12, "second");
  expect("byte", 1, "byte"), expect("Kbyte", 1e3, "byte"), expect("Mbyte", 1e6, "byte");
  expect("Gbyte", 1e9, "byte"), expect("Tbyte", 1e12, "byte"), expect("Pbyte", 1e15, "byte");
  expect("byte/second", 1, "byte/second"), expect("Gbyte/second", 1e9, "byte/second");
  expect("Tbyte/s", 1e12, "byte/second"), expect("byte/ns", 1e9, "byte/second");
  expect("cycle/nsecond", 1e9, "cycle/second"), expect("Ghz", 1e9, "hz"), expect("inst", 1, "inst");
  expect("sector", 1, "sector"), expect("%", 1, "%"), expect("", 1, "");
  expect("register/thread", 1, "register/thread"), expect("miles", 1, "miles");
}

TEST(ProfileFile, columns_are_found_by_name_and_unknown_ones_passed_over) {
  const auto launches = read("\"dram__bytes.sum\",\"news\",\"Kernel Name\",\"ID\"\n"
                             "\"Kbyte\",\"x\",\"\",\"\"\n\"1,234.5\",\"?\",\"k\",\"0\"\n");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_DOUBLE_EQ(number(launches[0], "dram__bytes.sum"), 1'234'500);
  EXPECT_EQ(launches[0].counters.size(), 1u);
  EXPECT_FALSE(launches[0].grid);
}

TEST(ProfileFile, a_byte_order_mark_carriage_returns_and_the_programs_own_words_do_not_matter) {
  std::string text = hwdb::read_text(folder + "details.csv", hwdb::most_profile_bytes), with_returns;
  for (const char c : text) with_returns += c == '\n' ? "\r\n" : std::string(1, c);
  const auto launches = read("\xEF\xBB\xBFsay \"hello, Kernel Name\n" + with_returns);
  EXPECT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].counters.size(), of_file("details.csv")[0].counters.size());
}

TEST(ProfileFile, lines_of_the_profilers_own_may_stand_between_rows) {
  EXPECT_EQ(read(std::string(long_header) + "\"0\",\"k\",\"a__b\",\"\",\"1\"\n==WARNING== \"x\n\n"
                                            "\"1\",\"k\",\"a__b\",\"\",\"2\"\n==PROF== Disconnected\n")
                .size(),
            2u);
}

TEST(ProfileFile, launches_of_several_processes_and_appended_profiles_stay_apart) {
  const std::string two = "\"ID\",\"Process ID\",\"Kernel Name\",\"a__b\"\n\"0\",\"7\",\"k\",\"1\"\n";
  EXPECT_EQ(read(two + two).size(), 2u);
  EXPECT_EQ(read("\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                 "\"0\",\"7\",\"k\",\"a__b\",\"\",\"1\"\n\"0\",\"8\",\"k\",\"a__b\",\"\",\"1\"\n")
                .size(),
            2u);
}

TEST(ProfileFile, values_of_instances_behind_a_number_are_left_away) {
  const auto launches = read(std::string(long_header) + "\"0\",\"k\",\"a__b\",\"\",\"12 (3; 4; 5)\"\n");
  EXPECT_DOUBLE_EQ(number(launches[0], "a__b"), 12);
}

TEST(ProfileFile, what_is_wrong_is_said_in_a_sentence_with_its_line) {
  const auto why = [](const std::string& text) { return error_of([&] { read(text); }); };
  const std::string header = long_header;
  EXPECT_EQ(why(header + "\"0\",\"k\",\"dram__bytes.sum\",\"byte\",\"9,00\"\n"),
            "p.csv, line 2: 'dram__bytes.sum': '9,00' is no number; where the decimal sign is a comma, run "
            "ncu with LC_ALL=C");
  for (const char* broken : {"1,23,456", "1234,567", "1.2.3", "1,234.5,6", "1e999", ",1", "1,", "--1"})
    EXPECT_NE(why(header + "\"0\",\"k\",\"a__b\",\"\",\"" + broken + "\"\n"), "") << broken;
  EXPECT_EQ(why("words\n" + header + "\"0\",\"k\"\n"),
            "p.csv, line 3: 2 cells where the header has 5; a program that prints between the rows is kept "
            "out of them by --log-file");
  EXPECT_EQ(why(header), "p.csv: a header, but no kernel was profiled");
  EXPECT_EQ(why("\n"), "p.csv: the file is empty; a profile that `ncu --csv` wrote is expected");
  EXPECT_EQ(why("hello\n"), "p.csv: no header with the column 'Kernel Name', as `ncu --csv` writes it");
  EXPECT_EQ(why("\"Kernel Name\",\"a__b\"\n"), "p.csv, line 1: the header lacks the column 'ID'");
  EXPECT_EQ(why("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n"),
            "p.csv, line 1: the header lacks the column 'Metric Unit'");
  EXPECT_EQ(why("\"Kernel Name\",\"Invocations\",\"Metric Name\",\"Metric Unit\",\"Average\"\n"),
            "p.csv, line 1: a summary of ncu's holds no single launch: leave out --print-summary");
  EXPECT_EQ(why(header + "\"0\",\"k\n"), "p.csv, line 2: a quote that never closes");
  EXPECT_EQ(why("==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n"),
            "p.csv: ncu had no permission to read the GPU's counters (ERR_NVGPUCTRPERM), and counted none");
}

TEST(ProfileFile, is_told_from_other_files_by_its_content) {
  EXPECT_TRUE(hwdb::is_profile(hwdb::read_text(folder + "raw.csv", hwdb::most_profile_bytes)));
  EXPECT_TRUE(hwdb::is_profile("==ERROR== The application returned an error code (1).\n"));
  EXPECT_FALSE(hwdb::is_profile("name,intensity,performance\na,1,2\n"));
  EXPECT_FALSE(hwdb::is_profile("{\"schema\": \"perfmodel-result/1\"}"));
}

} // namespace perfmodel::profile_file_test
