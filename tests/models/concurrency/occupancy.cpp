// The command: what is asked, and which tables answer it. resident_blocks.cpp tests the rule.
#include "models/concurrency/occupancy.hpp"

#include "models/concurrency/sm_resources.hpp"
#include "models/core/what_if.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::occupancy_test {

constexpr const char* resident = "resident on one SM";
constexpr const char* affordable = "most registers of a thread at each occupancy";

Result answer(const char* gpu, const Words& options = {}) {
  return ask("occupancy", gpu_named(gpu), options);
}
std::string why(const char* gpu, const Words& options) {
  return error_of([&] { answer(gpu, options); });
}

TEST(OccupancyModel, without_a_block_size_it_shows_every_whole_number_of_warps) {
  const Result h200 = answer("h200"), gtx280 = answer("gtx280");
  EXPECT_EQ(table_of(h200, resident).rows(), 32u);
  EXPECT_EQ(table_of(gtx280, resident).rows(), 16u) << "512 threads at most";
  EXPECT_EQ(number(h200, resident, "threads", 31), 1024);
  EXPECT_EQ(number(h200, resident, "occupancy", 0), 0.5) << "32 blocks of one warp";
}

TEST(OccupancyModel, one_block_shows_what_each_limit_allows) {
  const Result r = answer("h200", {{"threads", "256"}, {"registers", "40"}, {"shared", "16KiB"}});
  EXPECT_EQ(number(r, resident, "blocks"), 6);
  EXPECT_EQ(number(r, resident, "warps"), 48);
  EXPECT_EQ(number(r, resident, "resident_threads"), 1536);
  EXPECT_EQ(number(r, resident, "occupancy"), 0.75);
  EXPECT_EQ(text(r, resident, "limiter"), "registers");
  EXPECT_EQ(number(r, resident, "by_blocks"), 32);
  EXPECT_EQ(number(r, resident, "by_warps"), 8);
  EXPECT_EQ(number(r, resident, "by_registers"), 6);
  EXPECT_EQ(number(r, resident, "by_shared"), 13) << "228 / 17";
  EXPECT_EQ(number(r, resident, "by_barriers"), 64);
  EXPECT_EQ(number(r, resident, "shared_allocated"), 17 * 1024);
  EXPECT_EQ(number(r, resident, "shared_of_sm"), 228 * 1024);
}

TEST(OccupancyModel, a_shape_is_as_good_as_its_threads) {
  for (const char* shape : {"256", "16x16", "8x8x4", "256x1x1"})
    EXPECT_EQ(number(answer("c2050", {{"block", shape}}), resident, "blocks"), 6) << shape;
  for (const char* wrong :
       {"16y16", "x", "16x", "x16", "16x16x1x1", "0x16", "-1x16", "1.5x16", "9999999x1", ""})
    EXPECT_NE(why("c2050", {{"block", wrong}}), "no error") << wrong;
  EXPECT_EQ(why("c2050", {{"block", "16x"}}),
            "--block: '16x' is no shape of one to three whole numbers, such as 16x16");
  EXPECT_EQ(why("c2050", {{"block", "16x16"}, {"threads", "256"}}), "give --threads or --block, not both");
}

// V. Volkov in R. Vuduc, GPU tuning, part 1, slide 46: 20 at 100 %, 63 at 33 % on GF100. On GT200, by hand:
// 16384 / 4 blocks / 256 threads = 16; 16384 / 3 = 5461, in units of 512 5120 / 256 = 20; / 2 = 32; 64.
TEST(OccupancyModel, without_registers_it_says_how_many_each_occupancy_affords) {
  const Result gf100 = answer("c2050", {{"threads", "256"}}), gt200 = answer("gtx280", {{"threads", "256"}});
  const auto most = [](const Result& r, double occupancy) {
    const Table& table = table_of(r, affordable);
    for (std::size_t row = 0; row < table.rows(); ++row)
      if (std::abs(table.at("occupancy").number(row) - occupancy) < 1e-12)
        return table.at("most_registers").number(row);
    return absent;
  };
  EXPECT_EQ(most(gf100, 1), 20);
  EXPECT_EQ(most(gf100, 1 / 3.0), 63);
  EXPECT_EQ(most(gt200, 1), 16);
  EXPECT_EQ(most(gt200, 0.75), 20);
  EXPECT_EQ(most(gt200, 0.5), 32);
  EXPECT_EQ(most(gt200, 0.25), 64);
  EXPECT_EQ(most(answer("gtx280", {{"threads", "128"}}), 0.125), 124)
      << "one block of 4 warps; the most there is";
  for (const Table& table : answer("c2050", {{"registers", "20"}}).tables) EXPECT_NE(table.title, affordable);
}

