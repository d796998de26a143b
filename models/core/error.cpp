#include "error.hpp"

#include <algorithm>
#include <cctype>

namespace perfmodel {

std::string quoted(std::string_view text) {
  std::string shown;
  std::size_t end = std::min<std::size_t>(text.size(), 40);
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end; // not within a character
  for (const char c : text.substr(0, end))
    shown += std::isprint(static_cast<unsigned char>(c)) || (c & 0x80) ? c : '?';
  return "'" + shown + (text.size() > end ? "...'" : "'");
}

} // namespace perfmodel
