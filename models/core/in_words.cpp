#include "in_words.hpp"

#include "utf8.hpp"

#include <algorithm>

namespace perfmodel {

std::string_view binding(std::string_view bound) {
  bound = bound.substr(0, bound.find_first_of(",;:"));
  constexpr std::string_view at_most = " at most";
  if (bound.size() > at_most.size() && bound.substr(bound.size() - at_most.size()) == at_most)
    bound.remove_suffix(at_most.size());
  return bound == "issue" ? "issue slots" : bound;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t end = text.size() > most ? most - 3 : text.size();
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return printable(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

std::string spaced(std::string_view name) {
  std::string text(name);
  if (text.find('.') == text.npos) std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

} // namespace perfmodel
