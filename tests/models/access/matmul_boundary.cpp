// The boundary checks of a tiled matrix product, held against the printed numbers, the closed form and a walk
// over every warp.
#include "models/access/matmul_boundary.hpp"

#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::matmul_boundary_test {

DivergenceCount sum(std::int64_t width, std::int64_t tile, Operand operand) {
  DivergenceCount all;
  for (const BoundaryPart& part : matmul_boundary(width, tile))
    if (part.operand == operand) all += part.count;
  return all;
}

// 2352 / 336 and 392 / 14 are the teaching kit's own; their sum is 2744, not its 2944. N's divergent warps
// are others: 7 blocks x 8 warps x 6 phases at the right edge, and 7 x 2 in the corner.
TEST(MatmulBoundary, of_width_100_and_tile_16_diverges_in_350_of_2744_warp_phases) {
  const std::pair<double, double> divergent[] = {{336, 14}, {0, 350}};
  for (const Operand operand : {Operand::m, Operand::n}) {
    std::vector<BoundaryPart> parts;
    for (const BoundaryPart& part : matmul_boundary(100, 16))
      if (part.operand == operand) parts.push_back(part);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[0].blocks, 42);
    EXPECT_EQ(parts[0].count.warp_steps, 2352);
    EXPECT_EQ(parts[0].count.divergent, divergent[operand == Operand::n].first);
    EXPECT_TRUE(parts[1].at_edge);
    EXPECT_EQ(parts[1].blocks, 7);
    EXPECT_EQ(parts[1].count.warp_steps, 392);
    EXPECT_EQ(parts[1].count.divergent, divergent[operand == Operand::n].second);
    EXPECT_EQ(sum(100, 16, operand).divergent, 350);
    EXPECT_NEAR(sum(100, 16, operand).divergent / sum(100, 16, operand).warp_steps, 0.12755, 5e-6);
  }
  EXPECT_EQ(sum(100, 16, Operand::either).divergent, 686);
  EXPECT_EQ(sum(100, 16, Operand::either).warp_steps, 2744);
}

// The GPU Teaching Kit's count, module 5.2, slides 6 to 8, worked out for its larger matrices.
TEST(MatmulBoundary, matters_less_in_larger_matrices) {
  EXPECT_EQ(sum(1000, 16, Operand::m).divergent, 31'500);
  EXPECT_EQ(sum(1000, 16, Operand::m).warp_steps, 2'000'376);
  const auto fraction = [](std::int64_t w, std::int64_t t, Operand o) {
    return sum(w, t, o).divergent / sum(w, t, o).warp_steps;
  };
  EXPECT_NEAR(fraction(1000, 16, Operand::either), 0.0314, 5e-5);
  EXPECT_NEAR(fraction(1000, 32, Operand::m), 0.0305, 5e-5);
  EXPECT_NEAR(fraction(100, 32, Operand::m), 0.195, 5e-4);
  EXPECT_NEAR(fraction(100, 8, Operand::n), 0.0740, 5e-5);
  EXPECT_EQ(sum(1024, 16, Operand::either).divergent, 0);
}

double closed_form(std::int64_t width, std::int64_t tile) {
  const std::int64_t blocks = (width + tile - 1) / tile, edge = width % tile, rows = 32 / tile;
  if (edge == 0) return 0;
  return static_cast<double>((blocks - 1) * blocks * tile * tile / 32 + blocks * ((edge + rows - 1) / rows) +
                             (edge % rows != 0 ? blocks * (blocks - 1) : 0));
}

TEST(MatmulBoundary, follows_its_closed_form_for_both_operands) {
  for (const std::int64_t tile : {8, 16, 32})
    for (std::int64_t width = 1; width <= 139; ++width)
      for (const Operand operand : {Operand::m, Operand::n})
        EXPECT_EQ(sum(width, tile, operand).divergent, closed_form(width, tile)) << width << " " << tile;
}

DivergenceCount walked(std::int64_t width, std::int64_t tile, std::string_view predicate) {
  const std::int64_t blocks = (width + tile - 1) / tile;
  Branching branching;
  branching.predicate = Expression::from_text(predicate);
  DivergenceCount all;
  for (const DivergenceCount& step : count_divergence(
           LaunchWalk({tile, tile, 1}, {blocks, blocks, 1}, {{{"n", width}}}), branching, blocks))
    all += step;
  return all;
}

TEST(MatmulBoundary, is_what_a_walk_over_every_warp_counts) {
  for (const std::int64_t tile : {5, 8, 12, 16, 31, 32})
    for (const std::int64_t width : {1, 4, 7, 31, 33, 64, 100}) {
      const DivergenceCount m = sum(width, tile, Operand::m), n = sum(width, tile, Operand::n);
      const DivergenceCount wm = walked(width, tile, "row < n && i * dx + x < n");
      const DivergenceCount wn = walked(width, tile, "i * dy + y < n && col < n");
      for (const auto& [ours, theirs] : {std::pair{m, wm}, std::pair{n, wn}}) {
        EXPECT_EQ(ours.warp_steps, theirs.warp_steps) << width << " " << tile;
        EXPECT_EQ(ours.active_warp_steps, theirs.active_warp_steps) << width << " " << tile;
        EXPECT_EQ(ours.divergent, theirs.divergent) << width << " " << tile;
        EXPECT_EQ(ours.passes, theirs.passes) << width << " " << tile;
        EXPECT_EQ(ours.lane_passes, theirs.lane_passes) << width << " " << tile;
        EXPECT_EQ(ours.mean_passes, theirs.mean_passes) << width << " " << tile;
      }
      const DivergenceCount either = sum(width, tile, Operand::either);
      EXPECT_LE(either.divergent, m.divergent + n.divergent);
      EXPECT_EQ(either.passes, m.passes + n.passes);
    }
}

TEST(MatmulBoundary, says_how_to_avoid_it) {
  const Result r = ask("divergence", gpu_named("h200"));
  EXPECT_EQ(text(r, "branches", "advice", 0), "pad the matrices to 112 rows: no warp diverges");
  EXPECT_NEAR(number(r, "branches", "fraction", 2), 0.25, 1e-12);
  EXPECT_EQ(text(ask("divergence", gpu_named("h200"), {{"width", "112"}}), "branches", "advice", 0),
            "none: no warp diverges");
}

} // namespace perfmodel::matmul_boundary_test