TEST(OccupancyModel, the_affordable_registers_fit_and_one_more_does_not) {
  for (const Gpu& gpu : every_nvidia_gpu()) {
    const SmResources<Plain> sm = sm_resources(gpu);
    const Result r = ask("occupancy", gpu, {{"threads", "192"}});
    const Table& table = table_of(r, affordable);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double blocks = table.at("blocks").number(row), most = table.at("most_registers").number(row);
      EXPECT_EQ(occupancy(sm, {.threads_per_block = 192, .registers_per_thread = most}).blocks, blocks)
          << gpu.name;
      EXPECT_LT(occupancy(sm, {.threads_per_block = 192, .registers_per_thread = most + 1}).blocks, blocks)
          << gpu.name;
    }
  }
}

// Filipovic 2010, and NVIDIA's programming guide: blocks of a multiple of 64 threads on cc 1.x.
TEST(OccupancyModel, blocks_of_cc_1_that_are_no_multiple_of_64_may_meet_conflicts_of_register_banks) {
  for (const char* gpu : {"8800gtx", "gtx280"}) {
    const Result r = answer(gpu);
    for (std::size_t row = 0; row < table_of(r, resident).rows(); ++row)
      EXPECT_EQ(text(r, resident, "register_banks", row),
                std::fmod(number(r, resident, "threads", row), 64) == 0 ? "no conflicts"
                                                                        : "may conflict: no multiple of 64");
  }
  EXPECT_EQ(text(answer("c2050", {{"threads", "96"}}), resident, "register_banks"), "");
}

TEST(OccupancyModel, a_block_that_cannot_launch_is_refused_with_the_limit) {
  EXPECT_EQ(why("h200", {{"threads", "1025"}}),
            "a block of 1025 threads cannot launch on h200: a block has at most 1024 threads");
  EXPECT_EQ(why("m2090", {{"registers", "64"}}),
            "a kernel of 64 registers per thread cannot launch on m2090: a thread has at most 63");
  EXPECT_EQ(why("h200", {{"registers", "32.5"}}),
            "registers of a thread: 32.5 given, a whole number from 0 is expected");
}

// Among all block sizes some may launch while others cannot: they show no blocks.
// 16 KiB and the system's one, where an SM runs with 8 KiB at most.
TEST(OccupancyModel, a_block_that_no_carve_out_holds_is_refused_with_the_carve_out) {
  const Gpu gpu = with_fact(gpu_named("h200"), "shared.carveouts", std::string_view("0 B, 8 KiB"));
  EXPECT_EQ(error_of([&] {
              ask("occupancy", gpu, {{"threads", "256"}, {"shared", "16KiB"}, {"carveout", "8KiB"}});
            }),
            "a block with 16 KiB of shared memory cannot launch on h200: an SM runs with a carve-out of 8 "
            "KiB there");
}

TEST(OccupancyModel, a_staircase_shows_no_blocks_where_nothing_launches) {
  const Result r = answer("h200", {{"registers", "255"}});
  EXPECT_EQ(number(r, resident, "blocks", 7), 1) << "256 threads";
  EXPECT_EQ(number(r, resident, "blocks", 8), 0) << "288 threads";
  EXPECT_EQ(text(r, resident, "limiter", 8), "registers");
}

// A curve goes down to 0 where blocks stop to launch; the last that launches is 255 registers.
TEST(OccupancyModel, a_sweep_goes_on_at_no_blocks_and_says_why) {
  const Result r = answer("h200", {{"threads", "256"}, {"registers", "254:257"}});
  const Table& table = table_of(r, resident);
  ASSERT_EQ(table.rows(), 4u);
  for (const std::size_t row : {0u, 1u}) EXPECT_EQ(table.at("blocks").number(row), 1);
  for (const std::size_t row : {2u, 3u}) {
    EXPECT_EQ(table.at("blocks").number(row), 0);
    EXPECT_EQ(table.at("occupancy").number(row), 0);
    EXPECT_EQ(table.at("limiter").text(row), "registers");
    EXPECT_EQ(table.at("by_registers").number(row), 0);
  }
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0],
            "The kernel cannot run at 2 of 4 points; the first: a kernel of 256 registers per thread "
            "cannot launch on h200: a thread has at most 255.");
}

