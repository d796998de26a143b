// perfmodel capture without a GPU, and kernel --launches with a file that one would have written.
#include "captured.hpp"
#include "json_answer.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace perfmodel::capture_test {

using namespace captured;

TEST(Capture, a_launch_of_a_file_is_predicted_as_if_it_were_typed) {
  const File file(copies());
  const Answer read = kernel(file.name, "--hw h200");
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_NE(read.out.find("1 launch of ./app 4096 on h200; vcopy takes longest, "), std::string::npos)
      << read.out;
  EXPECT_NE(read.out.find(" more than the 500 us measured."), std::string::npos) << read.out;
  const Answer typed = perfmodel(words("kernel vector-copy --hw h200 --grid 32768 --block 256"));
  std::size_t compared = 0; // but for the time: it is that of a launch alone, not of one after the other
  for (const std::string& line : lines_of(typed.out))
    for (const char* row : {"  bound  ", "  blocks  ", "  instructions  ", "  l2 read  ", "  dram read  ",
                            "  dram written  ", "  global stores  "})
      if (line.starts_with(row)) {
        EXPECT_NE(read.out.find("\n" + line + "\n"), std::string::npos) << line << "\n" << read.out;
        ++compared;
      }
  EXPECT_EQ(compared, 7u) << typed.out;
}

// y = 0.5 x + y of 2^20 floats by the template, 11 times.
CapturedLaunches sums() {
  CapturedLaunches all = copies();
  CapturedLaunch& axpy = all.launches.front();
  axpy.kernel = "_ZN9perfmodel9templates4axpyEPfPKfif";
  axpy.grid = {.x = 4096};
  axpy.allocations = {4U << 20, 4U << 20};
  axpy.arguments[2].bytes = {0, 0, 0x10, 0};
  axpy.arguments.push_back({.offset = 20, .bytes = {0, 0, 0, 0x3f}});
  axpy.times = {{.count = 11, .least = 4'890, .median = 4'900}};
  all.serial = true;
  return all;
}

TEST(Capture, validate_holds_templates_against_their_launches) {
  const File file(sums());
  const auto validated = [&](const std::string& more) {
    return perfmodel(words("validate --model kernel --measured " + file.name + " " + more));
  };
  const Answer a = validated("--hw h200");
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "0 of 1 rows out of tolerance (in-sample 0 of 1)\n");
  EXPECT_NE(a.out.find("kernel time: axpy: y = a x + y"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("measured   4.9 us"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("lacks these facts"), std::string::npos) << "launches find none";
  const Answer by_hand =
      perfmodel(words("kernel axpy --let n=1048576 --cache warm --timed serial --hw h200"));
  const std::string predicted = a.out.substr(a.out.find("predicted  "), 20);
  EXPECT_NE(by_hand.out.find("axpy takes " + predicted.substr(11, 8)), std::string::npos) << predicted << "\n"
                                                                                          << by_hand.out;
  EXPECT_EQ(validated("--hw h100-sxm").err,
            "perfmodel: " + file.name + " is a run on h200, not on h100-sxm\n");
  const File foreign(copies());
  EXPECT_EQ(perfmodel(words("validate --hw h200 --measured " + foreign.name)).code, 2);
}

// The predicted time of an answer in CSV, and who is to have measured it.
std::pair<double, std::string> timed(const Answer& a) {
  EXPECT_EQ(a.code, 0) << a.err;
  const std::vector<std::string> lines = lines_of(a.out);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all(1);
    bool quoted = false; // arguments have commas
    for (const char c : line)
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        all.emplace_back();
      else
        all.back() += c;
    return all;
  };
  std::pair<double, std::string> found;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i)
    if (const auto head = cells(lines[i]), row = cells(lines[i + 1]); head.size() > 5 && head[0] == "gpu")
      for (std::size_t c = 0; c < std::min(head.size(), row.size()); ++c) {
        if (head[c] == "time [s]" && found.first == 0) found.first = std::stod(row[c]);
        if (head[c] == "timed" && found.second.empty()) found.second = row[c];
      }
  return found;
}

