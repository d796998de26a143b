// SpMV, stencil, FFT and matrix product by formula, against the figures of Williams et al. 2009, table 1 and
// figure 2: SpMV 0.17 to 0.25 flop/B, stencil 0.50 without the write's read, in double precision.
#include "models/bounds/intensity.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perfmodel::intensity_test {

constexpr const char* traffic = "work and traffic";

Result answer(const Words& options, const char* gpu = "m2090") {
  return ask("intensity", gpu_named(gpu), options);
}
double cell(const Words& options, const char* column) {
  const Result r = answer(options);
  const bool placed = table_of(r, "kernels").find(column) != nullptr;
  return number(r, placed ? "kernels" : traffic, column);
}
std::string why(const Words& options, const char* gpu = "m2090") {
  return error_of([&] { answer(options, gpu); });
}

TEST(Intensity, of_a_long_sparse_matrix_is_a_sixth_in_double_precision_and_a_quarter_in_single) {
  const Words rows = {{"kernel", "spmv"}, {"n", "1000000"}, {"nonzeros", "1000"}};
  Words twice = rows;
  twice.emplace_back("precision", "fp64");
  EXPECT_NEAR(cell(twice, "most_intensity"), 2.0 / 12,
              0.001); // 2 flop over a number of 8 B and a column of 4 B
  EXPECT_NEAR(cell(rows, "most_intensity"), 2.0 / 8, 0.001);
}

// n = 100, k = 5, fp64: 500 x 12 B, 100 row pointers of 4 B, x and y of 800 B each.
TEST(Intensity, of_a_small_sparse_matrix_counts_by_hand) {
  const Words small = {{"kernel", "spmv"}, {"n", "100"}, {"nonzeros", "5"}, {"precision", "fp64"}};
  EXPECT_DOUBLE_EQ(cell(small, "work"), 1000);
  EXPECT_DOUBLE_EQ(cell(small, "least_bytes"), 6000 + 400 + 1600);
  EXPECT_DOUBLE_EQ(cell(small, "dram_bytes"), 8000) << "x fits in L2";
  Words half = small; // half of x stays: 250 of the 500 accesses miss
  half.emplace_back("cache", "400 B");
  EXPECT_DOUBLE_EQ(cell(half, "dram_bytes"), 6000 + 400 + 800 + 250 * 8);
}

// 8 flop for each number that is read and written once: 16 B.
TEST(Intensity, of_a_stencil_of_seven_points_is_a_half_where_its_planes_stay) {
  const Words cube = {{"kernel", "stencil"}, {"n", "1000000"}, {"precision", "fp64"}}; // 100 x 100 x 100
  const auto with_cache = [&](const char* bytes) {
    Words all = cube;
    all.emplace_back("cache", bytes);
    return cell(all, "intensity");
  };
  EXPECT_DOUBLE_EQ(with_cache("240001 B"), 0.5) << "three planes of 100 x 100 x 8 B";
  EXPECT_DOUBLE_EQ(with_cache("239999 B"), 0.25) << "three reads and a write";
  EXPECT_DOUBLE_EQ(with_cache("7201 B"), 0.25) << "three rows of each of three planes";
  EXPECT_DOUBLE_EQ(with_cache("7199 B"), 8.0 / 48) << "five reads and a write";
}

// 2^20 points of fp64: 5 n 20 flop over 4 n 8 B, as often as they pass.
TEST(Intensity, of_an_fft_grows_with_the_logarithm_of_the_cache) {
  const Words fft = {{"kernel", "fft"}, {"n", "1048576"}, {"precision", "fp64"}};
  const auto with_cache = [&](const char* bytes) {
    Words all = fft;
    all.emplace_back("cache", bytes);
    return cell(all, "intensity");
  };
  EXPECT_DOUBLE_EQ(with_cache("16777216 B"), 100.0 / 32) << "all fit: 2^20 x 16 B";
  EXPECT_DOUBLE_EQ(with_cache("16384 B"), 100.0 / 64) << "2^10 fit, which squared are 2^20";
  EXPECT_DOUBLE_EQ(with_cache("512 B"), 100.0 / 128) << "2^5 fit: four passes";
}

