#include "font.hpp"

#include "utf8.hpp"

namespace perfmodel::plots {

namespace {
struct FontRange {
  char32_t first, last;
};
#include "font_widths.inc"

// 1/2048 em. What the font lacks comes from a fallback font: a full em is safe for nearly all of them.
int advance(char32_t c, bool bold) {
  if (columns_of(c) == 0) return 0;
  std::size_t before = 0;
  for (const FontRange& range : font_ranges) {
    if (c >= range.first && c <= range.last) {
      const int width = (bold ? bold_widths : regular_widths)[before + (c - range.first)];
      if (width > 0) return width;
    }
    before += range.last - range.first + 1;
  }
  return columns_of(c) == 2 ? 2458 : 2048;
}

double to_px(long units, double size) { return static_cast<double>(units) * size / 2048; }
} // namespace

double text_width(std::string_view text, double size, bool bold) {
  long units = 0;
  for (const char32_t c : decode(text)) units += advance(c, bold);
  return to_px(units, size);
}

std::string cut_to_width(std::string_view text, double width, double size, bool bold) {
  if (text_width(text, size, bold) <= width) return encode(decode(text));
  std::u32string kept;
  long units = advance(U'…', bold);
  for (const char32_t c : decode(text)) {
    units += advance(c, bold);
    if (to_px(units, size) > width) break;
    kept += c;
  }
  while (!kept.empty() && kept.back() == U' ') kept.pop_back();
  return encode(kept) + "…";
}

} // namespace perfmodel::plots
