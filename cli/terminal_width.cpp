#include "terminal_width.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

constexpr std::size_t least_columns = 40, most_columns = 160; // longer lines are hard to read

// Of COLUMNS, as other programs take it where they write into a pager's pipe.
std::size_t given_or(std::size_t otherwise) {
  const char* given = std::getenv("COLUMNS");
  const std::string_view text = given == nullptr ? "" : given;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && columns > 0;
  return is_number ? std::clamp(columns, least_columns, most_columns) : otherwise;
}

std::size_t columns_or(std::size_t elsewhere, int file = STDOUT_FILENO) {
  winsize size{};
  if (isatty(file) != 0 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp<std::size_t>(size.ws_col, least_columns, most_columns);
  return elsewhere;
}

} // namespace

std::size_t text_columns() { return columns_or(given_or(100)); }

std::size_t help_columns() { return columns_or(given_or(80)); }

std::size_t error_columns() { return columns_or(0, STDERR_FILENO); }

} // namespace perfmodel::cli