TEST(OccupancyModel, every_limit_of_a_launch_ends_a_curve_at_no_blocks) {
  const std::vector<std::pair<Words, std::string>> sweeps = {
      {{{"threads", "1024,1025"}}, "warps"},
      {{{"threads", "256"}, {"shared", "227KiB,228KiB"}}, "shared memory"},
      {{{"threads", "512"}, {"registers", "128,129"}}, "registers"},
      {{{"block", "32x32"}, {"registers", "64,65"}}, "registers"}};
  for (const auto& [options, limiter] : sweeps) {
    const Result r = answer("h200", options);
    const Table& table = table_of(r, resident);
    ASSERT_EQ(table.rows(), 2u) << limiter;
    EXPECT_EQ(table.at("blocks").number(1), 0) << limiter;
    EXPECT_EQ(table.at("limiter").text(1), limiter);
    ASSERT_EQ(r.notes.size(), 1u) << limiter;
    EXPECT_EQ(r.notes[0].find("The kernel cannot run at 1 of 2 points: "), 0u) << r.notes[0];
  }
}

TEST(OccupancyModel, a_sweep_that_begins_where_nothing_launches_is_explained_where_something_does) {
  Request request = request_of(model("occupancy"), {{"threads", "256"}, {"registers", "300,40"}});
  request.explain = true;
  const Gpu gpu = gpu_named("h200");
  const Result r = predict(model("occupancy"), std::span(&gpu, 1), request);
  EXPECT_EQ(number(r, resident, "blocks", 0), 0);
  EXPECT_EQ(number(r, resident, "blocks", 1), 6);
  ASSERT_EQ(r.derivations.size(), 1u);
  const auto& steps = r.derivations[0].steps;
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(),
                          [](const Step& s) { return s.symbol == "registers" && s.value == 40; }));
}

TEST(OccupancyModel, a_sweep_without_any_block_that_launches_is_refused_with_the_first_reason) {
  EXPECT_EQ(why("h200", {{"threads", "256"}, {"registers", "256,512"}}),
            "a kernel of 256 registers per thread cannot launch on h200: a thread has at most 255");
  EXPECT_EQ(why("h200", {{"threads", "256"}, {"carveout", "64KiB,300KiB"}}),
            "an SM of h200 cannot have a carve-out of 300 KiB: it has at most 228 KiB of shared memory")
      << "wrong for every block";
}

TEST(OccupancyModel, of_several_gpus_the_one_that_cannot_launch_it_holds_no_blocks) {
  const Gpu gpus[] = {gpu_named("gtx280"), gpu_named("h200")};
  const Model& m = model("occupancy");
  const Result r = predict(m, gpus, request_of(m, {{"threads", "1024"}}));
  EXPECT_EQ(number(r, resident, "blocks", 0), 0);
  EXPECT_EQ(number(r, resident, "blocks", 1), 2);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("cannot launch on gtx280: a block has at most 512 threads"), std::string::npos);
}

TEST(OccupancyModel, zero_registers_are_none_given) {
  EXPECT_EQ(number(answer("h200", {{"threads", "256"}, {"registers", "0"}}), resident, "blocks"), 8);
}

TEST(OccupancyModel, registers_and_shared_memory_can_be_swept) {
  const Result r = answer("h200", {{"threads", "256"}, {"registers", "32,40"}, {"shared", "0,64KiB"}});
  const Table& table = table_of(r, resident);
  ASSERT_EQ(table.rows(), 4u);
  EXPECT_EQ(table.at("blocks").number(0), 8);
  EXPECT_EQ(table.at("blocks").number(1), 3);
  EXPECT_EQ(table.at("blocks").number(2), 6);
  EXPECT_EQ(table.at("blocks").number(3), 3);
}

} // namespace perfmodel::occupancy_test
