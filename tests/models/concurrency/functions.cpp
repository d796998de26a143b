#include "models/concurrency/functions.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

namespace perfmodel::functions_test {

std::string text(const std::vector<MixPart>& mix) {
  std::string all;
  for (const MixPart& part : mix)
    all += std::string(part.instruction->name) + ":" + std::to_string(int(part.count)) + " ";
  return all;
}

// umod7 = udiv7 + imul + iadd = (2 imulhi + iadd) + imul + iadd.
TEST(Functions, are_made_of_instructions_and_of_functions_before_them) {
  const Functions functions("udiv8: shift; udiv7: imulhi:2, iadd ;umod7: udiv7,imul:3,iadd:1;");
  EXPECT_EQ(text(*functions.of("udiv8")), "shift:1 ");
  EXPECT_EQ(text(*functions.of("umod7")), "imulhi:2 iadd:2 imul:3 ");
  EXPECT_EQ(functions.of("sinf"), nullptr);
  EXPECT_EQ(Functions("").of("udiv"), nullptr);
}

TEST(Functions, replace_their_names_in_a_mix_and_add_up) {
  const Functions functions("udiv7: imulhi:2,iadd:1");
  const auto mix = functions.expanded("--mix", parse_mix("--mix", "iadd:4,udiv7:3,ffma"));
  EXPECT_EQ(text(mix), "iadd:7 imulhi:6 ffma:1 ");
  EXPECT_EQ(
      error_of([&] { functions.expanded("--overhead", parse_mix("--overhead", "sinf")); }),
      "--overhead: 'sinf' is several instructions, and the fact 'functions' of this GPU does not say which: "
      "count those");
}

TEST(Functions, a_wrong_text_gets_a_sentence) {
  const auto error = [](const char* wrong) { return error_of([&] { Functions{wrong}; }); };
  EXPECT_EQ(error("udiv"), "functions: 'FUNCTION: CLASS:COUNT,...' is expected, not 'udiv'");
  EXPECT_EQ(error("udvi: shift"), "unknown instruction class 'udvi' (did you mean 'udiv'?)");
  EXPECT_EQ(error("udiv: shfit"), "functions: unknown instruction class 'shfit' (did you mean 'shift'?)");
  EXPECT_EQ(error("udiv: shift; udiv: logic"), "functions: 'udiv' stands twice");
  EXPECT_EQ(error("udiv: udiv"), "functions: 'udiv' is made of itself");
  EXPECT_EQ(error("umod: udiv,iadd"), "functions: 'umod' is made of 'udiv', which stands nowhere before it");
}

TEST(Functions, of_every_architecture_can_be_read_and_cover_the_divisions) {
  for (const std::string& cc : every_compute_capability()) {
    const Functions functions = functions_of(database().architecture(cc));
    for (const char* name :
         {"udiv", "umod", "idiv", "imod", "udiv7", "umod7", "idiv8", "imod8", "sinf", "expf"})
      EXPECT_NE(functions.of(name), nullptr) << cc << " " << name;
  }
}

// NVIDIA: integer division and modulo take below 20 instructions from cc 2.0 on, tens of them on 1.x. Signed
// ones and those that multiply by XMADs or count moves take a few more.
TEST(Functions, unsigned_division_takes_as_many_instructions_as_nvidia_says) {
  for (const std::string& cc : every_compute_capability()) {
    const Functions functions = functions_of(database().architecture(cc));
    double all = 0;
    for (const MixPart& part : *functions.of("udiv")) all += part.count;
    const bool by_xmads = cc[0] == '5' || cc[0] == '6';
    EXPECT_LE(all, by_xmads ? 30 : 20) << cc;
    EXPECT_GE(all, 12) << cc;
  }
}

} // namespace perfmodel::functions_test
