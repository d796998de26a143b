#include "models/concurrency/operand_bandwidth.hpp"
#include "models/core/what_if.hpp"

#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::operand_bandwidth_test {

OperandBandwidth::Tables operands(const Gpu& gpu, const OperandBandwidth::Input& in = {}) {
  Plain plain;
  return OperandBandwidth::predict(gpu, in, plain);
}
std::vector<OperandBandwidth::Supply> levels(const Gpu& gpu, const OperandBandwidth::Input& in = {}) {
  return std::get<1>(operands(gpu, in));
}
OperandBandwidth::Flow flow(const Gpu& gpu, std::size_t row) { return std::get<0>(operands(gpu)).at(row); }
OperandBandwidth::Supply supply(const Gpu& gpu, Level level, const OperandBandwidth::Input& in = {}) {
  for (const OperandBandwidth::Supply& s : levels(gpu, in))
    if (s.level == level) return s;
  throw std::runtime_error("no row of that level");
}
std::vector<OperandBandwidth::Tile> tiles(const Gpu& gpu, const OperandBandwidth::Input& in = {}) {
  return std::get<2>(operands(gpu, in));
}
OperandBandwidth::Input tile_of(double m, double n) {
  OperandBandwidth::Input in;
  in.m = m, in.n = n;
  return in;
}
OperandBandwidth::Input in_fp64() {
  OperandBandwidth::Input in;
  in.precision = FmaPrecision::fp64;
  return in;
}

// 1 Tflop/s = 0.5 TFMA/s; 10 SMs x 32 banks x 4 B x 1 GHz = 1.28 TB/s; DRAM 100 GB/s.
Gpu banked() {
  return with_facts(toy(), {{"shared.banks", "32"},
                            {"shared.bank_width", "4 B"},
                            {"shared.cycles_per_request", "1"},
                            {"max_registers_per_thread", "63"}});
}

// Slides 47 and 48: 1344.96 Gflop/s / 2 x 12 B = 8.07 TB/s, / 2 x 4 B = 2.69 TB/s;
// 4 B x 32 banks x 15 SMs x 1.401 GHz / 2 = 1.345 TB/s; 8.07 / 1.345 = 6; 1.345 TB/s / 177.4 GB/s = 7.58.
TEST(OperandBandwidth, the_lectures_gtx_480_needs_8_07_tb_per_s_and_shared_memory_has_a_sixth) {
  const Gpu gpu = gpu_named("gtx480");
  EXPECT_NEAR(flow(gpu, 0).bandwidth.value, 8.0698e12, 1e8);
  EXPECT_NEAR(flow(gpu, 1).bandwidth.value, 2.68992e12, 1e8);
  EXPECT_NEAR(supply(gpu, Level::shared).bandwidth.value, 1.34496e12, 1e8);
  EXPECT_DOUBLE_EQ(supply(gpu, Level::shared).reuse, 6);
  EXPECT_NEAR(supply(gpu, Level::dram).step, 7.58, 0.005);
}

// As R. Vuduc, GPU tuning, part 1, slide 47, does for 15 SMs: 16 SMs x 32 x 1.301 GHz x 12 B = 7.99 TB/s;
// half the banks' clock 1.33; 1332 / 177.4.
TEST(OperandBandwidth, an_m2090_needs_7_99_tb_per_s) {
  const Gpu gpu = gpu_named("m2090");
  EXPECT_NEAR(flow(gpu, 0).bandwidth.value, 7.993e12, 1e9);
  EXPECT_NEAR(supply(gpu, Level::shared).bandwidth.value, 1.332e12, 1e9);
  EXPECT_DOUBLE_EQ(supply(gpu, Level::shared).reuse, 6);
  EXPECT_NEAR(supply(gpu, Level::dram).step, 7.51, 0.005);
}

