// Errors and bands that are kept: what was kept, with whether something has changed since.
#include "hwdb/kept_errors.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace perfmodel::hwdb::kept_errors_test {

namespace fs = std::filesystem;

const TimedErrors errors = {{{"pi", "time"}, {0.1, -0.25}}, {{"reduction", "time"}, {0.0000004, 1.0 / 3}}};

class KeptErrorsFile : public testing::Test {
protected:
  KeptErrorsFile() {
    std::string name = (fs::temp_directory_path() / "perfmodel-errors-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    write("evidence.yaml", "rows: []\n");
  }
  ~KeptErrorsFile() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  fs::path folder_;
};

TEST_F(KeptErrorsFile, has_the_errors_of_each_gpu_to_six_decimals) {
  EXPECT_TRUE(kept_errors(folder_).gpus.empty());
  keep_errors(folder_, {"one", errors}, "2026-11-26");
  keep_errors(folder_, {"two", {}}, "2026-11-26");
  const KeptErrors kept = kept_errors(folder_);
  ASSERT_EQ(kept.gpus.size(), 2u);
  EXPECT_EQ(kept.gpus[0].gpu, "one");
  const TimedErrors rounded = {{{"pi", "time"}, {0.1, -0.25}}, {{"reduction", "time"}, {0, 0.333333}}};
  EXPECT_EQ(kept.gpus[0].errors, rounded);
  EXPECT_TRUE(kept.gpus[1].errors.empty());
  EXPECT_TRUE(kept.old.empty());
}

TEST_F(KeptErrorsFile, says_from_when_it_is_where_something_has_changed_since) {
  keep_errors(folder_, {"one", errors}, "2026-11-26");
  write("evidence.yaml", "rows: [] # none\n");
  keep_errors(folder_, {"two", errors}, "2026-11-27");
  const KeptErrors kept = kept_errors(folder_);
  EXPECT_EQ(kept.gpus.size(), 2u);
  EXPECT_EQ(kept.old, std::vector<std::string>{"2026-11-26"});
}

TEST_F(KeptErrorsFile, whose_rows_do_not_fit_is_refused_by_name) {
  for (const auto& [is, wrong] : {std::pair<std::string, std::string>{"[2, 2]", "[2, 3]"},
                                  {"[2, 2]", "[2, 1]"},
                                  {"\"lines\"", "\"line\""}}) {
    keep_errors(folder_, {"one", errors}, "2026-11-26");
    std::ifstream in(folder_ / "ledgers/one-errors.json");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t at = text.find(is);
    ASSERT_NE(at, std::string::npos) << is << " in " << text;
    write("ledgers/one-errors.json", text.replace(at, is.size(), wrong));
    const std::string said = error_of([&] { (void)kept_errors(folder_); });
    EXPECT_TRUE(said.starts_with((folder_ / "ledgers/one-errors.json: ").string())) << wrong << ": " << said;
  }
}

TEST_F(KeptErrorsFile, of_bands_says_whether_something_has_changed) {
  Table bands{.title = "bands",
              .columns = {{.name = "model", .role = Role::key, .cells = std::vector<std::string>{"pi"}}}};
  EXPECT_FALSE(kept_bands(folder_, "one"));
  keep_bands(folder_, "one", {.date = "2026-11-26", .bands = bands});
  ASSERT_TRUE(kept_bands(folder_, "one"));
  EXPECT_EQ(kept_bands(folder_, "one")->bands.at("model").text(0), "pi");
  EXPECT_EQ(kept_bands(folder_, "one")->date, "2026-11-26");
  EXPECT_FALSE(kept_bands(folder_, "one")->is_old);
  write("evidence.yaml", "rows: [] # none\n");
  EXPECT_TRUE(kept_bands(folder_, "one")->is_old);
}

} // namespace perfmodel::hwdb::kept_errors_test
