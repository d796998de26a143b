// Facts by path and by the place of their key: both ways find the same, whatever has come and gone.
#include "models/core/by_path.hpp"
#include "models/core/facts.hpp"

#include <gtest/gtest.h>

namespace perfmodel::by_path_test {

ByPath<int> two() {
  ByPath<int> map;
  map["clock"] = 1;
  map["sm_count"] = 2;
  return map;
}

int at(const ByPath<int>& map, int index) {
  const int* found = map.indexed(index);
  return found == nullptr ? 0 : *found;
}

TEST(ByPath, a_known_key_is_found_by_its_place) {
  const ByPath<int> map = two();
  EXPECT_EQ(at(map, facts::clock.index), 1);
  EXPECT_EQ(at(map, facts::sm_count.index), 2);
  EXPECT_EQ(map.indexed(facts::l2_size.index), nullptr);
  EXPECT_EQ(ByPath<int>().indexed(facts::clock.index), nullptr);
}

TEST(ByPath, a_copy_has_elements_of_its_own) {
  ByPath<int> map = two();
  const ByPath<int> copy = map;
  map["clock"] = 7;
  EXPECT_EQ(at(map, facts::clock.index), 7);
  EXPECT_EQ(at(copy, facts::clock.index), 1);
  map = copy;
  EXPECT_EQ(at(map, facts::clock.index), 1);
  EXPECT_NE(map.indexed(facts::clock.index), copy.indexed(facts::clock.index));
}

TEST(ByPath, what_was_moved_is_found_where_it_went) {
  ByPath<int> map = two();
  const ByPath<int> other = std::move(map);
  EXPECT_EQ(at(other, facts::sm_count.index), 2);
}

TEST(ByPath, what_has_gone_is_found_neither_way) {
  ByPath<int> map = two();
  map.erase("clock");
  EXPECT_EQ(map.indexed(facts::clock.index), nullptr);
  EXPECT_EQ(map.count("clock"), 0u);
  auto taken = map.extract("sm_count");
  EXPECT_EQ(map.indexed(facts::sm_count.index), nullptr);
  map.insert(std::move(taken));
  EXPECT_EQ(at(map, facts::sm_count.index), 2);
  map.clear();
  EXPECT_EQ(map.indexed(facts::sm_count.index), nullptr);
}

TEST(ByPath, an_unknown_path_is_found_by_name_alone) {
  ByPath<int> map = two();
  map["no such fact"] = 3;
  EXPECT_EQ(map.at("no such fact"), 3);
  EXPECT_EQ(at(map, facts::clock.index), 1);
}

} // namespace perfmodel::by_path_test
