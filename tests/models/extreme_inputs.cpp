// Every numeric input of every model, given nonsense: an answer of finite numbers, or one sentence.
#include "tests/models/ask.hpp"

#include "models/core/error.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::extreme_inputs_test {

// What else a question needs before the input is looked at.
Words beside(const Model& m, const std::string& name) {
  if (name == "flops" || name == "bytes" || name == "time" || name == "intensity")
    if (m.info.name == "roofline" && name != "intensity")
      return name == "flops"   ? Words{{"bytes", "1e9"}}
             : name == "bytes" ? Words{{"flops", "1e9"}}
                               : Words{{"flops", "1e9"}, {"bytes", "1e9"}};
  return {};
}

void expect_finite(const Result& result, const std::string& what) {
  for (const Table& table : result.tables)
    for (const Column& column : table.columns)
      for (std::size_t row = 0; row < table.rows() && !column.is_text(); ++row)
        ASSERT_FALSE(std::isinf(column.number(row))) << what << ": " << column.name;
}

void expect_answer_or_sentence(const Gpu& gpu, const Model& m, const Option& option, const char* text) {
  const std::string what = std::string(m.info.name) + " --" + option.name + " " + text;
  Words words = beside(m, option.name);
  words.emplace_back(option.name, text);
  try {
    expect_finite(ask(m.info.name, gpu, words), what);
  } catch (const InputError& e) {
    const std::string sentence = e.what();
    EXPECT_GT(sentence.size(), 20u) << what;
    EXPECT_LT(sentence.size(), 500u) << what;
    EXPECT_EQ(sentence.find('\n'), sentence.npos) << what;
  } catch (const std::exception& e) {
    ADD_FAILURE() << what << ": " << e.what();
  }
}

TEST(EveryNumericInput, of_any_size_gets_finite_numbers_or_a_sentence) {
  for (const char* name : {"m2090", "h200"})
    for (const Model& m : models())
      for (const Option& option : m.options)
        if (option.kind == OptionKind::number)
          for (const char* text :
               {"1e300", "1e-300", "1e308", "-1e300", "-1", "0", "nan", "inf", "-inf", "1.5", "1e19"})
            expect_answer_or_sentence(gpu_named(name), m, option, text);
}

std::string refusal(const char* model_name, const char* option, const char* text) {
  try {
    parse_values(*model(model_name).find(option), text);
    return "taken";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(EveryNumericInput, refuses_what_no_kernel_has) {
  for (const char* m : {"latency-hiding", "memory-parallelism", "littles-law"})
    EXPECT_NE(
        refusal(m, "ilp", "1e300").find("--ilp: 1e+300 given, a whole number from 1 to 65536 is expected"),
        std::string::npos)
        << m << ": " << refusal(m, "ilp", "1e300");
  EXPECT_EQ(refusal("littles-law", "ilp", "65536"), "taken");
  EXPECT_NE(refusal("littles-law", "ilp", "65537"), "taken");
  EXPECT_EQ(refusal("littles-law", "word", "1e-9 B"), "--word: 1e-09 B given, at least 1 B is expected");
  EXPECT_EQ(refusal("littles-law", "word", "1 B"), "taken");
  EXPECT_EQ(refusal("work-depth", "word", "0.5"), "--word: 0.5 B given, at least 1 B is expected");
  EXPECT_EQ(refusal("bank-conflicts", "stride", "-1e300"),
            "--stride: -1e+300 given, at most 1e+15 is expected");
  EXPECT_EQ(refusal("bank-conflicts", "stride", "-3"), "taken");
  EXPECT_EQ(refusal("transfer", "bytes", "1 EB"), "taken");
  EXPECT_EQ(refusal("transfer", "bytes", "1001 PB"), "--bytes: 1.001 EB given, at most 1 EB is expected");
}

} // namespace perfmodel::extreme_inputs_test
