#include "models/ladders/matmul_dram.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/ladders/matmul.hpp"
#include "models/ladders/matmul_cost.hpp"
#include "models/ladders/matmul_launches.hpp"
#include "models/simulate/launch_samples.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel::matmul_dram_test {

using Version = MatmulVersion;

Gpu h200() { return with_facts(gpu_named("h200"), {{"l2.shared_capacity", "30 MB"}}); }
Gpu with_unknown_capacity() {
  Gpu gpu = gpu_named("h200");
  gpu.facts.erase("l2.shared_capacity");
  return gpu;
}

Matmul::Input input(Version version, Count n, Count tile, Shape block = {16, 16, 1}) {
  Matmul::Input in;
  in.version = version;
  in.n = n;
  in.tile = tile;
  in.block = block;
  return in;
}
double resident(const Gpu& gpu, const MatmulRung& rung, Count n) {
  if (on_tensor_units(rung.version)) return 1; // their shared memory
  return launch_occupancy(gpu, matmul_code(gpu, rung, n), matmul_launch(rung, std::llround(n))).blocks;
}
// What a row of the ladder says, without its time, whose simulation takes a second.
template <class T> double bytes(const Gpu& gpu, const Matmul::Input& in, T& trace) {
  const MatmulRung rung =
      matmul_rung(in.version.value(), std::llround(in.tile), in.block.value_or(naive_block_of(gpu)));
  return matmul_dram_bytes(gpu, rung, in.n, resident(gpu, rung, in.n), trace).value;
}
double bytes(const Gpu& gpu, const Matmul::Input& in) {
  Plain plain;
  return bytes(gpu, in, plain);
}
// The step of the derivation, as --explain prints it.
std::string said(const Gpu& gpu, const Matmul::Input& in, const std::string& symbol) {
  Recorder recorder;
  (void)bytes(gpu, in, recorder);
  for (const Step& step : recorder.derivation.steps)
    if (step.symbol == symbol) return step.formula + step.text;
  return "";
}

void expect_times(const TimesRead& times, double a, double b) {
  EXPECT_DOUBLE_EQ(times.a, a);
  EXPECT_DOUBLE_EQ(times.b, b);
}

// 4 x 4 tiles, two at a time, so half a row of them: of 8 groups each reads a row and two columns.
TEST(MatmulDram, a_group_reads_its_own_rows_and_columns) {
  const TileWalk square{.down = 4, .across = 4};
  expect_times(times_read(square, 2, 2, 16, 1), 2, 4);
  expect_times(times_read(square, 16, 16, 16, 1), 1, 1);
  // Groups of three cross the ends of rows: 1, 2, 2, 1, 1 and 1 rows, 3, 3, 3, 3, 3 and 1 columns.
  expect_times(times_read(square, 3, 3, 16, 1), 8. / 4, 16. / 4);
}

// Two rows share their columns, then four groups read a row and two columns each.
TEST(MatmulDram, blocks_that_begin_together_share) {
  expect_times(times_read({.down = 4, .across = 4}, 8, 2, 16, 1), 6. / 4, 12. / 4);
}

// Rows and columns of 4 bytes: a group of two reads 12, a row of tiles 20.
TEST(MatmulDram, what_l2_keeps_until_the_next_group_or_row_is_read_once) {
  const TileWalk square{.down = 4, .across = 4};
  expect_times(times_read(square, 2, 2, 16, 11.99), 2, 4);
  expect_times(times_read(square, 2, 2, 16, 12), 1, 4);
  expect_times(times_read(square, 2, 2, 16, 19.99), 1, 4);
  expect_times(times_read(square, 2, 2, 16, 20), 1, 1);
}

// Down two tiles, then one to the right. The six groups of three: 2, 2, 3, 2, 2 and 1 rows (the third has the
// end of the upper band and the begin of the lower), 2, 2, 2, 2, 2 and 1 columns.
TEST(MatmulDram, tiles_in_bands_share_rows_and_columns) {
  const TileWalk bands{.down = 4, .across = 4, .height = 2};
  expect_times(times_read(bands, 3, 3, 16, 1), 12. / 4, 11. / 4);
  // 2 rows and 2 columns of 4 bytes are kept: each band reads B once, the column that two groups share, too.
  expect_times(times_read(bands, 3, 3, 16, 16), 1, 2);
  // The band below has one row.
  expect_times(times_read({.down = 3, .across = 4, .height = 2}, 4, 4, 16, 1), 5. / 3, 8. / 4);
}

// Each row is that of its own groups and of the one that comes over from the row above, but for one row in 33
// that begins with a group: 132 and 100 000 have a common factor of 4.
TEST(MatmulDram, of_many_groups_some_stand_for_all) {
  const TimesRead times = times_read({.down = 100000, .across = 100000}, 132, 132, 1e12, 1e6);
  EXPECT_NEAR(times.b, 1e5, 1);
  EXPECT_NEAR(times.a, 1e5 / 132 + 32. / 33, 0.01);
}