// A kernel that does nothing took 512 ns by the GPU's own time stamps, 1328 ns by Nsight Compute, 1347 ns in
// a stream and 1856 ns where each launch waited for the one before (H200, 24 and 27 November 2026).
TEST(Capture, a_time_is_that_of_whoever_measures_it) {
  CapturedLaunches all = copies();
  all.launches.resize(1);
  const File plain(all);
  all.serial = true;
  const File serial(all);
  const auto of = [](const File& file, const std::string& more) {
    return timed(kernel(file.name, "--hw h200 --format csv " + more));
  };
  const auto [traced, by_default] = of(plain, "");
  EXPECT_EQ(by_default, "trace");
  EXPECT_EQ(of(serial, "").second, "serial");
  EXPECT_NEAR(of(serial, "").first - traced, 1344e-9, 1e-12);
  EXPECT_NEAR(of(serial, "--timed trace").first, traced, 1e-12);
  EXPECT_NEAR(of(plain, "--timed profiler").first - traced, 816e-9, 1e-12);
  EXPECT_NEAR(of(plain, "--timed events").first - traced, 835e-9, 1e-12);
  EXPECT_LT(of(plain, "--timed graph").first, of(plain, "--timed events").first);
  EXPECT_EQ(timed(perfmodel(words("kernel vector-copy --hw h200 --format csv"))).second, "graph");
}

// A sum of 16 MiB by one block takes 656 us in a row on an H200, and 1491 us with emptied caches.
TEST(Capture, a_launch_in_a_row_is_asked_with_warm_caches_unless_the_caller_says_otherwise) {
  CapturedLaunches all = copies();
  CapturedLaunch copy = all.launches.front(); // of 1 MiB, which L2 holds
  copy.grid = {.x = 1024};
  copy.allocations = {1U << 20, 1U << 20};
  copy.arguments[2].bytes = {0, 0, 4, 0};
  all.launches.assign(5, copy); // the first as in an older file: nothing is known of rows
  all.launches[1].in_a_row = 9;
  all.launches[2].in_a_row = 10; // half of 20
  all.launches[3].in_a_row = 19;
  all.launches[4].in_a_row = 19;
  all.launches[4].times.reset(); // there is no median that was of launches in a row
  const File file(all);
  using Words = std::vector<std::string>;
  for (const char* gpu : {"h200", "h100-sxm"}) { // asked about another one, too
    const Answer a = kernel(file.name, std::string("--format json --hw ") + gpu);
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(column(a, "launch", "cache"), (Words{"cold", "cold", "warm", "warm", "cold"})) << gpu;
    const auto read = column(a, "launch", "dram_read");
    EXPECT_EQ(read.at(0), read.at(4));
    EXPECT_EQ(read.at(2), read.at(3));
    EXPECT_NE(read.at(1), read.at(2)) << "what was asked is what is simulated";
  }
  for (const char* word : {"cold", "warm"})
    EXPECT_EQ(
        column(kernel(file.name, std::string("--hw h200 --format json --cache ") + word), "launch", "cache"),
        Words(5, word));
}

// Copies of 1 MiB from x to y, between which others used 0, 10 or 40 MiB; then x alone, used just before.
TEST(Capture, a_launch_finds_in_l2_what_the_launches_before_it_left_of_its_arrays) {
  CapturedLaunches all = copies();
  CapturedLaunch copy = all.launches.front();
  copy.grid = {.x = 1024};
  copy.allocations = {1U << 20, 1U << 20};
  copy.arguments[2].bytes = {0, 0, 4, 0};
  all.launches.assign(5, copy);
  constexpr std::uint64_t mib = 1U << 20;
  all.launches[0].others_since = {0, 0};
  all.launches[1].others_since = {10 * mib, 10 * mib};
  all.launches[2].others_since = {40 * mib, 40 * mib};
  all.launches[3].others_since = {0, std::nullopt};
  const File file(all);
  using Words = std::vector<std::string>;
  const Answer a = kernel(file.name, "--hw h200 --format json");
  ASSERT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(column(a, "launch", "cache"), (Words{"warm", "warm", "cold", "1 of 2 arrays warm", "cold"}));
  EXPECT_EQ(column(kernel(file.name, "--hw h200 --format json --cache cold"), "launch", "cache"),
            Words(5, "cold"));
  // In a row, though something else was used in between: a flag, or x was copied from the host each time.
  all.launches.resize(2);
  for (CapturedLaunch& launch : all.launches) launch.in_a_row = 19;
  all.launches[0].others_since = {4, 4};
  all.launches[1].others_since = {std::nullopt, mib};
  const Answer in_a_row = kernel(File(all).name, "--hw h200 --format json");
  EXPECT_EQ(column(in_a_row, "launch", "cache"), (Words{"warm", "1 of 2 arrays warm"}));
  const Answer unknown = perfmodel(words("kernel vector-copy --hw h200 --cache left --format json"));
  EXPECT_EQ(column(unknown, "launch", "cache"), Words{"cold"}) << "nobody says what was used before";
}

