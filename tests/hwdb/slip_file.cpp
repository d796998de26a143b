#include "hwdb/slip_file.hpp"

#include "hwdb/database.hpp"
#include "models/core/model.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hwdb::slip_file_test {

const Sources sources = {{"lecture", "A. Lecturer, a lecture, 2010"}};

const std::string entry = R"(  - id: ten-lanes
    where: slide 3
    printed: a warp has ten lanes
    right: 32
    why: it has
    command: warp --hw h200 --block 32
    shows: 32 threads
    met:
      - {model: warp, cc: "9.0", gpus: [h200, h100], rows: {threads: [32, 64], block: 32}}
)";
const std::string good = "source: lecture\nslips:\n" + entry;

std::string with(const std::string& old, const std::string& now) {
  std::string text = good;
  return text.replace(text.find(old), old.size(), now);
}

std::string why(const std::string& text) {
  return error_of([&] { parse_slips(text, "slips.yaml", sources); });
}

TEST(SlipFile, is_read_entry_by_entry) {
  const std::vector<Slip> all = parse_slips(good, "slips.yaml", sources);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].id, "ten-lanes");
  EXPECT_EQ(all[0].source, "A. Lecturer, a lecture, 2010");
  EXPECT_EQ(all[0].author(), "A. Lecturer");
  ASSERT_EQ(all[0].met.size(), 1U);
  const SlipMet& met = all[0].met[0];
  EXPECT_EQ(met.model, "warp");
  EXPECT_EQ(met.gpus, (std::vector<std::string>{"h200", "h100"}));
  EXPECT_EQ(met.row[0].second, (std::vector<std::string>{"32", "64"}));
  EXPECT_EQ(met.ask, "warp --hw h200 --block 32") << "the entry's own command, where there is no other";
}

TEST(SlipFile, refuses_what_it_does_not_know_with_file_and_line) {
  EXPECT_EQ(why(with("model: warp", "model: wrap")),
            "slips.yaml:11: unknown model 'wrap' (did you mean 'warp'?)");
  EXPECT_EQ(why(with("threads: [32", "treads: [32")),
            "slips.yaml:11: the model 'warp' has no column 'treads' (did you mean 'threads'?)");
  EXPECT_EQ(why(with("source: lecture", "source: lectures")), "slips.yaml:1: unknown source 'lectures'");
  EXPECT_NE(why(with("    why: it has\n", "")).find("why"), std::string::npos);
  EXPECT_NE(why(with("where:", "were:")).find("where"), std::string::npos);
  EXPECT_EQ(why(with("ten-lanes", "ten lanes")), "slips.yaml:3: 'ten lanes' is no plain name");
  EXPECT_EQ(why(good + entry), "slips.yaml:12: the id 'ten-lanes' is there twice");
  EXPECT_EQ(why("source: lecture\nslips: one"), "slips.yaml:2: 'slips' is no list");
  EXPECT_NE(why(with("rows: {", "ask: balance --hw h200, rows: {")).find("'ask'"), std::string::npos);
}

// A misspelt GPU or capability would never be met.
TEST(SlipFile, names_gpus_and_capabilities_of_the_database) {
  const Database shipped(default_folder());
  const std::vector<std::string> gpus = shipped.names(), known = shipped.architectures();
  for (const Slip& slip : shipped.slips())
    for (const SlipMet& met : slip.met) {
      for (const std::string& cc : met.cc)
        EXPECT_NE(std::find(known.begin(), known.end(), cc), known.end()) << slip.id << ": " << cc;
      for (const std::string& gpu : met.gpus)
        EXPECT_NE(std::find(gpus.begin(), gpus.end(), gpu), gpus.end()) << slip.id << ": " << gpu;
    }
}

// What a published row is marked with is the register's entry.
TEST(SlipFile, is_where_marks_of_published_rows_are_told) {
  const Database shipped(default_folder());
  std::string told;
  for (const Series& series : shipped.published("gtx260"))
    for (const RowMarks& marks : series.marks)
      if (!marks.slip.empty()) told = marks.slip;
  EXPECT_NE(told.find("37.3 Gflop/s"), std::string::npos) << told;
}

} // namespace perfmodel::hwdb::slip_file_test
