#include "error.hpp"

#include <cctype>

namespace perfmodel {

std::string quoted(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 40))
    shown += std::isprint(static_cast<unsigned char>(c)) || (c & 0x80) ? c : '?';
  return "'" + shown + (text.size() > 40 ? "...'" : "'");
}

} // namespace perfmodel
