#include "error.hpp"

#include "utf8.hpp"

#include <algorithm>

namespace perfmodel {

std::string quoted(std::string_view text) {
  std::size_t end = std::min<std::size_t>(text.size(), 40);
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end; // not within a character
  return "'" + printable(text.substr(0, end)) + (text.size() > end ? "...'" : "'");
}

} // namespace perfmodel
