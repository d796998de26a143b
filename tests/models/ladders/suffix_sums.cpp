#include "models/ladders/scan_counts.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace perfmodel::suffix_sums_test {

using Numbers = std::vector<std::int64_t>;

Numbers one_to(std::int64_t n) {
  Numbers a(static_cast<std::size_t>(n));
  std::iota(a.begin(), a.end(), 1);
  return a;
}

Numbers right_sums(std::int64_t n) {
  Numbers a = one_to(n);
  for (std::size_t i = a.size() - 1; i > 0; --i) a[i - 1] += a[i];
  return a;
}

struct Scanned {
  Numbers a;
  std::int64_t steps = 0, additions = 0;
};

// All threads of the block in step: what two barriers or two buffers see to.
Scanned synchronised(std::int64_t n) {
  Scanned run{one_to(n)};
  for (std::size_t s = 1; s < run.a.size(); s *= 2, ++run.steps) {
    const Numbers read = run.a;
    for (std::size_t t = 0; t + s < read.size(); ++t, ++run.additions) run.a[t] = read[t] + read[t + s];
  }
  return run;
}

// Without barriers: each warp in step with itself alone, and through with it before the next has stored its
// numbers.
Numbers warp_after_warp(std::int64_t n) {
  const Numbers numbers = one_to(n);
  Numbers a(numbers.size());
  for (std::size_t first = 0; first < a.size(); first += 32) {
    const std::size_t end = std::min(a.size(), first + 32);
    std::copy(numbers.begin() + long(first), numbers.begin() + long(end), a.begin() + long(first));
    for (std::size_t s = 1; s < a.size(); s *= 2) {
      const Numbers read = a;
      for (std::size_t t = first; t < end && t + s < a.size(); ++t) a[t] = read[t] + read[t + s];
    }
  }
  return a;
}

// As the kernel does it, lane by lane.
Scanned by_warps(std::int64_t n) {
  Scanned run{one_to(n), 5};
  run.a.resize((run.a.size() + 31) / 32 * 32);
  for (std::size_t s = 1; s < 32; s *= 2) {
    const Numbers read = run.a;
    for (std::size_t t = 0; t < read.size(); ++t)
      if (t % 32 + s < 32) run.a[t] = read[t] + read[t + s], ++run.additions;
  }
  const Numbers heads = run.a;
  for (std::size_t t = 0; n > 32 && t < heads.size(); ++t) {
    for (std::size_t w = t / 32 + 1; w < heads.size() / 32; ++w) run.a[t] += heads[32 * w];
    run.additions += 6; // five by shuffles, and its own
  }
  if (n > 32) run.steps += 6;
  run.a.resize(static_cast<std::size_t>(n));
  return run;
}

TEST(SuffixSums, steps_and_additions_are_those_of_the_algorithms_which_are_right) {
  for (const std::int64_t n : {1, 2, 3, 31, 32, 33, 97, 256, 997, 1000, 1024}) {
    const Scanned steps = synchronised(n), warps = by_warps(n);
    EXPECT_EQ(steps.a, right_sums(n)) << n;
    EXPECT_EQ(warps.a, right_sums(n)) << n;
    for (const auto version :
         {ScanVersion::two_barriers, ScanVersion::two_buffers, ScanVersion::unsynchronised}) {
      EXPECT_EQ(scan_counts(version, n).steps, steps.steps) << n;
      EXPECT_EQ(scan_counts(version, n).additions, steps.additions) << n;
    }
    EXPECT_EQ(scan_counts(ScanVersion::warps, n).steps, warps.steps) << n;
    EXPECT_EQ(scan_counts(ScanVersion::warps, n).additions, warps.additions) << n;
  }
}

// The exercise's question. Warps that come one after the other read what has been added up already.
TEST(SuffixSums, without_barriers_only_one_warp_can_be_right) {
  for (const std::int64_t n : {1, 2, 31, 32, 33, 64, 1024}) {
    const std::string right =
        text(ask("suffix-sums", gpu_named("k40"), {{"version", "unsynchronised"}, {"n", std::to_string(n)}}),
             "versions", "right");
    EXPECT_EQ(right.substr(0, 3) == "yes", warp_after_warp(n) == right_sums(n)) << n << ": " << right;
  }
  const auto right_on = [](const std::string& gpu, const std::string& version) {
    return text(ask("suffix-sums", gpu_named(gpu), {{"version", version}, {"n", "32"}}), "versions", "right");
  };
  EXPECT_EQ(right_on("p100", "unsynchronised"), "yes: one warp, in step");
  EXPECT_EQ(right_on("v100", "unsynchronised"), "not for sure: a warp need not run in step"); // cc 7.0
  for (const std::string version : {"two-barriers", "two-buffers", "warps"})
    EXPECT_EQ(right_on("v100", version), "yes");
}

