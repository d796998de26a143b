#include "models/access/partition_camping.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::partition_camping_test {

constexpr const char* table = "partitions of device memory";

double value(const char* gpu, const Words& options, const char* column) {
  return number(ask("partition-camping", gpu_named(gpu), options), table, column);
}
double bandwidth(const Words& options) { return value("gtx280", options, "bandwidth"); }

// J. Filipovic, Vykon GPU hardware, 2010, slides on drops of performance: n divisible by 512, 256, 128 and by
// less.
TEST(PartitionCamping, of_a_column_of_tiles_meets_as_many_partitions_as_the_lecture_says) {
  EXPECT_EQ(value("gtx280", {{"n", "4096"}}, "met"), 1);
  EXPECT_EQ(value("gtx280", {{"n", "3840"}}, "met"), 2);
  EXPECT_EQ(value("gtx280", {{"n", "3968"}}, "met"), 4);
  EXPECT_EQ(value("gtx280", {{"n", "4032"}}, "met"), 8);
  EXPECT_EQ(value("gtx280", {{"n", "4000"}}, "met"), 8);
}

// The lecture's diagonal order takes the partitions of a column in turn; rows that are copied meet all
// anyway.
TEST(PartitionCamping, what_is_met_follows_the_order_of_the_blocks) {
  EXPECT_EQ(value("gtx280", {{"mapping", "diagonal"}}, "met"), 8);
  EXPECT_EQ(value("gtx280", {{"kernel", "copy"}}, "met"), 8);
  EXPECT_EQ(value("gtx280", {{"kernel", "naive"}}, "met"), 1);
  EXPECT_EQ(value("gtx280", {{"kernel", "strided-both"}}, "met"), 1);
  EXPECT_EQ(value("gtx280", {{"pitch", "4160"}}, "met"), 8);
  const Gpu gpu = gpu_named("gtx280");
  for (const char* kernel : {"copy", "tile-copy", "naive", "padded"})
    for (const char* mapping : {"cartesian", "diagonal"}) {
      const Result r = ask("partition-camping", gpu, {{"kernel", kernel}, {"mapping", mapping}});
      const bool all = number(r, table, "met") == 8;
      EXPECT_EQ(all, number(r, table, "even") > 0.9) << kernel << ' ' << mapping;
    }
}

// One question, one answer: the ladder has the same kernels through the same partitions, and the time that
// shared memory takes beside them. Printed: 94.9, 93.4 and 19 GB/s.
TEST(PartitionCamping, says_of_a_kernel_what_the_transpose_ladder_says) {
  const Gpu gpu = gpu_named("gtx280");
  for (const char* kernel : {"naive", "strided-both", "tile-copy", "padded"})
    for (const char* n : {"4000", "4096"}) {
      const double ladder = number(ask("transpose", gpu, {{"version", kernel}, {"n", n}}), "versions",
                                   "bandwidth"),
                   alone = bandwidth({{"kernel", kernel}, {"n", n}});
      EXPECT_LE(ladder, alone * (1 + 1e-9)) << kernel << ' ' << n;
      EXPECT_NEAR(ladder / alone, 1, 0.015) << kernel << ' ' << n;
    }
}

// A 32 x 33 tile takes 4608 B on cc 1.3: 3 blocks on each of 30 SMs.
TEST(PartitionCamping, has_the_window_that_occupancy_allows) {
  EXPECT_EQ(value("gtx280", {}, "window"), 90);
  EXPECT_EQ(value("gtx280", {{"kernel", "naive"}}, "window"), 120);
}

// The lecture's kernels at n = 4000. R = 2.7 GB/s / 8 B x 2 runs = 675 M/s is all that was chosen.
TEST(PartitionCamping, predicts_the_lectures_kernels_from_one_definition_of_a_segment) {
  const auto at_4000 = [](const char* kernel) { return bandwidth({{"n", "4000"}, {"kernel", kernel}}); };
  EXPECT_NEAR(at_4000("strided-both"), 2.7e9, 1e6);
  // 8 B / (4 B / 112.4 GB/s + 1 / 675 M/s) = 5.27 GB/s
  EXPECT_NEAR(at_4000("naive"), 5.274e9, 0.01e9);
  EXPECT_NEAR(at_4000("copy"), 112.4e9, 1e9);
  // 8 B / (4 B / 112.4 GB/s + 4 B / (128 B x 675 M/s)) = 97.7 GB/s, less at the edges of windows
  EXPECT_NEAR(at_4000("padded"), 97.7e9, 0.5e9);
}

