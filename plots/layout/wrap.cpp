#include "wrap.hpp"

#include "font.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perfmodel::plots {

namespace {
// Whether the space at `at` stands within "16 777 216", "57.1 %", "4.8 TB/s" or "ranks = 8".
bool belongs_together(const std::string& text, std::size_t at) {
  if (text.compare(at, 3, " = ") == 0 || (at >= 2 && text.compare(at - 2, 3, " = ") == 0)) return true;
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (at == 0 || !is_digit(at - 1)) return false;
  if (is_digit(at + 1)) return true;
  std::string word = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
  word.erase(word.find_last_not_of(".,;:)") + 1);
  constexpr const char* units[] = {"%", "s", "ms", "us", "ns", "B", "kB", "MB", "GB", "TB", "W", "J"};
  return word.find('/') != std::string::npos ||
         std::find(std::begin(units), std::end(units), word) != std::end(units);
}
} // namespace

std::vector<std::string> wrapped(const std::string& text, double width, double size, bool bold) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    while (end < text.size() && belongs_together(text, end))
      end = std::min(text.find(' ', end + 1), text.size());
    const std::string word = text.substr(at, end - at), longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, size, bold) > width)
      lines.push_back(line), line = word;
    else
      line = longer;
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  for (std::string& l : lines) l = cut_to_width(l, width, size, bold);
  return lines;
}

std::vector<std::string> balanced(const std::string& text, double width, double size, bool bold) {
  const std::vector<std::string> widest = wrapped(text, width, size, bold);
  // After a colon, where that makes no line more.
  if (const std::size_t colon = text.find(": "); widest.size() == 2 && colon != text.npos) {
    const std::string head = text.substr(0, colon + 1), rest = text.substr(colon + 2);
    if (text_width(head, size, bold) <= width && text_width(rest, size, bold) <= width) return {head, rest};
  }
  constexpr double step = 4; // px
  std::vector<std::string> best = widest;
  for (double less = width - step; less > width / 3 && widest.size() > 1; less -= step) {
    std::vector<std::string> lines = wrapped(text, less, size, bold);
    const bool is_cut =
        std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.ends_with("…"); });
    if (lines.size() > widest.size() || is_cut) break;
    best = std::move(lines);
  }
  return best;
}

} // namespace perfmodel::plots
