// The prediction that a learner types, and what is said of it.
#include "asked.hpp"

#include "cli/exercise/learner.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <pty.h>
#include <sys/wait.h>

#include <iostream>

namespace perfmodel::exercise_learner_test {

using namespace asked_for_tests;

// The prompt says in which unit a bare number counts.
TEST(Learner, a_bare_number_is_in_the_unit_of_the_prompt) {
  Question share{.unit = {"fraction", {}}}, threads{.unit = {"threads", {}}};
  EXPECT_DOUBLE_EQ(cli::prediction_in("4.72", share), 0.0472);
  EXPECT_DOUBLE_EQ(cli::prediction_in(" 4.72 % ", share), 0.0472);
  EXPECT_DOUBLE_EQ(cli::prediction_in("80", threads), 80);
  EXPECT_DOUBLE_EQ(cli::prediction_in("80 threads", threads), 80);
  EXPECT_EQ(error_of([&] { cli::prediction_in("80warps", threads); }), "threads are asked for, not warps");
}

TEST(Learner, is_right_within_a_tenth_and_near_within_a_factor_of_two) {
  const Question question = asked(two_chains(), "m2090"); // 320 threads
  const auto verdict = [&](double prediction) {
    const std::string said = cli::judged(question, prediction);
    return said.substr(0, said.find(':'));
  };
  EXPECT_EQ(verdict(320), "Right");
  EXPECT_EQ(verdict(352), "Right");
  EXPECT_EQ(verdict(288), "Right");
  EXPECT_EQ(verdict(353), "Near");
  EXPECT_EQ(verdict(287), "Near");
  EXPECT_EQ(verdict(640), "Near");
  EXPECT_EQ(verdict(160), "Near");
  EXPECT_EQ(verdict(641), "Not yet");
  EXPECT_EQ(verdict(159), "Not yet");
  EXPECT_EQ(verdict(0), "Not yet");
  EXPECT_EQ(verdict(-320), "Not yet");
  EXPECT_EQ(cli::judged(question, 400), "Near: 320 threads; yours, 400 threads, is 25 % above.");
  EXPECT_EQ(cli::judged(question, 3200), "Not yet: 320 threads; yours, 3200 threads, is 10 times too large.");
}

TEST(Learner, may_type_the_unit_and_is_asked_again_after_a_slip) {
  const Question question = asked(two_chains(), "m2090");
  EXPECT_EQ(cli::prediction_in(" 320 threads", question), 320);
  std::istringstream in("320 GB/s\n0.32k\n");
  std::ostringstream out;
  cli::ask_learner(in, out, question);
  EXPECT_EQ(lines_of(out.str()).size(), 2U) << out.str();
  EXPECT_NE(out.str().find("Right: 320 threads."), std::string::npos) << out.str();
  std::istringstream nothing("\n");
  std::ostringstream silent;
  cli::ask_learner(nothing, silent, question);
  EXPECT_EQ(silent.str(), "your prediction [threads]: ");
}

// On a terminal of its own: nothing of the answer stands there before the prediction is typed.
TEST(Exercise, waits_on_a_terminal_for_the_prediction) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) GTEST_SKIP() << "no pseudo-terminal";
  if (child == 0) {
    const int code =
        cli::run(words("exercise littles-law --hw m2090 --seed 7"), std::cout, std::cerr, {}, &shipped());
    std::cout.flush();
    ::_exit(code);
  }
  std::string shown;
  const auto read_on = [&](const std::string& until) {
    char piece[512];
    while (until.empty() || shown.find(until) == std::string::npos) {
      const ssize_t count = ::read(terminal, piece, sizeof piece);
      if (count <= 0) return; // the other end is closed
      shown.append(piece, static_cast<std::size_t>(count));
    }
  };
  read_on("your prediction");
  EXPECT_EQ(shown.find("answer:"), std::string::npos) << shown;
  ASSERT_EQ(::write(terminal, "1\n", 2), 2);
  read_on("");
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(shown.find("Not yet: "), std::string::npos) << shown;
  EXPECT_NE(shown.find("answer:"), std::string::npos) << shown;
}

TEST(Exercise, asks_only_where_nobody_can_type) {
  const Answer question = perfmodel(words("exercise littles-law --hw m2090 --seed 7"));
  EXPECT_EQ(question.code, 0) << question.err;
  EXPECT_EQ(question.out.find("answer:"), std::string::npos) << question.out;
  const Answer both = perfmodel(words("exercise littles-law --hw m2090 --seed 7 --answer"));
  EXPECT_EQ(both.out.substr(0, question.out.size()), question.out);
  EXPECT_NE(both.out.find("answer:"), std::string::npos) << both.out;
}

} // namespace perfmodel::exercise_learner_test