// Matrices of 256 KiB, of bf16 128 KiB, and an L2 that holds less than one of them.
TEST(MatmulDram, stands_in_every_row_of_the_ladder_and_in_its_derivation) {
  const Gpu small = with_facts(h200(), {{"l2.size", "0.2 MB"}, {"l2.shared_capacity", "0.1 MB"}});
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const Matmul::Input in = input(static_cast<Version>(i), 256, 16, {1, 256, 1});
    Recorder recorder;
    const Matmul::Rung row = std::get<0>(Matmul::predict(small, in, recorder)).front();
    EXPECT_GT(row.dram_bytes.value, 0) << row.version;
    EXPECT_EQ(row.dram_bytes.value, bytes(small, in)) << row.version;
    const auto& steps = recorder.derivation.steps;
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
      return step.symbol == "dram_bytes(" + row.version + ")" && step.value == row.dram_bytes.value;
    })) << row.version;
  }
}

// Counted on an H200, 2026-11-22, 22:38 UTC: reads and writes.
TEST(MatmulDram, of_an_h200) {
  const Gpu gpu = h200();
  struct Row {
    Version version;
    Count n, tile;
    double counted, tolerance;
  };
  for (const auto& [version, n, tile, counted, tolerance] :
       {Row{Version::naive, 4096, 16, 4.418e9, 0.02},
        {Version::naive, 8192, 16, 35.08e9, 0.02},
        {Version::tiled, 4096, 16, 16.96e9, 0.02},
        {Version::tiled, 4096, 32, 8.459e9, 0.02},
        {Version::tiled, 8192, 16, 138.0e9, 0.02},
        {Version::tiled, 8192, 32, 69.37e9, 0.02},
        {Version::register_tiled, 4096, 16, 633.1e6, 0.03},
        {Version::register_tiled, 8192, 16, 8.939e9, 0.03},
        {Version::tensor_tf32, 4096, 16, 373.8e6, 0.003},
        {Version::tensor_tf32, 8192, 16, 2.651e9, 0.003},
        {Version::tensor_bf16, 4096, 16, 180.7e6, 0.012},
        {Version::tensor_bf16, 8192, 16, 1.359e9, 0.003}}) {
    Matmul::Input in = input(version, n, tile);
    in.block.reset();
    const double predicted = bytes(gpu, in);
    EXPECT_NEAR(predicted / counted, 1, tolerance)
        << n << ", " << tile << ": predicted " << predicted << ", counted " << counted;
  }
}

// 16 rows of blocks, of which each reads B once: 132 blocks, and 1056, read less than L2 keeps.
TEST(MatmulDram, naive_blocks_of_one_column_read_b_once_for_every_row_of_blocks) {
  const double matrix = 4. * 4096 * 4096;
  const double predicted = bytes(h200(), input(Version::naive, 4096, 16, {1, 256, 1}));
  EXPECT_DOUBLE_EQ(predicted, (1 + 16 + 1) * matrix);
  EXPECT_NEAR(predicted / 1.21876e9, 1, 0.01) << "as counted on an H200";
}

// In step 1056 blocks share four rows of 256 blocks and B is read 62.2 times; 132 by themselves read half of
// it, 252.9 times in all.
TEST(MatmulDram, naive_is_left_out_where_it_matters_whether_blocks_are_in_step) {
  const Matmul::Input in = input(Version::naive, 4096, 16);
  EXPECT_TRUE(std::isnan(bytes(h200(), in)));
  EXPECT_EQ(said(h200(), in, "dram_bytes(naive)"),
            "4.259 GB are read where the 1056 blocks of a wave go through k in step, 17.16 GB where 132 do");
}

// Matrices of 23 MB: B is kept while a row of blocks after the other reads it, all three are not.
TEST(MatmulDram, where_l2_keeps_b_each_matrix_moves_once) {
  for (const Version version : {Version::naive, Version::tiled, Version::register_tiled})
    EXPECT_DOUBLE_EQ(bytes(h200(), input(version, 2400, 16)), 3 * 4. * 2400 * 2400);
}

TEST(MatmulDram, nothing_is_said_of_matrices_that_stay_in_l2) {
  const std::string why = "the matrices stay in L2 from launch to launch";
  for (const Gpu& gpu : {h200(), with_unknown_capacity()}) {
    EXPECT_EQ(said(gpu, input(Version::tiled, 1024, 16), "dram_bytes(tiled)"), why);
    EXPECT_TRUE(std::isnan(bytes(gpu, input(Version::tiled, 1024, 16))));
  }
  // Three matrices of fp32 are 12 n^2 bytes of 60 MiB; of bf16 6 n^2.
  EXPECT_TRUE(std::isnan(bytes(h200(), input(Version::tiled, 2289, 16))));
  EXPECT_FALSE(std::isnan(bytes(h200(), input(Version::tiled, 2290, 16))));
  EXPECT_TRUE(std::isnan(bytes(h200(), input(Version::tensor_bf16, 2290, 16))));
}

TEST(MatmulDram, nothing_is_said_where_there_is_no_l2_and_what_it_keeps_may_be_assumed) {
  Plain plain;
  (void)plain.cost(with_unknown_capacity(), facts::l2_shared_capacity);
  EXPECT_EQ(plain.grades.worst(), Grade::assumed);
  EXPECT_FALSE(std::isnan(bytes(with_unknown_capacity(), input(Version::tiled, 4096, 16))));
  EXPECT_EQ(said(gpu_named("gtx280"), input(Version::tiled, 4096, 16), "dram_bytes(tiled)"),
            "no L2: all transactions move");
}

} // namespace perfmodel::matmul_dram_test
