// What is said of the constants that an answer rests on.
#include "program.hpp"

#include "cli/constants_text.hpp"
#include "cli/format.hpp"
#include "cli/text_lines.hpp"
#include "hwdb/result_file.hpp"
#include "models/core/units.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::constants_text_test {

Step constant(const std::string& symbol, double value, const std::string& probe) {
  return {.symbol = symbol, .value = value, .unit = unit_of<Cycles>(), .place = "run.json", .probe = probe};
}

TEST(Constants, a_few_are_a_sentence_and_many_that_are_explained_a_list_by_probe) {
  Result result{.model = "roofline"};
  EXPECT_EQ(constants_text(result, 80),
            "Rests on no fitted or assumed constants; --explain shows on what.\n");
  result.derivations = {{}}; // as --explain leaves them
  EXPECT_EQ(constants_text(result, 80), "Rests on no fitted or assumed constants.\n");
  for (const char* name : {"a", "bb", "ccc"}) result.constants.push_back(constant(name, 2, "p"));
  result.constants.push_back(constant("d", 3, "q"));
  EXPECT_EQ(constants_text(result, 200), "Rests on 4 constants: a 2 cycle (probe "
                                         "p, run.json); bb 2 cycle (probe p, run.json); "
                                         "ccc 2 cycle (probe p, run.json); d 3 cycle (probe q, run.json).\n");
  result.constants.push_back(constant("e", 4, "p"));
  EXPECT_EQ(constants_text(result, 36), "Rests on 5 constants:\n"
                                        "  probe p, run.json:\n"
                                        "    a   2 cycle   ccc 2 cycle\n"
                                        "    bb  2 cycle   e   4 cycle\n"
                                        "  probe q, run.json: d 3 cycle\n");
}

TEST(Constants, many_are_one_line_that_counts_them_and_names_what_nobody_measured_here) {
  Result result{.model = "roofline"};
  for (const char* name : {"a", "b", "c", "d"}) {
    result.constants.push_back(constant(name, 2, "p"));
    result.constants.back().source = "probe p on NVIDIA H200, 2026-11-25";
  }
  result.constants.push_back(constant("e", 3, "")); // printed by somebody
  result.constants.back().status = Status::published;
  EXPECT_EQ(constants_text(result, 100),
            "Rests on 5 constants: 4 measured on NVIDIA H200, 1 published; --explain lists them.\n");
  for (const char* name : {"f", "g"}) {
    result.constants.push_back({.symbol = name, .grade = Grade::assumed});
    result.constants.push_back({.symbol = name + std::string("2"), .grade = Grade::inherited});
  }
  EXPECT_EQ(
      constants_text(result, 200),
      "Rests on 9 constants: 2 assumed (f, g), 2 inherited (f2, g2), 4 measured on NVIDIA H200, 1 published; "
      "--explain lists them.\n");
  for (const char* name : {"h", "i", "j"})
    result.constants.push_back({.symbol = name, .grade = Grade::assumed});
  EXPECT_NE(constants_text(result, 200).find("5 assumed (f, g, h, i and 1 more), 2 inherited"),
            std::string::npos);
  result.derivations.emplace_back();
  for (const char* name : {"f2", "j", "NVIDIA", "a "})
    EXPECT_EQ(constants_text(result, 100).find(name) != std::string::npos, name != std::string("NVIDIA"))
        << name;
}

TEST(Constants, of_an_answer_are_all_in_json_and_where_they_are_asked_for) {
  const std::string question = "transpose --hw m2090 --n 64";
  const std::string text = perfmodel(words(question)).out,
                    all = perfmodel(words(question + " --explain")).out,
                    json = perfmodel(words(question + " --format json")).out;
  EXPECT_NE(text.find("--explain lists them."), std::string::npos) << text;
  EXPECT_EQ(text.find("block.launch_interval"), std::string::npos) << text;
  for (const std::string& answer : {all, json})
    EXPECT_NE(answer.find("block.launch_interval"), std::string::npos) << answer;
}

TEST(Constants, the_rows_beside_measurements_name_theirs) {
  // A specified roof does not rest on the rate of FMAs that was measured; what is held against the
  // measured intensities does.
  const std::string plain = perfmodel(words("roofline --hw h200 --basis spec --format json")).out,
                    beside = perfmodel(words("roofline --hw h200 --basis spec --measured --format json")).out;
  EXPECT_EQ(plain.find("\"sustained.fp32\""), std::string::npos) << plain;
  EXPECT_NE(beside.find("\"sustained.fp32\""), std::string::npos) << beside;
}

} // namespace perfmodel::cli::constants_text_test
