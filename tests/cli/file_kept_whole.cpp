// -o: the file is written whole or not at all, and not when the input is wrong.
#include "balance_into.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::file_kept_whole_test {

TEST(FileKeptWhole, nothing_is_written_when_the_input_is_wrong) {
  const Scratch scratch;
  write(scratch / "kept.csv", "old");
  for (const auto& more : std::vector<std::vector<std::string>>{{"--precision", "fp3"},
                                                                {"--set", "clock=-1"},
                                                                {"--set", "nonsense=1"},
                                                                {"--nonsense"},
                                                                {"--format", "xml"}}) {
    EXPECT_EQ(balance_into(scratch / "new.csv", more).code, 2) << more.back();
    EXPECT_EQ(balance_into(scratch / "kept.csv", more).code, 2) << more.back();
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"kept.csv"});
  EXPECT_EQ(contents(scratch / "kept.csv"), "old");
}

TEST(FileKeptWhole, an_existing_file_is_replaced_whole_and_nothing_is_left_beside_it) {
  const Scratch scratch;
  write(scratch / "a.csv", std::string(100'000, 'x'));
  EXPECT_EQ(balance_into(scratch / "a.csv").code, 0);
  EXPECT_EQ(contents(scratch / "a.csv"), perfmodel({"balance", "--hw", "m2090", "--format", "csv"}).out);
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"a.csv"});
}

TEST(FileKeptWhole, a_link_stays_a_link) {
  const Scratch scratch;
  write(scratch / "real.csv", "old");
  std::filesystem::create_symlink(scratch / "real.csv", scratch / "link.csv");
  EXPECT_EQ(balance_into(scratch / "link.csv").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link.csv"));
  EXPECT_NE(contents(scratch / "real.csv"), "old");
}

TEST(FileKeptWhole, what_cannot_be_written_is_said_in_one_sentence) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder.csv");
  std::filesystem::create_symlink(scratch / "nowhere/file", scratch / "dangling.csv");
  for (const std::string& file :
       {scratch / "no/such/folder/a.csv", scratch / "folder.csv", scratch / "dangling.csv",
        std::string("/proc/perfmodel.csv"), scratch / (std::string(300, 'n') + ".csv")}) {
    const Answer a = balance_into(file);
    EXPECT_EQ(a.code, 2) << file << ": another name would do";
    EXPECT_EQ(a.out, "") << file;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find("cannot be written"), std::string::npos) << a.err;
  }
  EXPECT_EQ(scratch.files(), (std::vector<std::string>{"dangling.csv", "folder.csv"}));
}

TEST(FileKeptWhole, a_folder_without_permission_keeps_the_old_file) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const Scratch scratch;
  write(scratch / "a.csv", "old");
  ::chmod(scratch.path().c_str(), 0555);
  const Answer a = balance_into(scratch / "a.csv");
  ::chmod(scratch.path().c_str(), 0755);
  EXPECT_EQ(a.code, 3);
  EXPECT_TRUE(one_sentence(a.err)) << a.err;
  EXPECT_EQ(contents(scratch / "a.csv"), "old");
}

TEST(FileKeptWhole, a_read_only_file_is_the_machines_trouble_and_stays) {
  const Scratch scratch;
  write(scratch / "a.csv", "old");
  ::chmod((scratch / "a.csv").c_str(), 0444);
  const Answer a = balance_into(scratch / "a.csv");
  EXPECT_EQ(a.code, 3);
  EXPECT_EQ(a.err, "perfmodel: " + (scratch / "a.csv") + " cannot be written: it is read-only\n");
  EXPECT_EQ(contents(scratch / "a.csv"), "old");
}

TEST(FileKeptWhole, a_full_device_is_an_error) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Answer a = balance_into("/dev/full", {"--format", "csv"});
  EXPECT_EQ(a.code, 3);
  EXPECT_TRUE(one_sentence(a.err)) << a.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(FileKeptWhole, a_device_takes_the_bytes_and_stays) {
  EXPECT_EQ(balance_into("/dev/null", {"--format", "csv"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

} // namespace perfmodel::file_kept_whole_test
