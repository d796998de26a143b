#include "models/ladders/reduction_values.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace perfmodel::reduction_values_test {

constexpr const char *found = "what the blocks find in 1, 2, 3, ..",
                     *steps = "steps of a block in 1, 2, 3, ..";

using Version = ReductionVersion;
using Type = ReductionType;

template <class E> std::string word(E choice) {
  return std::string(names(choice)[static_cast<std::size_t>(choice)]);
}

std::vector<std::string> values(Version version, Type type, std::int64_t threads, std::int64_t n) {
  std::vector<std::string> list;
  for (const TreeStep& step : tree_steps({version, type, threads, n})) list.push_back(step.values);
  return list;
}

// J. Verschelde, "Warps and Reduction Algorithms": five steps of a warp print 528, 527, 525, 522, etc.
TEST(ReductionValues, thirty_two_numbers_leave_the_lectures_sums_in_the_lanes_of_a_warp) {
  for (const Version version : {Version::warp_synchronous, Version::unrolled_warp, Version::unrolled}) {
    const auto list = values(version, Type::int32, 64, 32);
    ASSERT_EQ(list.size(), 5u) << word(version);
    EXPECT_EQ(list.back(), "528, 527, 525, 522, 518, 513, 507, 500, ..") << word(version);
  }
  const Result r = ask("reduction", gpu_named("h200"), {{"version", "unrolled-warp"}, {"n", "32"}});
  EXPECT_EQ(text(r, steps, "values", 4).substr(0, 18), "528, 527, 525, 522");
  EXPECT_EQ(text(r, steps, "threads", 4), "0 to 31");
}

// The same lecture's tournament: neighbours play, then winners.
TEST(ReductionValues, the_greatest_of_sixteen_numbers_wins_a_tournament_of_four_rounds) {
  using List = std::vector<std::string>;
  EXPECT_EQ(values(Version::interleaved, Type::max, 64, 16),
            (List{"2, 4, 6, 8, 10, 12, 14, 16", "4, 8, 12, 16", "8, 16", "16"}));
  EXPECT_EQ(values(Version::strided_index, Type::max, 256, 16),
            (List{"2, 4, 6, 8, 10, 12, 14, 16", "4, 8, 12, 16", "8, 16", "16"}));
  EXPECT_EQ(values(Version::sequential, Type::min, 64, 8), (List{"1, 2, 3, 4", "1, 2", "1"}));
  EXPECT_EQ(values(Version::sequential, Type::max, 64, 8), (List{"5, 6, 7, 8", "7, 8", "8"}));
}

// Vuduc 2014, slides 70 and 72: threads 0, 2, 4, .. against 0, 1, 2, ..
TEST(ReductionValues, the_strided_index_puts_neighbouring_threads_to_work) {
  const TreeStep modulo = tree_steps({Version::interleaved, Type::int32, 64, 64})[1],
                 index = tree_steps({Version::strided_index, Type::int32, 64, 64})[1];
  EXPECT_EQ(modulo.threads, "0, 4 .. 60");
  EXPECT_EQ(index.threads, "0 to 15");
  EXPECT_EQ(modulo.values, index.values);
  EXPECT_EQ(modulo.active, 16);
  EXPECT_EQ(modulo.apart, 2);
}

TEST(ReductionValues, every_version_ends_at_the_right_one_in_every_block) {
  for (const Type type : {Type::int32, Type::int64, Type::fp32, Type::min, Type::max})
    for (std::size_t v = 0; v < names(Version{}).size(); ++v)
      for (const std::int64_t threads : {64, 256, 1024})
        for (const std::int64_t n : {2, 3, 31, 32, 33, 64}) {
          const auto version = static_cast<Version>(v);
          const auto list = values(version, type, threads, n);
          if (version == Version::vector) {
            EXPECT_TRUE(list.empty());
            continue;
          }
          const std::int64_t right = type == Type::min ? 1 : type == Type::max ? n : n * (n + 1) / 2;
          ASSERT_FALSE(list.empty());
          EXPECT_EQ(std::strtoll(list.back().c_str(), nullptr, 10), right)
              << word(version) << " " << word(type) << " " << threads << " " << n;
        }
}

// The lecture's program: 33 * 1024 numbers, 32 blocks of 256 threads, 8192 threads, value 570966528.
TEST(ReductionValues, thirty_two_blocks_sum_33792_numbers_up_to_the_lectures_value) {
  const Result r = ask(
      "reduction", gpu_named("h200"),
      {{"version", "grid-stride"}, {"n", "33792"}, {"blocks", "32"}, {"threads", "256"}, {"type", "int64"}});
  EXPECT_EQ(number(r, "versions", "blocks"), 32);
  const Table& rows = table_of(r, found);
  ASSERT_EQ(rows.rows(), 33u);
  EXPECT_EQ(rows.at("block").text(32), "all");
  EXPECT_EQ(rows.at("found").text(32), "570966528");
  EXPECT_EQ(rows.at("numbers").number(32), 33792);
  // By hand, 512 numbers a trip: block 0 reads 1 to 512, 16385 to 16896 and 32769 to 33280.
  EXPECT_EQ(rows.at("numbers").number(0), 1536);
  EXPECT_EQ(rows.at("found").text(0), std::to_string(512 * (513 + 33281 + 66049) / 2));
}

