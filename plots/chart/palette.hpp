// Okabe and Ito's colours for marks, and darker ones of the same hue for text: at least 4.5:1 on white.
// Color Universal Design, https://jfly.uni-koeln.de/color/. Yellow is left out, it vanishes on a projector.
#pragma once

#include "chart.hpp"

#include <string>
#include <string_view>

namespace perfmodel::plots {

inline constexpr int colour_count = 6;

std::string_view line_colour(int slot);
std::string_view text_colour(int slot);
std::string_view tint_colour(int slot); // for areas
// The line's colour mixed with white: 1 is all of it.
std::string shade_colour(int slot, double strength);
int terminal_colour(int slot);          // of the 256
std::string_view dash_array(Dash dash); // "" for solid

// The n-th series: hue, dash and shape all change with it, so that neighbours never differ by colour alone.
int series_colour(std::size_t n);
Dash series_dash(std::size_t n);
Dash roof_dash(std::size_t n);   // solid for as long as hue suffices: dashes mean ceilings there
Fill series_fill(std::size_t n); // of bars, which their order tells apart: hue first, then stripes
Shape series_shape(std::size_t n);

} // namespace perfmodel::plots
