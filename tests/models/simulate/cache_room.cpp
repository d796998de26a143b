#include "models/simulate/cache_room.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cache_room_test {

TEST(CacheRoom, all_is_the_same_between_what_fitted_and_what_did_not) {
  CacheRoom room(100);
  EXPECT_TRUE(room.holds(100));
  EXPECT_FALSE(room.holds(120));
  EXPECT_FALSE(room.same_with(99));
  EXPECT_TRUE(room.same_with(100));
  EXPECT_TRUE(room.same_with(119));
  EXPECT_FALSE(room.same_with(120));
}

TEST(CacheRoom, that_is_full_is_the_same_with_its_own_bytes_alone) {
  CacheRoom room(100);
  room.matters();
  EXPECT_TRUE(room.same_with(100));
  EXPECT_FALSE(room.same_with(99.9));
  EXPECT_FALSE(room.same_with(100.1));
}

// All is lost of what is more than 1.8 times the room: that stays so up to a room of 200 / 1.8.
TEST(CacheRoom, loses_a_share_of_what_is_more_than_it_holds) {
  CacheRoom room(100);
  EXPECT_EQ(room.lost(100, 0.8), 0);
  EXPECT_TRUE(room.same_with(150));
  EXPECT_EQ(room.lost(200, 0.8), 1);
  EXPECT_TRUE(room.same_with(111));
  EXPECT_FALSE(room.same_with(112));
  EXPECT_DOUBLE_EQ(room.lost(140, 0.8), 0.5);
  EXPECT_FALSE(room.same_with(101));
  EXPECT_EQ(CacheRoom(0).lost(1, 0.8), 1);
}

TEST(CacheRoom, goes_on_with_others_and_remembers_both) {
  CacheRoom room(100);
  EXPECT_TRUE(room.holds(50));
  room.become(80);
  EXPECT_FALSE(room.holds(90));
  EXPECT_TRUE(room.same_with(60));
  EXPECT_FALSE(room.same_with(100));
}

} // namespace perfmodel::cache_room_test
