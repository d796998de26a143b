// Profiles of Nsight Compute: kernels on the roofline, and what is refused. Predictions beside counters are
// in profile_beside.cpp. The files in tests/profiles are written by hand in ncu's layouts.
#include "json_answer.hpp"

#include <gtest/gtest.h>

namespace perfmodel::profile_cli_test {

const std::string raw = PERFMODEL_SOURCE_DIR "/tests/profiles/raw.csv";
const std::string details = PERFMODEL_SOURCE_DIR "/tests/profiles/details.csv";

TEST(ProfileCli, a_roofline_says_first_what_binds_each_kernel) {
  const Answer a = perfmodel(words("roofline --hw h200 --profile " + raw));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out.rfind("gemm_tiled takes 8.204 ms, and is bound by no roof, but by latency", 0), 0u)
      << a.out;
  EXPECT_TRUE(holds(a.out, "nbody takes 3.013 ms and is bound by fp32 arithmetic"));
  EXPECT_TRUE(holds(a.out, "axpy takes 184.3 us and is bound by DRAM: 4.338 TB/s is 90.1 % of its pin"));
  EXPECT_FALSE(holds(a.out, "not in the profile"));
}

TEST(ProfileCli, json_has_every_kernel_and_a_point_at_each_level_that_is_asked_for) {
  const Answer a = perfmodel(words("roofline --hw h200 --every-level --format json --profile " + raw));
  EXPECT_EQ(column(a, "what binds each kernel", "kernel"),
            (std::vector<std::string>{"gemm_tiled", "nbody", "axpy", "vcopy"}));
  EXPECT_EQ(column(a, "what binds each kernel", "launches"), (std::vector<int>{1, 1, 3, 1}));
  EXPECT_EQ(column(a, "kernels", "name").size(), 9u) << "the copy does no operation";
  // As --points reads the same file.
  const Answer b = perfmodel(words("roofline --hw h200 --format json --points " + raw));
  EXPECT_EQ(column(a, "kernels", "achieved"), column(b, "kernels", "achieved"));
}

TEST(ProfileCli, of_each_kernel_the_point_at_the_level_nearest_to_its_roof_is_shown) {
  const Answer a = perfmodel(words("roofline --hw h200 --format json --profile " + raw));
  EXPECT_EQ(column(a, "kernels", "name"), (std::vector<std::string>{"gemm_tiled", "nbody", "axpy"}));
  EXPECT_EQ(column(a, "kernels", "level"), (std::vector<std::string>{"l2", "l1", "dram"}));
  EXPECT_TRUE(holds(perfmodel(words("roofline --hw h200 --profile " + raw)).out,
                    "No point of vcopy: no operation of it was counted"));
}

