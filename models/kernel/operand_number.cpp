#include "operand_number.hpp"

#include <cstdlib>
#include <limits>
#include <string>

namespace perfmodel {

std::optional<std::uint64_t> unsigned_number(std::string_view text) {
  const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  if (text.empty() || text.size() > (base == 16 ? 16U : 18U)) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 99;
    if (digit >= base) return std::nullopt;
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit);
  }
  return value;
}

std::optional<double> real_number(std::string_view text) {
  if (text == "+INF" || text == "INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "+QNAN" || text == "-QNAN" || text == "QNAN" || text == "+SNAN" || text == "-SNAN" ||
      text == "SNAN")
    return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != text.npos) return std::nullopt;
  if (text.find_first_of("0123456789") == text.npos) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

} // namespace perfmodel
