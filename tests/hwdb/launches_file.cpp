#include "hwdb/launches_file.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::launches_file_test {

const char* const good =
    R"({"schema": "perfmodel-launches/1", "command": "./app", "date": "2026-11-28T00:02:00Z", "complete": true, "left_out": 2,
 "notes": ["something"], "gpus": [{"name": "NVIDIA H200", "capability": "9.0", "driver": "580.95.05", "clock": 1980000000}],
 "launches": [{"kernel": "_Z1fPf", "gpu": 0, "grid": [4, 2, 1], "block": [32, 1, 1], "dynamic_shared": 16,
  "cluster": [2, 1, 1], "cooperative": true, "managed": true, "of_host": true, "registers": 12, "fixed_shared": 0, "allocations": [4096], "others_since": [512],
  "arguments": [{"offset": 0, "bytes": "0000000000000000", "pointers": [{"at": 0, "allocation": 0, "offset": 8}]},
                {"offset": 8, "bytes": "ff00", "news": 1}],
  "count": 5, "in_a_row": 3, "times": {"count": 4, "least_ns": 10, "median_ns": 12}}, {"kernel": "g", "gpu": 0, "grid": [1, 1, 1],
  "block": [1, 1, 1], "dynamic_shared": 0, "count": 1}]})";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(LaunchesFile, is_read_as_it_was_written) {
  const CapturedLaunches read = hwdb::parse_launches(good, "a");
  ASSERT_EQ(read.launches.size(), 2u);
  EXPECT_EQ(read.date, "2026-11-28T00:02:00Z");
  EXPECT_EQ(read.launches[0].arguments[1].bytes, (std::vector<std::uint8_t>{0xff, 0}));
  EXPECT_EQ(read.launches[0].times->median, 12u);
  EXPECT_EQ(read.launches[0].others_since, (std::vector<std::optional<std::uint64_t>>{512}));
  EXPECT_EQ(hwdb::parse_launches(changed("[512]", "[null]"), "a").launches[0].others_since,
            (std::vector<std::optional<std::uint64_t>>{std::nullopt}));
  EXPECT_EQ(read.launches[0].in_a_row, 3u);
  EXPECT_EQ(read.launches[1].in_a_row, 0u) << "files that were written before it was counted have none";
  EXPECT_FALSE(read.launches[1].arguments_known);
  EXPECT_FALSE(read.launches[1].registers);
  const std::string json = hwdb::launches_json(read);
  EXPECT_EQ(hwdb::parse_launches(json, "b").text(), read.text());
  EXPECT_EQ(hwdb::parse_launches(json, "b").launches[0].in_a_row, 3u);
  EXPECT_EQ(hwdb::launches_json(hwdb::parse_launches(json, "b")), json);
}

TEST(LaunchesFile, names_of_any_encoding_are_written) {
  CapturedLaunches all{.command = "\xff\xfe ./app"};
  EXPECT_EQ(hwdb::parse_launches(hwdb::launches_json(all), "a").command, "\xef\xbf\xbd\xef\xbf\xbd ./app");
}

TEST(LaunchesFile, what_is_wrong_is_said_in_a_sentence_that_names_the_file) {
  const auto expect = [](const std::string& text, const std::string& sentence) {
    EXPECT_EQ(error_of([&] { hwdb::parse_launches(text, "a.launches"); }), "a.launches: " + sentence);
  };
  expect("[]", "this is no perfmodel-launches/1 file");
  expect(changed("launches/1", "launches/2"), "this is no perfmodel-launches/1 file");
  expect(changed("\"gpu\": 0", "\"gpu\": 1"), "launch 1: there is no GPU 1");
  expect(changed("[4, 2, 1]", "[4, 2]"), "launch 1: 'grid' is a shape of three sides, each a whole number");
  expect(changed("[4, 2, 1]", "[4.5, 2, 1]"),
         "launch 1: 'grid' is a shape of three sides, each a whole number");
  expect(changed("[1, 1, 1],\n", "[1, 1, \"1\"],\n"),
         "launch 2: 'grid' is a shape of three sides, each a whole number");
  expect(changed("\"block\": [32, 1, 1]", "\"block\": 32"),
         "launch 1: 'block' is a shape of three sides, each a whole number");
  expect(changed("[2, 1, 1]", "[2, 1, 0.5]"),
         "launch 1: 'cluster' is a shape of three sides, each a whole number");
  EXPECT_NE(
      error_of([&] { hwdb::parse_launches(changed("\"cooperative\": true", "\"cooperative\": 1"), "a"); }),
      "no error");
  expect(changed("[4, 2, 1]", "[4, 0, 1]"), "launch 1: a grid has sides from 1 on");
  expect(changed("ff00", "ff0"), "launch 1: bytes are written as two digits each");
  expect(changed("ff00", "fg00"), "launch 1: bytes are written as two digits each");
  expect(changed("\"count\": 5", "\"count\": -5"), "launch 1: 'count' is no whole number of its size");
  expect(changed("\"in_a_row\": 3", "\"in_a_row\": 5"),
         "launch 1: fewer launches came in a row than came at all");
  expect(changed("\"in_a_row\": 3", "\"in_a_row\": -1"),
         "launch 1: 'in_a_row' is no whole number of its size");
  expect(changed("[512]", "[512, 3]"), "launch 1: what was used since stands of each allocation, or of none");
  expect(changed("[512]", "512"), "launch 1: 'others_since' is a list, a number or null for each allocation");
  expect(changed("[512]", "[-1]"), "launch 1: 'others_since' is no whole number of its size");
  expect(changed("\"at\": 0", "\"at\": 1"), "launch 1: a pointer has eight bytes of its argument");
  expect(changed("\"registers\": 12", "\"registers\": 5000000000"),
         "launch 1: 'registers' is no whole number of its size");
  expect(changed("\"kernel\": \"_Z1fPf\"", "\"kernel\": \"\""), "launch 1: the kernel has no name");
  EXPECT_NE(error_of([&] { hwdb::parse_launches(std::string(good).substr(0, 300), "a"); }), "");
}

} // namespace perfmodel::launches_file_test
