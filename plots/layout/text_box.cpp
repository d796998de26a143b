#include "text_box.hpp"

#include "font.hpp"

#include <cmath>

namespace perfmodel::plots {

void measure(Text& text) {
  const double width = text_width(text.text, text.size, text.bold);
  const double radians = text.angle * 3.14159265358979323846 / 180;
  const Point along{std::cos(radians), std::sin(radians)}, up{std::sin(radians), -std::cos(radians)};
  const double shift = text.anchor == Anchor::start ? width / 2 : text.anchor == Anchor::end ? -width / 2 : 0;
  const Point centre = text.at + shift * along + text.size * (ascent - descent) / 2 * up;
  text.box = turned(centre, width, text.size * (ascent + descent), text.angle);
}

void centre_text(Text& text, Point centre) {
  const double radians = text.angle * 3.14159265358979323846 / 180;
  const Point up{std::sin(radians), -std::cos(radians)};
  text.anchor = Anchor::middle;
  text.at = rounded(centre - text.size * (ascent - descent) / 2 * up);
  measure(text);
}

} // namespace perfmodel::plots
