// Words of device memory that all blocks change.
#include "models/kernel/common_words.hpp"

#include "block_runs.hpp"
#include "code_text.hpp"

#include "models/kernel/device_memory.hpp"
#include "models/kernel/launch_arguments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace perfmodel::common_words_test {

// "count" holds this number.
void keep_count(std::uint32_t number) {
  const auto bytes = std::make_shared<std::vector<std::uint8_t>>(4);
  std::memcpy(bytes->data(), &number, 4);
  keep_memory_file("common_words_test.count", {.bytes = *bytes, .owner = bytes});
}
constexpr std::string_view count = "count=4B@common_words_test.count";

bool draws(std::string_view text) {
  const std::vector<CommonWord> all = common_words(code_from(text));
  return std::find(all.begin(), all.end(), CommonWord::counter) != all.end();
}

TEST(CommonWords, a_counter_is_the_same_word_for_all_blocks) {
  EXPECT_TRUE(draws("LDC.64 R2, c[0x0][0x210]\nATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\nEXIT"));
  EXPECT_TRUE(draws("ULDC.64 UR4, c[0x0][0x210]\nIMAD.U32 R2, RZ, RZ, UR4\nIMAD.U32 R3, RZ, RZ, UR5\n"
                    "ATOMG.E.INC.STRONG.GPU PT, R6, [R2.64], R4\nEXIT"));
  EXPECT_TRUE(draws("MOV R2, c[0x0][0x210]\nMOV R3, c[0x0][0x214]\nIADD3 R2, P0, R2, 0x8, RZ\n"
                    "ATOM.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\nEXIT"))
      << "a word of a struct";
}

TEST(CommonWords, a_counter_is_no_word_that_threads_data_or_blocks_choose) {
  const std::string atom =
      "IMAD.WIDE R2, R0, R5, c[0x0][0x210]\nATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\nEXIT";
  EXPECT_FALSE(draws("S2R R0, SR_CTAID.X\n" + atom));
  EXPECT_FALSE(draws("S2R R0, SR_TID.X\n" + atom));
  EXPECT_FALSE(draws("LDG.E R0, [R8.64]\n" + atom));
  EXPECT_FALSE(
      draws("LDC.64 R2, c[0x0][0x210]\n@P0 MOV R2, c[0x0][0x218]\nATOMG.E.ADD PT, R6, [R2.64], R4\nEXIT"))
      << "under a guard it is one word or another";
  EXPECT_FALSE(draws("LDC.64 R2, c[0x0][0x210]\nRED.E.ADD.STRONG.GPU [R2.64], R4\nEXIT")) << "nobody asks";
  EXPECT_FALSE(draws("LDC.64 R2, c[0x0][0x210]\nATOMG.E.ADD.F32 PT, R6, [R2.64], R4\nEXIT"));
  EXPECT_FALSE(draws("LDC.64 R2, c[0x0][0x210]\nATOMG.E.ADD.64 PT, R6, [R2.64], R4\nEXIT")) << "not followed";
  EXPECT_FALSE(draws("LDC.64 R2, c[0x0][0x210]\nATOMG.E.MAX PT, R6, [R2.64], R4\nEXIT"));
}

// A list of 32 tasks: a block takes the next one until there is none.
constexpr std::string_view work_list = "LDC.64 R2, c[0x0][0x210]\n"
                                       "MOV R4, 0x1\n"
                                       "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\n"
                                       "ISETP.GE.AND P0, PT, R6, 0x20, PT\n"
                                       "@P0 EXIT\n"
                                       "FADD R7, R7, R7\n"
                                       "BRA 0x20";

TEST(CommonWords, blocks_share_the_tasks_of_a_list) {
  keep_count(0);
  const auto tasks = [](std::int64_t blocks, std::int64_t linear) {
    return run_code(work_list,
                    {.block = {.x = 1}, .grid = {.x = blocks}, .arguments = count, .linear = linear})
        .issued("FADD");
  };
  EXPECT_EQ(tasks(1, 0), 32u);
  for (std::int64_t b = 0; b < 4; ++b) EXPECT_EQ(tasks(4, b), 8u) << b;
  std::size_t all = 0;
  for (std::int64_t b = 0; b < 5; ++b) all += tasks(5, b);
  EXPECT_EQ(all, 32u) << "7, 7, 6, 6 and 6";
  EXPECT_EQ(tasks(40, 39), 0u);
  keep_count(30);
  EXPECT_EQ(tasks(4, 1), 1u) << "two are left";
  EXPECT_EQ(tasks(4, 2), 0u);
}

// Each warp draws by itself; four warps of each of two blocks have 32 tasks.
TEST(CommonWords, warps_draw_in_turn) {
  keep_count(0);
  const std::string of_warps = "S2R R0, SR_LANEID\n"
                               "ISETP.NE.AND P1, PT, R0, RZ, PT\n"
                               "@P1 EXIT\n" +
                               std::string(work_list.substr(0, work_list.rfind("BRA"))) + "BRA 0x50";
  std::size_t all = 0;
  for (std::int64_t b = 0; b < 2; ++b)
    all += run_code(of_warps, {.block = {.x = 128}, .grid = {.x = 2}, .arguments = count, .linear = b})
               .issued("FADD");
  EXPECT_NEAR(static_cast<double>(all), 32, 4);
}

