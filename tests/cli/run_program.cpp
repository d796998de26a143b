// A program that is started, and ends as it ends.
#include "cli/run_program.hpp"
#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace perfmodel::run_program_test {

TEST(RunProgram, passes_exit_codes_variables_and_words_on) {
  const auto shell = [](const std::string& script) {
    return cli::run_program({"sh", "-c", script, "name", "two words", ""}, {{"PERFMODEL_TEST", "a b"}});
  };
  EXPECT_EQ(shell("exit 7"), 7);
  EXPECT_EQ(shell("exit 0"), 0);
  EXPECT_EQ(shell("test \"$PERFMODEL_TEST\" = 'a b' && test $# = 2 && test \"$1\" = 'two words'"), 0);
  EXPECT_EQ(shell("kill -9 $$"), 137);
  EXPECT_EQ(shell("kill -SEGV $$"), 139);
  EXPECT_EQ(shell("kill -INT $$"), 130);
}

// The program tells its parent, which is this test, to end; the signal comes back to it.
TEST(RunProgram, passes_signals_on_that_are_sent_to_the_one_that_waits) {
  const std::string script =
      "trap 'exit 9' TERM; kill -TERM $PPID; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; done";
  EXPECT_EQ(cli::run_program({"sh", "-c", script}, {}), 9);
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL); // as before
}

TEST(RunProgram, says_what_cannot_be_started) {
  EXPECT_THROW(cli::run_program({"./nothing of this name"}, {}), InputError);
}

} // namespace perfmodel::run_program_test
