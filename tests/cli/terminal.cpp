// Answers and help follow the width of the terminal.
#include "program.hpp"

#include "cli/text_lines.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace perfmodel::terminal_test {

// The standard output is a terminal of so many columns while this lives.
class Terminal {
public:
  explicit Terminal(unsigned short columns) : leader_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    std::cout.flush();
    if (leader_ < 0 || ::grantpt(leader_) != 0 || ::unlockpt(leader_) != 0) return;
    const int follower = ::open(::ptsname(leader_), O_RDWR | O_NOCTTY);
    const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    if (follower < 0 || ::ioctl(follower, TIOCSWINSZ, &size) != 0) return;
    before_ = ::dup(STDOUT_FILENO);
    ::dup2(follower, STDOUT_FILENO);
    ::close(follower);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    std::cout.flush();
    if (before_ >= 0) {
      ::dup2(before_, STDOUT_FILENO);
      ::close(before_);
    }
    if (leader_ >= 0) ::close(leader_);
  }
  bool is_there() const { return before_ >= 0; }

private:
  int leader_, before_ = -1;
};

// The widest line of an answer there; 0 where this machine has no pseudo-terminals.
std::size_t widest(const std::string& line, unsigned short columns) {
  std::string out;
  {
    const Terminal terminal(columns);
    if (!terminal.is_there()) return 0;
    out = perfmodel(words(line)).out;
  }
  std::size_t most = 0;
  for (const std::string& text : lines_of(out)) {
    if (text.starts_with("  perfmodel ")) continue; // an example, to be copied
    most = std::max(most, cli::width_of(text));
  }
  return most;
}

TEST(TerminalWidth, answers_use_it_up_to_160_columns) {
  if (widest("hw list", 80) == 0) GTEST_SKIP() << "no pseudo-terminal";
  for (const char* line : {"roofline --hw h200 --flops 1e9 --bytes 1e9", "coalescing --hw m2090 --stride 1:8",
                           "hw show h200", "kernel vector-copy --hw h200"}) {
    std::size_t before = 0;
    for (const unsigned short columns : std::initializer_list<unsigned short>{60, 80, 120, 160}) {
      const std::size_t now = widest(line, columns);
      EXPECT_LE(now, columns) << line;
      EXPECT_GE(now, before) << line;
      before = now;
    }
    EXPECT_GT(before, 100u) << line;
    EXPECT_EQ(widest(line, 300), before) << line; // longer lines are hard to read
  }
}

TEST(TerminalWidth, long_names_leave_room_for_what_they_are) {
  if (widest("hw list", 80) == 0) GTEST_SKIP() << "no pseudo-terminal";
  for (const char* line :
       {"instruction-throughput --hw h200 --explain", "exercise all --hw m2090 --count 20 --answer",
        "littles-law --hw h200", "reduction --hw m2090 --version strided-index --draw tree"})
    for (const unsigned short columns : std::initializer_list<unsigned short>{60, 80})
      EXPECT_LE(widest(line, columns), columns) << line;
}

TEST(TerminalWidth, in_a_pipe_columns_says_how_wide) {
  const auto widest_of = [](const std::string& line) {
    std::size_t most = 0;
    for (const std::string& text : lines_of(perfmodel(words(line)).out))
      if (!text.starts_with("  perfmodel ")) most = std::max(most, cli::width_of(text));
    return most;
  };
  const char* set = std::getenv("COLUMNS");
  const std::string before = set == nullptr ? "" : set;
  for (const char* line : {"hw show h200", "rank --help"}) {
    ::setenv("COLUMNS", "", 1);
    const std::size_t usual = widest_of(line);
    for (const char* no_number : {"wide", "80x", "-80", "0"}) {
      ::setenv("COLUMNS", no_number, 1);
      EXPECT_EQ(widest_of(line), usual) << no_number;
    }
    ::setenv("COLUMNS", "70", 1);
    EXPECT_LE(widest_of(line), 70u);
    ::setenv("COLUMNS", "1000", 1);
    EXPECT_GT(widest_of(line), usual);
    EXPECT_LE(widest_of(line), 160u);
  }
  ::setenv("COLUMNS", before.c_str(), 1);
}

TEST(TerminalWidth, help_uses_it_too) {
  if (widest("hw list", 80) == 0) GTEST_SKIP() << "no pseudo-terminal";
  for (const char* line : {"--help", "kernel --help", "rank --help", "measure --help"}) {
    EXPECT_LE(widest(line, 60), 60u) << line;
    const std::size_t wide = widest(line, 160);
    EXPECT_GT(wide, 80u) << line;
    EXPECT_LE(wide, 160u) << line;
  }
}

} // namespace perfmodel::terminal_test
