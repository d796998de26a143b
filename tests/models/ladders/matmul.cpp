#include "matmul_rungs.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace perfmodel::matmul_test {

using namespace matmul_rungs;

// 2 flop for 2 words of 4 B; tiles of 16 and 128 x 128; 256 x 128 in tf32; in bf16 words of 2 B, 128 rows of
// A and, of a cluster of two blocks, 256 columns of B once: 2 / (2 x (1 / 256 + 1 / 256)). Worked by hand.
TEST(Matmul, intensity_counts_bytes_at_the_level_where_loads_look_first) {
  const std::vector<Matmul::Rung> hopper = ladder(gpu_named("h200"), 128);
  ASSERT_EQ(hopper.size(), 5u);
  const double intensity[] = {0.25, 4, 32, 128.0 / 3, 128};
  const char* level[] = {"l1", "l1", "l1", "l2", "l2"};
  const char* precision[] = {"fp32", "fp32", "fp32", "tf32", "bf16"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_DOUBLE_EQ(hopper[i].intensity.value, intensity[i]) << hopper[i].version;
    EXPECT_EQ(hopper[i].level, level[i]) << hopper[i].version;
    EXPECT_EQ(hopper[i].precision, precision[i]) << hopper[i].version;
    EXPECT_DOUBLE_EQ(hopper[i].intensity.value * hopper[i].bytes_per_flop, i < 4 ? 1 : 1.5);
  }
  EXPECT_EQ(rung(gpu_named("gtx280"), Version::naive).level, "dram") << "no cache before cc 2.0";
}

// Many rounds of blocks go on at the pace of those that are simulated. Where that was told from when the last
// block of a half had ended, so little of one cost moved this by 5 % (and on another GPU by 14 %).
TEST(Matmul, little_of_a_cost_moves_a_product_little) {
  std::vector<double> times;
  for (const char* rate : {"15.94/cycle", "15.98/cycle", "16/cycle"})
    times.push_back(
        rung(with_facts(gpu_named("h100-sxm"), {{"throughput.branch", rate}}), Version::tiled, 4096, 8)
            .time.value);
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  EXPECT_LT(*most / *least, 1.01);
}

// Giorgi, lesson 30: 4 B per flop; 805 Gflop/s would need 3.2 TB/s, and 112 GB/s allow 28 Gflop/s. The 805
// count a MUL beside every MAD, which a product has not (slip giorgi-805-gflops): its roof is that of the
// roofline.
TEST(Matmul, naive_on_a_gtx_260_would_need_3220_gb_per_s_and_gets_28_gflop_per_s) {
  const Matmul::Rung naive = rung(gpu_named("gtx260"), Version::naive);
  EXPECT_DOUBLE_EQ(naive.bytes_per_flop, 4);
  EXPECT_NEAR(naive.bandwidth_needed.value, 3220e9, 3e9);
  EXPECT_NEAR(naive.performance.value / naive.of_roof, 536.5e9, 1e9);
  EXPECT_NEAR(naive.bandwidth_bound.value, 28e9, 0.1e9);
}

// Of 16 x 16 a half-warp reads one word of A, by one transaction of 32 B, and 64 B of B: 96 B for 32 flop,
// 3 B per flop, 111.9 GB/s / 3. A tiled block reads rows of tiles, every word once.
TEST(Matmul, by_its_transactions_naive_is_bound_by_37_gflop_per_s_and_not_by_28) {
  const Gpu gtx260 = gpu_named("gtx260");
  const Matmul::Rung naive = rung(gtx260, Version::naive), tiled = rung(gtx260, Version::tiled);
  EXPECT_NEAR(naive.transaction_bound.value, 37.3e9, 0.1e9);
  EXPECT_NEAR(tiled.transaction_bound.value, tiled.bandwidth_bound.value, 1e9);
}

