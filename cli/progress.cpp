#include "progress.hpp"

#include <ostream>

#include <unistd.h>

namespace perfmodel::cli {

namespace {
constexpr const char* line_begins_anew = "\r\033[K";
constexpr std::size_t widest = 79;
} // namespace

Progress::Progress(Context& context) : terminal_(context.terminal), shown_(isatty(STDERR_FILENO) != 0) {}

void Progress::say(const std::string& text) {
  if (shown_) terminal_ << line_begins_anew << text.substr(0, widest) << std::flush;
}

void Progress::end() {
  if (shown_) terminal_ << line_begins_anew << std::flush;
}

} // namespace perfmodel::cli
