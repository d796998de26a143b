#include "hwdb/database.hpp"

#include "hwdb/text_file.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/hwdb/nobody.hpp"

#include "models/core/error.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace perfmodel::hwdb::database_test {

namespace fs = std::filesystem;

struct DatabaseFolder : testing::Test {
  fs::path root = fs::path(testing::TempDir()) / ("perfmodel_database_" + std::to_string(::getpid()));
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  void SetUp() override {
    write("sources.yaml", "manual: Board manual\n");
    write("architectures/3.5.yaml", "name: \"3.5\"\ntitle: Kepler\nfacts:\n  schedulers: {value: 4, status: "
                                    "datasheet, source: manual}\n");
    write("gpus/card.yaml", card);
  }
  void TearDown() override { fs::remove_all(root); }
  std::string why(const std::string& name) {
    return error_of([&] { Database(root).gpu(name); });
  }
};

TEST_F(DatabaseFolder, a_gpu_is_found_by_name_alias_case_and_path) {
  const Database db(root);
  EXPECT_EQ(db.gpu("card").name, "card");
  EXPECT_EQ(db.gpu("CARD").name, "card");
  EXPECT_EQ(db.gpu("c").name, "card");
  EXPECT_EQ(db.gpu((root / "gpus/card.yaml").string()).name, "card");
  EXPECT_EQ(db.gpu("card").record("schedulers")->layer, Layer::architecture);
  EXPECT_EQ(db.gpu("card").file, "hwdb/gpus/card.yaml");
  EXPECT_EQ(db.names(), std::vector<std::string>{"card"});
  EXPECT_EQ(db.architectures(), std::vector<std::string>{"3.5"});
}

TEST_F(DatabaseFolder, an_unknown_gpu_comes_with_the_nearest) {
  EXPECT_EQ(why("crad"), "unknown GPU 'crad' (did you mean 'card'?); 'perfmodel hw list' shows all");
  EXPECT_EQ(why("zebra"), "unknown GPU 'zebra'; 'perfmodel hw list' shows all");
  EXPECT_EQ(why(std::string(100, 'x')),
            "unknown GPU '" + std::string(60, 'x') + "'; 'perfmodel hw list' shows all");
}

TEST_F(DatabaseFolder, a_name_cannot_walk_out_of_its_folder) {
  write("secret.yaml", card);
  EXPECT_EQ(why("..").substr(0, 11), "unknown GPU");
  EXPECT_EQ(why(".card").substr(0, 11), "unknown GPU");
  EXPECT_EQ(why("card\n").substr(0, 11), "unknown GPU");
}

TEST_F(DatabaseFolder, a_path_that_leads_nowhere_is_named) {
  EXPECT_EQ(why("/no/such/card.yaml"), "/no/such/card.yaml cannot be read: No such file or directory");
  EXPECT_EQ(why("card.yml"), "card.yml cannot be read: No such file or directory");
  EXPECT_EQ(why(root.string()), root.string() + " is a folder, not a file");
}

TEST_F(DatabaseFolder, a_broken_file_is_named_as_the_user_knows_it) {
  write("gpus/card.yaml", with(card, "sm_count", "sm_cuont"));
  EXPECT_EQ(why("card"), "hwdb/gpus/card.yaml:6: unknown key 'sm_cuont' (did you mean 'sm_count'?)");
}

TEST_F(DatabaseFolder, an_unknown_architecture_is_answered_with_those_there_are) {
  write("gpus/card.yaml", with(card, "\"3.5\"", "\"3.6\""));
  EXPECT_EQ(why("card"),
            "hwdb/gpus/card.yaml: unknown architecture '3.6' (did you mean '3.5'?); one of 3.5 is expected");
}

TEST_F(DatabaseFolder, a_folder_without_gpus_is_no_database) {
  fs::remove_all(root / "gpus");
  EXPECT_EQ(error_of([&] { Database db(root); }),
            root.string() + " is no hardware database: it has no folders 'gpus' and 'architectures'");
  EXPECT_NE(error_of([] { Database db("/no/such/folder"); }), "no error");
}

