// One file behind another, whole or not at all.
#include "program.hpp"

#include "cli/append_file.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/resource.h>

namespace perfmodel::append_file_test {

TEST(AppendFile, the_first_is_moved_and_others_follow) {
  const Scratch scratch;
  write(scratch / "a", "12");
  write(scratch / "b", "345");
  EXPECT_EQ(cli::append_file(scratch / "a", scratch / "all"), 0u);
  EXPECT_EQ(cli::append_file(scratch / "b", scratch / "all"), 2u);
  EXPECT_EQ(contents(scratch / "all"), "12345");
  EXPECT_FALSE(cli::append_file(scratch / "none", scratch / "all"));
}

// A limit on the size of files stands in for the end of a disk.
TEST(AppendFile, what_does_not_fit_leaves_the_file_as_it_was) {
  const Scratch scratch;
  const std::string first(4000, 'a');
  write(scratch / "all", first);
  write(scratch / "b", std::string(100'000, 'b'));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{50'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto place = cli::append_file(scratch / "b", scratch / "all");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(place);
  EXPECT_EQ(contents(scratch / "all"), first);
}

} // namespace perfmodel::append_file_test
