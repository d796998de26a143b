#include "terminal_width.hpp"

#include <algorithm>

#include <sys/ioctl.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

std::size_t columns_or(std::size_t elsewhere, int file = STDOUT_FILENO) {
  constexpr std::size_t least = 40, most = 160; // longer lines are hard to read
  winsize size{};
  if (isatty(file) != 0 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<std::size_t>(size.ws_col, least, most);
  return elsewhere;
}

} // namespace

std::size_t text_columns() { return columns_or(100); }

std::size_t help_columns() { return columns_or(80); }

std::size_t error_columns() { return columns_or(0, STDERR_FILENO); }

} // namespace perfmodel::cli