// A sum whose last block does more: __threadfence and a counter that starts anew at the number of blocks.
TEST(CommonWords, the_last_block_finds_that_it_is) {
  constexpr std::string_view last = "LDC.64 R2, c[0x0][0x210]\n"
                                    "LDC R4, c[0x0][0x218]\n"
                                    "ATOMG.E.INC.STRONG.GPU PT, R6, [R2.64], R4\n"
                                    "ISETP.NE.AND P0, PT, R6, R4, PT\n"
                                    "@P0 EXIT\n"
                                    "FADD R7, R7, R7\n"
                                    "EXIT";
  keep_count(0);
  const std::string arguments = std::string(count) + ",last=9";
  for (std::int64_t b = 0; b < 10; ++b)
    EXPECT_EQ(run_code(last, {.block = {.x = 1}, .grid = {.x = 10}, .arguments = arguments, .linear = b})
                  .issued("FADD"),
              b == 9 ? 1u : 0u)
        << b;
}

// 32 lanes of a warp take 32 places in the output, and those of the next block the next 32.
TEST(CommonWords, lanes_of_a_warp_draw_together) {
  constexpr std::string_view compaction = "LDC.64 R2, c[0x0][0x210]\n"
                                          "MOV R4, 0x1\n"
                                          "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\n"
                                          "MOV R7, 0x0\n"
                                          "ST.E [R6.64], RZ\n"
                                          "EXIT";
  keep_count(5);
  const SeenBlock third = run_code(compaction, {.grid = {.x = 8}, .arguments = count, .linear = 2});
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(third.first("ST").access.address[lane], static_cast<std::int64_t>(5 + 64 + lane));
}

// A lock that is taken by a comparison and exchange, and given back: the next block finds it free.
TEST(CommonWords, a_lock_is_free_again_behind_the_first_block) {
  keep_count(0);
  for (const char* release :
       {"ATOMG.E.EXCH.STRONG.GPU PT, R7, [R2.64], RZ\n", "ST.E.STRONG.GPU [R2.64], RZ\n"}) {
    const std::string critical = "LDC.64 R2, c[0x0][0x210]\n"
                                 "MOV R5, 0x1\n"
                                 "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], RZ, R5\n"
                                 "ISETP.NE.AND P0, PT, R6, RZ, PT\n"
                                 "@P0 BRA 0x20\n"
                                 "FADD R8, R8, R8\n" +
                                 std::string(release) + "EXIT";
    for (const std::int64_t block : {0, 1, 7})
      EXPECT_EQ(run_code(critical, {.block = {.x = 1}, .grid = {.x = 8}, .arguments = count, .linear = block})
                    .issued("ATOMG"),
                std::string(release).starts_with("ATOMG") ? 2u : 1u)
          << release << block;
  }
}

// The first block waits for another one: others go on as memory was.
TEST(CommonWords, a_first_block_that_cannot_be_run_leaves_nothing) {
  keep_count(3);
  constexpr std::string_view first_waits = "S2R R0, SR_CTAID.X\n"
                                           "LDC.64 R2, c[0x0][0x210]\n"
                                           "ISETP.NE.AND P0, PT, R0, RZ, PT\n"
                                           "@P0 BRA 0x60\n"
                                           "LDG.E.STRONG.GPU R5, [R8.64]\n"
                                           "BRX R5\n"
                                           "ATOMG.E.MAX.STRONG.GPU PT, R6, [R2.64], R0\n"
                                           "MOV R7, 0x0\n"
                                           "ST.E [R6.64], RZ\n"
                                           "EXIT";
  const SeenBlock second =
      run_code(first_waits, {.block = {.x = 1}, .grid = {.x = 8}, .arguments = count, .linear = 1});
  EXPECT_EQ(second.first("ST").access.address[0], 3);
  EXPECT_EQ(second.run.settled, 0u);
}

// The least of all: a block looks at it first, and has something less in none of its lanes but in the first
// block's. Zero is the least that there is.
TEST(CommonWords, later_blocks_find_what_the_first_one_left) {
  constexpr std::string_view least = "S2R R0, SR_CTAID.X\n"
                                     "LDC.64 R2, c[0x0][0x210]\n"
                                     "LDG.E.STRONG.GPU R5, [R2.64]\n"
                                     "ISETP.GE.AND P0, PT, R0, R5, PT\n"
                                     "@P0 EXIT\n"
                                     "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R5, R0\n"
                                     "EXIT";
  keep_count(1000);
  const auto exchanges = [&](std::int64_t block) {
    return run_code(least, {.block = {.x = 1}, .grid = {.x = 100}, .arguments = count, .linear = block})
        .issued("ATOMG");
  };
  EXPECT_EQ(exchanges(0), 1u);
  EXPECT_EQ(exchanges(1), 0u);
  EXPECT_EQ(exchanges(99), 0u);
}

} // namespace perfmodel::common_words_test
