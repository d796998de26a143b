#include "models/concurrency/instruction_mix.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::instruction_mix_test {

std::string error(std::string_view text) {
  return error_of([&] { parse_mix("--mix", text); });
}

TEST(InstructionMix, is_classes_with_counts) {
  const auto mix = parse_mix("--mix", "ffma:8, iadd : 4,rcp");
  ASSERT_EQ(mix.size(), 3u);
  EXPECT_EQ(mix[0].instruction->name, "ffma");
  EXPECT_EQ(mix[0].count, 8);
  EXPECT_EQ(mix[1].instruction->name, "iadd");
  EXPECT_EQ(mix[1].count, 4);
  EXPECT_EQ(mix[2].instruction->name, "rcp");
  EXPECT_EQ(mix[2].count, 1);
}

TEST(InstructionMix, a_wrong_one_gets_a_sentence) {
  EXPECT_EQ(error("ffmq:8"), "--mix: unknown instruction class 'ffmq' (did you mean 'ffma'?)");
  EXPECT_EQ(error("zzzzzzzz:8"), "--mix: unknown instruction class 'zzzzzzzz'");
  for (const char* count : {"0", "-1", "1.5", "x", "", "1e12", "nan", "inf", "4 B"})
    EXPECT_EQ(error(std::string("ffma:") + count),
              "--mix: 'ffma:" + std::string(count) +
                  "': a whole number of instructions above zero is expected after the colon");
  for (const char* text : {"", ",", "ffma:1,", "ffma:1,,iadd:2", ":3"})
    EXPECT_EQ(error(text), "--mix: an instruction class is missing in '" + std::string(text) +
                               "'; write it as ffma:8,iadd:4");
  EXPECT_EQ(error("ffma:8,ffma:2"), "--mix: 'ffma' stands twice");
  EXPECT_EQ(error("none"), "--mix: a mix without instructions takes no time; write one as ffma:8,iadd:4");
}

TEST(InstructionClasses, have_names_of_their_own_and_a_throughput_or_only_a_slot) {
  std::set<std::string_view> names;
  for (const InstructionClass& c : instruction_classes()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_FALSE(c.meaning.empty()) << c.name;
    EXPECT_EQ(find_instruction_class(c.name), &c);
    EXPECT_TRUE(c.throughput != nullptr || c.kind == InstructionKind::slot) << c.name;
    EXPECT_EQ(c.name.find_first_of(":, "), c.name.npos) << c.name;
  }
}

} // namespace perfmodel::instruction_mix_test
