// Profiles of Nsight Compute beside something else: predictions, whose errors may fail a run, and an earlier
// profile.
#include "json_answer.hpp"

#include <gtest/gtest.h>

namespace perfmodel::profile_beside_test {

const std::string raw = PERFMODEL_SOURCE_DIR "/tests/profiles/raw.csv";

TEST(ProfileBeside, counters_stand_beside_the_prediction_with_signed_errors) {
  const Answer a = perfmodel(words("kernel --hw h200 --format json --measured " + raw));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(column(a, "launch", "timed"), (std::vector<std::string>{"profiler"}));
  const auto predicted = column(a, "time beside the profile", "predicted");
  const auto error = column(a, "time beside the profile", "error");
  ASSERT_EQ(predicted.size(), 1u);
  EXPECT_EQ(predicted, column(a, "launch", "time"));
  EXPECT_NEAR(error[0].get<double>(), predicted[0].get<double>() / 26.02e-6 - 1, 1e-9);
  EXPECT_EQ(column(a, "bytes beside the profile", "counter"),
            (std::vector<std::string>{"dram__bytes_read.sum", "dram__bytes_write.sum"}));
  EXPECT_EQ(column(a, "bytes beside the profile", "measured"), (std::vector<double>{33.58e6, 22.41e6}));
  EXPECT_EQ(column(a, "counts beside the profile", "counter").size(), 3u);
  EXPECT_TRUE(holds(a.out, "in the profile and not predicted: axpy of 262144, 256"));
}

TEST(ProfileBeside, a_kernel_that_ran_with_another_grid_is_another) {
  const Answer a = perfmodel(words("kernel --hw h200 --grid 16384 --measured " + raw));
  EXPECT_TRUE(holds(a.out, "not in the profile: vcopy of 16384, 256"));
  EXPECT_FALSE(holds(a.out, "beside the profile (h200"));
}

TEST(ProfileBeside, of_a_file_of_launches_those_that_both_know_stand_side_by_side) {
  const Scratch scratch;
  const auto launch = [](const char* grid) {
    return std::string(R"({"kernel": "_Z5vcopyPfPKfi", "gpu": 0, "grid": [)") + grid +
           R"(, 1, 1], "block": [256, 1, 1],
      "dynamic_shared": 0, "allocations": [33554432, 33554432], "count": 9, "in_a_row": 8,
      "times": {"count": 9, "least_ns": 20000, "median_ns": 20000}, "arguments": [
      {"offset": 0, "bytes": "0000000000000000", "pointers": [{"at": 0, "allocation": 0, "offset": 0}]},
      {"offset": 8, "bytes": "0000000000000000", "pointers": [{"at": 0, "allocation": 1, "offset": 0}]},
      {"offset": 16, "bytes": "00008000"}]})";
  };
  write(scratch / "app.launches",
        R"({"schema": "perfmodel-launches/1", "command": "./app", "left_out": 0,
            "gpus": [{"name": "NVIDIA H200", "capability": "9.0"}], "launches": [)" +
            launch("64") + ", " + launch("32768") + "]}");
  const Answer a = perfmodel(words("kernel vector-copy --hw h200 --format json --launches " +
                                   scratch / "app.launches" + " --measured " + raw));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(column(a, "launch", "grid"), (std::vector<std::string>{"64", "32768"}));
  EXPECT_EQ(column(a, "time beside the profile", "grid"), (std::vector<std::string>{"32768"}));
  // ncu empties the caches unless it says that it does not, also where the launches came in a row.
  EXPECT_EQ(column(a, "launch", "cache"), (std::vector<std::string>{"cold", "cold"}));
  EXPECT_TRUE(holds(a.out, "not in the profile: vcopy of 64, 256"));
}

TEST(ProfileBeside, fail_over_is_exit_1_where_a_time_is_off_by_more) {
  const std::string question = "kernel --hw h200 --measured " + raw + " --fail-over ";
  const Answer within = perfmodel(words(question + "10%"));
  EXPECT_EQ(within.code, 0);
  EXPECT_TRUE(holds(within.out, "No time is off by more than 10 %."));
  const Answer beyond = perfmodel(words(question + "0.01"));
  EXPECT_EQ(beyond.code, 1);
  EXPECT_TRUE(holds(beyond.out, "1 of 1 time is off by more than 1 %."));
  EXPECT_TRUE(beyond.err.empty()) << beyond.err;
}

TEST(ProfileBeside, fail_over_of_two_profiles_is_exit_1_where_a_kernel_takes_longer) {
  const Scratch scratch;
  const auto profile = [&](const std::string& name, const std::string& rows) {
    write(scratch / name,
          "\"ID\",\"Kernel Name\",\"Block Size\",\"gpu__time_duration.sum\",\"dram__bytes.sum\"\n"
          "\"\",\"\",\"\",\"us\",\"Mbyte\"\n" +
              rows);
    return scratch / name;
  };
  const std::string before =
      profile("before.csv", "0,scale,\"(256, 1, 1)\",100,300\n1,sum,\"(256, 1, 1)\",50,200\n"
                            "2,old,\"(256, 1, 1)\",10,20\n");
  const std::string after =
      profile("after.csv", "0,scale,\"(256, 1, 1)\",112,300\n1,sum,\"(256, 1, 1)\",40,200\n"
                           "2,new,\"(256, 1, 1)\",10,20\n");
  const std::string question = "roofline --hw h200 --format json --profile " + after + " --before " + before;
  const Answer beyond = perfmodel(words(question + " --fail-over 10%"));
  EXPECT_EQ(beyond.code, 1);
  EXPECT_TRUE(holds(beyond.out, "\"verdict\": [\n  \"1 of 2 kernels takes more than 10 % longer than in " +
                                    before +
                                    ": scale 12 % (112 us, 100 us before). 2 kernels have a time in one "
                                    "of the two profiles alone: not compared.\""))
      << beyond.out.substr(0, 400);
  EXPECT_TRUE(holds(beyond.out, "1 kernel has no time in " + before));
  EXPECT_TRUE(holds(beyond.out, "1 kernel of " + before + " has no time now"));
  EXPECT_EQ(column(beyond, "beside the profile before", "kernel"),
            (std::vector<std::string>{"scale", "sum", "new", "old"}));
  const Answer within = perfmodel(words(question + " --fail-over 12.5%"));
  EXPECT_EQ(within.code, 0);
  EXPECT_TRUE(holds(within.out, "Of 2 kernels none takes more than 12.5 % longer than in "));
  EXPECT_TRUE(holds(within.out, "the largest change is that of sum -20 % (40 us, 50 us before)"));
  EXPECT_EQ(perfmodel(words(question)).code, 0) << "no limit is none";
}

} // namespace perfmodel::profile_beside_test
