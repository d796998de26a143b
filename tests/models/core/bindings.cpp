#include "models/core/bindings.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::bindings_test {

std::vector<std::string> swept(const char* text) {
  std::vector<std::string> all;
  for (const Bindings& b : Bindings::sweep(text)) all.push_back(b.text());
  return all;
}

TEST(Bindings, name_whole_numbers) {
  const Bindings b = Bindings::from_text("n=4000, m = -3");
  EXPECT_EQ(*b.find("n"), 4000);
  EXPECT_EQ(*b.find("m"), -3);
  EXPECT_EQ(b.find("k"), nullptr);
  EXPECT_EQ(b.text(), "n=4000,m=-3");
  EXPECT_EQ(Bindings::from_text("").text(), "");
  EXPECT_EQ(*Bindings::from_text("n=9007199254740993").find("n"), 9007199254740993) << "2^53 + 1";
  EXPECT_EQ(*Bindings::from_text("n=0x10").find("n"), 16) << "as in expressions";
}

TEST(Bindings, sweep_every_combination_the_first_name_slowest) {
  EXPECT_EQ(swept("n=1,2,m=5:15:5"),
            (std::vector<std::string>{"n=1,m=5", "n=1,m=10", "n=1,m=15", "n=2,m=5", "n=2,m=10", "n=2,m=15"}));
  EXPECT_EQ(swept("n=64:256:*2"), (std::vector<std::string>{"n=64", "n=128", "n=256"}));
  EXPECT_EQ(swept(""), std::vector<std::string>{""});
}

TEST(Bindings, refuse_what_is_no_name_or_no_whole_number) {
  for (const auto& [text, part] : {std::pair{"4000", "NAME=NUMBER"},
                                   {"=4", "is no name"},
                                   {"2n=4", "is no name"},
                                   {"n m=4", "is no name"},
                                   {"n=1.5", "a whole number"},
                                   {"n=1e300", "a whole number"},
                                   {"n=", "n = '': a whole number is expected"},
                                   {"n=x", "n = 'x': a whole number is expected, such as n=4000"},
                                   {"n=1,,2", "a whole number is expected"},
                                   {"n=99999999999999999999", "up to 2^53"},
                                   {"n=1,n=2", "given twice"},
                                   {"n=1:1000000,m=1:1000", "10 million"}}) {
    const std::string sentence = error_of([&, t = text] { Bindings::sweep(t); });
    EXPECT_NE(sentence, "") << text;
    EXPECT_NE(sentence.find(part), std::string::npos) << text << ": " << sentence;
  }
  EXPECT_NE(error_of([] { Bindings::from_text("n=1,2"); }).find("one value"), std::string::npos);
}

} // namespace perfmodel::bindings_test