// As the probe barrier finds it.
Gpu measured() {
  return with_facts(gpu_named("h200"), {{"barrier.latency", "14 cycle"}, {"barrier.per_warp", "2 cycle"}});
}

// One warp waits for every barrier in full, but for what it does not wait for elsewhere then, some 10 cycles:
// 1 + 2 x 5 of them, 1 + 5, none, none.
TEST(SuffixSums, each_barrier_takes_its_latency) {
  const Gpu gpu = measured(), slow = with_facts(gpu, {{"barrier.latency", "114 cycle"}});
  const auto more = [&](const std::string& version) {
    const auto cycles = [&](const Gpu& on) {
      return number(ask("suffix-sums", on, {{"version", version}, {"n", "32"}}), "versions", "cycles");
    };
    return cycles(slow) - cycles(gpu);
  };
  EXPECT_NEAR(more("two-barriers"), 11 * 100, 11);
  EXPECT_NEAR(more("two-buffers"), 6 * 100, 11);
  EXPECT_NEAR(more("unsynchronised"), 0, 1e-6);
  EXPECT_NEAR(more("warps"), 0, 1e-6);
}

TEST(SuffixSums, a_measured_barrier_costs_more_than_a_second_buffer_and_shuffles_are_fastest) {
  for (const std::string n : {"64", "256", "1024"}) {
    const Result r = ask("suffix-sums", measured(), {{"n", n}});
    const Table& rows = table_of(r, "versions");
    ASSERT_EQ(rows.rows(), 4);
    for (std::size_t row = 1; row < rows.rows(); ++row) EXPECT_GT(rows.at("gain").number(row), 1) << n << row;
  }
  EXPECT_EQ(text(ask_graded("suffix-sums", gpu_named("k40")), "versions", "grade"), "assumed");
}

TEST(SuffixSums, many_blocks_take_longer_than_one_and_at_most_as_long_as_one_after_the_other) {
  const auto time = [](const std::string& blocks) {
    return number(ask("suffix-sums", gpu_named("h200"), {{"version", "two-buffers"}, {"blocks", blocks}}),
                  "versions", "time");
  };
  EXPECT_LE(time("1"), time("132")); // of which one has the slowest SM
  EXPECT_LT(time("132"), 1.2 * time("1"));
  EXPECT_LT(time("132"), time("2112"));
  EXPECT_LT(time("2112"), 16 * time("132"));
}

// 18 registers of 512 threads are more than its 8192: compiled for it, there would be no more than 16.
TEST(SuffixSums, foreign_code_takes_no_more_registers_than_let_its_block_launch) {
  const Result r = ask("suffix-sums", gpu_named("8800gtx"), {{"n", "512"}});
  EXPECT_EQ(number(r, "versions", "resident"), 1);
}

TEST(SuffixSums, what_cannot_run_is_refused_in_a_sentence) {
  EXPECT_EQ(error_of([&] {
              ask("suffix-sums", gpu_named("m2090"), {{"version", "warps"}});
            }),
            "--version warps: m2090 has no warp shuffle before compute capability 3.0");
  EXPECT_EQ(ask("suffix-sums", gpu_named("m2090")).tables[0].rows(), 3);
  EXPECT_EQ(error_of([&] {
              ask("suffix-sums", gpu_named("h200"), {{"n", "1025"}});
            }),
            "a block of 1025 threads cannot launch on h200: a block has at most 1024 threads");
  EXPECT_EQ(error_of([&] {
              ask("suffix-sums", gpu_named("h200"), {{"n", "1024"}, {"blocks", "100000000"}});
            }),
            "--blocks 100000000: 409.6 GB do not fit the 141 GB of h200");
}

} // namespace perfmodel::suffix_sums_test
