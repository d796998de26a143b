#include "how_it_begins.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

std::string how_it_begins(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return ": it is empty";
  return fmt::format(", but begins with '{}'",
                     shortened(text.substr(first, text.find_first_of("\r\n", first) - first)));
}

} // namespace perfmodel::cli