// 132 SMs x 128 x 1.98 GHz = 33.45 TFMA/s; x 12 B = 401 TB/s; 132 x 128 B x 1.98 GHz = 33.45 TB/s, so 1 B
// for each FMA; 4 (m + n) / (m n) = 1 at 8 x 8.
TEST(OperandBandwidth, an_h200_needs_a_register_tile_of_8_by_8) {
  const Gpu gpu = gpu_named("h200");
  EXPECT_NEAR(flow(gpu, 0).bandwidth.value, 401.4e12, 1e11);
  const OperandBandwidth::Supply shared = supply(gpu, Level::shared);
  EXPECT_NEAR(shared.bandwidth.value, 33.45e12, 1e10);
  EXPECT_DOUBLE_EQ(shared.per_fma.value, 1);
  EXPECT_DOUBLE_EQ(shared.reuse, 12);
  EXPECT_EQ(shared.tile, 8);
}

TEST(OperandBandwidth, the_tile_before_the_last_is_fed_by_shared_memory_and_the_last_reaches_peak) {
  const std::vector<OperandBandwidth::Tile> rows = tiles(gpu_named("h200"));
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_DOUBLE_EQ(rows[6].of_peak, 7 / 8.0);
  EXPECT_EQ(rows[6].verdict, "shared memory limits it");
  EXPECT_DOUBLE_EQ(rows[7].of_peak, 1);
  EXPECT_EQ(rows[7].verdict, "reaches peak");
  EXPECT_EQ(rows[7].registers, 80) << "64 sums and 8 + 8 operands";
}

// By hand: 2 x 1.28 TB/s x 4 x 2 / (4 B x 6) = 853.3 Gflop/s, of 1 Tflop/s.
TEST(OperandBandwidth, a_tile_that_is_not_square) {
  const OperandBandwidth::Tile t = tiles(banked(), tile_of(4, 2)).at(0);
  EXPECT_DOUBLE_EQ(t.per_fma.value, 3);
  EXPECT_NEAR(t.rate.value, 853.33e9, 1e7);
  EXPECT_NEAR(t.of_peak, 0.85333, 1e-5);
  EXPECT_EQ(t.registers, 14);
  EXPECT_DOUBLE_EQ(tiles(banked(), tile_of(2, 4)).at(0).rate.value, t.rate.value);
}

TEST(OperandBandwidth, one_edge_alone_means_a_square) {
  OperandBandwidth::Input m, n;
  m.m = 3, n.n = 3;
  for (const OperandBandwidth::Input& in : {m, n}) {
    ASSERT_EQ(tiles(banked(), in).size(), 1u);
    EXPECT_EQ(tiles(banked(), in).at(0).m, 3);
    EXPECT_EQ(tiles(banked(), in).at(0).n, 3);
  }
}

// 7 x 7 + 14 = 63 registers; 7 x 8 + 15 = 71.
TEST(OperandBandwidth, the_last_tile_that_the_registers_hold_and_the_first_that_they_do_not) {
  EXPECT_EQ(tiles(banked(), tile_of(7, 7)).at(0).registers, 63);
  EXPECT_EQ(error_of([] { tiles(banked(), tile_of(7, 8)); }),
            "a tile of 7 x 8 takes 71 registers for its sums and operands; a thread of toy has at most 63");
}

TEST(OperandBandwidth, a_sweep_of_tiles_goes_on_without_those_that_no_register_file_holds) {
  const Result r = ask("operand-bandwidth", banked(), {{"m", "6:9"}});
  EXPECT_EQ(r.tables.back().rows(), 2u) << "6 x 6, 7 x 7";
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_EQ(r.notes[0],
            "The kernel cannot run at 2 of 4 points, which are left out; the first: a tile of 8 x 8 "
            "takes 80 registers for its sums and operands; a thread of toy has at most 63.");
}

