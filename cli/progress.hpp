// How far a command is, on a terminal: a line that is drawn over itself, once the command has taken longer
// than anybody waits without wondering. Elsewhere nothing.
#pragma once

#include "context.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace perfmodel::cli {

class Progress {
public:
  // On the terminal that the standard error is, after a second.
  explicit Progress(Context& context);
  // `shown`: whether `err` ends at a terminal.
  Progress(SafeStream& err, bool shown, std::chrono::milliseconds patience);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  // What is being done; the line has it with the seconds since the command began.
  void say(std::string text);
  // Takes the line away, for good: before an answer is given.
  void end();

private:
  SafeStream& err_;
  std::chrono::milliseconds patience_;
  std::mutex mutex_; // of the three below
  std::condition_variable changed_;
  std::string text_;
  bool is_new_ = false, ended_ = false;
  std::thread drawer_; // nobody else has the time: a model computes
  void draw();
};

} // namespace perfmodel::cli