// The same lesson: 16 x 16 tiles load 512 words for 8192 flop; 2 n^3 / 16 words; 16 times 28 Gflop/s; 4096
// blocks at n = 1024.
TEST(Matmul, a_tile_of_16_loads_512_words_for_8192_flop) {
  const Matmul::Rung tiled = rung(gpu_named("gtx260"), Version::tiled);
  EXPECT_DOUBLE_EQ(tiled.block_words, 512);
  EXPECT_DOUBLE_EQ(tiled.block_flops, 8192);
  EXPECT_DOUBLE_EQ(tiled.words, 2.0 * 1024 * 1024 * 1024 / 16);
  EXPECT_NEAR(tiled.bandwidth_bound.value, 448e9, 1e9);
  EXPECT_DOUBLE_EQ(tiled.blocks, 4096);
}

// The lecture prints three blocks, 768 threads; cc 1.3 holds 1024.
TEST(Matmul, gt200_holds_four_blocks_of_a_tile_of_16) {
  const Matmul::Rung tiled = rung(gpu_named("gtx280"), Version::tiled);
  EXPECT_DOUBLE_EQ(tiled.resident, 4);
  EXPECT_DOUBLE_EQ(tiled.occupancy, 1);
}

// At n = 1024 all rows of A begin in the same of 8 partitions: a half-warp's step of k takes 32 B of A from
// that one and 64 B of B from all, 32 + 64 / 8 = 40 B of the 14.05 GB/s of one partition, 2.847 ns for 32
// flop: 11.24 Gflop/s, were blocks to start and to end with the others. Printed: 10.7.
TEST(Matmul, one_partition_holds_the_naive_product_of_gt200_at_10_7_gflop_per_s) {
  const Matmul::Rung naive = rung(gpu_named("gtx280"), Version::naive);
  EXPECT_NEAR(naive.performance.value, 10.7e9, 0.1 * 10.7e9);
  EXPECT_LT(naive.performance.value, 11.25e9);
  EXPECT_EQ(naive.bound, "the busiest partition");
}

// Of a warp of 16 x 2 threads and a step of k: A's are 2 sectors, one for each of its two rows, B's 16 words
// are 2. One of 32 x 8 threads is 32 columns of one row: one word of A, 32 words of B in 4 sectors; one of 1
// x 256 is 32 rows: as many words of A, each in its own sector, and one of B. Stores: 4 for 32 words of a
// row, 32 of a column.
TEST(Matmul, the_shape_of_a_naive_block_says_which_words_a_warp_shares) {
  const auto sectors = [](Shape block) {
    Plain plain;
    const auto rows = std::get<0>(
        Matmul::predict(gpu_named("h200"), {.version = Version::naive, .n = 256, .block = block}, plain));
    return rows.front().sectors / (256.0 * 256 / 32);
  };
  EXPECT_DOUBLE_EQ(sectors({16, 16, 1}), 256 * (2 + 2) + 4);
  EXPECT_DOUBLE_EQ(sectors({32, 8, 1}), 256 * (1 + 4) + 4);
  EXPECT_DOUBLE_EQ(sectors({1, 256, 1}), 256 * (32 + 1) + 32);
}

// A cost that a kernel does not use neither stands among its constants nor decides on its grade.
TEST(Matmul, only_a_product_in_shared_memory_is_asked_what_barriers_and_its_queue_cost) {
  const auto names = [](const char* version, const char* cost) {
    const Result result = ask("matmul", measured_gpu("h200"), {{"version", version}, {"n", "256"}});
    return std::any_of(result.constants.begin(), result.constants.end(),
                       [&](const Step& constant) { return constant.symbol == cost; });
  };
  for (const char* cost : {"barrier.pipe", "barrier.per_warp", "issue.access_queue"}) {
    EXPECT_TRUE(names("tiled", cost)) << cost;
    EXPECT_FALSE(names("naive", cost)) << cost;
  }
  for (const char* version : {"naive", "tiled"}) EXPECT_FALSE(names(version, "l2.atomic_rate")) << version;
}