TEST(PartitionCamping, of_the_padded_transpose_is_within_20_percent_of_the_lecture) {
  EXPECT_NEAR(bandwidth({{"n", "4096"}}) / 19e9, 1, 0.2);
  EXPECT_NEAR(bandwidth({{"n", "3968"}}) / 62e9, 1, 0.2);
}

// Bytes moved by all sizes of a sweep over their time, as the lecture's one figure for all of them.
double over_sizes(double step, double multiple_not) {
  double bytes = 0, seconds = 0;
  for (double n = step; n <= 4096; n += step)
    if (multiple_not == 0 || static_cast<int>(n) % static_cast<int>(multiple_not) != 0) {
      bytes += n * n;
      seconds += n * n / bandwidth({{"n", std::to_string(static_cast<int>(n))}});
    }
  return bytes / seconds;
}
TEST(PartitionCamping, is_within_20_percent_over_all_sizes_up_to_4096) {
  EXPECT_NEAR(over_sizes(512, 0) / 19e9, 1, 0.2);
  EXPECT_NEAR(over_sizes(128, 256) / 62e9, 1, 0.2);
}

TEST(PartitionCamping, goes_away_with_a_padded_pitch_and_mostly_along_diagonals) {
  const std::string advice = text(ask("partition-camping", gpu_named("gtx280")), table, "advice");
  EXPECT_NE(advice.find("4160 words"), std::string::npos) << advice;
  EXPECT_GT(value("gtx280", {{"pitch", "4160"}}, "even"), 0.97);
  EXPECT_GT(value("gtx280", {{"mapping", "diagonal"}}, "even"), 0.9);
  EXPECT_LT(value("gtx280", {}, "even"), 0.25);
}

TEST(PartitionCamping, advises_by_what_costs) {
  const auto said = [](const char* gpu, const Words& options, const char* column) {
    return text(ask("partition-camping", gpu_named(gpu), options), table, column);
  };
  for (const char* kernel : {"naive", "strided-both"})
    EXPECT_NE(said("gtx280", {{"kernel", kernel}, {"n", "4000"}}, "advice").find("shared memory"),
              std::string::npos);
  // Rows that start off a segment: a pitch of whole interleaves that meets all partitions.
  for (const char* n : {"2047", "1000"})
    EXPECT_NE(said("gtx280", {{"n", n}}, "advice").find("Pad the rows to"), std::string::npos) << n;
  // Camped rows, and what remains along diagonals: each remedy says what it gains.
  EXPECT_NE(said("gtx280", {}, "advice").find(" times the bandwidth), or deal"), std::string::npos);
  EXPECT_NE(said("gtx280", {{"mapping", "diagonal"}, {"n", "2048"}}, "advice").find("(1.0"),
            std::string::npos);
  EXPECT_EQ(said("gtx260", {}, "grade"), "inherited") << "the rate of segments is the GTX 280's";
  EXPECT_NE(said("m2090", {}, "advice").find("Not known"), std::string::npos);
}

// 8 partitions of 256 B: a distance of 2 KiB meets one, 512 B four, 256 B all.
TEST(PartitionCamping, of_streams_at_equal_distances_follows_from_the_distance) {
  const auto even = [](const char* distance) {
    return value("gtx280", {{"distance", distance}, {"blocks", "4"}}, "even");
  };
  EXPECT_DOUBLE_EQ(even("2048B"), 0.125);
  EXPECT_DOUBLE_EQ(even("512B"), 0.5);
  EXPECT_DOUBLE_EQ(even("256B"), 1);
  EXPECT_DOUBLE_EQ(even("2304B"), 1);
}

TEST(PartitionCamping, is_unknown_to_hashed_addresses) {
  const Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.dram.read", "4.5 TB/s"}});
  for (const char* distance : {"256B", "2048B", "65536B"})
    EXPECT_EQ(number(ask("partition-camping", gpu, {{"distance", distance}}), table, "bandwidth"), 4.5e12);
  EXPECT_EQ(value("h200", {}, "even"), 1);
  const std::string unknown = text(ask("partition-camping", gpu_named("m2090")), table, "bound");
  EXPECT_NE(unknown.find("dram.mapping is not known"), std::string::npos);
}

