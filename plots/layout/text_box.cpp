#include "text_box.hpp"

#include "font.hpp"

#include <cmath>

namespace perfmodel::plots {

void measure(Text& text) {
  const double width = text_width(text.text, text.size, text.bold);
  const double turn = radians(text.angle);
  const Point along{std::cos(turn), std::sin(turn)}, up{std::sin(turn), -std::cos(turn)};
  const double shift = text.anchor == Anchor::start ? width / 2 : text.anchor == Anchor::end ? -width / 2 : 0;
  const Point centre = text.at + shift * along + text.size * (ascent - descent) / 2 * up;
  text.box = turned(centre, width, text.size * (ascent + descent), text.angle);
}

void centre_text(Text& text, Point centre) {
  const double turn = radians(text.angle);
  const Point up{std::sin(turn), -std::cos(turn)};
  text.anchor = Anchor::middle;
  text.at = rounded(centre - text.size * (ascent - descent) / 2 * up);
  measure(text);
}

Quad with_spaces(const Text& text) {
  const double space = text.size * 0.4, turn = radians(text.angle);
  const Point along{std::cos(turn), std::sin(turn)};
  Quad out = text.box;
  const Point centre = 0.5 * (out.corners[0] + out.corners[2]);
  for (Point& corner : out.corners) {
    const Point from_centre = corner - centre;
    const bool is_after = from_centre.x * along.x + from_centre.y * along.y > 0;
    corner = corner + (is_after ? space : -space) * along;
  }
  return out;
}

} // namespace perfmodel::plots