// Every tile that a block can have is a kernel of its own, and one of 33 is none.
TEST(Matmul, any_tile_of_up_to_1024_threads_has_machine_code) {
  for (Count tile = 1; tile <= 32; ++tile)
    EXPECT_GT(rung(gpu_named("h200"), Version::tiled, 32, tile).time.value, 0) << tile;
  EXPECT_NE(error_of([&] { (void)rung(gpu_named("h200"), Version::tiled, 66, 33); }), "no error");
}

// Half of what its busiest partition has to do in step are words of A; a tiled block has more to multiply
// than to wait, and its blocks come apart.
TEST(Matmul, blocks_go_in_step_only_where_they_wait_for_memory) {
  EXPECT_EQ(rung(gpu_named("gtx280"), Version::naive).bound, "the busiest partition");
  EXPECT_EQ(rung(gpu_named("gtx280"), Version::tiled).bound, "sp pipe");
  EXPECT_NEAR(rung(gpu_named("gtx280"), Version::tiled).performance.value, 183.9e9, 0.15 * 183.9e9);
}

// Counted by the hardware of an H200 at n = 1024.
TEST(Matmul, counts_of_an_h200) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_NEAR(rung(gpu, Version::naive).sectors, 134217728 + 131072, 1);
  EXPECT_NEAR(rung(gpu, Version::tiled).sectors, 16777216 + 131072, 1);
  EXPECT_NEAR(rung(gpu, Version::tiled).wavefronts, 50382559 + 4472519, 0.01 * 54855078);
  EXPECT_NEAR(rung(gpu, Version::tiled, 1024, 32).wavefronts, 50370043 + 2421436, 0.01 * 52791479);
  EXPECT_NEAR(rung(gpu, Version::tiled, 1024, 12).fma, 1099104768, 1);
  EXPECT_NEAR(rung(gpu, Version::register_tiled).sectors, 2097152 + 131072, 1);
  EXPECT_NEAR(rung(gpu, Version::register_tiled).wavefronts, 4194304 + 524288, 1);
  for (const auto& [version, wavefronts] :
       {std::pair(Version::tensor_tf32, 163840), std::pair(Version::tensor_bf16, 16384)}) {
    const Matmul::Rung row = rung(gpu, version);
    EXPECT_EQ(row.fma, 0);
    EXPECT_TRUE(std::isnan(row.sectors)) << "the copy engine's are none";
    EXPECT_EQ(row.wavefronts, wavefronts);
  }
}

// 16 columns and 64 rows where blocks of 1024 threads fill an SM of 2048 or of 1024, not of 1536 or 1024 with
// blocks of 512.
TEST(Matmul, a_naive_block_is_as_high_as_fills_an_sm) {
  const auto blocks = [](const char* gpu) { return rung(gpu_named(gpu), Version::naive, 128).blocks; };
  EXPECT_EQ(blocks("h200"), 8 * 2);
  EXPECT_EQ(blocks("t4"), 8 * 2);
  EXPECT_EQ(blocks("m2090"), 8 * 8);
  EXPECT_EQ(blocks("gtx280"), 8 * 8);
}

