// What a user types wrong, and how it is refused: one clear sentence on stderr, exit code 2, no answer.
#pragma once

#include "program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string>
#include <vector>

namespace perfmodel::refused {

struct Slip {
  std::vector<std::string> arguments;
  const char* said; // part of the sentence
};

inline std::string shown(const std::vector<std::string>& arguments) {
  std::string line = "perfmodel";
  for (const std::string& word : arguments) line += " " + word.substr(0, 80);
  return line;
}

inline void expect_refused(const Slip& slip) {
  const auto start = std::chrono::steady_clock::now();
  const Answer a = perfmodel(slip.arguments);
  EXPECT_EQ(a.code, 2) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_EQ(a.out, "") << shown(slip.arguments);
  EXPECT_TRUE(one_sentence(a.err)) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_NE(a.err.find(slip.said), std::string::npos) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_TRUE(std::none_of(a.err.begin(), a.err.end(), [](char c) {
    return c != '\n' && std::iscntrl(static_cast<unsigned char>(c)) != 0;
  })) << shown(slip.arguments);
  for (const char* jargon : {"TEXT", "required but", "subcommand", "terminate", "std::", "a bug"})
    EXPECT_EQ(a.err.find(jargon), std::string::npos) << a.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << shown(slip.arguments);
}

inline void expect_refused(const std::vector<std::string>& arguments, const std::string& said) {
  expect_refused(Slip{arguments, said.c_str()});
}

// roofline --hw m2090 and what goes wrong after it.
inline Slip roofline(std::vector<std::string> more, const char* said) {
  more.insert(more.begin(), {"roofline", "--hw", "m2090"});
  return {more, said};
}

} // namespace perfmodel::refused
