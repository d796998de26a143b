// Ledgers that are kept: found as long as nothing has changed that they were computed from.
#include "hwdb/kept_ledger.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace perfmodel::hwdb::kept_ledger_test {

namespace fs = std::filesystem;

// A folder with a fact, a measurement and a source in it.
class KeptLedger : public testing::Test {
protected:
  KeptLedger() {
    std::string name = (fs::temp_directory_path() / "perfmodel-ledger-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    write("gpus/one.yaml", "name: one\n");
    write("measured/one/run.json", "{}\n");
    write("evidence.yaml", "rows: []\n");
  }
  ~KeptLedger() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void keep() const {
    keep_ledger(folder_, "one",
                {.version = "1",
                 .commit = "abc",
                 .date = "2026-11-26",
                 .result = {.kind = Kind::comparison, .title = "of one"}});
  }
  bool is_kept() const { return kept_ledger(folder_, "one").has_value(); }

  fs::path folder_;
};

TEST_F(KeptLedger, is_what_was_kept) {
  EXPECT_FALSE(is_kept());
  keep();
  const std::optional<Record> kept = kept_ledger(folder_, "one");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->result.title, "of one");
  EXPECT_EQ(kept->result.kind, Kind::comparison);
  EXPECT_EQ(kept->date, "2026-11-26");
  EXPECT_EQ(kept->commit, "abc");
  EXPECT_FALSE(kept_ledger(folder_, "another"));
}

TEST_F(KeptLedger, is_as_good_as_absent_when_something_has_changed_that_it_rests_on) {
  const auto changes = [&](const std::string& name, const std::string& text) {
    keep();
    EXPECT_TRUE(is_kept());
    write(name, text);
    EXPECT_FALSE(is_kept()) << name;
  };
  changes("gpus/one.yaml", "name: two\n");
  changes("gpus/two.yaml", "name: two\n");
  changes("measured/one/run.json", "{ }\n");
  changes("measured/one/more.json", "");
  changes("evidence.yaml", "rows: [] # none\n");
  changes("published/one/paper.yaml", "series: []\n");
  keep();
  fs::rename(folder_ / "gpus/two.yaml", folder_ / "gpus/three.yaml");
  EXPECT_FALSE(is_kept()) << "another name";
  keep();
  fs::remove(folder_ / "measured/one/more.json");
  EXPECT_FALSE(is_kept()) << "a file is gone";
}

TEST_F(KeptLedger, does_not_rest_on_what_is_no_fact) {
  keep();
  write("README.md", "of the folder\n");
  write("ledgers/two.json", "{}\n");
  EXPECT_TRUE(is_kept());
}

TEST_F(KeptLedger, of_other_sources_is_as_good_as_absent) {
  keep();
  std::ifstream in(folder_ / "ledgers/one.json");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string stamp(sources_stamp());
  ASSERT_EQ(stamp.size(), 16u);
  const std::size_t at = text.find(stamp);
  ASSERT_NE(at, std::string::npos);
  text[at] = text[at] == '0' ? '1' : '0';
  write("ledgers/one.json", text);
  EXPECT_FALSE(is_kept());
}

TEST_F(KeptLedger, that_is_no_result_is_refused_by_name) {
  write("ledgers/one.json", "{\"schema\": ");
  try {
    (void)kept_ledger(folder_, "one");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("one.json"), std::string::npos) << e.what();
  }
}

} // namespace perfmodel::hwdb::kept_ledger_test
