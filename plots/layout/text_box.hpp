// The box a text covers, from where it is anchored.
#pragma once

#include "layout.hpp"

namespace perfmodel::plots {

inline constexpr double line_height = 1.25; // of the font size
inline constexpr double ascent = 0.78, descent = 0.24;

inline double rounded(double v) {
  return static_cast<double>(static_cast<long long>(v * 100 + (v < 0 ? -0.5 : 0.5))) / 100;
}
inline Point rounded(Point p) { return {rounded(p.x), rounded(p.y)}; }

// Sets `at` and `box` so that the text's box is centred on `centre`.
void centre_text(Text& text, Point centre);
// What a placed text takes: its box, and a space before and after it, so that the next one is not read on.
Quad with_spaces(const Text& text);
// Sets `box` from `at`, `anchor`, `size` and `angle`.
void measure(Text& text);

} // namespace perfmodel::plots
