#include "drawing_texts.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>

namespace perfmodel::plots {

namespace {
constexpr double text_inset = 1;
} // namespace

std::optional<TextFit> fit_of(const std::vector<CellText>& texts, double least) {
  for (const bool upright : {false, true})
    for (double size = label_size; size >= least; size -= 1) {
      const bool fits = std::all_of(texts.begin(), texts.end(), [&](const CellText& t) {
        const double along = text_width(t.text, size) + 2 * text_inset, across = size * (ascent + descent);
        return upright ? along <= t.room.height() && across <= t.room.width()
                       : along <= t.room.width() && across <= t.room.height();
      });
      if (fits) return TextFit{size, upright};
    }
  return {};
}

} // namespace perfmodel::plots
