// The colours of a picture. Light, dark and print differ in these values alone, whatever is drawn.
#pragma once

#include "plots/chart/palette.hpp"

#include <array>
#include <string>
#include <string_view>

namespace perfmodel::plots {

// Of one slot: for strokes and solid marks, for text, for areas.
struct Hue {
  std::string_view line, text, tint;
};

// Text has a contrast of at least 4.5:1 with the ground (WCAG 2.1).
struct Theme {
  std::string_view name;
  std::string_view ground, grid, axis, leader; // leader: from a label to what it names
  Hue ink, grey, alarm;
  std::array<Hue, colour_count> hues; // Okabe and Ito's, https://jfly.uni-koeln.de/color/
  // Where hues are no more than black and grey: series are told apart by markers and hatching as well.
  bool monochrome = false;

  const Hue& hue(int slot) const;
  std::string_view line(int slot) const { return hue(slot).line; }
  std::string_view text(int slot) const { return hue(slot).text; }
  std::string_view tint(int slot) const { return hue(slot).tint; }
  // The line's colour mixed with the ground: 1 is all of it.
  std::string shade(int slot, double strength) const;
};

inline constexpr std::array<std::string_view, 3> theme_names{"light", "dark", "print"};
const Theme& light_theme();
// Throws InputError for a name that is none of theme_names.
const Theme& theme_named(std::string_view name);

} // namespace perfmodel::plots
