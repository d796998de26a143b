#include "models/simulate/sm_neighbours.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

namespace perfmodel::sm_neighbours_test {

ReadOrder reads(std::uint64_t first, std::size_t count) {
  ReadOrder order;
  for (std::uint64_t sector = first; sector < first + count; ++sector) order.place_of(sector);
  return order;
}

std::shared_ptr<const ReadOrder> kept(const ReadOrder& order) {
  return std::make_shared<const ReadOrder>(order);
}

// L1 of so many sectors for a block.
CacheRoom& l1_of(double sectors) {
  static std::deque<CacheRoom> all;
  return all.emplace_back(32 * sectors);
}

// How many of `count` sectors from `first` on a block fetches itself, by loads of one sector of one warp.
std::size_t fetched(SmNeighbours neighbours, std::uint64_t first, std::size_t count) {
  std::size_t own = 0;
  for (std::uint64_t sector = first; sector < first + count; ++sector) {
    std::vector<std::uint64_t> lacks{sector};
    const bool some = neighbours.take_away(0, lacks);
    EXPECT_EQ(some, lacks.empty());
    own += lacks.size();
  }
  return own;
}

TEST(SmNeighbours, blocks_that_read_the_same_take_turns_in_fetching_it) {
  EXPECT_EQ(fetched({{kept(reads(0, 1000))}, 1, 1, l1_of(50), 1}, 0, 1000), 500u) << "two of them";
  EXPECT_EQ(fetched({{kept(reads(0, 1000))}, 3, 1, l1_of(50), 1}, 0, 1000), 250u)
      << "one stands for three others";
  EXPECT_EQ(fetched({{kept(reads(0, 1000)), kept(reads(0, 1000))}, 1.5, 1, l1_of(50), 1}, 0, 1000), 250u)
      << "two stand for three";
}

TEST(SmNeighbours, what_nobody_else_reads_a_block_fetches) {
  EXPECT_EQ(fetched({}, 0, 1000), 1000u);
  EXPECT_EQ(fetched({{kept(reads(5000, 1000))}, 7, 1, l1_of(50), 1}, 0, 1000), 1000u);
  EXPECT_EQ(fetched({{kept(reads(500, 1000))}, 1, 1, l1_of(1000), 1}, 0, 1000), 750u) << "half of it";
}

// A block whose neighbours are elsewhere in what they read for three quarters of the time.
TEST(SmNeighbours, share_what_they_read_while_they_are_in_phase) {
  EXPECT_EQ(fetched({{kept(reads(0, 1000))}, 1, 0.25, l1_of(50), 1}, 0, 1000), 875u);
  EXPECT_EQ(fetched({{kept(reads(0, 1000))}, 3, 0.5, l1_of(50), 1}, 0, 1000), 625u);
  EXPECT_EQ(fetched({{kept(reads(0, 1000))}, 3, 0, l1_of(50), 1}, 0, 1000), 1000u);
}

// L1 holds 50 sectors of each: what the other read 60 sectors before is gone.
TEST(SmNeighbours, l1_has_what_was_read_not_long_ago) {
  ReadOrder ahead = reads(10'000, 60), near = reads(10'000, 40);
  for (std::uint64_t sector = 0; sector < 1000; ++sector) ahead.place_of(sector), near.place_of(sector);
  EXPECT_EQ(fetched({{kept(ahead)}, 1, 1, l1_of(50), 1}, 0, 1000), 1000u);
  EXPECT_EQ(fetched({{kept(near)}, 1, 1, l1_of(50), 1}, 0, 1000), 500u);
}

TEST(SmNeighbours, warps_do_not_all_fetch_at_once) {
  SmNeighbours both({kept(reads(0, 10))}, 1, 1, l1_of(50), 2);
  std::vector<std::uint64_t> of_first{1}, of_second{2};
  both.take_away(0, of_first), both.take_away(1, of_second);
  EXPECT_NE(of_first.empty(), of_second.empty());
}

TEST(ReadOrder, says_how_much_of_another_it_reads_at_about_the_same_time) {
  EXPECT_EQ(reads(0, 100).share_of(reads(0, 100), l1_of(5)), 1);
  EXPECT_EQ(reads(50, 100).share_of(reads(0, 100), l1_of(50)), 0.5);
  EXPECT_EQ(reads(50, 100).share_of(reads(0, 100), l1_of(49)), 0) << "50 places apart";
  EXPECT_EQ(reads(0, 100).share_of(ReadOrder{}, l1_of(5)), 0);
}

// All blocks read the same line, after 1500 instructions.
TEST(SmNeighbours, share_what_they_read_late) {
  std::string text = "LDC.64 R2, c[0x0][0x210]\n";
  for (int i = 0; i < 1500; ++i) text += "IADD3 R8, R8, 0x1, RZ\n";
  const KernelCode code = read_listing(listing_of(text + "LDG.E R5, desc[UR4][R2.64]\nEXIT"), "");
  KernelLaunch launch{.grid = {8, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("data=1MiB,index=1MiB");
  AccessRules rules;
  rules.load.l1 = true;
  rules.l1_bytes = 65536;
  rules.sharers = 2, rules.apart = 4;
  const KernelRunner runner(code, launch);
  LaunchReads reads;
  EXPECT_TRUE(neighbours_of({code, launch, rules, runner, {}}, reads, 0, l1_of(2048)).any());
}

} // namespace perfmodel::sm_neighbours_test
