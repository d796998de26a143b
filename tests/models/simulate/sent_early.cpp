#include "models/simulate/sent_early.hpp"

#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::sent_early_test {

BlockTrace of_rows(double filled, double open, double stores) {
  BlockTrace made;
  made.filled_sectors = filled;
  made.pieces_of_sector = 8;
  made.open_sectors = open;
  made.counts.store_sectors = stores;
  return made;
}

// Of eight parts each, half of the sectors are sent early: three sectors' work more for four of them.
TEST(SentEarly, takes_three_times_a_sector_more_for_each_that_was_sent) {
  EXPECT_DOUBLE_EQ(more_for_parts(of_rows(100, 50, 800), 0.5), 3 * 0.5 / 8);
  EXPECT_DOUBLE_EQ(more_for_parts(of_rows(100, 50, 1600), 0.5), 3 * 0.5 / 16)
      << "half of the stores fill them";
  EXPECT_EQ(more_for_parts(of_rows(0, 0, 800), 0.5), 0);
}

TEST(SentEarly, does_not_count_what_l2_has_lost_as_well) {
  BlockTrace rows = of_rows(100, 50, 800);
  EXPECT_EQ(filled_and_kept(rows), 100);
  rows.refilled_sectors = {30, 10};
  EXPECT_EQ(filled_and_kept(rows), 60);
  rows.refilled_sectors = {300};
  EXPECT_EQ(filled_and_kept(rows), 0);
}

// Blocks that write all the time: four sectors count as a line of the probe's, whose share for 16 384 lines
// of which seven eighths are partly written is 14 % (models/access/partial_lines.hpp).
TEST(SentEarly, counts_the_sectors_that_all_blocks_have_open) {
  const Gpu gpu = measured_gpu("h200");
  Plain plain;
  KernelTime launch;
  launch.blocks = 1000;
  launch.run.cycles = 5000;
  launch.run.writing = {5000, 5000}; // all of them at a time
  const auto share = [&](double open) { return share_filled_early(gpu, launch, open, plain); };
  EXPECT_NEAR(share(4 * 16.384 * 7 / 8), 0.14, 0.01);
  EXPECT_GT(share(100), share(80));
  EXPECT_EQ(share(0), 0);
  launch.run.writing = {};
  EXPECT_EQ(share(100), 0);
}

} // namespace perfmodel::sent_early_test
