#include "hwdb/text_file.hpp"

#include "tests/models/error_of.hpp"

#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::hwdb {
namespace {

namespace fs = std::filesystem;

struct TextFile : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) / ("perfmodel_text_file_" + std::to_string(::getpid()));
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override {
    fs::permissions(folder, fs::perms::owner_all);
    fs::remove_all(folder);
  }
  std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
};

TEST_F(TextFile, what_was_written_is_read) {
  const fs::path path = folder / "a.txt";
  write_whole(path, "one\r\ntwo\n");
  EXPECT_EQ(read_text(path, 100), "one\r\ntwo\n");
  write_whole(path, "");
  EXPECT_EQ(read_text(path, 0), "");
  EXPECT_EQ(files(), 1u) << "nothing else is left in the folder";
}

TEST_F(TextFile, both_sides_of_the_largest_size) {
  const fs::path path = folder / "a.txt";
  write_whole(path, std::string(1 << 20, 'x'));
  EXPECT_EQ(read_text(path, 1 << 20).size(), 1u << 20);
  write_whole(path, std::string((1 << 20) + 1, 'x'));
  EXPECT_EQ(error_of([&] { read_text(path, 1 << 20); }), path.string() + " is larger than 1 MiB");
}

TEST_F(TextFile, what_cannot_be_read_is_named) {
  EXPECT_EQ(error_of([&] { read_text(folder / "none", 9); }),
            (folder / "none").string() + " cannot be read: No such file or directory");
  EXPECT_EQ(error_of([&] { read_text(folder, 9); }), folder.string() + " is a folder, not a file");
  write_whole(folder / "b", std::string("a\0b", 3));
  EXPECT_EQ(error_of([&] { read_text(folder / "b", 9); }),
            (folder / "b").string() + " is a binary file, not text");
  EXPECT_EQ(error_of([] { read_text("/dev/zero", 1 << 20); }), "/dev/zero is larger than 1 MiB")
      << "it ends although the file does not";
}

TEST_F(TextFile, a_new_text_replaces_the_old_one_and_follows_a_link) {
  write_whole(folder / "a", "a long old text");
  fs::create_symlink(folder / "a", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content(folder / "a"), "new");
}

TEST_F(TextFile, a_link_that_points_nowhere_yet_creates_its_target) {
  fs::create_symlink(folder / "target", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content(folder / "target"), "new");
  EXPECT_EQ(files(), 2u);
}

TEST_F(TextFile, a_folder_or_a_missing_one_is_refused) {
  EXPECT_EQ(error_of([&] { write_whole(folder, "x"); }),
            folder.string() + " cannot be written: Is a directory");
  EXPECT_EQ(error_of([&] { write_whole(folder / "no/such", "x"); }),
            (folder / "no/such").string() + " cannot be written: No such file or directory");
  EXPECT_EQ(files(), 0u);
}

TEST_F(TextFile, a_full_device_is_said_to_be_full) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(error_of([] { write_whole("/dev/full", "x"); }),
            "/dev/full cannot be written: No space left on device");
}

TEST_F(TextFile, a_device_takes_the_bytes_as_they_come) {
  EXPECT_EQ(error_of([] { write_whole("/dev/null", "x"); }), "no error");
}

// Root may write anywhere, so it becomes nobody for as long as this takes.
struct Nobody {
  uid_t before = ::geteuid();
  bool is = before != 0 || ::seteuid(65534) == 0;
  ~Nobody() {
    if (::geteuid() != before && ::seteuid(before) != 0) std::abort();
  }
};

TEST_F(TextFile, in_a_folder_that_is_read_only_the_old_file_stays_and_nothing_is_left) {
  write_whole(folder / "a", "old");
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec);
  std::string said = "not tried";
  {
    const Nobody nobody;
    if (!nobody.is) GTEST_SKIP() << "root cannot become somebody else here";
    said = error_of([&] { write_whole(folder / "a", "new"); });
  }
  EXPECT_EQ(said, (folder / "a").string() + " cannot be written: Permission denied");
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(files(), 1u);
}

// The limit on a file's size is the disk that is full half way.
TEST_F(TextFile, a_write_that_fails_half_way_keeps_the_old_file_and_leaves_nothing) {
  write_whole(folder / "a", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = error_of([&] { write_whole(folder / "a", std::string(10'000, 'n')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, (folder / "a").string() + " cannot be written: File too large");
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(files(), 1u);
}

} // namespace
} // namespace perfmodel::hwdb