// Of the files' namespaces, without comments and empty lines.
Count lines_in(const std::string& file, const std::string& from = "") {
  std::ifstream source(std::string(PERFMODEL_SOURCE_DIR "/kernels/probes/ladders/") + file);
  Count lines = 0;
  bool inside = false;
  for (std::string line; std::getline(source, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (line.rfind("} // namespace", 0) == 0) break;
    if (inside && !from.empty() && line.rfind(from, 0) == 0) lines = 0;
    if (inside && first != std::string::npos && line.compare(first, 2, "//") != 0) ++lines;
    inside = inside || line.rfind("namespace perfmodel::kernels", 0) == 0;
  }
  return lines;
}

TEST(Matmul, lines_of_source_are_those_of_the_kernels) {
  const auto lines = [](Version version) { return matmul_rung(version, 16, {16, 16, 1}).lines; };
  const Count tiled = lines_in("matmul_tiled.cuh", "template <int tile>"),
              pipeline = lines_in("tensor_pipeline.cuh");
  EXPECT_EQ(lines(Version::naive), lines_in("matmul_tiled.cuh") - tiled);
  EXPECT_EQ(lines(Version::tiled), tiled);
  EXPECT_EQ(lines(Version::register_tiled), lines_in("matmul_register_tiled.cuh"));
  EXPECT_EQ(lines(Version::tensor_tf32), lines_in("matmul_tensor_tf32.cuh") + pipeline);
  EXPECT_EQ(lines(Version::tensor_bf16), lines_in("matmul_tensor_bf16.cuh") + pipeline);
}

TEST(Matmul, each_rung_of_an_h200_is_faster_than_the_one_before) {
  for (const Count n : {1024, 4096}) {
    const std::vector<Matmul::Rung> rungs = ladder(gpu_named("h200"), n);
    ASSERT_EQ(rungs.size(), 5u);
    for (std::size_t i = 1; i < rungs.size(); ++i)
      EXPECT_GT(rungs[i].gain, 1) << n << ' ' << rungs[i].version;
  }
}

TEST(Matmul, any_size_has_an_answer) {
  for (const Count n : {1, 2, 67, 131})
    for (const Matmul::Rung& r : ladder(gpu_named("h200"), n)) {
      EXPECT_GT(r.time.value, 0) << n << ' ' << r.version;
      EXPECT_LT(r.time.value, 1e-3) << n << ' ' << r.version;
    }
}

// 256 are three matrices of 256 KiB: too many for 0.5 MB.
TEST(Matmul, a_sweep_goes_on_without_what_does_not_fit) {
  const Gpu gpus[] = {with_facts(gpu_named("8800gtx"), {{"dram.size", "0.5 MB"}}), gpu_named("h200")};
  const perfmodel::Model& matmul = model("matmul");
  const Result result =
      predict(matmul, gpus,
              {.inputs = {{"n", {{.number = 64}, {.number = 256}}}, {"version", {{.text = "naive"}}}},
               .quick_grades = true});
  EXPECT_EQ(result.tables.front().rows(), 3u);
  EXPECT_NE(std::find_if(result.notes.begin(), result.notes.end(),
                         [](const std::string& note) { return note.find("1 of 4 points") != note.npos; }),
            result.notes.end());
}

// The units are simulated as they are; a peak that --set puts below them binds all the same.
TEST(Matmul, no_version_beats_a_peak_that_is_set) {
  for (const char* name : {"h200", "m2090", "gtx280"}) {
    const Result r = ask("matmul", with_facts(gpu_named(name), {{"peak.fp32", "1 Gflop/s"}}), {{"n", "64"}});
    EXPECT_DOUBLE_EQ(number(r, "versions", "performance"), 1e9) << name;
    EXPECT_EQ(text(r, "versions", "bound"), "the peak") << name;
  }
}

TEST(Matmul, what_cannot_run_is_one_sentence) {
  const Gpu gtx280 = gpu_named("gtx280");
  EXPECT_EQ(error_of([&] { (void)rung(gtx280, Version::tensor_bf16); }),
            "the tensor versions are written for compute capability 9.0 (wgmma)");
  EXPECT_NE(error_of([&] { (void)rung(gtx280, Version::tiled, 1024, 32); }), "");
  EXPECT_NE(error_of([&] { (void)rung(gtx280, Version::naive, 65536); }).find("do not fit"),
            std::string::npos);
  EXPECT_EQ(ladder(gtx280, 64).size(), 2u); // naive and tiled
  const auto with_block = [&](Shape block) {
    return error_of([&] {
      Plain plain;
      (void)Matmul::predict(gtx280, {.block = block}, plain);
    });
  };
  EXPECT_NE(with_block({32, 32, 1}).find("1024 threads"), std::string::npos) << with_block({32, 32, 1});
  EXPECT_EQ(with_block({8, 8, 2}), "--block 8x8x2: a block of the version 'naive' has two sides");
}

} // namespace perfmodel::matmul_test