// Shared memory a tenth as fast needs a tile of 32 (8 B x 0.5e12 / 0.128e12 = 31.25), far past the registers.
TEST(OperandBandwidth, squares_end_where_the_registers_do) {
  const Gpu slow = with_facts(banked(), {{"shared.cycles_per_request", "10"}});
  EXPECT_EQ(supply(slow, Level::shared).tile, 32);
  EXPECT_EQ(tiles(slow).size(), 7u);
  EXPECT_EQ(tiles(slow).back().verdict, "shared memory limits it");
}

// Twice the bytes at half the rate: an H200 needs the same bandwidth for fp64. A GTX 480 does an eighth.
TEST(OperandBandwidth, double_precision_words_are_twice_as_wide) {
  const Gpu h200 = gpu_named("h200"), gtx480 = gpu_named("gtx480");
  EXPECT_DOUBLE_EQ(std::get<0>(operands(h200, in_fp64())).at(0).bandwidth.value,
                   flow(h200, 0).bandwidth.value);
  EXPECT_DOUBLE_EQ(supply(h200, Level::shared, in_fp64()).per_fma.value, 2);
  EXPECT_DOUBLE_EQ(std::get<0>(operands(gtx480, in_fp64())).at(0).bandwidth.value,
                   flow(gtx480, 0).bandwidth.value / 4);
  EXPECT_EQ(tiles(h200, in_fp64()).back().registers, 160) << "8 x 8 + 16 doubles";
}

TEST(OperandBandwidth, on_every_gpu_the_square_it_names_is_the_first_to_reach_peak) {
  for (const Gpu& gpu : every_nvidia_gpu()) {
    const OperandBandwidth::Supply shared = supply(gpu, Level::shared);
    const std::vector<OperandBandwidth::Tile> rows = tiles(gpu);
    EXPECT_NEAR(rows.at(0).per_fma.value, 8, 1e-12)
        << gpu.name << ": without reuse an FMA reads both factors";
    for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_GT(rows[i].of_peak, rows[i - 1].of_peak) << gpu.name;
    if (rows.back().m == shared.tile) {
      EXPECT_DOUBLE_EQ(rows.back().of_peak, 1) << gpu.name;
    }
    if (rows.size() > 1) {
      EXPECT_LT(rows[rows.size() - 2].of_peak, 1) << gpu.name;
    }
  }
}

TEST(OperandBandwidth, reuse_times_bandwidth_is_what_the_operands_need_at_every_level) {
  for (const Gpu& gpu : every_nvidia_gpu())
    for (const OperandBandwidth::Supply& s : levels(gpu))
      EXPECT_NEAR(s.reuse * s.bandwidth.value, flow(gpu, 0).bandwidth.value,
                  1e-9 * flow(gpu, 0).bandwidth.value)
          << gpu.name;
}

TEST(OperandBandwidth, without_banks_the_missing_fact_is_named) {
  EXPECT_EQ(error_of([] { operands(toy()); }),
            "toy has no fact 'shared.banks' (banks of shared memory): add it to toy.yaml, or give --set "
            "shared.banks=VALUE");
  Gpu measured = with_facts(toy(), {{"sustained.shared", "1 TB/s"}});
  EXPECT_EQ(supply(measured, Level::shared).basis, Basis::measured);
}

TEST(OperandBandwidth, a_level_that_nobody_measured_has_no_row) {
  EXPECT_EQ(levels(banked()).size(), 2u);
  EXPECT_EQ(levels(with_facts(banked(), {{"sustained.l2", "500 GB/s"}})).size(), 3u);
}

TEST(OperandBandwidth, other_precisions_are_refused) {
  EXPECT_EQ(error_of([] {
              ask("operand-bandwidth", banked(), {{"precision", "bf16"}});
            }),
            "--precision: unknown value 'bf16'; one of fp32, fp64 is expected");
  EXPECT_EQ(model("operand-bandwidth").find("precision")->choices, (std::vector<std::string>{"fp32", "fp64"}))
      << "the help offers no more than is taken";
}

} // namespace perfmodel::operand_bandwidth_test