TEST(ReductionValues, blocks_share_every_number_among_them) {
  for (const Type type : {Type::int32, Type::int64})
    for (const Version version : {Version::grid_stride, Version::shuffle, Version::vector})
      for (const std::int64_t n : {1, 3, 5000, 33791, 33792})
        for (const std::int64_t blocks : {1, 3, 32, 64}) {
          std::int64_t sum = 0, numbers = 0;
          const auto rows = block_values({version, type, 64, n}, blocks);
          ASSERT_EQ(rows.size(), static_cast<std::size_t>(blocks + 1));
          for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            sum += std::stoll(rows[i].found);
            numbers += static_cast<std::int64_t>(rows[i].numbers);
          }
          EXPECT_EQ(numbers, n) << word(version) << " " << blocks;
          EXPECT_EQ(sum, n * (n + 1) / 2) << word(version) << " " << n << " " << blocks;
        }
  EXPECT_EQ(block_values({Version::shuffle, Type::int32, 64, 33792}, 65).size(), 1u)
      << "of many, all together";
}

// 65 535 * 65 536 / 2 = 2^31 - 32 768; 5792 * 5793 / 2 is below 2^24 = 16 777 216, 5793 * 5794 / 2 above.
TEST(ReductionValues, a_sum_that_its_type_does_not_hold_is_not_right) {
  const auto all = [](Type type, std::int64_t n) {
    return block_values({Version::grid_stride, type, 256, n}, 65).back();
  };
  EXPECT_EQ(all(Type::int32, 65535).found, "2147450880");
  EXPECT_EQ(all(Type::int32, 65535).right, "yes");
  EXPECT_EQ(all(Type::int32, 65536).found, "-2147450880");
  EXPECT_EQ(all(Type::int32, 65536).right, "no: 2147516416 takes 64 bits");
  EXPECT_EQ(all(Type::int64, 65536).found, "2147516416");
  EXPECT_EQ(all(Type::int64, 2147483648).found, "2305843010287435776");
  EXPECT_EQ(all(Type::fp32, 5792).found, "16776528");
  EXPECT_EQ(all(Type::fp32, 5793).found, "");
  EXPECT_EQ(all(Type::fp32, 5793).right, "not for sure: 16782321 takes more than the 24 bits of fp32");
  EXPECT_EQ(all(Type::min, 65536).found, "1");
  EXPECT_EQ(all(Type::max, 2147483647).found, "2147483647");
  EXPECT_EQ(all(Type::max, 2147483648).right, "no: 2147483648 takes 64 bits");
}

// The lecture's last warp has volatile alone (slide 85). CUDA C++ Programming Guide, "Independent Thread
// Scheduling": from cc 7.0 on nothing but __syncwarp keeps lanes together.
TEST(ReductionRight, volatile_alone_is_right_where_warps_run_in_step) {
  for (const char* name : {"8800gtx", "m2090", "k40", "p100", "v100", "h200"}) {
    const Gpu gpu = gpu_named(name);
    const auto right = [&](const char* version) {
      return text(ask("reduction", gpu, {{"version", version}, {"n", "512"}}), "versions", "right");
    };
    EXPECT_EQ(right("warp-synchronous"),
              gpu.capability() < 7 ? "yes: one warp, in step" : "not for sure: a warp need not run in step")
        << gpu.name;
    EXPECT_EQ(right("unrolled-warp"), "yes") << gpu.name;
  }
  const Result doubtful =
      ask("reduction", gpu_named("v100"), {{"version", "warp-synchronous"}, {"n", "512"}});
  EXPECT_NE(doubtful.verdict.front().find("not sure to be right"), std::string::npos);
}

TEST(ReductionRight, no_rung_of_the_ladder_is_in_doubt) {
  const Result ladder = ask("reduction", gpu_named("v100"), {{"n", "512"}});
  const Table& rungs = table_of(ladder, "versions");
  EXPECT_EQ(rungs.rows(), 9u);
  for (std::size_t row = 0; row < rungs.rows(); ++row) EXPECT_EQ(rungs.at("right").text(row), "yes") << row;
}

TEST(ReductionBlocks, are_of_versions_that_have_any_number) {
  EXPECT_EQ(
      error_of([] {
        ask("reduction", gpu_named("h200"), {{"version", "sequential"}, {"blocks", "32"}});
      }),
      "--blocks 32: sequential has as many as its array needs; grid-stride, shuffle and vector have any "
      "number");
  const Result ladder = ask("reduction", gpu_named("m2090"), {{"blocks", "32"}, {"n", "33792"}});
  EXPECT_EQ(table_of(ladder, "versions").rows(), 1u) << "no shuffles before cc 3.0";
}

// A block of an SM cannot keep as much under way as all that it holds.
TEST(ReductionBlocks, few_blocks_sum_slower_than_all_that_the_device_holds) {
  const auto time = [](const Words& blocks) {
    Words words{{"version", "shuffle"}, {"n", "4194304"}};
    words.insert(words.end(), blocks.begin(), blocks.end());
    return number(ask("reduction", gpu_named("h200"), words), "versions", "time");
  };
  EXPECT_DOUBLE_EQ(time({{"blocks", "1056"}}), time({})); // 8 on each of 132 SMs
  EXPECT_GT(time({{"blocks", "132"}}), 1.5 * time({}));
  EXPECT_GT(time({{"blocks", "1"}}), 20 * time({{"blocks", "132"}}));
}

} // namespace perfmodel::reduction_values_test