// Three tiles of 32 x 32 numbers of 4 B are 12288 B: 2 n^3 / 32 + n^2 words.
TEST(Intensity, of_a_product_grows_with_the_root_of_the_cache) {
  const Words product = {{"kernel", "matmul"}, {"n", "1024"}};
  const auto with_cache = [&](const char* bytes) {
    Words all = product;
    all.emplace_back("cache", bytes);
    return cell(all, "dram_bytes");
  };
  const double n = 1024;
  EXPECT_NEAR(with_cache("12288 B"), 4 * (2 * n * n * n / 32 + n * n), 1);
  EXPECT_NEAR(with_cache("49152 B"), 4 * (2 * n * n * n / 64 + n * n), 1);
  EXPECT_NEAR(with_cache("1GB"), 4 * 3 * n * n, 1) << "all three fit: each number once";
}

// Hong, Kung 1981, with the constant of Irony, Toledo, Tiskin 2004: Q >= n^3 / (2 sqrt(2) sqrt(Z)) - Z words.
TEST(Intensity, of_a_product_never_beats_the_lower_bound) {
  for (const char* cache : {"4KiB", "64KiB", "1MiB", "16MiB"}) {
    const Result r = answer({{"kernel", "matmul"}, {"n", "4096"}, {"cache", cache}});
    const double z = number(r, traffic, "cache_bytes") / 4, n = 4096;
    EXPECT_GE(number(r, traffic, "dram_bytes") / 4, n * n * n / (2 * std::sqrt(2.0) * std::sqrt(z)) - z)
        << cache;
  }
}

TEST(Intensity, never_falls_with_the_cache_and_never_passes_that_of_every_number_once) {
  for (const char* kernel : {"spmv", "stencil", "fft", "matmul"}) {
    double before = 0;
    for (const char* cache : {"64 B", "1KiB", "32KiB", "1MiB", "64MiB", "4GiB", "1TB"}) {
      const Result r = answer({{"kernel", kernel}, {"cache", cache}});
      const double now = number(r, "kernels", "intensity"), most = number(r, "kernels", "most_intensity");
      EXPECT_GE(now, before) << kernel << " " << cache;
      EXPECT_LE(now, most * (1 + 1e-12)) << kernel << " " << cache;
      before = now;
    }
  }
}

// As roofline has it: the same numbers under the same roof.
TEST(Intensity, stands_on_the_roofline_where_roofline_puts_it) {
  const Result r = answer({{"precision", "fp64"}});
  ASSERT_EQ(table_of(r, "kernels").rows(), 4U);
  for (std::size_t row = 0; row < 4; ++row) {
    const double intensity = number(r, "kernels", "intensity", row);
    const Result roof = ask("roofline", gpu_named("m2090"),
                            {{"precision", "fp64"}, {"intensity", fmt::format("{:.17g}", intensity)}});
    EXPECT_DOUBLE_EQ(number(r, "kernels", "performance", row), number(roof, "kernels", "performance"));
    EXPECT_EQ(text(r, "kernels", "bound", row), text(roof, "kernels", "bound"));
  }
}

// The order of Vuduc's slides 25 and 26, on a Fermi in double precision.
TEST(Intensity, puts_sparse_products_and_stencils_left_of_ffts_and_products_right_of_the_ridge) {
  const Result r = answer({{"precision", "fp64"}}, "c2050");
  for (std::size_t row = 1; row < 4; ++row)
    EXPECT_GT(number(r, "kernels", "intensity", row), number(r, "kernels", "intensity", row - 1));
  EXPECT_EQ(text(r, "kernels", "bound", 2), "memory");
  EXPECT_EQ(text(r, "kernels", "bound", 3), "compute");
}

TEST(Intensity, refuses_what_has_no_such_shape) {
  EXPECT_EQ(why({{"kernel", "spmv"}, {"n", "10"}, {"nonzeros", "11"}}),
            "--nonzeros 11: a row of 10 columns holds no more than these");
  EXPECT_EQ(why({{"kernel", "stencil"}, {"n", "26"}}),
            "--reach 1: a cube of 26 points is narrower than that stencil");
  EXPECT_EQ(why({{"kernel", "stencil"}, {"n", "27"}}), "no error");
  EXPECT_EQ(why({{"kernel", "fft"}, {"n", "1"}}), "--n 1: an FFT of one point does nothing");
  EXPECT_NE(why({{"n", "1e16"}}), "no error");
  EXPECT_NE(why({{"precision", "fp64"}}, "8800gtx"), "no error") << "no double precision there";
}

} // namespace perfmodel::intensity_test
