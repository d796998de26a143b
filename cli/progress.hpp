// How far a command is, on a terminal: a line that is drawn over itself. Elsewhere nothing.
#pragma once

#include "context.hpp"

#include <string>

namespace perfmodel::cli {

class Progress {
public:
  explicit Progress(Context& context);
  void say(const std::string& text);
  void end(); // takes the line away

private:
  std::ostream& terminal_;
  bool shown_;
};

} // namespace perfmodel::cli