TEST(PartitionCamping, says_what_is_wrong_with_a_question) {
  const auto error = [](const char* gpu, const Words& options) {
    return error_of([&] { ask("partition-camping", gpu_named(gpu), options); });
  };
  EXPECT_NE(error("gtx280", {{"pitch", "100"}}).find("--pitch"), std::string::npos);
  EXPECT_NE(error("gtx280", {{"tile", "100"}}).find("--tile"), std::string::npos);
  EXPECT_NE(error("gtx280", {{"blocks", "9"}}).find("holds at most 8"), std::string::npos);
  EXPECT_NE(error("gtx280", {{"distance", "4096B"}, {"n", "100"}}).find("--n"), std::string::npos);
  EXPECT_NE(error("gtx280", {{"rows", "64"}}).find("512"), std::string::npos);
}

// B = 112.4 GB/s, R = 675 M/s: runs of 32 B reach 21.6 GB/s, of 166.5 B and more all.
TEST(SegmentRate, is_the_lesser_of_the_bandwidth_and_the_runs) {
  const Gpu gpu = gpu_named("gtx280");
  const auto at = [&](const char* s) {
    return number(ask("segment-rate", gpu, {{"segment", s}}), "runs of consecutive bytes", "bandwidth");
  };
  EXPECT_NEAR(at("32B"), 21.6e9, 1);
  EXPECT_NEAR(at("166B"), 112.05e9, 1e6);
  EXPECT_NEAR(at("167B"), 112.4e9, 1);
  // The C1060 has the same chip and 102.4 of the GTX 280's 141.7 GB/s of pins.
  const Result inherited = ask("segment-rate", gpu_named("c1060"), {{"segment", "32B"}});
  EXPECT_NEAR(number(inherited, "runs of consecutive bytes", "bandwidth"), 21.6e9 * 102.4 / 141.7, 0.01e9);
  EXPECT_EQ(text(inherited, "runs of consecutive bytes", "grade"), "inherited")
      << "as its bandwidth is, of the same chip";
}

// What a lecture draws for 8 partitions of 256 B and tiles of 32 words: two tiles of a row lie in each, every
// row of a matrix of 2048 words begins in the first; along diagonals the column takes them in turn.
TEST(PartitionCamping, shows_the_partitions_of_tiles_and_of_an_address) {
  const Gpu gpu = gpu_named("gtx280");
  const auto map = [&](const char* mapping) {
    return ask("partition-camping", gpu,
               {{"n", "2048"}, {"mapping", mapping}, {"map", "3"}, {"address", "1000"}});
  };
  const Result plain = map("cartesian"), diagonal = map("diagonal");
  const char* const title = "partition of each block's tile, x = 0, 1, 2, ...";
  EXPECT_EQ(text(plain, title, "partitions", 0), "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7");
  EXPECT_EQ(text(plain, title, "partitions", 2), text(plain, title, "partitions", 0));
  EXPECT_EQ(text(diagonal, title, "partitions", 2), "1 1 2 2 3 3 4 4 5 5 6 6 7 7 0 0");
  EXPECT_EQ(number(plain, table, "partition"), 3);
}

TEST(PartitionCamping, has_no_partition_for_an_address_that_is_hashed) {
  for (const char* option : {"address", "map"})
    EXPECT_EQ(error_of([&] {
                ask("partition-camping", gpu_named("h200"), {{option, "1"}});
              }),
              "h200: which partition holds an address is not known, so --address and --map have no answer: "
              "dram.mapping is hashed");
}

// Each remedy that is named has been walked: followed, it is faster.
TEST(PartitionCamping, what_is_advised_helps) {
  for (const char* kernel : {"copy", "tile-copy", "padded"})
    for (const char* n : {"256", "512", "2176", "4096", "4224"}) {
      const std::string advice = text(
          ask("partition-camping", gpu_named("gtx280"), {{"kernel", kernel}, {"n", n}}), table, "advice");
      const auto rate = [&](const char* mapping) {
        return bandwidth({{"kernel", kernel}, {"n", n}, {"mapping", mapping}});
      };
      const bool named = advice.find("diagonals") != std::string::npos;
      EXPECT_EQ(named, rate("diagonal") > rate("cartesian") / 0.98) << kernel << ' ' << n << ": " << advice;
    }
}

} // namespace perfmodel::partition_camping_test