// Exit 3, and not "there is none": another name would not help.
TEST_F(DatabaseFolder, that_may_not_be_read_is_the_machines_fault) {
  const auto denied = [&](const fs::path& folder) {
    fs::permissions(folder, fs::perms::none);
    const Nobody nobody;
    ASSERT_TRUE(nobody.is);
    try {
      Database(root).names();
      ADD_FAILURE() << folder << " was read";
    } catch (const MachineError& e) {
      EXPECT_NE(std::string(e.what()).find("Permission denied"), std::string::npos) << e.what();
    }
  };
  denied(root / "gpus");
  fs::permissions(root / "gpus", fs::perms::owner_all | fs::perms::others_all);
  denied(root);
  fs::permissions(root, fs::perms::owner_all);
}

TEST_F(DatabaseFolder, series_and_measurements_are_empty_until_there_are_some) {
  const Database db(root);
  EXPECT_TRUE(db.published("card").empty());
  EXPECT_TRUE(db.measured_files("card").empty());
  write("measured/card/b.json", "{}");
  write("measured/card/a.json", "{}");
  write("measured/card/a.launches", "{}");
  write("measured/card/notes.txt", "");
  ASSERT_EQ(db.measured_files("card").size(), 3u);
  EXPECT_EQ(db.measured_files("card")[0].filename(), "a.json") << "in alphabetical order";
  EXPECT_EQ(db.measured_files("card")[2].filename(), "a.launches") << "behind the runs of probes";
  EXPECT_TRUE(db.head(db.measured_files("card")[2]).measurements.empty()) << "no facts: it is not read";
}

// "name: card" in a file of the user's: what was measured on the database's card is not of this one.
TEST_F(DatabaseFolder, a_file_that_calls_itself_like_a_gpu_does_not_take_its_measurements) {
  write("measured/card/a.json", "{}");
  write("mine/card.yaml", card);
  write("mine/hwdb/gpus/card.yaml", card);
  const Database db(root);
  for (const char* name : {"card", "CARD", "c"}) EXPECT_EQ(db.runs_on(db.gpu(name)).size(), 1u) << name;
  EXPECT_EQ(db.runs_on(db.gpu((root / "gpus/card.yaml").string())).size(), 1u) << "its own file, by path";
  fs::create_symlink(root / "gpus/card.yaml", root / "mine/link.yaml");
  for (const char* file : {"mine/card.yaml", "mine/link.yaml"}) {
    const Gpu mine = db.gpu((root / file).string());
    EXPECT_EQ(mine.name, "card");
    EXPECT_FALSE(db.is_own(mine)) << file;
    EXPECT_TRUE(db.runs_on(mine).empty()) << file;
    EXPECT_TRUE(db.published_about(mine).empty()) << file;
  }
  const fs::path before =
      fs::current_path(); // where the user's file is called as messages call the database's
  fs::current_path(root / "mine");
  const Gpu mine = db.gpu("hwdb/gpus/card.yaml");
  fs::current_path(before);
  EXPECT_EQ(mine.file, "./hwdb/gpus/card.yaml");
  EXPECT_FALSE(db.is_own(mine));
}

// What a card may inherit hangs on what it is, not on what its file is called.
TEST(DefaultFolder, a_users_file_inherits_the_same_whatever_its_name) {
  const Database db(PERFMODEL_SOURCE_DIR "/hwdb");
  const std::string text = read_text(PERFMODEL_SOURCE_DIR "/hwdb/gpus/m2090.yaml", most_yaml);
  const auto called = [&](const std::string& name) {
    std::string other = text;
    other.replace(other.find("name: m2090"), 11, "name: " + name);
    return db.completed(db.gpu_from(other, "mine.yaml"));
  };
  const Gpu one = called("mine"), other = called("h200");
  ASSERT_FALSE(one.estimates.empty());
  ASSERT_EQ(one.estimates.size(), other.estimates.size());
  for (const auto& [path, estimate] : one.estimates)
    EXPECT_EQ(estimate.value, other.estimates.find(path)->second.value) << path;
}

TEST(DefaultFolder, of_a_build_is_the_source_tree) {
  EXPECT_TRUE(fs::equivalent(default_folder(), PERFMODEL_SOURCE_DIR "/hwdb")) << default_folder();
}

} // namespace perfmodel::hwdb::database_test