TEST(Capture, kernels_that_the_listing_lacks_are_named) {
  const File file(copies());
  const Answer a = kernel(file.name, "--hw h200");
  EXPECT_NE(a.out.find("\nnot predicted: other\n"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("the listing has no such function"), std::string::npos);
  EXPECT_NE(a.out.find("libNAME.so"), std::string::npos) << a.out; // it may be a library's
  // People read what the source says, programs what the machine code says.
  EXPECT_EQ(a.out.find("_Z5other"), std::string::npos) << a.out;
  EXPECT_NE(kernel(file.name, "--hw h200 --format csv").out.find("_Z5otherPfPKfi"), std::string::npos);
  EXPECT_NE(a.out.find("\ncaptured on NVIDIA H200 at 1980 MHz, driver 580.95\n"), std::string::npos);
}

TEST(Capture, a_time_is_shown_for_the_gpu_that_took_it_alone) {
  CapturedLaunches untimed = copies();
  untimed.launches.resize(1);
  const File timed(untimed);
  untimed.launches[0].times.reset();
  const File file(untimed);
  EXPECT_NE(kernel(timed.name, "--hw h200 --format csv").out.find(",measured"), std::string::npos);
  for (const Answer& a :
       {kernel(timed.name, "--hw h100-sxm --format csv"), kernel(file.name, "--hw h200 --format csv")})
    EXPECT_EQ(a.out.find("measured"), std::string::npos) << a.out << a.err;
}

// Zero-copy memory of an H200's host gives 0.05 TB/s, device memory eighty times that.
TEST(Capture, what_lies_on_the_host_is_not_predicted_and_managed_memory_is_said_to_be_on_the_gpu) {
  CapturedLaunches all = copies();
  all.launches[1] = all.launches[0];
  all.launches[1].of_host = true;
  all.launches[0].managed = true;
  const File file(all);
  const Answer a = kernel(file.name, "--hw h200 --format csv");
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find(",managed memory is on the GPU,"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("only device memory is simulated"), std::string::npos) << a.out;
}

TEST(Capture, launches_leave_no_place_for_what_they_say_themselves) {
  const File file(copies());
  for (const char* more : {"--grid 4", "--block 32", "--arg n=1", "--shared 4KiB"}) {
    const Answer a = kernel(file.name, std::string("--hw h200 ") + more);
    EXPECT_EQ(a.code, 2) << more;
    EXPECT_NE(a.err.find("does not go with --launches"), std::string::npos) << a.err;
  }
}

TEST(Capture, a_file_without_a_launch_to_predict_is_refused) {
  CapturedLaunches none = copies();
  none.launches.erase(none.launches.begin());
  const File other(none);
  const std::string why = kernel(other.name, "--hw h200").err;
  EXPECT_EQ(why.find("perfmodel: launch 1, of '_Z5otherPfPKfi': the listing has no such function; a kernel "
                     "of a library"),
            0u)
      << why;
  EXPECT_EQ(kernel(other.name, "--hw h200 --kernel none").code, 2);
  // Each reason, with the first launch that has it.
  CapturedLaunches several = copies();
  const CapturedLaunch other_one = several.launches[1];
  several.launches[0].of_host = true;
  several.launches = {other_one, several.launches[0], other_one};
  const File refused(several);
  const std::string all = kernel(refused.name, "--hw h200").err;
  EXPECT_EQ(all.find("perfmodel: none of 3 launches is predicted: launch 1, of '_Z5otherPfPKfi', and 1 more: "
                     "the listing has no such function"),
            0u)
      << all;
  EXPECT_NE(all.find("; launch 2, of '"), std::string::npos) << all;
  EXPECT_NE(all.find("only device memory is simulated"), std::string::npos) << all;
  EXPECT_TRUE(one_sentence(all)) << all;
  none.launches.clear();
  const File empty(none);
  const Answer a = kernel(empty.name, "--hw h200");
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.err, "perfmodel: launches: the program that was captured launched no kernel\n");
  const Answer missing = kernel("nowhere.launches", "--hw h200");
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(one_sentence(missing.err)) << missing.err;
}

TEST(Capture, without_a_program_or_a_place_for_the_file_a_sentence_says_so) {
  const Scratch scratch;
  EXPECT_EQ(perfmodel({"capture", "-o", scratch / "a"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "-o", scratch / "none/a", "--", "true"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "--", "true"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "-o", "a", "--size", "3"}).code, 2);
}

} // namespace perfmodel::capture_test
