// What a file is besides its bytes: its mode, its owner, its links. A text that replaces it leaves them.
#include "hwdb/text_file.hpp"

#include "tests/hwdb/nobody.hpp"
#include "tests/models/error_of.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::hwdb::text_file_owner_test {

namespace fs = std::filesystem;

// What the machine, and not the input, is to blame for.
template <class Action> std::string trouble_of(Action action) {
  try {
    action();
  } catch (const MachineError& e) {
    return e.what();
  }
  return "no trouble";
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// The umask is the process's; a test puts it back.
struct Umask {
  mode_t before;
  explicit Umask(mode_t mask) : before(::umask(mask)) {}
  ~Umask() { ::umask(before); }
};

struct TextFileOwner : testing::Test {
  fs::path folder =
      fs::path(testing::TempDir()) / ("perfmodel_text_file_owner_" + std::to_string(::getpid()));
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

TEST_F(TextFileOwner, a_file_keeps_its_mode_and_a_new_one_has_the_users) {
  const Umask mask(022);
  write_whole(folder / "new", "x");
  EXPECT_EQ(mode_of(folder / "new"), 0644u);
  for (const mode_t mode : {0600u, 0640u, 0664u, 0755u, 0200u}) {
    ASSERT_EQ(::chmod((folder / "new").c_str(), mode), 0);
    write_whole(folder / "new", std::to_string(mode));
    EXPECT_EQ(mode_of(folder / "new"), mode);
  }
  const Umask strict(077);
  write_whole(folder / "secret", "x");
  EXPECT_EQ(mode_of(folder / "secret"), 0600u);
}

TEST_F(TextFileOwner, a_read_only_file_is_not_replaced_not_even_by_root) {
  write_whole(folder / "a", "old");
  fs::create_symlink("a", folder / "link");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0444), 0);
  for (const char* name : {"a", "link"}) {
    const std::string path = (folder / name).string();
    EXPECT_EQ(trouble_of([&] { write_whole(path, "new"); }), path + " cannot be written: it is read-only");
  }
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(mode_of(folder / "a"), 0444u);
  EXPECT_EQ(files(), 2u);
}

TEST_F(TextFileOwner, a_file_that_another_owns_is_not_read_without_permission) {
  write_whole(folder / "a", "old");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0600), 0);
  fs::permissions(folder, fs::perms::all);
  std::string read, written;
  {
    const Nobody nobody;
    if (!nobody.is || nobody.before != 0) GTEST_SKIP() << "this takes root, who becomes somebody else";
    read = trouble_of([&] { read_text(folder / "a", 9); });
    written = trouble_of([&] { write_whole(folder / "a", "new"); });
  }
  EXPECT_EQ(read, (folder / "a").string() + " cannot be read: Permission denied");
  EXPECT_EQ(written, (folder / "a").string() + " cannot be written: Permission denied");
  EXPECT_EQ(content(folder / "a"), "old");
}

TEST_F(TextFileOwner, a_hard_link_stays_one_file) {
  write_whole(folder / "a", "a long old text");
  fs::create_hard_link(folder / "a", folder / "b");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0640), 0);
  for (const std::string& text : {std::string("new"), std::string(100'000, 'n')}) {
    write_whole(folder / "b", text);
    EXPECT_EQ(content(folder / "a"), text) << "longer or shorter than before";
    EXPECT_EQ(fs::hard_link_count(folder / "a"), 2u);
  }
  EXPECT_EQ(mode_of(folder / "a"), 0640u);
  EXPECT_EQ(files(), 2u);
}

TEST_F(TextFileOwner, links_are_followed_from_link_to_link) {
  fs::create_directory(folder / "sub");
  write_whole(folder / "sub" / "real", "old");
  fs::create_symlink("sub/second", folder / "first");
  fs::create_symlink("real", folder / "sub" / "second");
  write_whole(folder / "first", "new");
  EXPECT_EQ(content(folder / "sub" / "real"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "sub" / "second"));
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(error_of([&] { write_whole(folder / "loop", "x"); }),
            (folder / "loop").string() + " cannot be written: Too many levels of symbolic links");
}

} // namespace perfmodel::hwdb::text_file_owner_test
