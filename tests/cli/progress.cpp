// How far a command is, on a terminal.
#include "cli/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <thread>

namespace perfmodel::cli::progress_test {

using namespace std::chrono_literals;

constexpr const char* line_begins_anew = "\r\033[K";

TEST(Progress, is_told_once_the_patience_is_over_and_taken_away_at_the_end) {
  std::ostringstream terminal;
  SafeStream err(terminal);
  {
    Progress progress(err, true, 20ms);
    progress.say("kernel on h200");
    std::this_thread::sleep_for(300ms);
  }
  const std::string drawn = terminal.str();
  EXPECT_EQ(drawn.rfind("kernel on h200 (0 s)", 0), 0u) << drawn;
  EXPECT_TRUE(drawn.ends_with(line_begins_anew)) << drawn;
}

TEST(Progress, of_what_is_done_at_once_or_where_no_terminal_is_nothing_is_told) {
  std::ostringstream terminal;
  SafeStream err(terminal);
  {
    Progress quick(err, true, 60s);
    quick.say("at once");
    Progress piped(err, false, 0ms);
    piped.say("into a file");
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(terminal.str(), "");
}

TEST(Progress, a_sentence_takes_the_place_of_the_line) {
  std::ostringstream terminal;
  SafeStream err(terminal);
  err.stand("working");
  err << "left out: m2090\n";
  err.stand("");
  EXPECT_EQ(terminal.str(), "working" + std::string(line_begins_anew) + "left out: m2090\n");
}

TEST(SafeStream, breaks_long_sentences_where_the_terminal_ends) {
  std::ostringstream narrow, piped;
  SafeStream to_terminal(narrow, 20), to_program(piped);
  for (SafeStream* err : {&to_terminal, &to_program}) {
    *err << "perfmodel: there is no such exercise\n\nshort\n";
    err->flush();
  }
  EXPECT_EQ(narrow.str(), "perfmodel: there is\nno such exercise\n\nshort\n");
  EXPECT_EQ(piped.str(), "perfmodel: there is no such exercise\n\nshort\n");
}

TEST(Progress, a_name_cannot_order_the_terminal_about) {
  std::ostringstream terminal;
  SafeStream err(terminal);
  err.stand("a\033[2Jb");
  EXPECT_EQ(terminal.str().find('\033'), std::string::npos) << terminal.str();
}

} // namespace perfmodel::cli::progress_test
