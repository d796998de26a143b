#include "models/simulate/async_groups.hpp"

#include <gtest/gtest.h>

namespace perfmodel::async_groups_test {

// cp.async.wait_group N, as PTX says it: until at most N of the latest groups are on their way.
TEST(AsyncGroups, all_but_the_newest_are_waited_for) {
  AsyncGroups groups;
  EXPECT_EQ(groups.done_but(0), 0) << "there is none";
  for (const double done : {100.0, 300.0, 200.0}) groups.add(done), groups.end();
  EXPECT_EQ(groups.done_but(0), 300);
  EXPECT_EQ(groups.done_but(1), 300);
  EXPECT_EQ(groups.done_but(2), 100);
  EXPECT_EQ(groups.done_but(3), 0);
}

TEST(AsyncGroups, what_no_group_has_ended_is_not_waited_for) {
  AsyncGroups groups;
  groups.add(100), groups.add(90), groups.end();
  groups.add(500);
  EXPECT_EQ(groups.done_but(0), 100);
  groups.end();
  EXPECT_EQ(groups.done_but(0), 500);
}

} // namespace perfmodel::async_groups_test
