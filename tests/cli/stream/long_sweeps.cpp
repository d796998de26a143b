// Sweeps longer than a block, as the program answers them.
#include "tests/cli/program.hpp"

#include "hwdb/result_file.hpp"

#include <gtest/gtest.h>

namespace perfmodel::long_sweeps_test {

constexpr std::size_t points = 9001; // two blocks and some rows

Answer sweep(std::vector<std::string> more) {
  std::vector<std::string> all{"transfer", "--hw", "m2090", "--bytes", "1:9001"};
  all.insert(all.end(), more.begin(), more.end());
  return perfmodel(all);
}

TEST(LongSweep, has_every_row_in_csv_and_json_in_a_file_as_on_the_standard_output) {
  const Scratch scratch;
  for (const std::string format : {"csv", "json"}) {
    const Answer a = sweep({"--format", format});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(sweep({"-o", scratch / "a." + format}).code, 0);
    EXPECT_EQ(contents(scratch / "a." + format), a.out);
    if (format == "csv") {
      EXPECT_EQ(lines_of(a.out).size(), 2 + 1 + points) << "the verdict of both ends, and the header";
      EXPECT_EQ(a.out.find("\n\n"), std::string::npos) << "one table";
    } else {
      const Record record = hwdb::record_from_json(a.out, "stdout");
      EXPECT_EQ(record.result.tables.at(0).rows(), points);
    }
  }
  EXPECT_EQ(scratch.files(), (std::vector<std::string>{"a.csv", "a.json"})) << "and nothing else";
}

TEST(LongSweep, has_its_ends_in_text_and_every_row_with_all) {
  const Answer ends = sweep({}), all = sweep({"--all"});
  EXPECT_LT(lines_of(ends.out).size(), 60u);
  EXPECT_NE(ends.out.find("9001 rows. Shown: the first 20 and the last 4"), std::string::npos) << ends.out;
  EXPECT_GT(lines_of(all.out).size(), points);
}

TEST(LongSweep, that_fails_late_says_so_alone_and_leaves_the_file_as_it_was) {
  const Scratch scratch;
  write(scratch / "kept.csv", "old");
  const std::vector<std::string> late{"transfer", "--hw",    "m2090",       "--link",
                                      "1e-5",     "--bytes", "1:1e305:*1.1"};
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--format", "csv"}, {"--format", "json"}, {}, {"-o", scratch / "kept.csv"}}) {
    std::vector<std::string> asked = late;
    asked.insert(asked.end(), more.begin(), more.end());
    const Answer a = perfmodel(asked);
    EXPECT_EQ(a.code, 2) << a.out.substr(0, 300);
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"kept.csv"});
  EXPECT_EQ(contents(scratch / "kept.csv"), "old");
}

TEST(LongSweep, onto_a_full_disk_is_refused_in_one_sentence_as_a_short_one_is) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Answer whole = perfmodel({"balance", "--hw", "m2090", "-o", "/dev/full", "--format", "csv"});
  for (const char* format : {"csv", "json"}) {
    const Answer a = sweep({"-o", "/dev/full", "--format", format});
    EXPECT_NE(a.code, 0);
    EXPECT_EQ(a.code, whole.code);
    EXPECT_EQ(a.err, whole.err);
    EXPECT_EQ(a.out, "");
  }
}

} // namespace perfmodel::long_sweeps_test
