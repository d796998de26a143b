#include "drawing_texts.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>

namespace perfmodel::plots {

namespace {
constexpr double text_inset = 1;
constexpr double of_digits = 0.73;
constexpr double digits_inset = 0.6; // px, beside them; a word's height has room to spare
} // namespace

TextHeight height_of(const std::string& text) {
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? TextHeight{of_digits, 0} : TextHeight{ascent, descent};
}

namespace {
double across_of(const std::string& text, double size) {
  const TextHeight height = height_of(text);
  return size * (height.above + height.below) + (height.below > 0 ? 0 : 2 * digits_inset);
}
} // namespace

std::optional<TextFit> fit_of(const std::vector<CellText>& texts, double least) {
  for (const bool upright : {false, true})
    for (double size = label_size; size >= least; size = size > least ? std::max(least, size - 1) : 0) {
      const bool fits = std::all_of(texts.begin(), texts.end(), [&](const CellText& t) {
        const double along = text_width(t.text, size) + 2 * text_inset, across = across_of(t.text, size);
        return upright ? along <= t.room.height() && across <= t.room.width()
                       : along <= t.room.width() && across <= t.room.height();
      });
      if (fits) return TextFit{size, upright};
    }
  return {};
}

} // namespace perfmodel::plots