TEST(ProfileCli, a_picture_names_the_kernels_that_it_has_no_point_of) {
  const Scratch scratch;
  const Answer a =
      perfmodel(words("roofline --hw h200 --profile " + raw + " -o") + std::vector{scratch / "a.svg"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(
      holds(contents(scratch / "a.svg"), ">No point of vcopy: no operation of it was counted.</text>"));
}

std::string kernel_row(const std::string& name, const std::string& microseconds,
                       const std::string& cc = "9.0") {
  return "\"0\",\"" + name + "\",\"" + cc + "\",\"1000000\",\"" + microseconds + "\",\"0\",\"500\",\"0\"\n";
}
const std::string kernel_header =
    "\"ID\",\"Kernel Name\",\"CC\",\"dram__bytes.sum\",\"gpu__time_duration.sum\","
    "\"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum\","
    "\"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum\","
    "\"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum\"\n\"\",\"\",\"\",\"byte\",\"us\",\"inst\","
    "\"inst\",\"inst\"\n";

TEST(ProfileCli, long_profiles_show_the_kernels_that_take_longest_and_tell_of_the_others) {
  const Scratch scratch;
  std::string text = kernel_header;
  for (int i = 1; i <= 30; ++i) text += kernel_row("k" + std::to_string(i), std::to_string(i));
  write(scratch / "many.csv", text);
  const std::string question = "roofline --hw h200 --profile " + scratch / "many.csv";
  const Answer twenty = perfmodel(words(question));
  // 1 + ... + 10 of 1 + ... + 30 microseconds
  EXPECT_TRUE(holds(twenty.out, "10 kernels more, 11.8 % of the time: --top 30 shows them.")) << twenty.out;
  EXPECT_TRUE(holds(twenty.out, "k11 ") && !holds(twenty.out, "k10 "));
  const Answer two = perfmodel(words(question + " --top 2 --format json"));
  EXPECT_EQ(column(two, "what binds each kernel", "kernel"), (std::vector<std::string>{"k30", "k29"}));
  EXPECT_EQ(column(two, "kernels", "name"), (std::vector<std::string>{"k30", "k29"}));
  EXPECT_EQ(column(perfmodel(words(question + " --format json")), "kernels", "name").size(), 30u);
  const Answer picture = perfmodel(words(question + " -o " + scratch / "many.svg --top 30"));
  ASSERT_EQ(picture.code, 0) << picture.err;
  const std::string svg = contents(scratch / "many.svg");
  EXPECT_TRUE(holds(svg, "Named: the 10 of 30 kernels that take most time."));
  EXPECT_TRUE(holds(svg, "k1, h200")) << "the others have their names in tooltips";
  EXPECT_EQ(perfmodel(words(question + " --top 1.5")).code, 2);
  EXPECT_EQ(perfmodel(words("roofline --hw h200 --top 3")).code, 2);
}

TEST(ProfileCli, of_several_gpus_in_a_profile_each_has_its_own_kernels) {
  const Scratch scratch;
  write(scratch / "two.csv", kernel_header + kernel_row("here", "5") + kernel_row("there", "7", "8.0"));
  const Answer a = perfmodel(words("roofline --hw h200 --profile " + scratch / "two.csv"));
  EXPECT_TRUE(holds(a.out, "here takes 5 us")) << a.out;
  EXPECT_FALSE(holds(a.out, "there"));
  EXPECT_TRUE(holds(a.out, "1 kernel that ran on compute capability 8.0 is left out beside h200"));
}

TEST(ProfileCli, mangled_names_are_read_and_times_that_none_can_be_are_refused_or_told) {
  const Scratch scratch;
  write(scratch / "mangled.csv",
        kernel_header + kernel_row("_Z4axpyIfEviPT_", "5") + kernel_row("none", "0"));
  const Answer a = perfmodel(words("roofline --hw h200 --profile " + scratch / "mangled.csv"));
  EXPECT_TRUE(holds(a.out, "axpy takes 5 us")) << a.out << a.err;
  EXPECT_TRUE(holds(a.out, "left out, for no time of it was counted: none")) << a.out;
  for (const char* time : {"1e308", "1e305", "1e20"}) {
    write(scratch / "long.csv", kernel_header + kernel_row("k", time));
    const Answer b = perfmodel(words("roofline --hw h200 --profile " + scratch / "long.csv"));
    EXPECT_EQ(b.code, 2) << b.out;
    EXPECT_TRUE(one_sentence(b.err)) << b.err;
  }
}

TEST(ProfileCli, who_times_may_be_called_by_the_name_of_the_tool) {
  const auto timed = [](const std::string& word) {
    return column(perfmodel(words("kernel --hw h200 --format json --timed " + word)), "launch", "timed");
  };
  EXPECT_EQ(timed("ncu"), timed("profiler"));
  EXPECT_EQ(timed("nsys"), timed("trace"));
}

TEST(ProfileCli, what_was_not_counted_is_named_with_the_command_that_collects_it) {
  const Answer a = perfmodel(words("roofline --hw h200 --every-level --format json --measured " + details));
  EXPECT_TRUE(holds(a.out, "not in the profile: l1tex__t_bytes.sum. All that a roofline needs is collected "
                           "by: ncu --csv --page raw"));
  EXPECT_EQ(column(a, "kernels", "level"), (std::vector<std::string>{"dram", "l2"}));
}

TEST(ProfileCli, a_profile_of_copies_alone_is_answered_without_points) {
  const Scratch scratch;
  write(scratch / "copy.csv", "\"ID\",\"Kernel Name\",\"dram__bytes.sum\",\"gpu__time_duration.sum\"\n"
                              "\"\",\"\",\"Gbyte\",\"ms\"\n\"0\",\"copy\",\"4.4\",\"1\"\n");
  const Answer a = perfmodel(words("roofline --hw h200 --profile " + scratch / "copy.csv"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out.rfind("copy takes 1 ms and is bound by DRAM: 4.4 TB/s", 0), 0u) << a.out;
}

TEST(ProfileCli, a_profile_of_another_capability_is_said_to_be_so) {
  const Answer other = perfmodel(words("roofline --hw a100 --profile " + raw));
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(holds(other.err, "the profile is of compute capability 9.0, a100-80 is of 8.0"));
  EXPECT_TRUE(holds(perfmodel(words("kernel --hw a100 --measured " + raw)).out,
                    "Nothing stands beside a100-80: the profile is of compute capability 9.0."));
}

TEST(ProfileCli, of_a_file_that_is_no_measurement_it_is_said_what_is_taken) {
  const Scratch scratch;
  write(scratch / "empty.csv", "\n");
  write(scratch / "points.csv", "kernel,intensity\nmine,1\n");
  for (const char* model : {"kernel", "roofline"})
    for (const auto& [file, said] : {std::pair{"empty.csv", "'perfmodel measure': it is empty"},
                                     std::pair{"points.csv", ", but begins with 'kernel,intensity'"}}) {
      const Answer a = perfmodel({model, "--hw", "h200", "--measured", scratch / file});
      EXPECT_EQ(a.code, 2);
      EXPECT_TRUE(one_sentence(a.err)) << a.err;
      EXPECT_NE(a.err.find(said), std::string::npos) << a.err;
    }
}

TEST(ProfileCli, what_is_wrong_is_one_sentence_and_exit_2) {
  const Scratch scratch;
  write(scratch / "torn.csv", contents(raw).substr(0, contents(raw).size() - 40) + "\n");
  write(scratch / "untimed.csv", "\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"0\",\"k\",\"1\"\n");
  write(scratch / "report.ncu-rep", "NVR");
  const auto expect = [](const std::string& line, const std::string& part) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_TRUE(a.out.empty()) << line;
    EXPECT_EQ(lines_of(a.err).size(), 1u) << a.err;
    EXPECT_TRUE(holds(a.err, part)) << a.err;
  };
  expect("roofline --hw h200 --profile " + scratch / "torn.csv", "torn.csv, line 17: a quote");
  expect("roofline --hw h200 --profile " + scratch / "untimed.csv", "gpu__time_duration.sum");
  expect("roofline --hw h200 --profile " + scratch / "report.ncu-rep", "ncu --import");
  expect("roofline --hw h200 --profile " + scratch / "none.csv", "none.csv");
  expect("roofline --hw h200 --points x.csv --profile " + raw, "--points does not go with a profile");
  expect("occupancy --hw h200 --measured " + raw, "is a profile of ncu, which roofline and kernel take");
  expect("kernel --hw h200 --fail-over 10%", "--fail-over is of a profile");
  expect("roofline --hw h200 --fail-over 10%",
         "--fail-over is of a profile: name the CSV that ncu wrote with --profile");
  expect("roofline --hw h200 --fail-over 10% --profile " + raw, "name the earlier one with --before");
  expect("roofline --hw h200 --before " + raw, "--before is of a profile");
  expect("compare " + raw + " " + details,
         "'perfmodel roofline --hw GPU --profile " + details + " --before " + raw);
  expect("roofline --hw h200 --profile " + raw + " --before " + details + "x", "details.csvx");
  expect("roofline --hw h200 --profile " + raw +
             " --before " PERFMODEL_SOURCE_DIR "/tests/benchmarks/babelstream.csv",
         "--before: no kernel that was timed is in both");
  expect("kernel --hw h200 --fail-over -1 --measured " + raw, "--fail-over");
  expect("kernel --hw h200 --grid 16384 --fail-over 10% --measured " + raw, "--fail-over: Nothing stands");
}

} // namespace perfmodel::profile_cli_test
