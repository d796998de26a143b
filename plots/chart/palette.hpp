// Which colour, dash, fill and shape a series has. How a colour looks is a theme's business
// (output/theme.hpp).
#pragma once

#include "chart.hpp"

#include <string_view>

namespace perfmodel::plots {

inline constexpr int colour_count = 6;

int terminal_colour(int slot);          // of the 256
std::string_view dash_array(Dash dash); // "" for solid

// The n-th series: hue, dash and shape all change with it, so that neighbours never differ by colour alone.
int series_colour(std::size_t n);
Dash series_dash(std::size_t n);
Fill series_fill(std::size_t n); // of bars, which their order tells apart: hue first, then stripes
Shape series_shape(std::size_t n);

} // namespace perfmodel::plots
