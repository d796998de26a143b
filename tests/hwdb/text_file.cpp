#include "hwdb/text_file.hpp"

#include "hwdb/part_file.hpp"

#include "tests/hwdb/nobody.hpp"
#include "tests/models/error_of.hpp"

#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfmodel::hwdb::text_file_test {

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
  write_whole(folder / "u", std::string("\xff\xfe#\0", 4));
  EXPECT_EQ(error_of([&] { read_text(folder / "u", 1 << 20); }),
            (folder / "u").string() + " is UTF-16, as PowerShell's '>' writes it: save it as UTF-8");
  EXPECT_EQ(error_of([] { read_text("/dev/zero", 1 << 20); }), "/dev/zero is a binary file, not text")
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
  EXPECT_EQ(trouble_of([] { write_whole("/dev/full", "x"); }),
            "/dev/full cannot be written: No space left on device");
}

TEST_F(TextFile, a_device_takes_the_bytes_as_they_come) {
  EXPECT_EQ(error_of([] { write_whole("/dev/null", "x"); }), "no error");
}

TEST_F(TextFile, in_a_folder_that_is_read_only_the_old_file_stays_and_nothing_is_left) {
  write_whole(folder / "a", "old");
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                              fs::perms::others_exec);
  std::string said = "not tried";
  {
    const Nobody nobody;
    if (!nobody.is) GTEST_SKIP() << "root cannot become somebody else here";
    said = trouble_of([&] { write_whole(folder / "a", "new"); });
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
  const std::string said = trouble_of([&] { write_whole(folder / "a", std::string(10'000, 'n')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(said, (folder / "a").string() + " cannot be written: File too large");
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(TextFile, what_another_run_left_is_in_nobodys_way) {
  for (const int pid : {1, ::getpid()})
    std::ofstream(folder / ("a." + std::to_string(pid) + ".part")) << "of a run that was killed";
  write_whole(folder / "a", "new");
  EXPECT_EQ(content(folder / "a"), "new");
  EXPECT_EQ(files(), 3u);
}

// NAME_MAX is 255 bytes on nearly every file system.
TEST_F(TextFile, the_longest_name_there_is_can_be_written) {
  const std::string name(255, 'n');
  write_whole(folder / name, "once");
  write_whole(folder / name, "twice");
  EXPECT_EQ(content(folder / name), "twice");
  EXPECT_EQ(error_of([&] { write_whole(folder / (name + "n"), "x"); }),
            (folder / (name + "n")).string() + " cannot be written: File name too long");
  EXPECT_EQ(files(), 1u);
}

// A child is stopped by the signal while its file is half written.
void write_and_be_told(const fs::path& path, int signal) {
  const pid_t child = ::fork();
  if (child == 0) {
    const PartFile part(path.parent_path());
    if (part.file() < 0 || ::write(part.file(), "half", 4) != 4) ::_exit(1);
    ::raise(signal);
    ::_exit(2); // the signal was ignored
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal)
      << "it dies of the signal, as its shell expects";
}

TEST_F(TextFile, nothing_is_left_of_a_write_that_a_signal_ends) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    write_and_be_told(folder / "a", signal);
    EXPECT_EQ(files(), 0u) << ::strsignal(signal);
  }
}

TEST_F(TextFile, a_signal_that_was_ignored_or_caught_is_so_again) {
  static int caught;
  caught = 0;
  const auto before = std::signal(SIGTERM, [](int) { ++caught; });
  const auto hangup = std::signal(SIGHUP, SIG_IGN); // nohup
  {
    const PartFile part(folder);
    EXPECT_EQ(files(), 1u);
    ::raise(SIGHUP);
    EXPECT_EQ(files(), 1u) << "whoever started it with nohup wants it to end";
    ::raise(SIGTERM);
    EXPECT_EQ(files(), 0u);
    EXPECT_EQ(caught, 1);
  }
  write_whole(folder / "a", "new");
  ::raise(SIGTERM);
  EXPECT_EQ(caught, 2);
  std::signal(SIGTERM, before);
  std::signal(SIGHUP, hangup);
  EXPECT_EQ(files(), 1u);
}

} // namespace perfmodel::hwdb::text_file_test
