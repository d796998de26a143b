// How the reduction ladder splits a sum into launches: no GPU needed.
#include "kernels/probes/ladders/reduction_passes.hpp"

#include <gtest/gtest.h>

namespace perfmodel::kernels::reduction_passes_test {

constexpr unsigned wave = 1056; // 132 SMs with 8 blocks each

std::vector<unsigned> grids(Rung rung, unsigned threads, unsigned n) {
  std::vector<unsigned> blocks;
  for (const Pass& pass : reduction_passes(rung, threads, n, wave)) blocks.push_back(pass.blocks);
  return blocks;
}

// By hand: 2^22 / 256 = 16 384, / 256 = 64, / 256 < 1.
TEST(ReductionPasses, blocks_of_every_rung) {
  using Blocks = std::vector<unsigned>;
  EXPECT_EQ(grids(Rung::sequential, 256, 1u << 22), (Blocks{16384, 64, 1}));
  EXPECT_EQ(grids(Rung::first_add, 256, 1u << 22), (Blocks{8192, 16, 1}));
  EXPECT_EQ(grids(Rung::grid_stride, 256, 1u << 22), (Blocks{1056, 1}));
  EXPECT_EQ(grids(Rung::vector, 256, 1u << 22), (Blocks{512}));
  EXPECT_EQ(grids(Rung::vector, 256, 1u << 30), (Blocks{1056}));
  EXPECT_EQ(grids(Rung::cub, 256, 1u << 22), Blocks{});
}

TEST(ReductionPasses, a_block_more_where_one_is_full) {
  EXPECT_EQ(grids(Rung::sequential, 64, 64).front(), 1u);
  EXPECT_EQ(grids(Rung::sequential, 64, 65).front(), 2u);
  EXPECT_EQ(grids(Rung::unrolled, 64, 128).front(), 1u);
  EXPECT_EQ(grids(Rung::unrolled, 64, 129).front(), 2u);
}

TEST(ReductionPasses, each_sums_what_the_one_before_left_and_the_last_leaves_one) {
  for (std::size_t rung = 0; rung + 1 < rung_names.size(); ++rung)
    for (unsigned threads = 64; threads <= 1024; threads *= 2)
      for (const unsigned n : {0u, 1u, 2u, 1021u, 65537u, 999983u, 1u << 22, 1u << 31}) {
        const auto list = reduction_passes(static_cast<Rung>(rung), threads, n, wave);
        unsigned left = n;
        for (const Pass& pass : list) {
          EXPECT_EQ(pass.elements, left) << rung_names[rung];
          EXPECT_GE(pass.blocks, 1u) << rung_names[rung];
          left = pass.blocks;
        }
        if (static_cast<Rung>(rung) != Rung::vector) {
          EXPECT_EQ(left, 1u) << rung_names[rung] << " " << n;
        }
      }
}

} // namespace perfmodel::kernels::reduction_passes_test
